//! Proofs of gates.
//!
//! Candidates, in order: the user's own words; the smallest form over terms that one module can write; the user's own
//! words with conditionals for operators; the field's own expression compared with each value. A candidate counts only if evaluating its text, in the same
//! domain that traced the field, gives true exactly under the branch's condition, and if every assignment for which
//! no branch was made is stopped: by the gates' own error, or by a guard on a root variable or the workspace.

use super::better::compares_collections;
use super::{Choice, Gates, Prover, unit_at};
use crate::addr::{ModulePath, Target};
use crate::cond::{FormulaId, TermId, Writing};
use crate::trace::wording::{CUBES, versions_among};
use crate::trace::{Guard, GuardKind, Tracer};
use crate::value::Value;
use std::collections::BTreeSet;

impl Prover<'_, '_> {
    /// Gates for a set of choices of fields of `target`, which stands in the module `at`.
    ///
    /// Values outside a universe that is only assumed are covered where the gates cover them by themselves; else a
    /// guard keeps them out.
    pub fn gates(&mut self, choices: &[Choice], at: &ModulePath, target: &Target) -> Option<Gates> {
        let field = (at, target);
        let wide = self.gates_for(choices, field);
        if wide.as_ref().is_some_and(Gates::plain) {
            return wide;
        }
        let meant = self.meant(choices)?;
        let narrow = if meant.iter().zip(choices).all(|(m, c)| m.when == c.when) {
            None
        } else {
            self.gates_for(&meant, field)
        };
        match (wide, narrow) {
            (Some(wide), Some(narrow)) if wide.by_value && !narrow.by_value => Some(narrow),
            (Some(wide), Some(narrow))
                if narrow.scope == wide.scope
                    && narrow.guards.len() <= wide.guards.len()
                    && narrow.length() < wide.length() =>
            {
                Some(narrow)
            }
            (Some(wide), _) => Some(wide),
            (None, narrow) => narrow,
        }
    }

    /// Choices without what lies outside universes that are only assumed.
    fn meant(&mut self, choices: &[Choice]) -> Option<Vec<Choice>> {
        let inside = self.inside(choices)?;
        choices
            .iter()
            .map(|c| Some(Choice { when: self.formulas().and(c.when, inside).ok()?, ..c.clone() }))
            .collect()
    }

    /// The terms that decide between choices.
    pub(super) fn terms_of(&mut self, choices: &[Choice]) -> BTreeSet<TermId> {
        let each = choices.iter().map(|c| self.formulas().terms(c.when));
        each.fold(BTreeSet::new(), |mut all, terms| {
            all.extend(terms.iter().copied());
            all
        })
    }

    /// Returns the condition under which every term of the choices with a universe takes a value of it.
    pub(super) fn inside(&mut self, choices: &[Choice]) -> Option<FormulaId> {
        let mut inside = FormulaId::TRUE;
        for term in self.terms_of(choices) {
            let universe = self.formulas().universe(term);
            if !universe.is_empty() {
                let one = self.formulas().one_of(term, &universe).ok()?;
                inside = self.formulas().and(inside, one).ok()?;
            }
        }
        Some(inside)
    }

    /// The guards that one value for all assignments needs: it may hold only for values that are listed.
    pub fn guards_of(&mut self, when: FormulaId) -> Option<Vec<Guard>> {
        let open = self.formulas().not(when).ok()?;
        self.guards(open, when).or_else(|| self.held_to_listed(open, when))
    }

    /// Guards that hold variables to what is listed for them, though other values would do as well.
    fn held_to_listed(&mut self, open: FormulaId, accepted: FormulaId) -> Option<Vec<Guard>> {
        let mut guards = Vec::new();
        let mut left = open;
        for term in self.formulas().terms(open).iter().copied() {
            let Some(subject) = self.tracer.term_info(term).and_then(|i| i.subject.clone()) else { continue };
            let universe = self.formulas().universe(term);
            if !universe.is_empty() {
                let values = self.possible_values(term, universe, accepted)?;
                let inside = self.formulas().one_of(term, &values).ok()?;
                left = self.formulas().and(left, inside).ok()?;
                guards.push(Guard { subject, values, kind: GuardKind::Universe });
            }
        }
        (left == FormulaId::FALSE).then_some(guards)
    }

    /// Returns those of some values of a term for which `accepted` can hold.
    pub(super) fn possible_values(
        &mut self,
        term: TermId,
        values: Vec<Value>,
        accepted: FormulaId,
    ) -> Option<Vec<Value>> {
        let mut kept = Vec::new();
        for value in values {
            if self.formulas().restrict(accepted, term, &value).ok()? != FormulaId::FALSE {
                kept.push(value);
            }
        }
        Some(kept)
    }

    fn gates_for(&mut self, choices: &[Choice], field: (&ModulePath, &Target)) -> Option<Gates> {
        if let Some(known) = self.proved_before(choices, field) {
            return Some(known);
        }
        let at = field.0;
        let accepted = self.formulas().or_all(choices.iter().map(|c| c.when)).ok()?;
        let words = self.said(choices, accepted);
        let mut scopes: Vec<ModulePath> = words.iter().map(|g| g.scope.clone()).collect();
        let said = words.and_then(|g| self.proved(g, choices, field));
        if let Some(said) = said.as_ref().filter(|g| g.plain()) {
            self.remember(said, scopes, choices, field);
            return Some(said.clone());
        }
        let words = self.normal(choices, accepted);
        scopes.extend(words.iter().map(|g| g.scope.clone()));
        let normal = words.and_then(|g| self.proved(g, choices, field));
        let words = match (said, normal) {
            // Both are right; what is shorter reads better, and the user's own words win a tie.
            (Some(said), Some(normal)) if normal.scope == said.scope && normal.length() < said.length() => {
                Some(normal)
            }
            (said, normal) => said.or(normal),
        };
        let words = self.without_idle(words, choices, (field, accepted));
        if let Some(words) = words {
            let best = self.better(words, choices, accepted, field);
            // What compares the fields' own values, or might have, is chosen for this field alone.
            if !best.by_value && !best.gates.iter().any(|g| compares_collections(&g.condition)) {
                scopes.push(best.scope.clone());
                self.remember(&best, scopes, choices, field);
            }
            return Some(best);
        }
        let lazy = self.in_own_words(choices, accepted, Writing::Lazy);
        if let Some(lazy) = lazy.and_then(|g| self.proved(g, choices, field)) {
            return Some(lazy);
        }
        self.by_value(choices, at).and_then(|g| self.proved(g, choices, field))
    }

    pub(super) fn proved(
        &mut self,
        mut gates: Gates,
        choices: &[Choice],
        field: (&ModulePath, &Target),
    ) -> Option<Gates> {
        if !gates.scope.contains(field.0) {
            // What stands beside the field or further in has nothing there that could be split.
            return None;
        }
        let unit = unit_at(&gates.scope, field);
        let known = self.tracer.machine().terraform();
        for version in versions_among(known) {
            let cache = &mut *self.cache;
            let prove = |tracer: &mut Tracer<'_>| Prover { tracer, cache }.prove(&gates, choices, &unit);
            let (guards, late) = self.tracer.with_version(version, prove)?;
            gates.late |= late;
            for guard in guards {
                if !gates.guards.contains(&guard) {
                    gates.guards.push(guard);
                }
            }
        }
        Some(gates)
    }

    /// Proves a set of gates; gives the guards that it needs, and whether the gates have to be asked late.
    ///
    /// A gate's value doesn't matter if its unit has no instance, but `count` still evaluates it.
    fn prove(&mut self, gates: &Gates, choices: &[Choice], unit: &Target) -> Option<(Vec<Guard>, bool)> {
        let accepted = self.formulas().or_all(choices.iter().map(|c| c.when)).ok()?;
        let mut stopped = FormulaId::FALSE;
        let mut wrong = FormulaId::FALSE;
        for (gate, choice) in gates.gates.iter().zip(choices) {
            let gives = self.tracer.outcome((&gate.text, gate.negated), (&gates.scope, unit), None)?;
            let differs = self.formulas().xor(gives.yes, choice.when).ok()?;
            wrong =
                self.formulas().or(wrong, differs).and_then(|w| self.formulas().or(w, gives.open)).ok()?;
            stopped = self.formulas().or(stopped, gives.failed).ok()?;
        }
        let (around, present) = self.tracer.presence(&gates.scope, unit)?;
        let meant = self.formulas().and(accepted, present).ok()?;
        let bad = self.formulas().or(wrong, stopped).and_then(|b| self.formulas().and(b, meant)).ok()?;
        if bad != FormulaId::FALSE {
            return None;
        }
        let asked = self.formulas().and(accepted, around).ok()?;
        let early = self.formulas().and(asked, stopped).ok()?;
        let covered = self.formulas().or(accepted, stopped).ok()?;
        let open = self.formulas().minus(present, covered).ok()?;
        Some((self.guards(open, accepted)?, early != FormulaId::FALSE))
    }

    /// Validations that rule out `open`, the assignments that nothing stops yet.
    fn guards(&mut self, open: FormulaId, accepted: FormulaId) -> Option<Vec<Guard>> {
        let mut guards = Vec::new();
        let mut left = open;
        for term in self.formulas().terms(open).iter().copied() {
            if left == FormulaId::FALSE {
                break;
            }
            if let Some((guard, inside)) = self.tracer.cap(term) {
                left = self.formulas().and(left, inside).ok()?;
                guards.push(guard);
                continue;
            }
            let Some(subject) = self.tracer.term_info(term).and_then(|i| i.subject.clone()) else { continue };
            let values = self.accepted_values(term, accepted)?;
            if values.is_empty() {
                continue;
            }
            let inside = self.formulas().one_of(term, &values).ok()?;
            left = self.formulas().and(left, inside).ok()?;
            guards.push(Guard { subject, values, kind: GuardKind::Universe });
        }
        (left == FormulaId::FALSE).then_some(guards)
    }

    /// The constants for which `accepted` can hold; none where it can hold for others too.
    fn accepted_values(&mut self, term: TermId, accepted: FormulaId) -> Option<Vec<Value>> {
        let mut values = self.formulas().universe(term);
        if values.is_empty() {
            for cube in self.formulas().cubes(accepted, CUBES).ok()? {
                for literal in cube.iter().filter(|l| l.term == term && !l.negated) {
                    values.extend(
                        literal.values.iter().filter(|v| !values.contains(v)).cloned().collect::<Vec<_>>(),
                    );
                }
            }
        }
        let kept = self.possible_values(term, values, accepted)?;
        // A variable that may take other values as well can't be held to these.
        let listed = self.formulas().one_of(term, &kept).ok()?;
        let others = self.formulas().not(listed).and_then(|n| self.formulas().and(accepted, n)).ok()?;
        Some(if others == FormulaId::FALSE { kept } else { Vec::new() })
    }
}
