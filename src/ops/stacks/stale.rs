//! Keeps provider configurations of removed embedded Stacks for as long as state holds their objects.
//!
//! A root module configures the providers of embedded Stacks. Terraform destroys an object only with its provider's configuration, so
//! the configuration that the last run wrote stays until the objects are destroyed. Invariant: a current configuration wins over a
//! kept one.

use crate::syntax::{Block, Body, ExprKind, TraversalStep, parse, traversal};
use crate::text::Span;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The file of configurations for embedded Stacks.
pub(super) const FILE: &str = "phi_providers.tf";

/// Returns the text of that file with the configurations of its earlier text `before` that objects still need. `old` and `new` are
/// all earlier and all current files of the root module. `holds` returns true if state may hold objects in a module whose joined
/// call names begin with its argument; `is_known` is true if the state was read.
///
/// # Errors
/// Returns the name of a removed call if a needed configuration uses one of its outputs.
pub(super) fn kept(
    before: &str,
    now: Option<&str>,
    (old, new): (&[String], &[String]),
    (holds, is_known): (&dyn Fn(&str) -> bool, bool),
) -> Result<Option<String>, String> {
    let calls: BTreeSet<String> = new.iter().flat_map(|text| calls(text)).collect();
    let there: BTreeSet<String> =
        new.iter().flat_map(|text| aliases(text)).map(|(_, alias, _)| alias).collect();
    let mut blocks = Vec::new();
    let mut kinds: BTreeSet<Arc<str>> = BTreeSet::new();
    for (kind, alias, text) in aliases(before) {
        if !there.contains(&alias) && holds(&alias) {
            let gone = taken_of(&text).into_iter().find(|call| !calls.contains(call));
            if let Some(gone) = gone.filter(|_| is_known) {
                return Err(gone);
            }
            blocks.push(text);
            kinds.insert(kind);
        }
    }
    if blocks.is_empty() {
        return Ok(now.map(str::to_owned));
    }
    let known: BTreeSet<Arc<str>> =
        new.iter().flat_map(|text| required(text)).map(|(name, _)| name).collect();
    let wanted = old.iter().flat_map(|text| required(text));
    let lines: BTreeSet<String> = wanted
        .filter(|(name, _)| kinds.contains(name) && !known.contains(name))
        .map(|(_, text)| format!("    {text}\n"))
        .collect();
    let mut out = now.map_or_else(|| first_lines(before), str::to_owned);
    if !lines.is_empty() {
        let lines: String = lines.into_iter().collect();
        out.push_str(&format!("\nterraform {{\n  required_providers {{\n{lines}  }}\n}}\n"));
    }
    blocks.iter().for_each(|block| out.push_str(&format!("\n{block}\n")));
    Ok(Some(out))
}

/// Returns the names of the calls in a file.
fn calls(text: &str) -> Vec<String> {
    body(text).blocks_of("module").filter_map(|b| Some(b.labels.first()?.text.to_string())).collect()
}

/// Returns the names of the calls whose outputs a configuration uses.
fn taken_of(text: &str) -> BTreeSet<String> {
    fn within(body: &Body, out: &mut BTreeSet<String>) {
        for attr in body.attributes() {
            let used = traversal::variables(&attr.expr).into_iter().filter(|t| &*t.root.text == "module");
            out.extend(used.filter_map(|t| match t.steps.into_iter().next() {
                Some(TraversalStep::Attr(name)) => Some(name.text.to_string()),
                _ => None,
            }));
        }
        body.blocks().for_each(|block| within(&block.body, out));
    }
    let mut out = BTreeSet::new();
    within(&body(text), &mut out);
    out
}

/// Returns the comment at the top of a file.
fn first_lines(text: &str) -> String {
    text.lines().take_while(|line| line.starts_with('#')).map(|line| format!("{line}\n")).collect()
}

fn body(text: &str) -> Body {
    parse(text).unwrap_or_default()
}

fn slice(text: &str, span: Span) -> String {
    text.get(span.range()).unwrap_or_default().to_owned()
}

/// Returns the local name, alias and text of each provider configuration with an alias.
fn aliases(text: &str) -> Vec<(Arc<str>, String, String)> {
    let one = |block: &Arc<Block>| {
        let ExprKind::String(alias) = &block.body.attribute("alias")?.expr.kind else { return None };
        Some((block.labels.first()?.text.clone(), alias.to_string(), slice(text, block.span)))
    };
    body(text).blocks_of("provider").filter_map(one).collect()
}

/// Returns the local name and text of each entry in `required_providers`.
fn required(text: &str) -> Vec<(Arc<str>, String)> {
    let body = body(text);
    let blocks = body.blocks_of("terraform").flat_map(|block| block.body.blocks_of("required_providers"));
    blocks
        .flat_map(|block| block.body.attributes())
        .map(|attr| (attr.name.text.clone(), slice(text, attr.span)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = "# Written.\n\nprovider \"aws\" {\n  alias  = \"stack_ch__main\"\n  region = \"x\"\n}\n\nprovider \"aws\" {\n  alias = \"stack_b__main\"\n}\n";

    #[test]
    fn what_objects_need_stays() {
        let old = ["terraform {\n  required_providers {\n    aws = { source = \"hashicorp/aws\" }\n  }\n}\n"
            .to_owned()];
        let held = |alias: &str| alias.starts_with("stack_ch__");
        let text = kept(BEFORE, None, (&old, &[]), (&held, true)).unwrap().unwrap();
        assert_eq!(
            text,
            "# Written.\n\nterraform {\n  required_providers {\n    aws = { source = \"hashicorp/aws\" }\n  }\n}\n\nprovider \"aws\" {\n  alias  = \"stack_ch__main\"\n  region = \"x\"\n}\n"
        );
        assert_eq!(kept(BEFORE, None, (&old, &[]), (&|_| false, true)), Ok(None));
        let now = BEFORE.replace("\"x\"", "\"y\"");
        assert_eq!(
            kept(BEFORE, Some(&now), (&old, std::slice::from_ref(&now)), (&held, true)),
            Ok(Some(now))
        );
        // Without that Stack nothing gives it its value.
        let taken = BEFORE.replace("\"x\"", "upper(module.stack_ch.phi_a__x)");
        assert_eq!(kept(&taken, None, (&old, &[]), (&held, true)), Err("stack_ch".to_owned()));
    }
}
