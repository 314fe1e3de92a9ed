//! The assumptions that a field needs: the values that a driver lists for what it hands on, and defaults as only values.

use super::as_listed;
use crate::cond::TermId;
use crate::syntax::{self, ExprKind, TemplatePart};
use crate::trace::{Assumptions, Guarded, Origin, Tracer, Universe, tracer::result::Question};
use crate::value::{Type, Value, convert};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Tracer<'_> {
    /// The root variables that the unknowns in some values depend on.
    pub(in crate::trace) fn variables_in<'v>(
        &self,
        values: impl IntoIterator<Item = &'v Value>,
    ) -> BTreeSet<Arc<str>> {
        let mut out = BTreeSet::new();
        for value in values.into_iter().filter(|v| !v.is_wholly_known()) {
            for mark in value.marks_deep().iter() {
                match self.origins.get(mark) {
                    Some(Origin::Term(term)) => {
                        out.extend(self.origins.info(*term).iter().flat_map(|i| i.variables.iter().cloned()));
                    }
                    Some(Origin::Reason(reason) | Origin::Object(reason, _)) => {
                        out.extend(reason.defaults.iter().cloned());
                    }
                    None => {}
                }
            }
        }
        out
    }

    /// The same of a collection that is iterated over; none where a default is empty: with it there would be no instance,
    /// and that is hardly what is meant.
    pub(in crate::trace) fn variables_over(&self, collection: &Guarded) -> BTreeSet<Arc<str>> {
        let variables = self.variables_in(collection.values());
        let default = |name: &Arc<str>| self.inputs.config.root()?.variables.get(name)?.default.as_ref();
        let empty = |name: &Arc<str>| match default(name).map(|d| &d.expr.kind) {
            Some(ExprKind::Tuple(items)) => items.is_empty(),
            Some(ExprKind::Object(items)) => items.is_empty(),
            Some(ExprKind::Null) | None => true,
            Some(_) => false,
        };
        if variables.iter().any(|name| empty(name) && !self.is_in_parts(name)) {
            BTreeSet::new()
        } else {
            variables
        }
    }

    /// Returns the assumptions to make first: for variables that were followed attribute by attribute, whole values;
    /// then defaults as the only values, if nothing else lists values of these variables and all of them have a
    /// default.
    pub(in crate::trace) fn pinnable<'n>(
        &self,
        variables: impl IntoIterator<Item = &'n Arc<str>>,
    ) -> Option<Assumptions> {
        let variables: Vec<&Arc<str>> = variables.into_iter().collect();
        let apart = variables.iter().filter(|name| self.is_in_parts(name));
        let whole: BTreeSet<Arc<str>> = apart.map(|name| Arc::clone(name)).collect();
        if !whole.is_empty() {
            return Some(Assumptions { whole, ..Assumptions::default() });
        }
        let open = variables.into_iter().filter(|n| self.universe_of(n).is_none());
        let open: BTreeSet<Arc<str>> = open.cloned().collect();
        let root = self.inputs.config.root()?;
        let has_default = |n: &Arc<str>| {
            let config = self.inputs.config;
            root.variables.get(n).is_some_and(|v| v.default.is_some()) && !config.is_from_outside(n)
        };
        let may_be = |n: &Arc<str>| has_default(n) && !self.inputs.assumptions.pinned.contains(n);
        if !open.is_empty() && open.iter().all(may_be) {
            return Some(Assumptions::defaults(open));
        }
        // Out of a map with a default something is chosen by what has none: the map's keys list its values.
        let is_map = |n: &Arc<str>| {
            let Some(variable) = root.variables.get(n) else { return false };
            let default = variable.default.as_ref().map(|d| &d.expr.kind);
            matches!(variable.ty, Type::Map(_) | Type::Object(_))
                || matches!(default, Some(ExprKind::Object(_)))
        };
        let maps: BTreeSet<Arc<str>> = open.into_iter().filter(|n| is_map(n) && may_be(n)).collect();
        (!maps.is_empty()).then(|| Assumptions::defaults(maps))
    }

    /// The values that a driver lists for a field which hands on what nothing narrows but environments: a variable, an
    /// attribute of one or of a data source, or one of these with text around it.
    pub(in crate::trace) fn supplied(
        &self,
        question: &Question<'_>,
        value: &Value,
        terms: &[TermId],
    ) -> Option<Assumptions> {
        let listed = question.said?.universe.as_ref()?;
        let term = self.origins.term_of(value).filter(|t| terms == [*t])?;
        let listed: Vec<Value> = listed.iter().map(|(value, _)| value.clone()).collect();
        let (name, values) = self.handed_on(term, &listed).or_else(|| self.within_text(term, &listed))?;
        let listed_before = self.universe_of(&name).is_some_and(|u| !u.environments);
        if listed_before || self.inputs.assumptions.pinned.contains(&name) {
            return None;
        }
        (!values.is_empty())
            .then(|| Assumptions { supplied: [(name, values)].into(), ..Assumptions::default() })
    }

    /// The label under which `phi.hcl` would list a term's values, and those of some values that it takes.
    fn handed_on(&self, term: TermId, listed: &[Value]) -> Option<(Arc<str>, Vec<Value>)> {
        if let Some(name) = self.origins.info(term).and_then(|info| info.variable()).cloned() {
            let values = self.accepted(&name, listed)?;
            return Some((name, values));
        }
        if let Some(part) = self.terms.parts.get(&term).filter(|part| part.through.is_none()) {
            let ty = self.origins.info(term)?.ty.clone();
            let values = listed.iter().filter_map(|v| convert::convert(v, &ty).ok()).collect();
            return Some((part.name.clone(), values));
        }
        let label = self.attribute_of_data(self.formulas.key(term))?;
        Some((label.to_string().into(), listed.iter().map(as_listed).collect()))
    }

    /// The same of a text with one such part in it: what is left of each listed value without the text around.
    fn within_text(&self, term: TermId, listed: &[Value]) -> Option<(Arc<str>, Vec<Value>)> {
        let home = self.origins.info(term)?.home.as_ref()?;
        let whole = syntax::parse_expr(&home.text).ok()?;
        let ExprKind::Template(template) = &whole.kind else { return None };
        let (mut before, mut after, mut inner) = (String::new(), String::new(), None);
        for part in &template.parts {
            match part {
                TemplatePart::Literal(text, _) if inner.is_none() => before.push_str(text),
                TemplatePart::Literal(text, _) => after.push_str(text),
                TemplatePart::Interpolation(expr, _) if inner.is_none() => inner = Some(expr),
                _ => return None,
            }
        }
        let named = home.text.get(inner?.span.range())?;
        let left =
            |v: &Value| Some(Value::string(v.as_str()?.strip_prefix(&*before)?.strip_suffix(&*after)?));
        let values: Vec<Value> = listed.iter().map(left).collect::<Option<_>>()?;
        match named.strip_prefix("var.").filter(|_| home.scope.is_root()) {
            Some(name) => Some((name.into(), self.accepted(name, &values)?)),
            None => {
                let label = self.listable(home.scope.address_of(named))?;
                Some((label.to_string().into(), values))
            }
        }
    }

    /// Returns the values among `listed` that a root variable accepts, as it converts them.
    fn accepted(&self, name: &str, listed: &[Value]) -> Option<Vec<Value>> {
        let variable = self.inputs.config.root()?.variables.get(name)?;
        let accepted = listed.iter().filter_map(|v| variable.accept(v).ok());
        let mut values: Vec<Value> = accepted.map(|v| v.unmark_deep().0).collect();
        values.dedup();
        Some(values)
    }

    /// The same where environments list the variable's values: beside these the field holds whatever else it may be.
    pub(in crate::trace) fn before_environments(
        &self,
        question: &Question<'_>,
        merged: &Guarded,
    ) -> Option<Assumptions> {
        question.said?.universe.as_ref()?;
        let mut unknown = merged.values().filter(|value| !value.is_known());
        unknown.find_map(|value| self.supplied(question, value, &[self.origins.term_of(value)?]))
    }

    /// The values that a root variable (or the workspace) may take, where they are listed.
    pub(in crate::trace) fn universe_of(&self, name: &str) -> Option<Universe> {
        let listed = self.inputs.universes.get(name).filter(|u| !u.values.is_empty());
        match (self.inputs.assumptions.supplied.get(name), listed) {
            (Some(values), None | Some(Universe { environments: true, .. })) => {
                Some(Universe::listed(values.clone(), false))
            }
            (_, listed) => listed.cloned(),
        }
    }
}
