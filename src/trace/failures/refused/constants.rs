//! Arguments that Terraform reads before there is any value: descriptions, backends, the version that is required, experiments, and what
//! `lifecycle` holds as long as it refers to nothing (what refers to something is written as what it is).

use super::looked::{Looked, Refused};
use crate::config::{Decl, FileEntry, In};
use crate::eval::EvalError;
use crate::eval::standalone::{eval_closed, eval_constant};
use crate::syntax::traversal::{as_keyword, variables};
use crate::syntax::{Attribute, Block, Body, Expr, ExprKind, walk};
use crate::text::{Place, SourceId};
use crate::value::Type;
use crate::value::Value;
use crate::value::convert::convert;

/// Every experiment that some version has.
const EXPERIMENTS: [&str; 9] = [
    "variable_validation",
    "variable_validation_crossref",
    "module_variable_optional_attrs",
    "provider_sensitive_attrs",
    "config_driven_move",
    "preconditions_postconditions",
    "ephemeral_values",
    "template_string_func",
    "unknown_instances",
];

pub(super) fn find_unsuitable(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    let module = looked.module;
    for variable in module.variables.values() {
        find_no_description(&format!("var.{}", variable.name), &variable.decl, found);
    }
    for output in module.outputs.values() {
        find_no_description(&format!("output.{}", output.name), &output.decl, found);
    }
    // OpenTofu evaluates some of the rest.
    if looked.config.tofu {
        return;
    }
    for resource in module.resources.values() {
        let own = [&resource.lifecycle.create_before_destroy, &resource.lifecycle.prevent_destroy];
        for attr in own.into_iter().flatten().filter(|attr| variables(&attr.expr).is_empty()) {
            let at = format!("{}.lifecycle", resource.addr);
            if let Ok(value) = eval_closed(&attr.expr, attr.file) {
                find_unsuitable_value(&at, attr, &value, &Type::Bool, found);
            }
        }
    }
    find_replaced(looked, found);
    for file in &module.files {
        for block in file.body.blocks_of("terraform") {
            find_in_settings(looked, file, block, found);
        }
    }
}

/// Finds expressions where Terraform takes literals, and an override file has one. Each file is read before they are merged.
fn find_replaced(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    let module = looked.module;
    for resource in module.resources.values() {
        let at = format!("{}.lifecycle", resource.addr);
        let own = [&resource.lifecycle.create_before_destroy, &resource.lifecycle.prevent_destroy];
        for merged in own.into_iter().flatten() {
            let bodies = resource.decl.blocks().flat_map(|block| {
                block.body.blocks_of("lifecycle").map(move |inner| (block.file, &inner.body))
            });
            say_replaced(&at, merged, bodies, found);
        }
    }
    for call in module.calls.values() {
        for merged in [&call.source, &call.version].into_iter().flatten() {
            // In JSON it reads these when all are merged.
            let is_native = |block: &&In<Block>| !looked.config.is_json(block.file);
            let bodies = call.decl.blocks().filter(is_native).map(|block| (block.file, &block.body));
            say_replaced(&format!("module.{}", call.name), merged, bodies, found);
        }
    }
}

fn say_replaced<'b>(
    at: &str,
    merged: &In<Attribute>,
    bodies: impl Iterator<Item = (SourceId, &'b Body)>,
    found: &mut Vec<Refused>,
) {
    let is_literal = |attr: &Attribute| variables(&attr.expr).is_empty();
    if !is_literal(merged) {
        return;
    }
    for (file, body) in bodies {
        let Some(attr) = body.attribute(&merged.name.text).filter(|attr| !is_literal(attr)) else { continue };
        let error = "Unsuitable value type: Unsuitable value: value must be known. That an override file has a literal doesn't help: Terraform \
                     reads each file before it merges them. Take the argument out here, or the one in the override file.";
        let place = Place { file, span: attr.expr.span };
        found.push(Refused { at: format!("{at}.{}", attr.name.text), error: error.to_owned(), place });
    }
}

fn find_no_description(at: &str, decl: &Decl, found: &mut Vec<Refused>) {
    for block in decl.blocks() {
        let Some(attr) = block.body.attribute("description") else { continue };
        let attr: In<Attribute> = In::new(block.file, attr.clone());
        match eval_constant(&attr.expr, attr.file) {
            Ok(value) => find_unsuitable_value(at, &attr, &value, &Type::String, found),
            Err(error) => say_error(at, (attr.file, &attr), error, found),
        }
    }
}

fn find_unsuitable_value(at: &str, attr: &In<Attribute>, value: &Value, ty: &Type, found: &mut Vec<Refused>) {
    if let Err(error) = check_value(value, ty) {
        found.push(Refused { at: format!("{at}.{}", attr.name.text), error, place: attr.value_place() });
    }
}

/// Checks that a value is one of the type, and isn't null.
///
/// # Errors
/// Terraform's words for one that isn't.
pub(super) fn check_value(value: &Value, ty: &Type) -> Result<(), String> {
    let unsuitable = |why: &str| format!("Unsuitable value type: Unsuitable value: {why}");
    if value.is_null() {
        return Err(unsuitable("null value is not allowed"));
    }
    convert(value, ty).map(drop).map_err(|error| unsuitable(&error.message))
}

fn say_error(at: &str, (file, attr): (SourceId, &Attribute), error: EvalError, found: &mut Vec<Refused>) {
    if !error.limit {
        found.push(Refused {
            at: format!("{at}.{}", attr.name.text),
            error: error.message.to_string(),
            place: error.place.unwrap_or(Place { file, span: attr.expr.span }),
        });
    }
}

fn find_in_settings(looked: &Looked<'_>, file: &FileEntry, block: &Block, found: &mut Vec<Refused>) {
    if let Some(attr) = block.body.attribute("required_version")
        && let Err(error) = eval_constant(&attr.expr, file.source)
    {
        say_error("terraform", (file.source, attr), error, found);
    }
    if let Some(attr) = block.body.attribute("experiments") {
        find_no_experiments(file.source, &attr.expr, found);
    }
    // That of a module below the root counts for nothing.
    let kinds: &[&str] = if looked.path.is_root() { &["backend", "cloud"] } else { &[] };
    for kind in kinds {
        for inner in block.body.blocks_of(kind) {
            walk::walk_body(&inner.body, &mut |_, attr| {
                if let Err(error) = eval_constant(&attr.expr, file.source) {
                    say_error(&format!("terraform.{kind}"), (file.source, attr), error, found);
                }
            });
        }
    }
}

fn find_no_experiments(file: SourceId, list: &Expr, found: &mut Vec<Refused>) {
    let ExprKind::Tuple(items) = &list.kind else { return };
    for item in items {
        let word = match &item.kind {
            // In JSON a keyword is a string.
            ExprKind::String(text) => Some(text.clone()),
            _ => as_keyword(item).map(|word| word.text),
        };
        if word.is_none_or(|word| !EXPERIMENTS.contains(&&*word)) {
            let error = "Module uses experimental features: Experimental features are available only in alpha releases of Terraform, and \
                         no version has this one.";
            found.push(Refused {
                at: "terraform.experiments".to_owned(),
                error: error.to_owned(),
                place: Place { file, span: item.span },
            });
        }
    }
}
