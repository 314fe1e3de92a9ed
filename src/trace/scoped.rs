//! Evaluation in a changed scope. Each part of a scope is changed by one method here, which puts back what was before.

use super::domain::Frame;
use super::scope::{Notes, Risk};
use super::{Guarded, Tracer};
use crate::addr::ModulePath;
use crate::cond::FormulaId;
use crate::config::In;
use crate::syntax::Block;
use std::mem;

impl<'a> Tracer<'a> {
    /// Evaluates for one version of Terraform alone.
    pub(super) fn with_version<T>(
        &mut self,
        version: Option<(u32, u32)>,
        evaluate: impl FnOnce(&mut Tracer<'a>) -> T,
    ) -> T {
        let outer = mem::replace(&mut self.scope.version, version);
        let done = evaluate(self);
        self.scope.version = outer;
        done
    }

    /// Finds gates that may use the names of the `dynamic` blocks in a module.
    pub(super) fn with_gate_names<T>(
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
    pub(super) fn in_a_declaration(&mut self, evaluate: impl FnOnce(&mut Tracer<'a>) -> Guarded) -> Guarded {
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
    pub(super) fn with_gate_text<T>(&mut self, text: &str, evaluate: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.tracer.scope.gate_text.replace(text.into());
        let done = evaluate(self);
        self.tracer.scope.gate_text = outer;
        done
    }

    /// Evaluates what notes nothing for the expression around: an error behind a reference stops the run there.
    pub(super) fn with_own_notes<T>(&mut self, evaluate: impl FnOnce(&mut Self) -> T) -> T {
        let fallible = self.tracer.scope.notes.fallible;
        let notes = Notes { fallible, ..Notes::default() };
        let outer = mem::replace(&mut self.tracer.scope.notes, notes);
        let done = evaluate(self);
        let fallible = self.tracer.scope.notes.fallible;
        self.tracer.scope.notes = Notes { fallible, ..outer };
        done
    }

    /// Evaluates what may fail without harm; returns the operations in it that may, which count for nothing around.
    pub(super) fn with_own_risks<T>(&mut self, evaluate: impl FnOnce(&mut Self) -> T) -> (T, Vec<Risk>) {
        let outer = self.tracer.scope.notes.risks.replace(Vec::new());
        let done = evaluate(self);
        let risks = mem::replace(&mut self.tracer.scope.notes.risks, outer);
        (done, risks.unwrap_or_default())
    }

    /// Evaluates what has a type of its own whatever fails in it.
    pub(super) fn with_own_type<T>(&mut self, evaluate: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.tracer.scope.notes.retypings;
        let done = evaluate(self);
        self.tracer.scope.notes.retypings = outer;
        done
    }
}
