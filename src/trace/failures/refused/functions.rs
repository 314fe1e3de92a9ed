//! Calls of functions that no version of Terraform has, and of those of providers that nothing requires.

use super::looked::{Looked, Refused};
use crate::func;
use crate::syntax::{ExprKind, walk};
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
                if let ExprKind::Call(call) = &expr.kind
                    && let Some(error) = describe_unknown(looked, &call.name.text)
                {
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

/// Terraform's words for a function that isn't there; nothing of one that may be.
fn describe_unknown(looked: &Looked<'_>, name: &str) -> Option<String> {
    let Some((_, in_provider)) = name.split_once("::") else {
        let is_known = func::lookup(name).is_some();
        return (!is_known)
            .then(|| format!("Call to unknown function: There is no function named {name:?}."));
    };
    // Which functions a configuration of a provider has, OpenTofu asks the provider.
    let (provider, function) = name.strip_prefix("provider::").and(in_provider.split_once("::"))?;
    if looked.config.tofu {
        return None;
    }
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
