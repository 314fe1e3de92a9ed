//! Proofs of gates.
//!
//! Candidates, in order: the user's own words; the smallest form over terms that one module can write; the user's own
//! words with conditionals for operators; the field's own expression compared with each value. A candidate counts only if evaluating its text, in the same
//! domain that traced the field, gives true exactly under the branch's condition, and if every assignment for which
//! no branch was made is stopped: by the gates' own error, or by a guard on a root variable or the workspace.

use super::better::compares_collections;
use super::{CUBES, Choice, Gate, Gates, Gives, VERSIONS, unit_at};
use crate::addr::{Key, ModulePath, Target};
use crate::cond::{FormulaId, TermId, Writing};
use crate::eval::{At, Bindings, eval};
use crate::syntax::{self, Expr, ExprId, ExprKind};
use crate::text::Span;
use crate::trace::conditional::as_condition;
use crate::trace::domain::{Frame, NOWHERE};
use crate::trace::iteration::Iteration;
use crate::trace::{Guard, GuardKind, Guarded, InstanceId, Part, Tracer};
use crate::value::Value;
use std::collections::BTreeSet;

impl Tracer<'_> {
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
            .map(|c| Some(Choice { when: self.formulas.and(c.when, inside).ok()?, ..c.clone() }))
            .collect()
    }

    /// The terms that decide between choices.
    pub(in crate::trace) fn terms_of(&self, choices: &[Choice]) -> BTreeSet<TermId> {
        let each = choices.iter().map(|c| self.formulas.terms(c.when));
        each.fold(BTreeSet::new(), |mut all, terms| {
            all.extend(terms.iter().copied());
            all
        })
    }

    /// Returns the condition under which every term of the choices with a universe takes a value of it.
    pub(in crate::trace) fn inside(&mut self, choices: &[Choice]) -> Option<FormulaId> {
        let mut inside = FormulaId::TRUE;
        for term in self.terms_of(choices) {
            let universe = self.formulas.universe(term);
            if !universe.is_empty() {
                let one = self.formulas.one_of(term, &universe).ok()?;
                inside = self.formulas.and(inside, one).ok()?;
            }
        }
        Some(inside)
    }

    /// The guards that one value for all assignments needs: it may hold only for values that are listed.
    pub fn guards_of(&mut self, when: FormulaId) -> Option<Vec<Guard>> {
        let open = self.formulas.not(when).ok()?;
        self.guards(open, when).or_else(|| self.held_to_listed(open, when))
    }

    /// Guards that hold variables to what is listed for them, though other values would do as well.
    fn held_to_listed(&mut self, open: FormulaId, accepted: FormulaId) -> Option<Vec<Guard>> {
        let mut guards = Vec::new();
        let mut left = open;
        for term in self.formulas.terms(open).iter().copied() {
            let Some(subject) = self.origins.info(term).and_then(|i| i.subject.clone()) else { continue };
            let universe = self.formulas.universe(term);
            if universe.is_empty() {
                continue;
            }
            let mut values = Vec::new();
            for value in universe {
                if self.formulas.restrict(accepted, term, &value).ok()? != FormulaId::FALSE {
                    values.push(value);
                }
            }
            let inside = self.formulas.one_of(term, &values).ok()?;
            left = self.formulas.and(left, inside).ok()?;
            guards.push(Guard { subject, values, kind: GuardKind::Universe });
        }
        (left == FormulaId::FALSE).then_some(guards)
    }

    fn gates_for(&mut self, choices: &[Choice], field: (&ModulePath, &Target)) -> Option<Gates> {
        if let Some(known) = self.proved_before(choices, field) {
            return Some(known);
        }
        let at = field.0;
        let accepted = self.formulas.or_all(choices.iter().map(|c| c.when)).ok()?;
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

    pub(in crate::trace) fn proved(
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
        let known = self.inputs.outside.terraform();
        let versions = if known.is_some() { vec![known] } else { VERSIONS.map(Some).to_vec() };
        for version in versions {
            let (guards, late) = self.with_version(version, |tracer| tracer.prove(&gates, choices, &unit))?;
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
        let accepted = self.formulas.or_all(choices.iter().map(|c| c.when)).ok()?;
        let mut stopped = FormulaId::FALSE;
        let mut wrong = FormulaId::FALSE;
        for (gate, choice) in gates.gates.iter().zip(choices) {
            let gives = self.gate_outcome(gate, &gates.scope, unit, None)?;
            let differs = self.formulas.xor(gives.yes, choice.when).ok()?;
            wrong = self.formulas.or(wrong, differs).and_then(|w| self.formulas.or(w, gives.open)).ok()?;
            stopped = self.formulas.or(stopped, gives.failed).ok()?;
        }
        let around = self.existence_within(&gates.scope);
        let own = self.instance_at(&gates.scope).and_then(|at| self.axis(at, unit).exists);
        let names = self.names_around(&gates.scope, unit);
        let entries = names.iter().flat_map(|n| &n.entries).filter_map(|e| e.exists);
        let inner: Vec<FormulaId> = own.into_iter().chain(entries).collect();
        let present = inner.into_iter().try_fold(around, |all, f| self.formulas.and(all, f)).ok()?;
        let meant = self.formulas.and(accepted, present).ok()?;
        let bad = self.formulas.or(wrong, stopped).and_then(|b| self.formulas.and(b, meant)).ok()?;
        if !self.never(bad) {
            return None;
        }
        let asked = self.formulas.and(accepted, around).ok()?;
        let early = self.formulas.and(asked, stopped).ok()?;
        let covered = self.formulas.or(accepted, stopped).ok()?;
        let open = self.formulas.minus(present, covered).ok()?;
        Some((self.guards(open, accepted)?, early != FormulaId::FALSE))
    }

    /// Returns true if a formula can't hold, even outside the universes that are only assumed.
    fn never(&self, formula: FormulaId) -> bool {
        formula == FormulaId::FALSE
    }

    /// Returns the conditions under which a gate's text gives each result.
    fn gate_outcome(
        &mut self,
        gate: &Gate,
        scope: &ModulePath,
        unit: &Target,
        under: Option<(InstanceId, &Option<Key>)>,
    ) -> Option<Gives> {
        let (instance, key) = match under {
            None => (self.instance_at(scope)?, None),
            Some((instance, key)) => (instance, Some(key.clone())),
        };
        // Outside of every iteration a text means the same for all fields; within one, for all fields of what is repeated.
        let repeated = match &key {
            None => self.repeats(instance, unit).then(|| (unit.clone(), None)),
            Some(key) => key.clone().map(|key| (unit.clone(), Some(key))),
        };
        let standing = || (gate.text.clone(), gate.negated, instance, repeated, self.scope.version);
        let standing = self.scope.gate_names.is_none().then(standing);
        if let Some(known) = standing.as_ref().and_then(|k| self.gates.outcomes.get(k)) {
            return *known;
        }
        let iteration = match key {
            None => self.axis(instance, unit),
            Some(None) => Iteration::default(),
            Some(Some(key)) => self.at_key(instance, unit, &key),
        };
        let names = self.names_around(scope, unit).unwrap_or_default().names;
        let outcome = self.outcome_in(gate, instance, iteration, &names);
        if let Some(standing) = standing {
            self.gates.outcomes.insert(standing, outcome);
        }
        outcome
    }

    fn outcome_in(
        &mut self,
        gate: &Gate,
        instance: InstanceId,
        iteration: Iteration,
        names: &Bindings<Guarded>,
    ) -> Option<Gives> {
        let expr = syntax::parse_expr(&gate.text).ok().filter(|expr| is_readable(expr, MAX_OPERATORS))?;
        // A gate of what has a `count` stands in it, where Terraform knows no `count.index`, whatever it is there; only one
        // that is shown may speak of it.
        let written = self.scope.gate_names.is_none();
        if written && syntax::traversal::variables(&expr).iter().any(|v| &*v.root.text == "count") {
            return None;
        }
        let nowhere = At::new(NOWHERE, ExprId(u32::MAX), Span::default());
        let mut frame = Frame { tracer: self, instance, iteration };
        // Of a thousand gates, each may take what one expression may take.
        let made = frame.tracer.formulas.size();
        let set_aside = frame.tracer.effort.set_aside(made);
        let value = frame.with_gate_text(&gate.text, |frame| eval(frame, nowhere.file, &expr, names));
        let made = frame.tracer.formulas.size();
        frame.tracer.effort.resume(&set_aside, made);
        let alts = frame.bools(&value, nowhere).ok()?;
        let (mut yes, mut failed, mut open) = (FormulaId::FALSE, FormulaId::FALSE, FormulaId::FALSE);
        for alt in alts {
            let outcome = match &alt.part {
                Part::Value(v) => as_condition(v, nowhere.place()),
                Part::Failed(e) => Err(e.clone()),
                Part::Object(_) | Part::Tuple(_) => return None,
            };
            match outcome.map(|v| v.as_bool()) {
                Ok(Some(b)) if b != gate.negated => yes = self.formulas.or(yes, alt.when).ok()?,
                Ok(Some(_)) => {}
                Ok(None) if self.is_unlisted(&alt) => {
                    open = self.formulas.or(open, alt.when).ok()?;
                }
                Ok(None) => return None,
                Err(_) => failed = self.formulas.or(failed, alt.when).ok()?,
            }
        }
        Some(Gives { yes, failed, open })
    }

    /// Returns the value of a gate where every variable has one value; nothing if it isn't decided.
    pub fn decided_gate(
        &mut self,
        gate: &Gate,
        scope: &ModulePath,
        unit: &Target,
        instance: InstanceId,
        key: &Option<Key>,
    ) -> Option<bool> {
        let Gives { yes, failed, open } = self.gate_outcome(gate, scope, unit, Some((instance, key)))?;
        if !self.never(failed) || !self.never(open) {
            return None;
        }
        let always = yes == FormulaId::TRUE;
        if always || self.never(yes) { Some(always) } else { None }
    }

    /// Validations that rule out `open`, the assignments that nothing stops yet.
    fn guards(&mut self, open: FormulaId, accepted: FormulaId) -> Option<Vec<Guard>> {
        let mut guards = Vec::new();
        let mut left = open;
        for term in self.formulas.terms(open).iter().copied() {
            if left == FormulaId::FALSE {
                break;
            }
            if let Some((guard, inside)) = self.cap(term) {
                left = self.formulas.and(left, inside).ok()?;
                guards.push(guard);
                continue;
            }
            let Some(subject) = self.origins.info(term).and_then(|i| i.subject.clone()) else { continue };
            let values = self.accepted_values(term, accepted)?;
            if values.is_empty() {
                continue;
            }
            let inside = self.formulas.one_of(term, &values).ok()?;
            left = self.formulas.and(left, inside).ok()?;
            guards.push(Guard { subject, values, kind: GuardKind::Universe });
        }
        (left == FormulaId::FALSE).then_some(guards)
    }

    /// The constants for which `accepted` can hold; none where it can hold for others too.
    fn accepted_values(&mut self, term: TermId, accepted: FormulaId) -> Option<Vec<Value>> {
        let mut values = self.formulas.universe(term);
        if values.is_empty() {
            for cube in self.formulas.cubes(accepted, CUBES).ok()? {
                for literal in cube.iter().filter(|l| l.term == term && !l.negated) {
                    values.extend(
                        literal.values.iter().filter(|v| !values.contains(v)).cloned().collect::<Vec<_>>(),
                    );
                }
            }
        }
        let mut kept = Vec::new();
        for value in values {
            let f = self.formulas.restrict(accepted, term, &value).ok()?;
            if f != FormulaId::FALSE {
                kept.push(value);
            }
        }
        // A variable that may take other values as well can't be held to these.
        let listed = self.formulas.one_of(term, &kept).ok()?;
        let others = self.formulas.not(listed).and_then(|n| self.formulas.and(accepted, n)).ok()?;
        Some(if self.never(others) { kept } else { Vec::new() })
    }
}

/// The number of nested operators in a gate; longer texts have shorter forms.
const MAX_OPERATORS: usize = 64;

/// Returns true if at most `most` operators are nested.
fn is_readable(expr: &Expr, most: usize) -> bool {
    let operands: &[&Expr] = match &expr.kind {
        ExprKind::Binary(_, left, right) => &[left, right],
        ExprKind::Unary(_, inner) | ExprKind::Paren(inner) => &[inner],
        _ => return true,
    };
    most.checked_sub(1).is_some_and(|most| operands.iter().all(|operand| is_readable(operand, most)))
}
