//! Installs modules if Terraform needs them before it can plan the written files.
//!
//! Input: the module calls of the tree as it will be planned. `terraform get` installs modules and nothing else
//! (0.03 s for local ones); `terraform init` is needed only where a new provider comes in, and configures no backend then.
//! What the two print is kept from stdout, where only the plan may stand, and is shown where they fail.
//!
//! Whether Terraform would ask for `terraform init` is Terraform's to say: `terraform graph` prepares as `plan` does, fails in the
//! same words, and neither asks providers for anything nor locks a state (measured on 1.11.4).

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value as Json;

use super::Terraform;
use crate::config::is_within;
use crate::config::module_source::{is_local, plain_local, same_source};
use crate::host::{EntryKind, Host};
use crate::issue::{Code, Issue};

/// The file of locked providers, in the working directory.
pub const LOCK: &str = ".terraform.lock.hcl";

/// A module call that has to be installed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// Names of the calls from the root, joined with dots: the key of `modules.json`.
    pub key: String,
    /// The `source` argument as written.
    pub source: String,
    /// The `version` argument, where it is written out.
    pub version: Option<String>,
}

/// The command that has to run before the plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// Nothing.
    Nothing,
    /// `terraform get`.
    Get,
    /// `terraform init` without the backend.
    Providers,
    /// `terraform init`.
    Init,
}

/// Returns true if a module in the list is what a call asks for, as far as that can be told.
fn is_for(module: &Json, call: &Call) -> bool {
    let version = module.get("Version").and_then(Json::as_str).zip(call.version.as_deref());
    let within = |(have, want): (&str, &str)| is_within(have, want) != Some(false);
    same_source(&source(module), &call.source) && version.is_none_or(within)
}

fn named_data_dir(host: &dyn Host) -> Option<String> {
    host.env("TF_DATA_DIR").filter(|v| !v.is_empty())
}

/// Terraform's data folder of a working directory: `TF_DATA_DIR`, or `.terraform`.
pub fn data_dir(host: &dyn Host, dir: &Path) -> PathBuf {
    dir.join(named_data_dir(host).as_deref().unwrap_or(".terraform"))
}

/// Returns true if whoever runs tf-phi said where the data folder is.
pub fn is_data_dir_named(host: &dyn Host) -> bool {
    named_data_dir(host).is_some()
}

/// Returns true if `terraform init` or `get` has run in a working directory.
pub fn is_initialised(host: &dyn Host, dir: &Path) -> bool {
    host.kind(&data_dir(host, dir)) == Some(EntryKind::Dir)
}

/// Returns the command that installs all these calls. `manifest` is the list of installed modules. `new_providers`:
/// the calls use a provider that the original configuration doesn't.
///
/// A manifest that can't be read counts as empty: installing once more is harmless.
pub fn need(manifest: Option<&[u8]>, calls: &[Call], new_providers: bool) -> Need {
    if new_providers {
        return Need::Providers;
    }
    let installed = manifest.and_then(listed).unwrap_or_default();
    let is_there = |call: &Call| installed.get(&call.key).is_some_and(|module| is_for(module, call));
    if calls.iter().all(is_there) { Need::Nothing } else { Need::Get }
}

/// The list of installed modules with those of an earlier list added, so that the tree that was there before needs no
/// new installation; nothing where that changes nothing. Terraform passes over entries that no call asks for.
pub fn with_earlier(earlier: &[u8], now: &[u8]) -> Option<Vec<u8>> {
    let read = |bytes: &[u8]| serde_json::from_slice::<Json>(bytes).ok();
    let (earlier, mut all) = (read(earlier)?, read(now)?);
    let key = |m: &Json| m.get("Key").cloned();
    let modules = all.get_mut("Modules")?.as_array_mut()?;
    let count = modules.len();
    for module in earlier.get("Modules")?.as_array()? {
        if modules.iter().all(|m| key(m) != key(module)) {
            modules.push(module.clone());
        }
    }
    (modules.len() > count).then(|| serde_json::to_vec(&all).unwrap_or_default()).filter(|b| !b.is_empty())
}

/// The list of remote modules whose names now stand for something else, with those that `aside` listed before; nothing where
/// that changes nothing.
pub fn set_aside(earlier: &[u8], now: &[u8], aside: Option<&[u8]>) -> Option<Vec<u8>> {
    let (earlier, now) = (listed(earlier)?, listed(now)?);
    let mut all = aside.and_then(listed).unwrap_or_default();
    let before = all.clone();
    for (key, module) in earlier.iter().filter(|(_, m)| !is_local(&source(m))) {
        if now.get(key).is_some_and(|m| source(m) != source(module)) {
            all.insert(key.clone(), module.clone());
        }
    }
    (all != before).then(|| written(all)).flatten()
}

/// The list of installed modules as the calls need it, where it can be put together without installing anything: from what
/// was set aside, and for local modules from where they stand. Nothing where it says all that already.
pub fn settled(manifest: &[u8], aside: Option<&[u8]>, calls: &[(Call, PathBuf)]) -> Option<Vec<u8>> {
    let mut all = listed(manifest)?;
    let aside = aside.and_then(listed).unwrap_or_default();
    let before = all.clone();
    for (call, dir) in calls {
        let known = all.get(&call.key);
        let dir = dir.to_string_lossy();
        if is_local(&call.source) {
            let is_it = |m: &Json| same_source(&source(m), &call.source) && text(m, "Dir") == dir;
            if !known.is_some_and(is_it) {
                let entry =
                    serde_json::json!({"Key": call.key, "Source": plain_local(&call.source), "Dir": dir});
                all.insert(call.key.clone(), entry);
            }
        } else if !known.is_some_and(|m| same_source(&source(m), &call.source))
            && let Some(entry) = aside.get(&call.key).filter(|m| same_source(&source(m), &call.source))
        {
            all.insert(call.key.clone(), entry.clone());
        }
    }
    (all != before).then(|| written(all)).flatten()
}

fn listed(bytes: &[u8]) -> Option<BTreeMap<String, Json>> {
    let document: Json = serde_json::from_slice(bytes).ok()?;
    let modules = document.get("Modules")?.as_array()?;
    Some(modules.iter().map(|m| (text(m, "Key"), m.clone())).collect())
}

fn written(modules: BTreeMap<String, Json>) -> Option<Vec<u8>> {
    serde_json::to_vec(&serde_json::json!({"Modules": modules.into_values().collect::<Vec<_>>()})).ok()
}

fn text(module: &Json, name: &str) -> String {
    module.get(name).and_then(Json::as_str).unwrap_or_default().to_owned()
}

fn source(module: &Json) -> String {
    text(module, "Source")
}

/// Lets one install at a time: neither a plugin cache nor a shared folder of providers allows two.
static INSTALLING: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    INSTALLING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The summaries of Terraform's errors about a call whose module isn't installed, or is installed from another source.
const NOT_INSTALLED: &[&str] =
    &["Module not installed", "Module source has changed", "Module version requirements have changed"];

/// Returns true if Terraform says of a module that it isn't installed as the sources want it.
pub fn misses_module(said: &str) -> bool {
    NOT_INSTALLED.iter().any(|summary| said.contains(summary))
}

/// Returns true if Terraform asks for `terraform init`.
fn is_asking_for_init(said: &str) -> bool {
    ["terraform init", "tofu init"].iter().any(|command| said.contains(command))
}

/// Returns the issue of Terraform's words in which it asks for `terraform init`; `None` if it doesn't.
pub fn init_wanted(said: &str) -> Option<Issue> {
    if !is_asking_for_init(said) {
        return None;
    }
    let why = format!("Nothing was written. Terraform says:\n{said}");
    let issue = Issue::error(Code::NotInstalled, "Terraform has to be initialised here", why);
    Some(issue.fix(
        "Initialise the working directory, with the arguments that it needs (such as `-backend-config`), then run tf-phi again:",
        "tf-phi init",
    ))
}

impl Terraform {
    /// Asks Terraform whether it could plan in a folder without `terraform init`. Gives what it says where it couldn't.
    ///
    /// # Errors
    /// [`Code::Terraform`] where it can't be started.
    pub fn asked_for_init(&self, dir: &Path) -> Result<Option<String>, Issue> {
        let done = self.capture_own(dir, &["graph", "-no-color"].map(OsString::from))?;
        let said = done.why();
        Ok(Some(said).filter(|said| done.exit.code != 0 && is_asking_for_init(said)))
    }

    /// Prepares a folder for a backend that its sources name now, whatever it was prepared for before.
    ///
    /// # Errors
    /// [`Code::Terraform`] where that fails.
    pub fn reconfigure(&self, dir: &Path) -> Result<(), Issue> {
        let _alone = alone();
        let args = ["init", "-reconfigure", "-no-color", "-input=false"].map(OsString::from);
        let done = self.capture_own(dir, &args)?;
        if done.exit.code == 0 {
            return Ok(());
        }
        Err(Issue::error(Code::Terraform, "`terraform init -reconfigure` failed", done.shown()))
    }

    /// Runs what is needed.
    ///
    /// # Errors
    /// [`Code::NotInstalled`], with Terraform's own words, where it fails or is interrupted.
    pub fn install(&self, dir: &Path, need: Need) -> Result<(), Issue> {
        let words: &[&str] = match need {
            Need::Nothing => return Ok(()),
            Need::Get => &["get", "-no-color"],
            // A backend is configured by the user alone.
            Need::Providers => &["init", "-backend=false", "-no-color", "-input=false"],
            Need::Init => &["init", "-no-color", "-input=false"],
        };
        let _alone = alone();
        let args: Vec<OsString> = words.iter().map(OsString::from).collect();
        // `init` may need what the user put there (`-backend-config`); `get` takes hardly any argument.
        let vars: &[&str] = if need == Need::Get { &["TF_CLI_ARGS"] } else { &[] };
        let done = self.capture_without(dir, &args, vars)?;
        if done.exit.code == 0 {
            return Ok(());
        }
        let command = words.first().copied().unwrap_or_default();
        let summary = format!("`terraform {command}` failed with status {}", done.exit.code);
        Err(Issue::error(Code::NotInstalled, summary, done.shown()).fix(
            "Run it yourself, with the arguments that it needs, then run tf-phi again:",
            match need {
                Need::Providers | Need::Init => "tf-phi init",
                Need::Nothing | Need::Get => "terraform get",
            },
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Machine;

    fn call(key: &str, source: &str) -> Call {
        Call { key: key.to_owned(), source: source.to_owned(), version: None }
    }

    #[test]
    fn earlier_modules_stay_listed() {
        let earlier = br#"{"Modules":[{"Key":"","Dir":"."},{"Key":"db","Dir":"m/db"}]}"#;
        let now = br#"{"Modules":[{"Key":"","Dir":"."},{"Key":"db_a","Dir":"m/db-a"}]}"#;
        let all = with_earlier(earlier, now).unwrap();
        assert!(String::from_utf8(all.clone()).unwrap().ends_with(r#"{"Key":"db","Dir":"m/db"}]}"#));
        assert_eq!(with_earlier(now, &all), None);
        assert_eq!(with_earlier(b"oops", now), None);
    }

    #[test]
    fn what_stood_under_a_name_before() {
        let earlier = br#"{"Modules":[{"Key":"","Source":"","Dir":"."},
            {"Key":"far","Source":"git::file:///far","Dir":".terraform/modules/far"},{"Key":"db","Source":"./db","Dir":"db"}]}"#;
        let now = br#"{"Modules":[{"Key":"","Source":"","Dir":"."},
            {"Key":"far","Source":"./.phi/modules/far-v1","Dir":".phi/modules/far-v1"},{"Key":"db","Source":"./db-v1","Dir":"db-v1"}]}"#;
        let aside = set_aside(earlier, now, None).unwrap();
        assert_eq!(String::from_utf8(aside.clone()).unwrap().matches("Key").count(), 1);
        assert_eq!(set_aside(earlier, now, Some(&aside)), None);
        assert_eq!(set_aside(now, earlier, Some(&aside)), None);
        let calls = [
            (call("far", "git::file:///far"), PathBuf::from(".terraform/modules/far")),
            (call("db", "./x/../db"), PathBuf::from("db")),
            (call("new", "../new"), PathBuf::from("../new")),
        ];
        let all = settled(now, Some(&aside), &calls).unwrap();
        let text = String::from_utf8(all.clone()).unwrap();
        assert!(
            text.contains(r#""Source":"git::file:///far""#) && text.contains(r#""Source":"../new""#),
            "{text}"
        );
        assert!(text.contains(r#""Key":"db","Source":"./db","Dir":"db""#), "{text}");
        assert_eq!(settled(&all, None, &calls), None);
    }

    #[test]
    fn what_is_needed() {
        let dir = tempfile::tempdir().unwrap();
        let manifest = || std::fs::read(dir.path().join(".terraform/modules/modules.json")).ok();
        let need_of = |calls: &[Call]| need(manifest().as_deref(), calls, false);
        assert!(!is_initialised(&Machine, dir.path()));
        assert_eq!(need_of(&[]), Need::Nothing);
        assert_eq!(need_of(&[call("db", "./modules/db")]), Need::Get);
        std::fs::create_dir_all(dir.path().join(".terraform/modules")).unwrap();
        let manifest = r#"{"Modules":[{"Key":"","Source":"","Dir":"."},
            {"Key":"db","Source":"./modules/db","Dir":"modules/db"},
            {"Key":"db.net","Source":"registry.terraform.io/a/net/aws","Version":"1.0.0","Dir":".terraform/modules/db.net"}]}"#;
        std::fs::write(dir.path().join(".terraform/modules/modules.json"), manifest).unwrap();
        assert!(is_initialised(&Machine, dir.path()));
        assert_eq!(need_of(&[call("db", "./modules/x/../db/"), call("db.net", "a/net/aws")]), Need::Nothing);
        let versioned =
            |wanted: &str| Call { version: Some(wanted.to_owned()), ..call("db.net", "a/net/aws") };
        assert_eq!(need_of(&[versioned("~> 1.0")]), Need::Nothing);
        assert_eq!(need_of(&[versioned("2.0.0")]), Need::Get);
        assert_eq!(need_of(&[call("db", "./modules/db-v1")]), Need::Get);
        assert_eq!(need_of(&[call("db_v1", "./modules/db")]), Need::Get);
        assert_eq!(need_of(&[call("db", "../modules/db")]), Need::Get);
        assert_eq!(need(None, &[], true), Need::Providers);
        std::fs::write(dir.path().join(".terraform/modules/modules.json"), "oops").unwrap();
        assert_eq!(need_of(&[call("db", "./modules/db")]), Need::Get);
    }
}
