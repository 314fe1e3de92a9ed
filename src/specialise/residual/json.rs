//! Edits of JSON files: references within their strings. Declarations in JSON are never copied or taken
//! out ([`super::refusals`]).

use super::{FileEdits, Here, Writer, replace};
use crate::addr::{PathAttr, Referent};
use crate::graph::Use;
use crate::specialise::decision::Node;
use crate::specialise::written::context;
use crate::specialise::written::held::Held;
use crate::text::Edit;

impl Writer<'_> {
    /// The edits in a module's JSON files.
    pub(super) fn in_json(
        &mut self,
        here: Here<'_>,
        node: &Node,
        (uses, held): (&[Use], &mut Held<'_>),
        edits: &mut FileEdits,
    ) {
        let dir = super::rewrite::directory(here.module);
        let moved = here.dir != here.module.dir;
        for used in uses {
            let mut own = FileEdits::new();
            if moved && used.referent == Referent::Path(PathAttr::Module) {
                own.entry(used.file).or_default().extend(held.put(used, &dir, ""));
            }
            for (unit, split) in node.splits() {
                if unit.holds(&used.referent) && !used.is_address() {
                    self.join(used, &unit, split, Some(held), &mut own);
                }
            }
            for edit in own.into_values().flatten() {
                let text = if used.is_static() {
                    // Each element of a list of addresses is a string of its own.
                    edit.text.replace(", ", "\", \"")
                } else {
                    context::within_json(&edit.text)
                };
                replace(edits.entry(used.file).or_default(), Edit { text, ..edit });
            }
        }
    }
}
