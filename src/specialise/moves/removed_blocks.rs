//! `removed` blocks for what services replaced: a plan that nobody asked state for gives such an object up, and doesn't
//! destroy it.
//!
//! Nothing can be moved from a resource to a module of other types, so under a form factor Terraform would destroy what
//! state holds of a replaced resource. A run of tf-phi asks state and stops; a bare `terraform plan` asks nobody. Without a
//! lifecycle of its own, `removed` would destroy (Terraform, "removed" block; measured on 1.11 and 1.15: it names
//! addresses after all moves, without instance keys, and needs no provider).

use crate::specialise::SplitUnit;
use crate::specialise::record::ServiceRecord;
use crate::syntax::emit::Writer;

/// The blocks; nothing where no service replaced anything. `made` are calls of services that are given up with what they stood in for.
/// What the user's own `removed` blocks name is theirs.
pub fn text(
    services: &[ServiceRecord],
    made: &[String],
    splits: &[SplitUnit],
    own: &[String],
) -> Option<String> {
    let units: Vec<(String, Vec<String>)> =
        splits.iter().map(|split| (split.original.clone(), split.addresses.clone())).collect();
    let mut addresses: Vec<String> = Vec::new();
    for given_up in services.iter().map(|service| &service.resource).chain(made) {
        for address in copies(given_up, &units, false) {
            let theirs = own.iter().any(|o| within(&address, o).is_some());
            if !theirs && !addresses.contains(&address) {
                addresses.push(address);
            }
        }
    }
    let mut writer = Writer::new("", "\n");
    writer
        .comment("What services replace is given up, not destroyed, should this be planned with its state.");
    for (at, address) in addresses.iter().enumerate() {
        if at > 0 {
            writer.blank();
        }
        write_removed(&mut writer, address);
    }
    (!addresses.is_empty()).then(|| writer.finish())
}

/// Writes the block that gives up what has an address without keys.
pub(super) fn write_removed(writer: &mut Writer, address: &str) {
    writer.block("removed", &[], |w| {
        w.attribute("from", address);
        w.blank();
        w.block("lifecycle", &[], |w| {
            w.attribute("destroy", "false");
        });
    });
}

/// An address, and where split calls on its way lead it, by units with the addresses of their copies. `whole` is true if it may be a
/// unit itself.
pub(super) fn copies(address: &str, units: &[(String, Vec<String>)], whole: bool) -> Vec<String> {
    let mut out = vec![address.to_owned()];
    let mut at = 0;
    while let Some(known) = out.get(at).cloned() {
        at += 1;
        for (original, addresses) in units {
            let Some(rest) = within(&known, original).filter(|rest| whole || !rest.is_empty()) else {
                continue;
            };
            for copy in addresses.iter().map(|a| format!("{a}{rest}")) {
                if !out.contains(&copy) {
                    out.push(copy);
                }
            }
        }
    }
    out
}

/// Returns the part of an address after an outer one, with its dot.
fn within<'a>(address: &'a str, outer: &str) -> Option<&'a str> {
    address.strip_prefix(outer).filter(|rest| rest.is_empty() || rest.starts_with('.'))
}
