//! The state, as Terraform prints it.
//!
//! `terraform state pull` needs no provider, and yet Terraform checks every installed one against the lock file before
//! it: for the AWS provider (650 MB) that is 0.4 s of hashing, a sixth of a whole plan. A provider that Terraform is told
//! to attach to (`TF_REATTACH_PROVIDERS`, documented for debugging a provider) is not checked, and as nothing asks
//! providers here, none is attached to either. Measured on 1.11.4: 0.38 s of processor time become 0.04 s.

use std::ffi::OsString;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::Terraform;
use crate::host::Host;
use crate::issue::Issue;
use crate::syntax::{Item, parse};

const ATTACH: &str = "TF_REATTACH_PROVIDERS";
const LOCK: &str = ".terraform.lock.hcl";
/// The message of Terraform and OpenTofu before the first apply. The status is 1, as for every failure.
const NOTHING: &str = "No state file was found";

/// The answer to the question for a state.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    /// The state.
    State(Vec<u8>),
    /// There is none.
    Nothing,
    /// There may be one; what Terraform said. Whoever takes this for an empty state may destroy what is in it.
    Unreadable(String),
}

impl Terraform {
    /// The state of a working directory as JSON. It lists what `terraform state list` passes over, too: husks.
    ///
    /// # Errors
    /// [`crate::issue::Code::Terraform`] where Terraform can't be started.
    pub fn state_pull(&self, host: &dyn Host, dir: &Path) -> Result<Answer, Issue> {
        let words = ["state", "pull", "-no-color"].map(OsString::from);
        let pull = |terraform: &Terraform| terraform.ask_without(dir, &words, &["TF_CLI_ARGS"]);
        let mut done = match attached(host) {
            Some(value) => pull(&self.with(ATTACH, value))?,
            None => pull(self)?,
        };
        // A Terraform with another idea of that variable says so by its name.
        if done.exit.code != 0 && done.shown().contains(ATTACH) {
            done = pull(self)?;
        }
        Ok(match done.shown() {
            _ if done.exit.code == 0 => Answer::State(done.stdout),
            said if said.contains(NOTHING) => Answer::Nothing,
            said => Answer::Unreadable(said),
        })
    }
}

/// Returns the setting that makes Terraform take all locked providers as running already; `None` if the user says so
/// of some.
fn attached(host: &dyn Host) -> Option<String> {
    if host.env(ATTACH).is_some_and(|value| !value.is_empty()) {
        return None;
    }
    let text = String::from_utf8(host.read(Path::new(LOCK)).ok()?).ok()?;
    attachments(&text)
}

fn attachments(lock: &str) -> Option<String> {
    let body = parse(lock).ok()?;
    let locked = body.items.iter().filter_map(|item| match item {
        Item::Block(block) if &*block.kind.text == "provider" => block.labels.first(),
        _ => None,
    });
    let nobody = json!({
        "Protocol": "grpc", "ProtocolVersion": 5, "Pid": 1, "Test": true,
        "Addr": { "Network": "unix", "String": "/nonexistent" },
    });
    let all: Map<String, Value> = locked.map(|label| (label.text.to_string(), nobody.clone())).collect();
    (!all.is_empty()).then(|| Value::Object(all).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_locked_provider_is_named() {
        let lock = "# made by init\nprovider \"registry.terraform.io/hashicorp/aws\" {\n  version = \"5.100.0\"\n}\n\
                    provider \"registry.terraform.io/hashicorp/null\" {\n  version = \"3.2.4\"\n}\n";
        let value: Value = serde_json::from_str(&attachments(lock).unwrap()).unwrap();
        let names: Vec<&String> = value.as_object().unwrap().keys().collect();
        assert_eq!(names, ["registry.terraform.io/hashicorp/aws", "registry.terraform.io/hashicorp/null"]);
    }

    #[test]
    fn a_lock_that_says_nothing() {
        assert_eq!(attachments("# empty\n"), None);
        assert_eq!(attachments("provider \"half"), None);
    }
}
