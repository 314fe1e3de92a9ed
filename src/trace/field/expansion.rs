//! What fails in the content of `dynamic` blocks once variables have become literals.
//!
//! Terraform doesn't look into the content of a `dynamic` block whose `for_each` isn't known. With literals in place of variables it may be
//! known before anything is expanded, and then the content of each element is evaluated, in copies that don't exist as well (measured on
//! 1.11). In: one block of a module, with values of variables. Out: the variables by which a `for_each` is known whose content fails.
//! Invariant: where no `for_each` looks at one of the variables, nothing is found, because the original fails alike.

use super::first_pass::{Known, Locals, evaluate_with};
use crate::config::Module;
use crate::eval::{Bindings, Outcome};
use crate::func::Context;
use crate::syntax::{Block, Expr};
use crate::text::SourceId;
use crate::trace::iterator_name;
use crate::value::{Type, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

type Names = BTreeSet<Arc<str>>;

/// One file of a module with values of variables.
pub(super) struct Expansion<'a> {
    pub(super) module: &'a Module,
    pub(super) known: &'a Known,
    pub(super) locals: &'a mut Locals,
    pub(super) context: Context<'a>,
    pub(super) file: SourceId,
}

impl Expansion<'_> {
    /// Adds the variables that make known what fails within a block.
    pub(super) fn look_at_block(&mut self, block: &Block, out: &mut Names) {
        self.look_within(block, &Bindings::default(), &Names::new(), out);
    }

    /// `by` are the variables that the blocks around it are known by.
    fn look_within(&mut self, block: &Block, names: &Bindings<Outcome>, by: &Names, out: &mut Names) {
        match block.body.attribute("for_each").filter(|_| &*block.kind.text == "dynamic") {
            Some(each) => self.look_at_elements((block, &each.expr), names, by, out),
            None => block.body.blocks().for_each(|inner| self.look_within(inner, names, by, out)),
        }
    }

    fn look_at_elements(
        &mut self,
        (block, each): (&Block, &Expr),
        names: &Bindings<Outcome>,
        by: &Names,
        out: &mut Names,
    ) {
        let (outcome, reached) = self.evaluate_expr(each, names);
        let by: Names = by.union(&reached).cloned().collect();
        let Ok(elements) = outcome else {
            out.extend(by);
            return;
        };
        if by.is_empty() || !elements.is_known() || elements.is_null() {
            return;
        }
        let name = iterator_name(block);
        for (key, value) in elements.elements() {
            // In a set, an element is its own key.
            let key = if matches!(elements.ty, Type::Set(_)) { value.clone() } else { key };
            let entry = Value::object([("key", key), ("value", value.clone())]);
            let names = names.with(name.clone(), Ok(entry));
            for content in block.body.blocks_of("content") {
                self.look_at_content(content, &names, &by, out);
            }
        }
    }

    fn look_at_content(&mut self, content: &Block, names: &Bindings<Outcome>, by: &Names, out: &mut Names) {
        for attr in content.body.attributes() {
            let (outcome, reached) = self.evaluate_expr(&attr.expr, names);
            if outcome.is_err() {
                out.extend(by.union(&reached).cloned());
            }
        }
        for inner in content.body.blocks() {
            let plain = &*inner.kind.text != "dynamic";
            match plain {
                true => self.look_at_content(inner, names, by, out),
                false => self.look_within(inner, names, by, out),
            }
        }
    }

    fn evaluate_expr(&mut self, expr: &Expr, names: &Bindings<Outcome>) -> (Outcome, Names) {
        evaluate_with(self.module, self.known, self.locals, self.context, (self.file, expr), names)
    }
}
