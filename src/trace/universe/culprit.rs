//! The names behind a value that isn't known: variables, attributes of data sources, the workspace.
//!
//! In: terms, values, conditions. Out: names as they stand in the configuration, for the sentences that say why a field is
//! Unbounded. Absent: decisions. A name that is missing makes a sentence vaguer, never a result another one.

use crate::addr::{ModulePath, Referent};
use crate::cond::{FormulaId, TermId};
use crate::config::Variable;
use crate::syntax;
use crate::syntax::traversal::{self, Traversal, TraversalStep};
use crate::text::Place;
use crate::trace::{
    Guarded, Home, HopText, Hops, Origin, Reason, Trace, Traced, Tracer, tracer::culprits::Culprits,
};
use crate::value::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Longer expressions are cut where they are quoted.
const QUOTED: usize = 100;

/// An expression in a sentence: in one line, and no longer than one reads.
pub(in crate::trace) fn cut(text: &str) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if flat.chars().count() <= QUOTED { flat } else { flat.chars().take(QUOTED).chain(['…']).collect() }
}

impl Tracer<'_> {
    /// The expression at a place, as far as it is quoted.
    pub(in crate::trace) fn quote(&self, place: Place) -> Option<String> {
        Some(cut(self.inputs.config.sources.slice(place))).filter(|text| !text.is_empty())
    }

    /// Behind terms.
    pub(in crate::trace) fn behind_terms(&self, terms: impl IntoIterator<Item = TermId>) -> Culprits {
        let mut out = BTreeSet::new();
        for term in terms {
            self.behind_term(term, &mut out);
        }
        Culprits(out)
    }

    /// Behind what stands between values that are known.
    pub(in crate::trace) fn behind_values<'v>(
        &self,
        values: impl IntoIterator<Item = &'v Value>,
    ) -> Culprits {
        let mut out = BTreeSet::new();
        values.into_iter().for_each(|value| self.behind_value(value, &mut out));
        Culprits(out)
    }

    /// Behind something that isn't the same whatever happens: what its parts and its conditions depend on.
    pub(in crate::trace) fn behind(&mut self, value: &Guarded) -> Culprits {
        let mut out = BTreeSet::new();
        value.values().for_each(|value| self.behind_value(value, &mut out));
        // Where all alternatives are known, the conditions between them are what differs.
        if out.is_empty() {
            let conditions: Vec<FormulaId> = value.alts().iter().map(|alt| alt.when).collect();
            return self.behind_conditions(conditions);
        }
        Culprits(out)
    }

    /// Behind an expression, as far as it says that itself, beside root variables that are known to be.
    pub(in crate::trace) fn behind_text(&self, variables: &BTreeSet<Arc<str>>, text: &str) -> Culprits {
        let home = Home { scope: ModulePath::ROOT, text: text.into() };
        Culprits(self.open_among(variables).chain(named_in(&home)).collect())
    }

    /// Returns what decides between some conditions, for a sentence; `None` if that can't be said.
    pub fn decides(&mut self, conditions: impl IntoIterator<Item = FormulaId>) -> Option<String> {
        let culprits = self.behind_conditions(conditions);
        let verb = if culprits.are_many() { "decide" } else { "decides" };
        (!culprits.is_empty()).then(|| format!("{} {verb}", culprits.listed()))
    }

    /// Behind conditions.
    pub(in crate::trace) fn behind_conditions(
        &mut self,
        conditions: impl IntoIterator<Item = FormulaId>,
    ) -> Culprits {
        let terms: BTreeSet<TermId> =
            conditions.into_iter().flat_map(|when| self.formulas.terms(when).to_vec()).collect();
        self.behind_terms(terms)
    }

    /// Returns true if what a data source gives decides between a trace's branches.
    pub fn is_behind_data(&self, trace: &Trace) -> bool {
        let terms = trace.branches().iter().flat_map(|branch| self.formulas.terms(branch.when).to_vec());
        terms.into_iter().any(|term| self.formulas.key(term).contains("data."))
    }

    /// The root variables on which a trace's result depends.
    pub fn variables_behind(&mut self, trace: &Trace) -> BTreeSet<Arc<str>> {
        let mut out = BTreeSet::new();
        let root = |name: &str| Arc::from(name.split('.').next().unwrap_or(name));
        for branch in trace.branches() {
            for term in self.formulas.terms(branch.when).iter() {
                let variables = self.origins.info(*term).map(|info| &info.variables);
                out.extend(variables.into_iter().flatten().map(|name| root(name)));
            }
            out.extend(branch.hops.iter().filter_map(|(hop, _)| hop.variable()).map(root));
        }
        if let Traced::Unbounded(reason) = &trace.result {
            out.extend(reason.defaults.iter().map(|name| root(name)));
        }
        out
    }

    /// Returns what marks a value on its way, and the place: a variable that is declared so, or a function; else the
    /// value itself.
    pub(in crate::trace) fn marked_by(
        &self,
        hops: &Hops,
        declared: impl Fn(&Variable) -> bool,
        place: Place,
    ) -> (String, Place) {
        let variable = |name: &str, at: Place| {
            let dir = self.inputs.config.sources.get(at.file)?.path.parent()?;
            let mut modules = self.inputs.config.modules.iter().filter(|m| m.dir == dir);
            let variable = modules.find_map(|m| m.variables.get(name))?;
            declared(variable).then(|| (format!("var.{name}"), variable.decl.place()))
        };
        let on_the_way = hops.iter().find_map(|(text, at)| match text {
            HopText::Call(name @ ("sensitive" | "ephemeral")) => {
                Some((format!("what `{name}(…)` gives"), at?))
            }
            HopText::Name(Referent::Variable(name)) => variable(name, at?),
            _ => None,
        });
        // What decides leaves no hops; the field's own expression may name it.
        let named = || {
            let expr = syntax::parse_expr(self.inputs.config.sources.slice(place)).ok()?;
            traversal::input_variables(&expr).find_map(|name| variable(&name, place))
        };
        on_the_way.or_else(named).unwrap_or_else(|| ("the value".to_owned(), place))
    }

    /// Returns the names on which the open key or index depends that a term is, or is computed from.
    pub(in crate::trace) fn blamed(&self, term: TermId) -> Option<&Culprits> {
        let behind = self.terms.axes.behind(term);
        // Of most terms there is nothing to look for.
        if behind.is_empty() {
            return None;
        }
        let is_behind = |open: TermId| self.terms.axes.of(open).is_some_and(|axis| behind.contains(axis));
        self.origins.blamed().find(|(open, _)| is_behind(**open)).map(|(_, of)| of)
    }

    fn behind_value(&self, value: &Value, out: &mut BTreeSet<String>) {
        if value.is_wholly_known() {
            return;
        }
        for mark in value.marks_deep().iter() {
            match self.origins.get(mark) {
                Some(Origin::Term(term)) => self.behind_term(*term, out),
                Some(Origin::Reason(reason) | Origin::Object(reason, _)) => self.behind_reason(reason, out),
                None => {}
            }
        }
    }

    fn behind_reason(&self, reason: &Arc<Reason>, out: &mut BTreeSet<String>) {
        out.extend(reason.culprit.iter().map(ToString::to_string));
        if reason.culprit.is_none() {
            out.extend(self.open_among(&reason.defaults));
        }
    }

    fn behind_term(&self, term: TermId, out: &mut BTreeSet<String>) {
        if let Some(blamed) = self.blamed(term) {
            out.extend(blamed.0.iter().cloned());
            return;
        }
        let Some(info) = self.origins.info(term) else { return };
        let before = out.len();
        out.extend(self.open_among(&info.variables));
        if let Some(home) = &info.home {
            out.extend(named_in(home));
        }
        if out.len() == before {
            out.extend(info.variables.iter().map(|name| format!("var.{name}")));
        }
    }

    /// Returns the names whose values nothing lists.
    fn open_among<'n>(&'n self, names: &'n BTreeSet<Arc<str>>) -> impl Iterator<Item = String> + 'n {
        names.iter().filter(|name| self.universe_of(name).is_none()).map(|name| format!("var.{name}"))
    }
}

/// Returns the names in an expression for a term, without variables.
fn named_in(home: &Home) -> Vec<String> {
    let Ok(expr) = syntax::parse_expr(&home.text) else { return Vec::new() };
    let named = |name: Traversal| {
        let root = &*name.root.text;
        if !matches!(root, "data" | "terraform" | "each" | "count") {
            return None;
        }
        let taken = name.steps.iter().map_while(|step| match step {
            TraversalStep::Attr(name) => Some(name.span.range().end),
            TraversalStep::Index(_, span) => (root == "data").then(|| span.range().end),
        });
        home.text.get(name.span.range().start..taken.last()?).map(str::to_owned)
    };
    traversal::variables(&expr).into_iter().filter_map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_term_names() {
        let home = |text: &str| Home { scope: crate::addr::ModulePath::ROOT, text: text.into() };
        assert_eq!(named_in(&home("join(\",\", data.a.b.names)")), ["data.a.b.names"]);
        assert_eq!(named_in(&home("\"${lower(terraform.workspace)}-x\"")), ["terraform.workspace"]);
        assert_eq!(named_in(&home("var.a + 1")), Vec::<String>::new());
    }

    #[test]
    fn long_expressions_are_cut() {
        assert_eq!(cut("a\n  + b"), "a + b");
        assert_eq!(cut(&"x".repeat(200)).chars().count(), QUOTED + 1);
    }
}
