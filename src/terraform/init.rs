//! Whether Terraform has to install modules before it can plan what was written, and doing so.
//!
//! Input: the module calls of the tree as it will be planned. `terraform get` installs modules and nothing else
//! (0.03 s for local ones); `terraform init` is needed only where a new provider comes in. A directory without
//! new calls is left to Terraform, which says itself what it lacks. What the two print is kept from stdout,
//! where only the plan may stand, and is shown where they fail.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::Terraform;
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
}

/// What has to be run before the plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// Nothing.
    Nothing,
    /// `terraform get`.
    Get,
    /// `terraform init`.
    Init,
}

#[derive(Deserialize)]
struct Manifest {
    #[serde(rename = "Modules", default)]
    modules: Vec<Installed>,
}

#[derive(Deserialize)]
struct Installed {
    #[serde(rename = "Key", default)]
    key: String,
    #[serde(rename = "Source", default)]
    source: String,
}

/// Terraform's data folder of a working directory: `TF_DATA_DIR`, or `.terraform`.
pub fn data_dir(host: &dyn Host, dir: &Path) -> PathBuf {
    let named = host.env("TF_DATA_DIR").filter(|v| !v.is_empty());
    dir.join(named.as_deref().unwrap_or(".terraform"))
}

/// Whether `terraform init` or `get` has run in a working directory.
pub fn is_initialised(host: &dyn Host, dir: &Path) -> bool {
    host.kind(&data_dir(host, dir)) == Some(EntryKind::Dir)
}

/// What has to be run so that all these calls are installed; `manifest` is the list of those that are. `new_providers`: whether the calls bring in a
/// provider that the original configuration does not use.
///
/// A manifest that can't be read counts as empty: installing once more is harmless.
pub fn need(manifest: Option<&[u8]>, calls: &[Call], new_providers: bool) -> Need {
    if new_providers {
        return Need::Init;
    }
    let installed = manifest
        .and_then(|bytes| serde_json::from_slice::<Manifest>(bytes).ok())
        .map_or_else(Vec::new, |m| m.modules);
    let is_there =
        |call: &Call| installed.iter().any(|m| m.key == call.key && same_source(&m.source, &call.source));
    if calls.iter().all(is_there) { Need::Nothing } else { Need::Get }
}

/// The list of installed modules with those of an earlier list added, so that the tree that was there before needs no
/// new installation; nothing where that changes nothing. Terraform passes over entries that no call asks for.
pub fn with_earlier(earlier: &[u8], now: &[u8]) -> Option<Vec<u8>> {
    let read = |bytes: &[u8]| serde_json::from_slice::<serde_json::Value>(bytes).ok();
    let (earlier, mut all) = (read(earlier)?, read(now)?);
    let key = |m: &serde_json::Value| m.get("Key").cloned();
    let modules = all.get_mut("Modules")?.as_array_mut()?;
    let count = modules.len();
    for module in earlier.get("Modules")?.as_array()? {
        if modules.iter().all(|m| key(m) != key(module)) {
            modules.push(module.clone());
        }
    }
    (modules.len() > count).then(|| serde_json::to_vec(&all).unwrap_or_default()).filter(|b| !b.is_empty())
}

/// The manifest holds sources normalised: `./modules/../a` is `./a`, a registry address carries its host.
fn same_source(recorded: &str, written: &str) -> bool {
    let is_local = |s: &str| s.starts_with("./") || s.starts_with("../");
    match (is_local(recorded), is_local(written)) {
        (true, true) => normal(recorded) == normal(written),
        (false, false) => recorded == written || recorded.ends_with(&format!("/{written}")),
        _ => false,
    }
}

fn normal(local: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = Vec::new();
    for part in local.split('/').filter(|p| !p.is_empty() && *p != ".") {
        match parts.last() {
            Some(&last) if part == ".." && last != ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts
}

impl Terraform {
    /// Runs what is needed, and gives back what it printed (for `--verbose`; to be shown on stderr).
    ///
    /// # Errors
    /// [`Code::NotInstalled`], with Terraform's own words, where it fails or is interrupted.
    pub fn install(&self, dir: &Path, need: Need) -> Result<String, Issue> {
        let words: &[&str] = match need {
            Need::Nothing => return Ok(String::new()),
            Need::Get => &["get", "-no-color"],
            Need::Init => &["init", "-no-color", "-input=false"],
        };
        let args: Vec<OsString> = words.iter().map(OsString::from).collect();
        // `init` may need what the user put there (`-backend-config`); `get` takes hardly any argument.
        let vars: &[&str] = if need == Need::Get { &["TF_CLI_ARGS"] } else { &[] };
        let done = self.capture_without(dir, &args, vars)?;
        if done.exit.code == 0 {
            return Ok(done.shown());
        }
        let command = words.first().copied().unwrap_or_default();
        let summary = format!("`terraform {command}` failed with status {}", done.exit.code);
        Err(Issue::error(Code::NotInstalled, summary, done.shown())
            .fix("Run it yourself, then run tf-phi again:", format!("terraform {command}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Machine;

    fn call(key: &str, source: &str) -> Call {
        Call { key: key.to_owned(), source: source.to_owned() }
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
        assert_eq!(need_of(&[call("db", "./modules/db-v1")]), Need::Get);
        assert_eq!(need_of(&[call("db_v1", "./modules/db")]), Need::Get);
        assert_eq!(need_of(&[call("db", "../modules/db")]), Need::Get);
        assert_eq!(need(None, &[], true), Need::Init);
        std::fs::write(dir.path().join(".terraform/modules/modules.json"), "oops").unwrap();
        assert_eq!(need_of(&[call("db", "./modules/db")]), Need::Get);
    }
}
