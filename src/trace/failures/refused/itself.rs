//! Declarations that are made of themselves.

use super::looked::{Looked, Refused, address_of};
use crate::addr::Referent;

pub(super) fn find_references(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    for used in looked.uses.iter().filter(|used| !used.is_static()) {
        let error = match &used.referent {
            Referent::Local(name) => {
                let own = looked.module.locals.get(name).filter(|local| used.lies_in(local.attr.place()));
                own.map(|_| {
                    format!(
                        "Self-referencing local value: Local value local.{name} cannot use its own result as part of its expression."
                    )
                })
            }
            Referent::Resource(addr) => {
                let within = |kinds: &[&str]| used.context.blocks.iter().any(|kind| kinds.contains(&&**kind));
                let rule = used.context.blocks.last().filter(|_| within(&["precondition", "postcondition"]));
                let apart =
                    within(&["provisioner", "connection"]) || within(&["lifecycle"]) && rule.is_none();
                let own = looked.module.resources.get(addr).filter(|_| !apart);
                let own = own.filter(|resource| resource.decl.blocks().any(|b| used.lies_in(b.place())));
                let summary = rule.map_or("Self-referential block".to_owned(), |rule| {
                    format!("Invalid reference in {rule}")
                });
                own.map(|_| format!("{summary}: Configuration for {addr} may not refer to itself."))
            }
            _ => None,
        };
        if let Some(error) = error {
            found.push(Refused { at: address_of(used), error, place: used.place() });
        }
    }
}
