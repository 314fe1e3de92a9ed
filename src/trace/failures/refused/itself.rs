//! Declarations that are made of themselves.

use super::{Looked, Refused, address_of};
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
                let in_rules = ["lifecycle", "provisioner", "connection"];
                let within_rule = used.context.blocks.iter().any(|kind| in_rules.contains(&&**kind));
                let own = looked.module.resources.get(addr).filter(|_| !within_rule);
                let own = own.filter(|resource| resource.decl.blocks().any(|b| used.lies_in(b.place())));
                own.map(|_| {
                    format!("Self-referential block: Configuration for {addr} may not refer to itself.")
                })
            }
            _ => None,
        };
        if let Some(error) = error {
            found.push(Refused { at: address_of(used), error, place: used.place() });
        }
    }
}
