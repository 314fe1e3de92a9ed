//! From a fault's formula to inputs.

use super::Assignment;
use crate::cond::{FormulaId, Pick, TermId};
use crate::eval::At;
use crate::trace::{Decl, Part, Subject, Tracer, WORKSPACE};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The number of inputs tried for one fault.
const MOST: usize = 32;

/// The kind of a term in a fault's formula.
pub(super) enum Of {
    /// A root variable or the workspace, by its name.
    Input(Arc<str>),
    /// The key of an iteration.
    Key,
    /// Anything else: nobody chooses its value.
    Other,
}

impl Tracer<'_> {
    pub(super) fn kind_of(&self, term: TermId) -> Of {
        if self.terms.keys.contains(&term) {
            return Of::Key;
        }
        let Some(info) = self.term_info(term) else { return Of::Other };
        match &info.subject {
            Some(Subject::Workspace) => Of::Input(WORKSPACE.into()),
            Some(Subject::Variable(name)) => {
                let is_root = self.inputs.config.root().is_some_and(|m| m.variables.contains_key(name));
                let itself = info
                    .home
                    .as_ref()
                    .is_some_and(|home| home.scope.is_root() && home.text.strip_prefix("var.") == Some(name));
                if is_root && itself { Of::Input(name.clone()) } else { Of::Other }
            }
            _ => Of::Other,
        }
    }

    /// Returns the formula that holds whatever the values are that nobody chooses, among those that the rules of
    /// variables accept.
    pub(super) fn whatever_else(&mut self, formula: FormulaId) -> Option<FormulaId> {
        let open = |tracer: &Tracer<'_>, of| {
            let terms = tracer.formulas.terms(of);
            let others = terms.iter().copied().filter(|t| matches!(tracer.kind_of(*t), Of::Other));
            others.collect::<Vec<TermId>>()
        };
        if open(self, formula).is_empty() {
            return Some(formula);
        }
        let valid = self.valid_open()?;
        if self.formulas.and(formula, valid).ok()? == FormulaId::FALSE {
            return Some(FormulaId::FALSE);
        }
        let refused = self.formulas.not(valid).ok()?;
        let mut left = self.formulas.or(formula, refused).ok()?;
        for term in open(self, left) {
            left = self.formulas.for_all(left, term).ok()?;
        }
        Some(left)
    }

    /// Returns the condition under which the rules of root variables without any value hold.
    fn valid_open(&mut self) -> Option<FormulaId> {
        let config = self.inputs.config;
        let mut valid = FormulaId::TRUE;
        for (name, variable) in config.root().map(|m| &m.variables).into_iter().flatten() {
            if variable.validations.is_empty() || self.inputs.universes.contains_key(name) {
                continue;
            }
            let at = At::new(variable.decl.place());
            let value = self.declared(self.root_instance(), Decl::Held(name.clone()), at);
            let held = value.alts().iter().filter(|alt| !matches!(alt.part, Part::Failed(_)));
            let held = self.formulas.or_all(held.map(|alt| alt.when).collect::<Vec<_>>()).ok()?;
            valid = self.formulas.and(valid, held).ok()?;
        }
        Some(valid)
    }

    /// The choices of inputs for which a formula holds, the first of them; each says only what it has to. Nothing where that
    /// can't be told, or where only values would do that nobody named.
    pub(super) fn choices(&mut self, formula: FormulaId) -> Option<Vec<Assignment>> {
        let mut left = self.whatever_else(formula)?;
        // One key that fails is enough.
        for term in self.formulas.terms(left).iter().copied() {
            if matches!(self.kind_of(term), Of::Key) {
                left = self.formulas.for_some(left, term).ok()?;
            }
        }
        let mut out: Vec<Assignment> = Vec::new();
        let mut known: BTreeSet<Vec<String>> = BTreeSet::new();
        for model in self.formulas.models(left, MOST * 4).ok()? {
            let mut own = Assignment::new();
            let named = model.into_iter().all(|(term, pick)| match (self.kind_of(term), pick) {
                // Conditions and counts name null without meaning it.
                (Of::Input(name), Pick::Value(value))
                    if !value.is_null() || self.inputs.universes.contains_key(&name) =>
                {
                    own.insert(name, value);
                    true
                }
                (Of::Input(_), _) => false,
                (Of::Key | Of::Other, _) => true,
            });
            let shown = own.iter().map(|(name, value)| format!("{name}={value:?}")).collect();
            if named && known.insert(shown) {
                out.push(own);
            }
        }
        out.truncate(MOST);
        Some(out)
    }
}
