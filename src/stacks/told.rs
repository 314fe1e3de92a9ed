//! The parts of a Stack's `phi.hcl` for the root modules of deployments: the backend, settings, and entries for components.

use super::claims::{self, Claims};
use super::items::{From, laid_out};
use crate::config::phi::{PhiConfig, Settings};
use crate::specialise::moves::originals::without_keys;
use crate::syntax::parse;
use crate::text::{Place, SourceId, Sources};
use crate::value::hcl;
use std::sync::Arc;

/// An input that only HCP knows.
#[derive(Clone, Debug)]
pub struct Outside {
    /// The variable.
    pub name: Arc<str>,
    /// The place of the input in the deployment.
    pub place: Place,
}

/// The placeholder for the deployment's name in the backend block.
const NAME: &str = "${deployment}";

/// Returns the file with the backend block; `None` if `phi.hcl` has none.
pub(super) fn backend(sources: &Sources, phi: &PhiConfig, deployment: &str, head: &str) -> Option<String> {
    let block = phi.backend.as_ref()?;
    let from = From { sources, file: block.file, json: false };
    let name = hcl::quote(deployment);
    let name = name.get(1..name.len().saturating_sub(1)).unwrap_or_default();
    let text = from.copied(block, &mut |attr| Some(from.raw(attr.span).replace(NAME, name)));
    Some(laid_out(&format!("# {head} phi.hcl.\n\nterraform {{\n{text}\n}}\n")))
}

/// Returns the root module's `phi.hcl`; `None` if it would be empty.
pub(super) fn pins(
    sources: &Sources,
    phi: &PhiConfig,
    claims: &Claims,
    outside: &[Outside],
    head: &str,
) -> Option<String> {
    let file: SourceId = phi.source?;
    let source = sources.get(file)?;
    let body = parse(&source.text).ok()?;
    let from = From { sources, file, json: false };
    let mut blocks: Vec<String> = settings(&phi.settings).into_iter().collect();
    for block in body.blocks() {
        let Some(label) = block.labels.first() else { continue };
        let labels = match &*block.kind.text {
            "specialize" => translated(&label.text, claims),
            "variable" if outside.iter().any(|o| label.text.split('.').next() == Some(&*o.name)) => {
                vec![label.text.to_string()]
            }
            _ => continue,
        };
        for text in labels {
            let mut own = (**block).clone();
            own.labels.iter_mut().for_each(|l| l.text = Arc::from(&*text));
            blocks.push(from.copied(&own, &mut |attr| Some(from.raw(attr.span).to_owned())));
        }
    }
    (!blocks.is_empty()).then(|| laid_out(&format!("# {head} phi.hcl.\n\n{}\n", blocks.join("\n\n"))))
}

/// Returns the settings that the root module takes over, without those at their default.
fn settings(settings: &Settings) -> Option<String> {
    let plain = Settings::default();
    let mut lines = Vec::new();
    if let Some(terraform) = &settings.terraform {
        lines.push(format!("terraform = {}", hcl::quote(terraform)));
    }
    let numbers = [("branches", settings.branches, plain.branches), ("depth", settings.depth, plain.depth)];
    lines.extend(
        numbers.iter().filter(|(_, own, plain)| own != plain).map(|(name, own, _)| format!("{name} = {own}")),
    );
    let truths = [
        ("keep", settings.keep, plain.keep),
        ("copies", settings.copies, plain.copies),
        ("links", settings.links, plain.links),
        ("strict", settings.strict, plain.strict),
    ];
    lines.extend(
        truths.iter().filter(|(_, own, plain)| own != plain).map(|(name, own, _)| format!("{name} = {own}")),
    );
    (!lines.is_empty()).then(|| format!("settings {{\n{}\n}}", lines.join("\n")))
}

/// Returns a label of the Stack as addresses of the root module, one for each instance that it names.
fn translated(label: &str, claims: &Claims) -> Vec<String> {
    if !label.starts_with("component.") && !label.starts_with("stack.") {
        return vec![label.to_owned()];
    }
    let bare = without_keys(label);
    let one = |(labels, address): (&Vec<String>, &String)| {
        let rest = bare
            .strip_prefix(&*without_keys(address))
            .filter(|rest| rest.is_empty() || rest.starts_with('.'))?;
        Some(format!("{}{rest}", claims::address(labels)))
    };
    claims.components.iter().filter_map(one).collect()
}
