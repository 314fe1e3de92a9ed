//! The tracer's state: inputs, interned tables, facts about terms, earlier results, and the scope.

use super::effort::Effort;
use super::inputs::Inputs;
use super::instance::Instances;
use super::memo::Memo;
use super::origin::Origins;
use super::scope::Scope;
use super::terms::Terms;
use super::{Assumptions, Instance, InstanceId, Limits, Origin, Reason, TermInfo, Universes};
use crate::cond::{Domain, FormulaId, Formulas, TermId};
use crate::config::Config;
use crate::eval::{Asked, Like};
use crate::func::Surroundings;
use crate::text::Place;
use crate::value::{Mark, Marks, Type, Value};
use std::sync::Arc;

/// Traces fields of one configuration.
pub struct Tracer<'a> {
    pub(super) inputs: Inputs<'a>,
    pub(super) formulas: Formulas,
    pub(super) origins: Origins,
    pub(super) instances: Instances,
    pub(super) terms: Terms,
    pub(super) memo: Memo,
    pub(super) effort: Effort,
    pub(super) scope: Scope,
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
            inputs: Inputs { config, limits, universes, lists_data, assumptions, outside },
            formulas: Formulas::default(),
            origins: Origins::default(),
            instances: Instances::new(Config::ROOT),
            terms: Terms::default(),
            memo: Memo::default(),
            effort: Effort::default(),
            scope: Scope::default(),
        }
    }

    /// Returns what functions can see of the machine.
    pub fn machine(&self) -> &'a dyn Surroundings {
        self.inputs.outside
    }

    /// The condition algebra, for those who read conditions.
    pub fn formulas(&mut self) -> &mut Formulas {
        &mut self.formulas
    }

    /// An instance.
    pub fn instance(&self, id: InstanceId) -> Option<&Instance> {
        self.instances.get(id)
    }

    /// Returns the facts about a term.
    pub fn term_info(&self, term: TermId) -> Option<&TermInfo> {
        self.origins.info(term)
    }

    /// Starts to count the work for one field.
    pub(super) fn begin(&mut self) {
        self.effort = Effort::begun(self.formulas.size());
        self.memo.exists = None;
    }

    /// Returns true if a field has used up its work. Everything computed from then on is too large.
    pub(super) fn exhausted(&self) -> bool {
        self.effort.is_used_up(self.formulas.size())
    }

    pub(super) fn surroundings(&self) -> Asked<&'a dyn Surroundings, Like> {
        Asked { outside: self.inputs.outside, version: Like(self.scope.version) }
    }

    /// An unknown about which nothing can be said.
    pub(super) fn opaque(&mut self, reason: Reason) -> Value {
        self.opaque_of(Type::Dynamic, Arc::new(reason))
    }

    /// The same, of a known type.
    pub(super) fn opaque_of(&mut self, ty: Type, reason: Arc<Reason>) -> Value {
        let mark = self.origins.mark(Origin::Reason(reason));
        Value::unknown(ty).with_marks(&Marks::one(mark))
    }

    /// The unknown for work that has become too much.
    pub(super) fn too_large(&mut self, what: &str, place: Option<Place>) -> Value {
        let reason = self.why_too_large(what, place);
        self.opaque(reason)
    }

    /// The reason that the work has become too much.
    pub(super) fn why_too_large(&self, what: &str, place: Option<Place>) -> Reason {
        let said = place.and_then(|place| self.quote(place));
        let said = said.map_or_else(|| what.to_owned(), |text| format!("{what}, in `{text}`"));
        super::decline_reason::too_large(&said, place)
    }

    /// Returns the unknown for an evaluation that was declined.
    pub(super) fn declined(&mut self, error: &crate::eval::EvalError, place: Option<Place>) -> Value {
        let reason = self.why_declined(error, place);
        self.opaque(reason)
    }

    /// Returns the reason why an evaluation was declined.
    pub(super) fn why_declined(&self, error: &crate::eval::EvalError, place: Option<Place>) -> Reason {
        let place = error.place.or(place);
        super::decline_reason::reason(error, place, place.and_then(|place| self.quote(place)).as_deref())
    }

    /// The unknown that is the value of a term.
    pub(super) fn symbol(
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

    /// Both conditions; over budget counts as "can't be told", which the caller widens.
    pub(super) fn and(&mut self, a: FormulaId, b: FormulaId) -> Option<FormulaId> {
        self.formulas.and(a, b).ok()
    }
}
