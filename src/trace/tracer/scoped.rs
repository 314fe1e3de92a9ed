//! Evaluation in a changed scope. Each part of a scope is changed by one method here, which puts back what was before.

use super::domain::Frame;
use super::scope::Risk;
use crate::addr::ModulePath;
use crate::cond::FormulaId;
use crate::config::In;
use crate::func::TerraformVersions;
use crate::syntax::Block;
use crate::trace::{Guarded, Tracer};
use std::collections::BTreeSet;
use std::mem;
use std::sync::Arc;

impl<'a> Tracer<'a> {
    /// Evaluates for some versions of Terraform alone.
    pub fn with_version<T>(
        &mut self,
        version: TerraformVersions,
        evaluate: impl FnOnce(&mut Tracer<'a>) -> T,
    ) -> T {
        let outer = self.answer_for(version);
        let done = evaluate(self);
        self.answer_for(outer);
        done
    }

    /// From now on the answers of these versions count; returns those that counted before.
    fn answer_for(&mut self, version: TerraformVersions) -> TerraformVersions {
        let before = mem::replace(&mut self.scope.version, version);
        if before != version {
            let own = self.memo.of_others.remove(&version).unwrap_or_default();
            let others = mem::replace(&mut self.memo.values, own);
            self.memo.of_others.insert(before, others);
        }
        before
    }

    /// Finds gates that may use the names of the `dynamic` blocks in a module.
    pub fn with_gate_names<T>(
        &mut self,
        names: (ModulePath, Vec<In<Block>>),
        find: impl FnOnce(&mut Tracer<'a>) -> T,
    ) -> T {
        let outer = self.scope.gate_names.replace(names);
        let done = find(self);
        self.scope.gate_names = outer;
        done
    }

    /// Evaluates the declaration that a reference leads to. What fails in it masks nothing around the reference.
    pub(in crate::trace) fn in_a_declaration(
        &mut self,
        evaluate: impl FnOnce(&mut Tracer<'a>) -> Guarded,
    ) -> Guarded {
        let masked = mem::replace(&mut self.scope.masked, FormulaId::FALSE);
        self.scope.nesting += 1;
        let done = evaluate(self);
        self.scope.nesting -= 1;
        self.scope.masked = masked;
        done
    }
}

impl Frame<'_, '_> {
    /// Evaluates text that stands in no file.
    pub fn with_gate_text<T>(&mut self, text: &str, evaluate: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.tracer.scope.gate_text.replace(text.into());
        let done = evaluate(self);
        self.tracer.scope.gate_text = outer;
        done
    }

    /// Evaluates what notes nothing for the expression around: an error behind a reference stops the run there.
    pub fn with_own_notes<T>(&mut self, evaluate: impl FnOnce(&mut Self) -> T) -> T {
        let outer = mem::take(&mut self.tracer.scope.notes);
        let done = evaluate(self);
        self.tracer.scope.notes = outer;
        done
    }

    /// Evaluates what may fail without harm; returns the operations in it that may, which count for nothing around.
    pub fn with_own_risks<T>(&mut self, evaluate: impl FnOnce(&mut Self) -> T) -> (T, Vec<Risk>) {
        let outer = self.tracer.scope.notes.risks.replace(Vec::new());
        let done = evaluate(self);
        let risks = mem::replace(&mut self.tracer.scope.notes.risks, outer);
        (done, risks.unwrap_or_default())
    }

    /// Evaluates what has a type of its own whatever fails in it.
    pub fn with_own_type<T>(&mut self, evaluate: impl FnOnce(&mut Self) -> T) -> T {
        let doubts = self.tracer.scope.notes.doubts.len();
        let done = evaluate(self);
        self.tracer.scope.notes.doubts.truncate(doubts);
        done
    }

    /// Follows one reference more.
    pub fn nested<T>(&mut self, evaluate: impl FnOnce(&mut Self) -> T) -> T {
        self.tracer.scope.nesting += 1;
        let done = evaluate(self);
        self.tracer.scope.nesting -= 1;
        done
    }

    /// Evaluates where a variable is what was passed, whatever its rules say, as these are being evaluated.
    pub fn with_bare<T>(&mut self, variable: Option<&Arc<str>>, evaluate: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.tracer.scope.holds.clone();
        if let Some(holds) = &mut self.tracer.scope.holds {
            holds.extend(variable.map(|name| (self.instance, name.clone())));
        }
        let done = evaluate(self);
        self.tracer.scope.holds = outer;
        done
    }

    /// Evaluates an arm that is taken under a condition. Besides, the variables on which the operations in it depend that may
    /// yet fail, if there are such operations: what Terraform goes on with then may be of another type, unless that is `fixed`.
    pub fn in_an_arm(
        &mut self,
        part: &mut dyn FnMut(&mut Self) -> Guarded,
        side: FormulaId,
        fixed: bool,
    ) -> (Guarded, Option<BTreeSet<Arc<str>>>) {
        let (before, doubts) = (self.risks(), self.tracer.scope.notes.doubts.len());
        self.tracer.scope.notes.arms += 1;
        let value = part(self);
        self.tracer.scope.notes.arms -= 1;
        self.limit_risks(before, side);
        let notes = &mut self.tracer.scope.notes;
        if fixed {
            notes.doubts.truncate(doubts);
        }
        let own = notes.doubts.get(doubts..).unwrap_or_default().to_vec();
        if side == FormulaId::FALSE || notes.arms == 0 {
            notes.doubts.truncate(doubts);
        }
        (value, (!own.is_empty()).then(|| self.tracer.variables_in(&own)))
    }
}
