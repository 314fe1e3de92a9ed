//! The values in which two texts of one file differ, where they differ in nothing else.
//!
//! In: texts of files that were made from one original. Out: places of arguments, and texts with others there. Invariant: such an
//! argument can be set by an override file, with the effect that the same text has in the file itself (measured with Terraform 1.11;
//! `e2e/shared.rs`). Absent: nested blocks, which an override file replaces together with all others of their type, and what
//! Terraform decodes before it merges (`version`, `providers`, `lifecycle`).

use crate::specialise::written::bare::form;
use crate::syntax::{self, Attribute, Block, Body, ExprKind, Item};
use crate::text::{Edit, EditSet, Span};
use std::collections::BTreeSet;

/// The place of an argument: its block in the file, and itself in the block.
pub(super) type Slot = (usize, usize);

/// A text and what it declares.
pub(super) struct File<'t> {
    text: &'t str,
    body: Body,
}

impl<'t> File<'t> {
    /// Reads a text; `None` if it isn't configuration.
    pub fn of(text: &'t str) -> Option<File<'t>> {
        Some(File { text, body: syntax::parse(text).ok()? })
    }

    /// The text.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The block of a number.
    pub fn block(&self, at: usize) -> Option<&Block> {
        match self.body.items.get(at)? {
            Item::Block(block) => Some(block),
            Item::Attribute(_) => None,
        }
    }

    /// The argument at a place, and its text.
    pub fn argument(&self, (block, at): Slot) -> Option<(&Attribute, &'t str)> {
        match self.block(block)?.body.items.get(at)? {
            Item::Attribute(attribute) => Some((attribute, self.slice(attribute.span))),
            Item::Block(_) => None,
        }
    }

    fn slice(&self, span: Span) -> &'t str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// The text without layout and without each value that an override file may set: texts of one form differ in such values alone.
    pub fn form(&self) -> Option<String> {
        let free = self.free().collect();
        let name = |slot: Slot| Some(self.argument(slot)?.0.name.text.to_string());
        Some(form(&self.with(&free, &name, Vec::new())?))
    }

    /// The places in which another text of the same form has other values.
    pub fn differing<'a>(&'a self, other: &'a File<'_>) -> impl Iterator<Item = Slot> + 'a {
        self.free().filter(|slot| self.argument(*slot).map(|a| a.1) != other.argument(*slot).map(|a| a.1))
    }

    fn free(&self) -> impl Iterator<Item = Slot> + '_ {
        let blocks = (0..self.body.items.len()).filter_map(|at| Some((at, self.block(at)?)));
        blocks.flat_map(|(at, block)| {
            let items = block.body.items.iter().enumerate();
            items
                .filter(|(_, item)| matches!(item, Item::Attribute(a) if is_free(block, a)))
                .map(move |(i, _)| (at, i))
        })
    }

    /// The text with others at these places, and with further edits; `None` where they don't fit.
    pub fn with(
        &self,
        slots: &BTreeSet<Slot>,
        text: &dyn Fn(Slot) -> Option<String>,
        further: Vec<Edit>,
    ) -> Option<String> {
        let mut edits = further;
        for slot in slots {
            edits.push(Edit { span: self.argument(*slot)?.0.span, text: text(*slot)? });
        }
        EditSet::of(edits).ok()?.apply(self.text).ok()
    }
}

/// Returns true if an override file may set an argument of a block, and Terraform reads what stands there before in no other way than
/// as an expression.
fn is_free(block: &Block, argument: &Attribute) -> bool {
    let name = &*argument.name.text;
    match &*block.kind.text {
        "resource" | "data" => !matches!(name, "depends_on" | "provider"),
        // A path stands there before; with a version beside it there may be none.
        "module" if name == "source" => {
            matches!(argument.expr.kind, ExprKind::String(_)) && block.body.attribute("version").is_none()
        }
        "module" => !matches!(name, "depends_on" | "providers" | "version"),
        "output" => name == "value",
        "locals" => true,
        _ => false,
    }
}
