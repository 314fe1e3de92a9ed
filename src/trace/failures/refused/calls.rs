//! Arguments of calls that don't go together: a version of what has none, providers that are no mapping.

use super::looked::{Looked, Refused};
use crate::config::module_source::is_local;
use crate::syntax::ExprKind;

pub(super) fn find_contradicted(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    for call in looked.module.calls.values() {
        // Of sources that an expression chooses, one is enough.
        let chosen = || looked.config.chosen.get(&looked.path.child(call.name.clone()))?.first();
        let source = call.source_text().or_else(|| chosen().map(String::as_str));
        let local = source.filter(|source| is_local(source));
        if let Some((source, version)) = local.zip(call.version.as_ref()) {
            let error = format!(
                "Invalid registry module source address: Failed to parse module registry address: can't use local directory {source:?} as a \
                 module registry address."
            );
            let at = format!("module.{}.version", call.name);
            found.push(Refused { at, error, place: version.place() });
        }
        if let Some(providers) = call.providers.as_ref().filter(|p| matches!(p.expr.kind, ExprKind::Tuple(_)))
        {
            let error = "Invalid expression: A static map expression is required.";
            let at = format!("module.{}.providers", call.name);
            found.push(Refused { at, error: error.to_owned(), place: providers.value_place() });
        }
    }
}
