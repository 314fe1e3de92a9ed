//! Outputs of the root module that are declared ephemeral: nobody could take them.

use super::looked::{Looked, Refused};

pub(super) fn find_ephemeral(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    for output in looked.module.outputs.values().filter(|output| output.ephemeral && looked.path.is_root()) {
        let error =
            "Ephemeral output not allowed: Ephemeral outputs are not allowed in context of a root module.";
        found.push(Refused {
            at: format!("output.{}", output.name),
            error: error.to_owned(),
            place: output.decl.place(),
        });
    }
}
