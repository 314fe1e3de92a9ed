//! Commands of Terraform that need state and backend alone.
//!
//! Terraform reads a folder's sources before every command, and does nothing where it rejects one. These commands ask no more of
//! sources than the `terraform` blocks, which are the same in each form of a tree. So they run in a folder beside the real one that has
//! these blocks and everything but sources ([`terraform_blocks`]). In: a command and its words. Invariants: no decision, no lock, no source
//! is written; a run may be at work in the real folder. A tree that Terraform reads as it stands is left to it. Absent: what the
//! words say, but for addresses.

use crate::config::load;
use crate::host::Host as _;
use crate::issue::{Code, Issue};
use crate::ops::read::modules;
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::ops::run::addresses::Addresses;
use crate::ops::run::enter::settle;
use crate::ops::run::original_json;
use crate::ops::run::terraform_blocks;
use crate::ops::run::terraformed::{Request, find_by_setting, terraformed};
use crate::ops::stacks::is_stack;
use crate::ops::{DONE, FAILED, Outcome, Start};
use crate::report::Reader;
use crate::report::pane::To;
use crate::terraform::signals::Hold;
use crate::terraform::{Answer, Terraform, init, state_json};
use std::ffi::OsString;
use std::path::Path;

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
    let shadow = terraform_blocks::shadow(&host)?;
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
    // What is told in parts may stand beside originals.
    let is_whole = session.record.as_ref().is_some_and(|record| !record.is_local);
    let stands = session.is_idle(&driven) || is_whole && session.is_as_recorded();
    is_installed && !session.is_blocked() && stands
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
