//! Names in `depends_on`, `replace_triggered_by` and provisioners that nothing declares.

use super::{Looked, Refused, address_of};
use crate::trace::walk::undeclared::missing;

pub(super) fn find_undeclared(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    for used in &looked.uses {
        let named = matches!(&*used.context.attribute, "depends_on" | "replace_triggered_by");
        // Elsewhere it is found where the expression is evaluated.
        let unevaluated =
            used.context.blocks.iter().any(|kind| matches!(&**kind, "provisioner" | "connection"));
        if !named && !unevaluated {
            continue;
        }
        if let Some(error) = missing(looked.module, &used.referent) {
            found.push(Refused { at: address_of(used), error, place: used.place() });
        }
    }
}
