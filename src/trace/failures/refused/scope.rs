//! `each`, `count` and `self` where there is nothing that they could stand for.

use super::looked::{Looked, Refused, address_of};
use crate::addr::{Referent, Target};
use crate::config::{Decl, Provider};
use crate::graph::Use;
use crate::text::Place;
use crate::trace::Repetition;
use crate::trace::failures::providers::is_used;
use std::cell::LazyCell;

const EACH: &str = "Reference to \"each\" in context without for_each: The \"each\" object can be used only in \"module\" or \"resource\" \
                    blocks, and only when the \"for_each\" argument is set.";
const COUNT: &str = "Reference to \"count\" in non-counted context: The \"count\" object can only be used in \"module\", \"resource\", and \
                     \"data\" blocks, and only when the \"count\" argument is set.";
const SELF: &str = "Invalid \"self\" reference: The \"self\" object is not available in this context. This object can be used only in \
                    resource provisioner, connection, and postcondition blocks.";

pub(super) fn find_misplaced(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    let blocks = LazyCell::new(|| Blocks::of_module(looked));
    for used in &looked.uses {
        let error = match &used.referent {
            Referent::EachKey | Referent::EachValue if !find_repetition(looked, &blocks, used).has_each => {
                EACH
            }
            Referent::CountIndex if !find_repetition(looked, &blocks, used).has_count => COUNT,
            Referent::SelfValue if !has_self(used) => SELF,
            _ => continue,
        };
        found.push(Refused { at: address_of(used), error: error.to_owned(), place: used.place() });
    }
}

/// A declaration that may be repeated.
enum Declared<'c> {
    Repeatable(Target),
    Provider(&'c Provider),
    Import(&'c Decl),
}

/// The blocks of a module that may be repeated, in the order of their places. No two overlap.
struct Blocks<'c>(Vec<(Place, Declared<'c>)>);

impl<'c> Blocks<'c> {
    fn of_module(looked: &Looked<'c>) -> Blocks<'c> {
        let module = looked.module;
        let mut blocks = Vec::new();
        for resource in module.resources.values() {
            let target = || Declared::Repeatable(Target::Resource(resource.addr.clone()));
            blocks.extend(resource.decl.blocks().map(|block| (block.place(), target())));
        }
        for call in module.calls.values() {
            let target = || Declared::Repeatable(Target::Call(call.name.clone().into()));
            blocks.extend(call.decl.blocks().map(|block| (block.place(), target())));
        }
        for provider in &module.providers {
            blocks.extend(provider.decl.blocks().map(|block| (block.place(), Declared::Provider(provider))));
        }
        blocks.extend(module.imports.iter().map(|import| (import.block.place(), Declared::Import(import))));
        blocks.sort_by_key(|(place, _)| *place);
        Blocks(blocks)
    }

    /// The block around a use.
    fn find_around(&self, used: &Use) -> Option<&Declared<'c>> {
        let begins = |place: &Place| (place.file, place.span.start);
        let own = begins(&used.place());
        let before = self.0.partition_point(|(place, _)| begins(place) <= own);
        let (place, declared) = self.0.get(before.checked_sub(1)?)?;
        used.lies_in(*place).then_some(declared)
    }
}

/// What repeats the block around a use.
struct Repeats {
    has_count: bool,
    has_each: bool,
}

/// What isn't looked at counts as having both.
const EITHER: Repeats = Repeats { has_count: true, has_each: true };
const NEITHER: Repeats = Repeats { has_count: false, has_each: false };

fn find_repetition(looked: &Looked<'_>, blocks: &Blocks<'_>, used: &Use) -> Repeats {
    let is_direct = used.context.blocks.len() == 1;
    let attribute = &*used.context.attribute;
    match used.context.blocks.first().map(|kind| &**kind) {
        Some("locals" | "output" | "variable" | "check") => return NEITHER,
        // These say how many there are.
        Some("resource" | "data" | "ephemeral" | "module")
            if is_direct && matches!(attribute, "count" | "for_each" | "depends_on") =>
        {
            return NEITHER;
        }
        Some("resource" | "data" | "ephemeral" | "module" | "provider" | "import") => {}
        _ => return EITHER,
    }
    match blocks.find_around(used) {
        Some(Declared::Repeatable(target)) => {
            let repetition = Repetition::of(looked.module, target);
            Repeats { has_count: repetition.count.is_some(), has_each: repetition.for_each.is_some() }
        }
        // Terraform configures no provider that nothing uses, and looks at none.
        Some(Declared::Provider(provider))
            if is_used(looked.config, looked.path, looked.module, provider) =>
        {
            NEITHER
        }
        Some(Declared::Import(import)) => {
            let has_each = import.block.body.attribute("for_each").is_some() && attribute != "for_each";
            Repeats { has_count: false, has_each }
        }
        Some(Declared::Provider(_)) | None => EITHER,
    }
}

fn has_self(used: &Use) -> bool {
    let known = [
        "resource",
        "data",
        "ephemeral",
        "locals",
        "output",
        "variable",
        "provider",
        "module",
        "check",
        "import",
    ];
    let outer = used.context.blocks.first().is_some_and(|kind| known.contains(&&**kind));
    let inner = ["provisioner", "connection", "postcondition", "action_trigger"];
    !outer || used.context.blocks.iter().any(|kind| inner.contains(&&**kind))
}
