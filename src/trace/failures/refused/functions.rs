//! Calls of functions that no version of Terraform has, and of those of providers that nothing requires.

use super::looked::{Looked, Refused};
use crate::func;
use crate::syntax::{Call, ExprKind, walk};
use crate::text::Place;

/// The functions of the provider that comes with Terraform.
const OF_TERRAFORM: [&str; 3] = ["encode_tfvars", "decode_tfvars", "encode_expr"];

pub(super) fn find_unknown(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    for file in &looked.module.files {
        walk::walk_body(&file.body, &mut |blocks, attr| {
            let kinds: Vec<&str> = blocks.iter().map(|block| &*block.kind.text).collect();
            // Types are written like calls.
            if matches!((kinds.as_slice(), &*attr.name.text), (["variable"], "type")) {
                return;
            }
            walk::walk(&attr.expr, &mut |expr| {
                let ExprKind::Call(call) = &expr.kind else { return true };
                // An error in these is none where something else stands beside it.
                if is_caught(call) {
                    return false;
                }
                if let Some(error) = describe_unknown(looked, &call.name.text) {
                    found.push(Refused {
                        at: [&*kinds.join("."), &*attr.name.text].join("."),
                        error,
                        place: Place { file: file.source, span: call.name.span },
                    });
                }
                true
            });
        });
    }
}

/// Returns true for a `can`, and a `try` with another argument.
fn is_caught(call: &Call) -> bool {
    match func::lookup(&call.name.text).map(|function| function.name) {
        Some("can") => true,
        Some("try") => call.args.len() > 1,
        _ => false,
    }
}

/// Terraform's words for a function that isn't there; nothing of one that may be.
fn describe_unknown(looked: &Looked<'_>, name: &str) -> Option<String> {
    let Some((_, in_provider)) = name.split_once("::") else {
        let is_known = func::lookup(name).is_some();
        return (!is_known)
            .then(|| format!("Call to unknown function: There is no function named {name:?}."));
    };
    if !name.starts_with("provider::") {
        return describe_namespace(looked, name);
    }
    // Which functions a configuration of a provider has, OpenTofu asks the provider.
    let provider_and_function = in_provider.split_once("::");
    if looked.config.tofu {
        return None;
    }
    let Some((provider, function)) = provider_and_function else {
        let why = "The function call must include the provider name after the \"provider::\" prefix.";
        return Some(format!("Unknown provider function: {why}"));
    };
    let mut required = looked.module.required_providers();
    if !required.any(|(_, attr)| &*attr.name.text == provider) {
        return Some(format!(
            "Unknown provider function: There is no function named {name:?}. Ensure that provider name {provider:?} is declared in this \
             module's required_providers block, and that this provider offers a function named {function:?}."
        ));
    }
    let is_own = looked.module.provider_source(provider).ends_with("builtin/terraform");
    (is_own && !OF_TERRAFORM.contains(&function)).then(|| {
        format!(
            "Unknown provider function: The function {function:?} is not available from the provider {provider:?}."
        )
    })
}

/// The same for a name in a namespace that is no provider's: there is one of Terraform's own functions, and no other.
fn describe_namespace(looked: &Looked<'_>, name: &str) -> Option<String> {
    let (namespace, _) = name.split_once("::")?;
    let is_core = namespace == "core";
    if is_core && func::lookup(name).is_some() {
        return None;
    }
    match (looked.config.tofu, is_core) {
        (true, true) => Some(format!("Call to unknown function: There is no function named {name:?}.")),
        // Of other namespaces OpenTofu has words of its own.
        (true, false) => None,
        (false, _) => Some(format!(
            "Unknown provider function: The function namespace {namespace:?} is not valid. Provider function calls must use the \"provider::\" namespace prefix."
        )),
    }
}
