//! Commands of Terraform that need state and backend alone.
//!
//! Terraform reads a folder's sources before every command, and does nothing where it rejects one. These commands ask no more of
//! sources than the `terraform` blocks, which are the same in each form of a tree. So they run in a folder beside the real one that has
//! these blocks and everything but sources ([`Shadow`]). In: a command and its words. Invariants: no decision, no lock, no source
//! is written; a run may be at work in the real folder. A tree that Terraform reads as it stands is left to it. Absent: what the
//! words say, but for addresses.

use crate::config::load;
use crate::host::{EntryKind, Host as _};
use crate::issue::{Code, Issue};
use crate::ops::read::modules;
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::ops::run::addresses::Addresses;
use crate::ops::run::enter::settle;
use crate::ops::run::original_json;
use crate::ops::run::terraformed::{Request, find_by_setting, terraformed};
use crate::ops::stacks::is_stack;
use crate::ops::{DONE, FAILED, Outcome, Start};
use crate::report::Reader;
use crate::report::pane::To;
use crate::syntax::traversal::names_under;
use crate::syntax::walk::walk_body;
use crate::syntax::{Item, parse};
use crate::terraform::signals::Hold;
use crate::terraform::{Answer, Terraform, init, state_json};
use crate::txn::{PHI_DIR, Shadow};
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

/// The block that says where state is.
const TERRAFORM: &str = "terraform";

/// Blocks with the values that OpenTofu allows there.
const VALUES: [&str; 2] = ["variable", "locals"];

/// Runs a command; `original` asks for the original's addresses in what it prints.
///
/// # Errors
/// Terraform that can't be found or started; a folder that can't be made.
pub fn run(start: &Start, request: &Request, original: bool) -> Outcome {
    if is_stack(start) {
        return Session::open(start).map(|_| FAILED);
    }
    let host = RootedHost::new(&start.dir)?;
    settle(&host.root);
    let terraform = find_by_setting(start, &host)?;
    let asked = Asked { start, request, terraform: &terraform, original };
    if is_read_by_terraform(start, &host) {
        return asked.run(&host.root);
    }
    let hold = Hold::new().map_err(|e| {
        Issue::error(Code::Environment, format!("signals can't be held back: {e}"), "Nothing was done.")
    })?;
    let Kept { sources, has_values } = Kept::read(&host)?;
    let is_hidden = |name: &str| is_source(name) || name == PHI_DIR || is_values(name) && !has_values;
    let shadow = Shadow::new(&host.root, sources, &is_hidden)?;
    let dir = shadow.dir().to_path_buf();
    let start = &Start { chdir: Some(dir.clone()), ..start.clone() };
    let outcome = match hold.received() {
        Some(signal) => Ok(u8::try_from(128 + signal).unwrap_or(FAILED)),
        None => Asked { start, ..asked }.run(&dir),
    };
    shadow.hand_back()?;
    outcome
}

/// Returns true if Terraform reads a tree as it stands, all modules installed, and no run of ours changes that.
fn is_read_by_terraform(start: &Start, host: &RootedHost) -> bool {
    let Ok(mut session) = Session::open(start) else { return false };
    let driven = session.driven(start);
    let (config, _) = load(host, Path::new(""));
    let calls: Vec<init::Call> = modules::calls(&config).into_iter().map(|(call, _)| call).collect();
    let list = host.read(&init::data_dir(host, Path::new("")).join("modules/modules.json")).ok();
    let is_installed = init::need(list.as_deref(), &calls, false) == init::Need::Nothing;
    is_installed && !session.is_blocked() && (session.is_idle(&driven) || session.record.is_some())
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

struct Asked<'a> {
    start: &'a Start,
    request: &'a Request,
    terraform: &'a Terraform,
    original: bool,
}

impl Asked<'_> {
    /// Runs it in a folder where Terraform can read.
    fn run(&self, dir: &Path) -> Outcome {
        let addresses = Addresses::new(self.start);
        let held = || match self.terraform.state_pull(&RootedHost::at(dir.to_path_buf()), dir) {
            Ok(Answer::State(text)) => state_json::held(&text).map(|held| held.objects).unwrap_or_default(),
            _ => Vec::new(),
        };
        let words = addresses.translate_words(self.request.command, &self.request.args, &held);
        if !self.original {
            return terraformed(self.start, self.request, &words, self.terraform);
        }
        self.original(dir, &words, &addresses)
    }

    /// Runs it and prints what it said in the original's addresses.
    fn original(&self, dir: &Path, words: &[OsString], addresses: &Addresses) -> Outcome {
        let is_list = self.request.command == "state" && words.first().is_some_and(|word| word == "list");
        let is_json =
            self.request.command == "show" && words.iter().any(|word| word == "-json" || word == "--json");
        if !is_list && !is_json {
            let why = "It is for `tf-phi state list` and for `tf-phi show -json`.";
            return Err(Issue::error(Code::Config, "--original isn't for this command", why).into());
        }
        let mut all: Vec<OsString> = vec![self.request.command.into()];
        all.extend(words.iter().cloned());
        let done = self.terraform.capture(dir, &all)?;
        self.start.console.put(To::Err, &done.stderr);
        let said = String::from_utf8_lossy(&done.stdout);
        if done.exit.code != i32::from(DONE) {
            self.start.console.put(To::Out, &done.stdout);
        } else if is_list {
            let lines = said.lines().map(|line| addresses.original(line) + "\n");
            self.start.console.hand_on(self.start.console.diff_reader(), &lines.collect::<String>());
        } else {
            let text = original_json::translate(&said, addresses).map_err(|e| {
                Issue::error(Code::Terraform, "what `terraform show -json` printed can't be read", e)
            })?;
            self.start.console.hand_on(Reader::Json, &(text + "\n"));
        }
        Ok(u8::try_from(done.exit.code).unwrap_or(FAILED))
    }
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
