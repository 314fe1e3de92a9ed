//! Decides if a choice is sensitive: Terraform marks the value of a conditional by its condition.
//!
//! The tracer follows values, not the marks of conditions; the marks of a branch's conditions are found here. Absent on purpose:
//! attributes that only a provider's schema calls sensitive.

use crate::cond::{FormulaId, TermId};
use crate::eval::{Bindings, eval};
use crate::syntax;
use crate::trace::{NOWHERE, TermInfo, Tracer};
use std::collections::BTreeSet;

impl Tracer<'_> {
    /// Returns true if one of several conditions does; what they have in common is looked at once.
    pub fn any_sensitive(&mut self, conditions: impl IntoIterator<Item = FormulaId>) -> bool {
        let mut terms: BTreeSet<TermId> = BTreeSet::new();
        for when in conditions {
            terms.extend(self.formulas.terms(when).iter().copied());
        }
        let terms: Vec<TermInfo> = terms.iter().filter_map(|t| self.origins.info(*t).cloned()).collect();
        terms.iter().any(|term| self.is_sensitive_term(term))
    }

    fn is_sensitive_term(&mut self, term: &TermInfo) -> bool {
        let variables = self.inputs.config.root().map(|m| &m.variables);
        let declared = |name| variables.and_then(|v| v.get(name)).is_some_and(|v| v.sensitive);
        if term.variables.iter().any(declared) {
            return true;
        }
        let Some(home) = &term.home else { return false };
        let (Ok(expr), Some(instance)) = (syntax::parse_expr(&home.text), self.instance_at(&home.scope))
        else {
            return false;
        };
        let mut frame = self.frame(instance);
        let value = eval(&mut frame, NOWHERE, &expr, &Bindings::default());
        value.values().any(|v| v.marks_deep().is_secret())
    }
}
