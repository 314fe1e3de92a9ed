//! Candidates for gates: two ways to say a set of conditions, before anything is proved.

use super::cache::Normal;
use super::{Choice, Gate, Gates, Prover, unit_at};
use crate::addr::{ModulePath, Target};
use crate::cond::{Condition, FormulaId, Meaning, Site, Writing};
use crate::trace::wording::{CUBES, literal};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Conditions of more parts are said in the words of their terms.
const READABLE: usize = 64;

impl Prover<'_, '_> {
    /// The user's own words, where they all stand in one module. `accepted` is where any of the choices is taken.
    pub(super) fn said(&mut self, choices: &[Choice], accepted: FormulaId) -> Option<Gates> {
        if let Some(known) = self.cache.of(choices).and_then(|d| d.said.clone()) {
            return known;
        }
        let said = self.in_own_words(choices, accepted, Writing::Operators);
        if let Some(words) = self.cache.of(choices) {
            words.said = Some(said.clone());
        }
        said
    }

    /// Gates that were proved before, where the proof holds for this field too: it speaks of no iteration, and of the field
    /// only that its module can be seen from where the gates stand.
    pub(super) fn proved_before(
        &mut self,
        choices: &[Choice],
        field: (&ModulePath, &Target),
    ) -> Option<Gates> {
        let (gates, scopes) = self.cache.of(choices)?.proved.clone()?;
        self.are_single(&scopes, field).then_some(gates)
    }

    /// Remembers gates that were proved for a field, chosen from words in the modules `scopes`.
    pub(super) fn remember(
        &mut self,
        gates: &Gates,
        scopes: Vec<ModulePath>,
        choices: &[Choice],
        field: (&ModulePath, &Target),
    ) {
        if self.are_single(&scopes, field)
            && let Some(words) = self.cache.of(choices)
        {
            words.proved = Some((gates.clone(), scopes));
        }
    }

    fn are_single(&mut self, scopes: &[ModulePath], field: (&ModulePath, &Target)) -> bool {
        scopes
            .iter()
            .all(|scope| scope.contains(field.0) && self.tracer.is_single(scope, &unit_at(scope, field)))
    }

    /// The smallest form over terms, where one module can write them all.
    pub(super) fn normal(&mut self, choices: &[Choice], accepted: FormulaId) -> Option<Gates> {
        let formulas: Vec<FormulaId> = choices.iter().map(|c| c.when).collect();
        let normal = match self.cache.normal.get(&formulas) {
            Some(known) => known.clone(),
            None => {
                let made = self.write_normal(choices, accepted);
                self.cache.normal.insert(formulas, made.clone());
                made
            }
        };
        let (scope, texts) = normal?;
        let conditions = self.simple(choices);
        let gates = texts.into_iter().zip(conditions);
        let gates = gates.map(|((text, negated), condition)| Gate { text, negated, condition }).collect();
        Some(Gates::candidate(scope, gates, false))
    }

    /// The conditions without needless parts.
    fn simple(&mut self, choices: &[Choice]) -> Vec<Arc<Condition>> {
        if let Some(known) = self.cache.of(choices).and_then(|d| d.simple.clone()) {
            return known;
        }
        let mut simple = Vec::with_capacity(choices.len());
        for choice in choices {
            let said = choice.shown.simplify(self.formulas());
            let spelled = if said.exceeds(READABLE) { self.tracer.spelled_once(choice.when) } else { None };
            simple.push(spelled.unwrap_or(said));
        }
        if let Some(words) = self.cache.of(choices) {
            words.simple = Some(simple.clone());
        }
        simple
    }

    /// The user's own words, put together in one way or the other.
    pub(super) fn in_own_words(
        &mut self,
        choices: &[Choice],
        accepted: FormulaId,
        writing: Writing,
    ) -> Option<Gates> {
        let mut scope: Option<ModulePath> = None;
        let mut gates = Vec::new();
        for condition in self.simple(choices) {
            let condition = self.with_nulls(&condition, accepted);
            for site in condition.sites() {
                if scope.get_or_insert_with(|| site.scope.clone()) != &site.scope {
                    return None;
                }
            }
            gates.push(Gate::of(condition, writing)?);
        }
        Some(Gates::candidate(scope?, gates, false))
    }

    fn write_normal(&mut self, choices: &[Choice], accepted: FormulaId) -> Option<Normal> {
        let mut scope: Option<ModulePath> = None;
        for choice in choices {
            for term in self.formulas().terms(choice.when).iter().copied() {
                let home = self.tracer.term_info(term)?.home.clone()?;
                if scope.get_or_insert_with(|| home.scope.clone()) != &home.scope {
                    return None;
                }
            }
        }
        let mut terms = BTreeMap::new();
        for term in self.terms_of(choices) {
            let text = self.tracer.term_text(term, accepted)?;
            terms.insert(term, text);
        }
        let inside = self.inside(choices)?;
        let mut gates = Vec::new();
        for choice in choices {
            let cubes = self.formulas().cubes(choice.when, CUBES).ok()?;
            let negation = self.formulas().not(choice.when).ok()?;
            // The negation need not speak of values that nobody listed. The proof sees to the rest.
            let among = self.formulas().and(negation, inside).ok()?;
            let negation = self.formulas().cubes(negation, CUBES).ok()?;
            let among = self.formulas().cubes(among, CUBES).ok()?;
            let (negation, _) = self.formulas().flip(&negation, &among);
            let (best, negated) = self.formulas().flip(&cubes, negation);
            let text = self.formulas().cubes_text(best, &|t| terms.get(&t).cloned(), &|v| literal(v))?;
            gates.push((text, negated));
        }
        Some((scope?, gates))
    }

    /// A condition whose sites say whether their selector can be null here.
    fn with_nulls(&mut self, condition: &Arc<Condition>, accepted: FormulaId) -> Arc<Condition> {
        let mut each = |parts: &[Arc<Condition>]| -> Vec<Arc<Condition>> {
            parts.iter().map(|p| self.with_nulls(p, accepted)).collect()
        };
        match &**condition {
            Condition::Always | Condition::Existing(_) => condition.clone(),
            Condition::Not(part) => Condition::negate(&self.with_nulls(part, accepted)),
            Condition::And(parts) => Condition::all(each(parts)),
            Condition::Or(parts) => Condition::any(each(parts)),
            Condition::Eq(site, value) => match site.meaning {
                Meaning::Term(term) => {
                    let nullable = self.tracer.can_be_null(term, accepted);
                    Arc::new(Condition::Eq(Site { nullable, ..site.clone() }, value.clone()))
                }
                Meaning::Formula(_) => condition.clone(),
            },
        }
    }
}
