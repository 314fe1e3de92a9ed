//! Arguments that Terraform reads before there is any value: descriptions, backends, the version that is required, experiments, and what
//! `lifecycle` holds as long as it refers to nothing (what refers to something is written as what it is).

use super::looked::{Looked, Refused};
use crate::config::{Decl, FileEntry, In};
use crate::eval::EvalError;
use crate::eval::standalone::{eval_closed, eval_constant};
use crate::syntax::traversal::{as_keyword, variables};
use crate::syntax::{Attribute, Block, Expr, ExprKind, walk};
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
    for file in &module.files {
        for block in file.body.blocks_of("terraform") {
            find_in_settings(looked, file, block, found);
        }
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
