//! What is taken for granted of root variables, for all driven fields together, so that these are finite.

use super::result::Question;
use super::{Guarded, Origin, Part, Tracer, Universe};
use crate::cond::TermId;
use crate::syntax::ExprKind;
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is meant where nothing says so. Everything in it is kept up by an emitted `validation`.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Meant {
    /// Variables that count as their default alone.
    pub pinned: BTreeSet<Arc<str>>,
    /// Variables of which the whole value counts, and not each attribute by itself.
    pub whole: BTreeSet<Arc<str>>,
    /// Variables that are numbers whatever their universe says, and never null: their range is cut into bins.
    pub binned: BTreeSet<Arc<str>>,
    /// Values that a driver lists for its field, by the variable that the field hands on.
    pub supplied: BTreeMap<Arc<str>, Vec<Value>>,
}

impl Meant {
    /// Variables that count as their default, and nothing else.
    pub fn defaults(pinned: BTreeSet<Arc<str>>) -> Meant {
        Meant { pinned, ..Meant::default() }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.pinned.is_empty() && self.whole.is_empty() && self.binned.is_empty() && self.supplied.is_empty()
    }

    /// Takes in what another field needs; whether that is more than before. What was said first stays.
    pub fn take_in(&mut self, more: Meant) -> bool {
        let size = |m: &Meant| m.pinned.len() + m.whole.len() + m.binned.len() + m.supplied.len();
        let before = size(self);
        self.pinned.extend(more.pinned);
        self.whole.extend(more.whole);
        self.binned.extend(more.binned);
        for (name, values) in more.supplied {
            self.supplied.entry(name).or_insert(values);
        }
        size(self) > before
    }
}

impl Tracer<'_> {
    /// The root variables that the unknowns in some values depend on.
    pub(super) fn variables_in<'v>(&self, values: impl IntoIterator<Item = &'v Value>) -> BTreeSet<Arc<str>> {
        let mut out = BTreeSet::new();
        for value in values.into_iter().filter(|v| !v.is_wholly_known()) {
            for mark in value.marks_deep().iter() {
                match self.origins.get(mark) {
                    Some(Origin::Term(term)) => {
                        out.extend(self.origins.info(*term).iter().flat_map(|i| i.variables.iter().cloned()));
                    }
                    Some(Origin::Reason(reason)) => out.extend(reason.defaults.iter().cloned()),
                    None => {}
                }
            }
        }
        out
    }

    /// The same of a collection that is iterated over; none where a default is empty: with it there would be no instance,
    /// and that is hardly what is meant.
    pub(super) fn variables_over(&self, collection: &Guarded) -> BTreeSet<Arc<str>> {
        let parts = collection.alts().iter().filter_map(|a| match &a.part {
            Part::Value(v) => Some(v),
            Part::Object(_) | Part::Tuple(_) | Part::Failed(_) => None,
        });
        let variables = self.variables_in(parts);
        let default = |name: &Arc<str>| self.config.root()?.variables.get(name)?.default.as_ref();
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

    /// What has to be meant first: of variables that were followed attribute by attribute, the whole values; then defaults as
    /// the only values, where these variables have nothing else that lists their values and all have a default.
    pub(super) fn pinnable<'n>(&self, variables: impl IntoIterator<Item = &'n Arc<str>>) -> Option<Meant> {
        let variables: Vec<&Arc<str>> = variables.into_iter().collect();
        let apart = variables.iter().filter(|name| self.is_in_parts(name));
        let whole: BTreeSet<Arc<str>> = apart.map(|name| Arc::clone(name)).collect();
        if !whole.is_empty() {
            return Some(Meant { whole, ..Meant::default() });
        }
        let open = variables.into_iter().filter(|n| self.universe_of(n).is_none());
        let open: BTreeSet<Arc<str>> = open.cloned().collect();
        let root = self.config.root()?;
        let has_default = |n: &Arc<str>| root.variables.get(n).is_some_and(|v| v.default.is_some());
        let fine = !open.is_empty() && open.iter().all(|n| has_default(n) && !self.meant.pinned.contains(n));
        fine.then(|| Meant::defaults(open))
    }

    /// The values that a driver lists for a field which hands on a variable that nothing narrows but environments.
    pub(super) fn supplied(&self, question: &Question<'_>, value: &Value, terms: &[TermId]) -> Option<Meant> {
        let listed = question.said?.universe.as_ref()?;
        let term = self.origins.term_of(value).filter(|t| terms == [*t])?;
        let name = self.origins.info(term)?.variable().cloned()?;
        let variable = self.config.root()?.variables.get(&name)?;
        let listed_before = self.universe_of(&name).is_some_and(|u| !u.environments);
        if listed_before || self.meant.pinned.contains(&name) {
            return None;
        }
        let accepted = listed.iter().filter_map(|(v, _)| variable.accept(v).ok());
        let mut values: Vec<Value> = accepted.map(|v| v.unmark_deep().0).collect();
        values.dedup();
        (!values.is_empty()).then(|| Meant { supplied: [(name, values)].into(), ..Meant::default() })
    }

    /// The same where environments list the variable's values: beside these the field holds whatever else it may be.
    pub(super) fn before_environments(&self, question: &Question<'_>, merged: &Guarded) -> Option<Meant> {
        question.said?.universe.as_ref()?;
        merged.alts().iter().find_map(|alt| match &alt.part {
            Part::Value(value) if !value.is_known() => {
                self.supplied(question, value, &[self.origins.term_of(value)?])
            }
            _ => None,
        })
    }

    /// The values that a root variable (or the workspace) may take, where they are listed.
    pub(super) fn universe_of(&self, name: &str) -> Option<Universe> {
        let listed = self.universes.get(name).filter(|u| !u.values.is_empty());
        match (self.meant.supplied.get(name), listed) {
            (Some(values), None | Some(Universe { environments: true, .. })) => {
                Some(Universe::listed(values.clone(), false))
            }
            (_, listed) => listed.cloned(),
        }
    }
}
