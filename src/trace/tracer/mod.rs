//! The tracer's state: inputs, interned tables, facts about terms, earlier results, and the scope.

pub(super) mod assumptions;
pub(super) mod axes;
pub(super) mod compared;
pub(super) mod culprits;
pub(super) mod decline_reason;
pub(super) mod domain;
pub(super) mod effort;
pub(super) mod excess;
pub(super) mod inputs;
pub(super) mod instance;
pub(super) mod iteration;
pub(super) mod memo;
pub(super) mod origin;
pub(super) mod prediction;
pub(super) mod result;
pub(super) mod samples;
pub(super) mod scope;
pub(super) mod scoped;
pub(super) mod sure;
pub(super) mod terms;

use crate::cond::{Domain, Formulas, TermId};
use crate::config::Config;
use crate::eval::{Asked, EvalError, Like};
use crate::func::Surroundings;
use crate::text::Place;
use crate::trace::{
    Assumptions, Limits, Origin, Reason, TermInfo, Universes, tracer::effort::Effort,
    tracer::effort::MOST_BYTES, tracer::inputs::Inputs, tracer::instance::Instances, tracer::memo::Memo,
    tracer::origin::Origins, tracer::scope::Scope, tracer::terms::Terms,
};
use crate::value::{Mark, Marks, Type, Value};
use std::sync::Arc;

/// Traces fields of one configuration.
pub struct Tracer<'a> {
    pub(in crate::trace) inputs: Inputs<'a>,
    pub(in crate::trace) formulas: Formulas,
    pub(in crate::trace) origins: Origins,
    pub(in crate::trace) instances: Instances,
    pub(in crate::trace) terms: Terms,
    pub(in crate::trace) memo: Memo,
    pub(in crate::trace) effort: Effort,
    /// What was spent on the fields before this one.
    spent: u64,
    /// What may be spent on all of them.
    most: u64,
    /// The bytes of values that were made for the fields before this one.
    made: u64,
    pub(in crate::trace) scope: Scope,
}

impl<'a> Tracer<'a> {
    /// A tracer over a configuration, under assumptions about variables for which nothing is said.
    pub fn new(
        config: &'a Config,
        limits: Limits,
        universes: &'a Universes,
        assumptions: Assumptions,
        outside: &'a dyn Surroundings,
    ) -> Tracer<'a> {
        let mut listed = universes.keys().chain(assumptions.supplied.keys());
        let lists_data = listed.any(|name| name.contains("data."));
        Tracer {
            inputs: Inputs {
                config,
                limits,
                universes,
                lists_data,
                assumptions,
                outside,
                follows_configured: false,
            },
            formulas: Formulas::default(),
            origins: Origins::default(),
            instances: Instances::new(Config::ROOT),
            terms: Terms::default(),
            memo: Memo::default(),
            effort: Effort::default(),
            spent: 0,
            most: u64::MAX,
            made: 0,
            scope: Scope::default(),
        }
    }

    /// The same without assumptions, for looking for what fails: a variable is an error where its rules don't hold.
    pub(in crate::trace) fn under_rules(
        config: &'a Config,
        limits: Limits,
        universes: &'a Universes,
        outside: &'a dyn Surroundings,
    ) -> Tracer<'a> {
        let scope = Scope { holds: Some(Vec::new()), ..Scope::default() };
        Tracer { scope, ..Tracer::new(config, limits, universes, Assumptions::default(), outside) }
    }

    /// The same for so much work on all fields together: what is computed from then on is too large.
    #[must_use]
    pub fn within(self, most: u64) -> Tracer<'a> {
        Tracer { most, ..self }
    }

    /// The same with the arguments of resources followed, as a plan shows them.
    #[must_use]
    pub fn following_configured(self) -> Tracer<'a> {
        Tracer { inputs: Inputs { follows_configured: true, ..self.inputs }, ..self }
    }

    /// Returns what functions can see of the machine.
    pub fn machine(&self) -> &'a dyn Surroundings {
        self.inputs.outside
    }

    /// The condition algebra, for those who read conditions.
    pub fn formulas(&mut self) -> &mut Formulas {
        &mut self.formulas
    }

    /// Returns the facts about a term.
    pub fn term_info(&self, term: TermId) -> Option<&TermInfo> {
        self.origins.info(term)
    }

    /// Starts to count the work for one field.
    pub(in crate::trace) fn begin(&mut self) {
        self.spent = self.spent();
        self.made = self.bytes_made();
        self.effort = Effort::begun(self.formulas.size());
        self.memo.exists = None;
    }

    /// Counts work that no bound of one field holds, for all of them.
    pub(in crate::trace) fn spend(&mut self, units: u64) {
        self.spent = self.spent.saturating_add(units);
    }

    /// Counts what evaluations beside fields have spent and made.
    pub(in crate::trace) fn count_beside(&mut self, (units, bytes): (u64, u64)) {
        self.spend(units);
        self.made = self.made.saturating_add(bytes);
    }

    /// The bytes of values that were made for all fields so far: what is kept of them takes no more.
    pub(in crate::trace) fn bytes_made(&self) -> u64 {
        self.made.saturating_add(self.effort.values.bytes_made())
    }

    /// What was spent on all fields so far. Equal questions cost the same on every machine.
    pub fn spent(&self) -> u64 {
        self.spent.saturating_add(self.effort.spent())
    }

    /// Returns true if a field has used up its work. Everything computed from then on is too large.
    pub(in crate::trace) fn exhausted(&self) -> bool {
        self.effort.is_used_up(self.formulas.size())
            || self.spent() > self.most
            || self.bytes_made() > MOST_BYTES
    }

    pub(in crate::trace) fn surroundings(&self) -> Asked<&'a dyn Surroundings, Like> {
        Asked { outside: self.inputs.outside, version: Like(self.scope.version) }
    }

    /// An unknown about which nothing can be said.
    pub(in crate::trace) fn opaque(&mut self, reason: Reason) -> Value {
        self.opaque_of(Type::Dynamic, Arc::new(reason))
    }

    /// The same, of a known type.
    pub(in crate::trace) fn opaque_of(&mut self, ty: Type, reason: Arc<Reason>) -> Value {
        let mark = self.origins.mark(Origin::Reason(reason));
        Value::unknown(ty).with_marks(&Marks::one(mark))
    }

    /// The reason that the work has become too much.
    pub(in crate::trace) fn why_too_large(&self, what: &str, place: Option<Place>) -> Reason {
        let said = place.and_then(|place| self.quote(place));
        let said = said.map_or_else(|| what.to_owned(), |text| format!("{what}, in `{text}`"));
        decline_reason::too_large(&said, place)
    }

    /// Returns the unknown for an evaluation that was declined.
    pub(in crate::trace) fn declined(&mut self, error: &EvalError, place: Option<Place>) -> Value {
        let reason = self.why_declined(error, place);
        self.opaque(reason)
    }

    /// Returns the reason why an evaluation was declined.
    pub(in crate::trace) fn why_declined(&self, error: &EvalError, place: Option<Place>) -> Reason {
        let place = error.place.or(place);
        decline_reason::reason(error, place, place.and_then(|place| self.quote(place)).as_deref())
    }

    /// The unknown that is the value of a term.
    pub(in crate::trace) fn symbol(
        &mut self,
        key: &str,
        domain: Domain,
        info: TermInfo,
        marks: &Marks,
    ) -> (TermId, Value) {
        let term = self.formulas.term(key, domain);
        let ty = info.ty.clone();
        self.origins.describe(term, info);
        let mark: Mark = self.origins.mark(Origin::Term(term));
        (term, Value::unknown(ty).with_marks(&Marks::one(mark)).with_marks(marks))
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_BYTES, Tracer};
    use crate::config::load;
    use crate::func::NoSurroundings;
    use crate::host::memory::MemoryHost;
    use crate::trace::{Assumptions, Limits, Universes};

    #[test]
    fn what_is_kept_of_all_fields_has_a_bound() {
        let (config, _) = load(&MemoryHost::new([("main.tf", "")]), std::path::Path::new(""));
        let none = Universes::new();
        let mut tracer =
            Tracer::new(&config, Limits::default(), &none, Assumptions::default(), &NoSurroundings);
        tracer.count_beside((0, MOST_BYTES));
        assert!(!tracer.exhausted());
        tracer.count_beside((0, 1));
        assert!(tracer.exhausted());
        tracer.begin();
        assert!(tracer.exhausted(), "also for the next field");
    }
}
