//! What stands in a file and in no declaration: a second one of a name, a block that the language rejects. Nobody looked whether a secret is in it.
//!
//! In: a configuration. Out: where literals of such arguments stand. Invariant: an argument is passed over only where it was followed, or is Terraform's own.
//! Absent on purpose: what is wrong with them.

use super::super::every_field;
use super::compared::add_literals;
use crate::config::Config;
use crate::syntax::{Attribute, Body};
use crate::text::{Place, SourceId};
use rustc_hash::FxHashSet;

/// Arguments that say something of a declaration, and blocks that do.
const OF_DECLARATIONS: [&str; 22] = [
    "alias",
    "assert",
    "condition",
    "count",
    "deferred",
    "depends_on",
    "description",
    "ephemeral",
    "error_message",
    "for_each",
    "from",
    "lifecycle",
    "moved",
    "nullable",
    "postcondition",
    "precondition",
    "required_providers",
    "required_version",
    "sensitive",
    "source",
    "type",
    "version",
];

/// Finds them.
pub fn unread_literals(config: &Config) -> Vec<Place> {
    let mut known: FxHashSet<Place> = FxHashSet::default();
    for field in every_field::all(config).iter().chain(&every_field::unlisted(config)) {
        known.insert(field.site.attr.value_place());
    }
    for module in &config.modules {
        known.extend(module.locals.values().map(|local| local.attr.value_place()));
        known.extend(module.variables.values().filter_map(|v| Some(v.default.as_ref()?.value_place())));
        known.extend(module.calls.values().flat_map(|call| &call.args).map(|arg| arg.value_place()));
    }
    let mut found = Vec::new();
    for entry in config.modules.iter().flat_map(|module| &module.files).filter(|entry| !entry.json) {
        look_through(entry.source, &entry.body, &known, &mut found);
    }
    found
}

fn look_through(file: SourceId, body: &Body, known: &FxHashSet<Place>, found: &mut Vec<Place>) {
    let is_own = |name: &str| OF_DECLARATIONS.contains(&name);
    let is_unread =
        |attr: &Attribute| !is_own(&attr.name.text) && !known.contains(&Place { file, span: attr.expr.span });
    for attr in body.attributes().filter(|attr| is_unread(attr)) {
        let mut spans = Vec::new();
        add_literals(&attr.expr, &mut spans);
        found.extend(spans.into_iter().map(|span| Place { file, span }));
    }
    for block in body.blocks().filter(|block| !is_own(&block.kind.text)) {
        look_through(file, &block.body, known, found);
    }
}
