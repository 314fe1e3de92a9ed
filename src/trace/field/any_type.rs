//! Fields of which a value's type is part, since neither a schema nor a variable converts what is given to them.

use crate::addr::{FieldAddr, ModulePath, Target};
use crate::config::Config;

/// Returns true if a field takes a value of any type, so that a list which became a tuple would be another value. For a call's
/// argument, its variable says so. Providers' schemas aren't known here; these are the resources that are met for it.
pub fn takes_any_type(config: &Config, field: &FieldAddr) -> bool {
    let first = field.path.0.first().map_or("", |name| &**name);
    match &field.target {
        Target::Resource(addr) => matches!(
            (&*addr.kind, first),
            ("terraform_data", "input" | "triggers_replace")
                | ("kubernetes_manifest", "manifest")
                | ("terraform_remote_state", "defaults")
                | ("azapi_resource" | "azapi_update_resource" | "azapi_data_plane_resource", _)
        ),
        Target::Call(call) if !matches!(first, "source" | "version" | "providers") => {
            let variable =
                |path: &ModulePath| config.at(path)?.variables.get(first).map(|v| v.ty.has_dynamic());
            // Where its source is chosen there are several modules.
            let modules = config.paths.keys().filter(|path| {
                path.parent().is_some_and(|(above, name)| above == field.module && name.name == call.name)
            });
            modules.into_iter().any(|path| variable(path) != Some(false))
        }
        _ => false,
    }
}
