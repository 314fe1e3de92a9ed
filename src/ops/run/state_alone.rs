//! Commands of Terraform that need state and backend alone.
//!
//! Terraform reads a folder's sources before every command, and does nothing where it rejects one. These commands ask no more of
//! sources than the `terraform` blocks, which are the same in each form of a tree. So they run in a folder beside the real one that has
//! these blocks and everything but sources ([`Shadow`]). In: a command and its words. Invariants: no decision, no lock, no source
//! is written; a run may be at work in the real folder. A tree that Terraform reads as it stands is left to it. Absent: what the
//! words say, but for addresses.

use crate::host::{EntryKind, Host as _};
use crate::issue::{Code, Issue};
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
use crate::syntax::{Item, parse};
use crate::terraform::signals::Hold;
use crate::terraform::{Answer, Terraform, state_json};
use crate::txn::{PHI_DIR, Shadow};
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

/// The block that says where state is.
const TERRAFORM: &str = "terraform";

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
    if is_read_by_terraform(start) {
        return asked.run(&host.root);
    }
    let hold = Hold::new().map_err(|e| {
        Issue::error(Code::Environment, format!("signals can't be held back: {e}"), "Nothing was done.")
    })?;
    let shadow = Shadow::new(&host.root, sources(&host)?, &is_hidden)?;
    let dir = shadow.dir().to_path_buf();
    let start = &Start { chdir: Some(dir.clone()), ..start.clone() };
    let outcome = match hold.received() {
        Some(signal) => Ok(u8::try_from(128 + signal).unwrap_or(FAILED)),
        None => Asked { start, ..asked }.run(&dir),
    };
    shadow.hand_back()?;
    outcome
}

/// Returns true if Terraform reads a tree as it stands, and no run of ours changes that.
fn is_read_by_terraform(start: &Start) -> bool {
    let Ok(mut session) = Session::open(start) else { return false };
    let driven = session.driven(start);
    !session.is_blocked() && (session.is_idle(&driven) || session.record.is_some())
}

/// Returns true for what Terraform would read as sources or as values of variables, and for what is ours.
fn is_hidden(name: &str) -> bool {
    let is_values = |suffix: &str| {
        name.ends_with(suffix) || name == format!("terraform{}", suffix.trim_start_matches(".auto"))
    };
    is_source(name) || name == PHI_DIR || is_values(".auto.tfvars") || is_values(".auto.tfvars.json")
}

fn is_source(name: &str) -> bool {
    [".tf", ".tf.json", ".tofu", ".tofu.json"].iter().any(|suffix| name.ends_with(suffix))
}

/// The root module's files with their `terraform` blocks alone, each at its line. A file that can't be read stays whole: Terraform says what
/// is wrong with it.
fn sources(host: &RootedHost) -> Result<BTreeMap<String, String>, Issue> {
    let all = host
        .list(Path::new("."))
        .map_err(|e| Issue::error(Code::Io, format!("can't list {}: {e}", host.root.display()), ""))?;
    let mut out = BTreeMap::new();
    for (name, _) in all.into_iter().filter(|(name, kind)| is_source(name) && *kind != EntryKind::Dir) {
        let Ok(bytes) = host.read(Path::new(&name)) else { continue };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let kept = if name.ends_with(".json") { of_json(&text) } else { of_native(&text) };
        out.insert(name, kept.unwrap_or(text));
    }
    Ok(out)
}

fn of_native(text: &str) -> Option<String> {
    let body = parse(text).ok()?;
    let mut out = String::new();
    let mut at = 0;
    let lines = |text: &str| "\n".repeat(text.matches('\n').count());
    for item in &body.items {
        let Item::Block(block) = item else { continue };
        if &*block.kind.text == TERRAFORM {
            let span = block.span.range();
            out.push_str(&lines(text.get(at..span.start)?));
            out.push_str(text.get(span.clone())?);
            at = span.end;
        }
    }
    out.push_str(&lines(text.get(at..)?));
    Some(out)
}

fn of_json(text: &str) -> Option<String> {
    let all: Map<String, Json> = serde_json::from_str(text).ok()?;
    let kept: Map<String, Json> = all.into_iter().filter(|(name, _)| name == TERRAFORM).collect();
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
            self.start.console.print(Reader::Exact, &lines.collect::<String>());
        } else {
            let text = original_json::translate(&said, addresses).map_err(|e| {
                Issue::error(Code::Terraform, "what `terraform show -json` printed can't be read", e)
            })?;
            self.start.console.print(Reader::Exact, &(text + "\n"));
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
        let kept = of_native(text).unwrap();
        assert_eq!(kept, "\n\n\nterraform {\n  backend \"local\" {}\n}\n\n\n\n\nterraform {}\n");
        assert_eq!(of_native("locals {"), None);
        let json = r#"{"terraform": {"required_version": ">= 1"}, "module": {"m": {}}}"#;
        assert_eq!(of_json(json).unwrap(), r#"{"terraform":{"required_version":">= 1"}}"#);
        for (name, hidden) in [
            ("main.tf", true),
            ("a_override.tf.json", true),
            ("terraform.tfvars", true),
            ("terraform.tfvars.json", true),
            ("x.auto.tfvars", true),
            (".phi", true),
            ("terraform.tfstate", false),
            (".terraform", false),
            ("prod.tfvars", false),
            ("plan.tfplan", false),
        ] {
            assert_eq!(is_hidden(name), hidden, "{name}");
        }
    }
}
