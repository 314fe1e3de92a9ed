//! A folder beside a tree that holds no more of its sources than the `terraform` blocks.
//!
//! These are the same in each form of a tree, so that Terraform reads the state there also where it rejects the tree. In: a working
//! directory. Invariant: no source is written; a run may be at work in the real folder. Absent: what runs there.

use crate::host::{EntryKind, Host as _};
use crate::issue::{Code, Issue};
use crate::ops::read::rooted_host::RootedHost;
use crate::syntax::traversal::names_under;
use crate::syntax::walk::walk_body;
use crate::syntax::{Item, parse};
use crate::terraform::{Answer, Terraform};
use crate::txn::{PHI_DIR, Shadow};
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;
use std::path::Path;

/// The block that says where state is.
const TERRAFORM: &str = "terraform";

/// Blocks with the values that OpenTofu allows there.
const VALUES: [&str; 2] = ["variable", "locals"];

/// Makes the folder.
///
/// # Errors
/// A folder that can't be read, or made.
pub fn shadow(host: &RootedHost) -> Result<Shadow, Issue> {
    let Kept { sources, has_values } = Kept::read(host)?;
    let is_hidden = |name: &str| is_source(name) || name == PHI_DIR || is_values(name) && !has_values;
    Shadow::new(&host.root, sources, &is_hidden)
}

/// Reads the state of a tree that Terraform may reject, through its `terraform` blocks alone.
///
/// # Errors
/// A folder that can't be made; Terraform that can't be started.
pub fn pull_state(host: &RootedHost, terraform: &Terraform) -> Result<Answer, Issue> {
    let shadow = shadow(host)?;
    let answer = terraform.state_pull(host, shadow.dir())?;
    shadow.hand_back()?;
    Ok(answer)
}

/// Returns true for a file of values that Terraform reads by itself; of a variable that isn't declared it would say so.
fn is_values(name: &str) -> bool {
    let suffixes = [".auto.tfvars", ".auto.tfvars.json"];
    matches!(name, "terraform.tfvars" | "terraform.tfvars.json")
        || suffixes.iter().any(|end| name.ends_with(end))
}

fn is_source(name: &str) -> bool {
    [".tf", ".tf.json", ".tofu", ".tofu.json"].iter().any(|suffix| name.ends_with(suffix))
}

/// The root module's files with their `terraform` blocks alone, each at its line. A file that can't be read stays whole: Terraform says what
/// is wrong with it.
struct Kept {
    sources: BTreeMap<String, String>,
    /// True if a block names a variable or a local, as OpenTofu allows. Then these stay, and so do files with values.
    has_values: bool,
}

impl Kept {
    fn read(host: &RootedHost) -> Result<Kept, Issue> {
        let all = host
            .list(Path::new("."))
            .map_err(|e| Issue::error(Code::Io, format!("can't list {}: {e}", host.root.display()), ""))?;
        let mut texts = BTreeMap::new();
        for (name, _) in all.into_iter().filter(|(name, kind)| is_source(name) && *kind != EntryKind::Dir) {
            let Ok(bytes) = host.read(Path::new(&name)) else { continue };
            texts.insert(name, String::from_utf8_lossy(&bytes).into_owned());
        }
        let has_values = texts.values().any(|text| is_with_values(text));
        let kinds: Vec<&str> = VALUES.into_iter().filter(|_| has_values).chain([TERRAFORM]).collect();
        let kept = |(name, text): (String, String)| {
            let kept =
                if name.ends_with(".json") { keep_json(&text, &kinds) } else { keep_native(&text, &kinds) };
            (name, kept.unwrap_or(text))
        };
        Ok(Kept { sources: texts.into_iter().map(kept).collect(), has_values })
    }
}

/// Returns true if a `terraform` block of a file names a variable or a local.
fn is_with_values(text: &str) -> bool {
    let Ok(body) = parse(text) else { return false };
    let blocks = body.items.iter().filter_map(|item| match item {
        Item::Block(block) if &*block.kind.text == TERRAFORM => Some(block),
        _ => None,
    });
    let mut found = false;
    for block in blocks {
        // Labels of providers (`configuration_aliases`) are names of other things.
        walk_body(&block.body, &mut |_, attr| {
            found |= ["var", "local"].iter().any(|root| names_under(root, &attr.expr).next().is_some());
        });
    }
    found
}

fn keep_native(text: &str, kinds: &[&str]) -> Option<String> {
    let body = parse(text).ok()?;
    let mut out = String::new();
    let mut at = 0;
    let lines = |text: &str| "\n".repeat(text.matches('\n').count());
    for item in &body.items {
        let Item::Block(block) = item else { continue };
        if kinds.contains(&&*block.kind.text) {
            let span = block.span.range();
            out.push_str(&lines(text.get(at..span.start)?));
            out.push_str(text.get(span.clone())?);
            at = span.end;
        }
    }
    out.push_str(&lines(text.get(at..)?));
    Some(out)
}

fn keep_json(text: &str, kinds: &[&str]) -> Option<String> {
    let all: Map<String, Json> = serde_json::from_str(text).ok()?;
    let kept: Map<String, Json> =
        all.into_iter().filter(|(name, _)| kinds.contains(&name.as_str())).collect();
    serde_json::to_string(&kept).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_terraform_blocks_stay_each_at_its_line() {
        let text = "locals {\n  a = 1\n}\nterraform {\n  backend \"local\" {}\n} # why\n\nmodule \"m\" {\n  source = var.x\n}\nterraform {}\n";
        let kept = keep_native(text, &[TERRAFORM]).unwrap();
        assert_eq!(kept, "\n\n\nterraform {\n  backend \"local\" {}\n}\n\n\n\n\nterraform {}\n");
        assert_eq!(keep_native("locals {", &[TERRAFORM]), None);
        let json = r#"{"terraform": {"required_version": ">= 1"}, "module": {"m": {}}}"#;
        assert_eq!(keep_json(json, &[TERRAFORM]).unwrap(), r#"{"terraform":{"required_version":">= 1"}}"#);
        assert_eq!(keep_native(text, &["locals", TERRAFORM]).unwrap().matches("a = 1").count(), 1);
        assert!(!is_with_values(text));
        assert!(is_with_values(
            "terraform {\n  backend \"local\" {\n    path = \"${local.dir}/s\"\n  }\n}\n"
        ));
        for (name, values) in [
            ("terraform.tfvars", true),
            ("terraform.tfvars.json", true),
            ("x.auto.tfvars", true),
            ("prod.tfvars", false),
            ("terraform.tfstate", false),
        ] {
            assert_eq!((is_values(name), is_source(name)), (values, false), "{name}");
        }
        assert!(is_source("a_override.tf.json") && is_source("main.tofu"));
    }
}
