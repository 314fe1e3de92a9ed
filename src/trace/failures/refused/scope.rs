//! `each`, `count` and `self` where there is nothing that they could stand for.

use super::looked::{Looked, Refused, address_of};
use crate::addr::{Referent, Target};
use crate::config::Provider;
use crate::graph::Use;
use crate::trace::Repetition;
use crate::trace::failures::providers::is_used;

const EACH: &str = "Reference to \"each\" in context without for_each: The \"each\" object can be used only in \"module\" or \"resource\" \
                    blocks, and only when the \"for_each\" argument is set.";
const COUNT: &str = "Reference to \"count\" in non-counted context: The \"count\" object can only be used in \"module\", \"resource\", and \
                     \"data\" blocks, and only when the \"count\" argument is set.";
const SELF: &str = "Invalid \"self\" reference: The \"self\" object is not available in this context. This object can be used only in \
                    resource provisioner, connection, and postcondition blocks.";

pub(super) fn find_misplaced(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    for used in &looked.uses {
        let (has_count, has_each) = repeated(looked, used);
        let error = match &used.referent {
            Referent::EachKey | Referent::EachValue if !has_each => EACH,
            Referent::CountIndex if !has_count => COUNT,
            Referent::SelfValue if !has_self(used) => SELF,
            _ => continue,
        };
        found.push(Refused { at: address_of(used), error: error.to_owned(), place: used.place() });
    }
}

/// Returns true if the block around a use has `count`, and if it has `for_each`. What isn't looked at counts as having both.
fn repeated(looked: &Looked<'_>, used: &Use) -> (bool, bool) {
    let module = looked.module;
    let is_direct = used.context.blocks.len() == 1;
    match used.context.blocks.first().map(|kind| &**kind) {
        Some("locals" | "output" | "variable") => (false, false),
        Some("provider") => {
            // Terraform configures no other, and looks at none.
            let around = |p: &&Provider| p.decl.blocks().any(|b| used.lies_in(b.place()));
            let provider = module.providers.iter().find(around);
            let unused = !provider.is_some_and(|p| is_used(looked.config, looked.path, module, p));
            (unused, unused)
        }
        Some("check") => (false, false),
        Some("import") => {
            let own = module.imports.iter().find(|decl| used.lies_in(decl.block.place()));
            let has_each = own.is_none_or(|decl| decl.block.body.attribute("for_each").is_some());
            (false, has_each && &*used.context.attribute != "for_each")
        }
        // These say how many there are.
        Some("resource" | "data" | "ephemeral" | "module")
            if is_direct && matches!(&*used.context.attribute, "count" | "for_each" | "depends_on") =>
        {
            (false, false)
        }
        Some("resource" | "data" | "ephemeral" | "module") => {
            let around = |decl: &crate::config::Decl| decl.blocks().any(|b| used.lies_in(b.place()));
            let resource = module.resources.values().find(|resource| around(&resource.decl));
            let call = module.calls.values().find(|call| around(&call.decl));
            let target = resource
                .map(|resource| Target::Resource(resource.addr.clone()))
                .or_else(|| call.map(|call| Target::Call(call.name.clone().into())));
            let Some(target) = target else { return (true, true) };
            let repetition = Repetition::of(module, &target);
            (repetition.count.is_some(), repetition.for_each.is_some())
        }
        _ => (true, true),
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
