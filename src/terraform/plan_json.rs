//! The part of `terraform show -json PLAN` that tf-phi looks at.
//!
//! Semantics: Terraform's documented JSON output format, major version 1. Numbers keep their digits. Unknown
//! members are passed over, since minor versions add some. Deliberately absent: the configuration part.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::Terraform;
use crate::issue::{Code, Issue};

/// A plan.
#[derive(Deserialize, Clone, PartialEq, Debug)]
pub struct Plan {
    /// `1.2` and the like.
    pub format_version: String,
    /// The change of each resource instance, including data sources that are read at apply.
    #[serde(default)]
    pub resource_changes: Vec<ResourceChange>,
    /// The change of each root output.
    #[serde(default)]
    pub output_changes: BTreeMap<String, Change>,
    /// The state before the plan: what data sources answered stands there.
    #[serde(default)]
    pub prior_state: Value,
    /// What `check` blocks and other conditions came to.
    #[serde(default)]
    pub checks: Value,
    /// The planned values, resource by resource, including those without a change.
    #[serde(default)]
    pub planned_values: Value,
}

/// The change of a resource instance.
#[derive(Deserialize, Clone, PartialEq, Debug)]
pub struct ResourceChange {
    /// Absolute address, with instance keys.
    pub address: String,
    /// The address from which a `moved` block takes it.
    #[serde(default)]
    pub previous_address: Option<String>,
    /// `managed` or `data`.
    pub mode: String,
    /// Resource type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Resource name.
    pub name: String,
    /// Set for an object that is no longer current.
    #[serde(default)]
    pub deposed: Option<String>,
    /// The change.
    pub change: Change,
    /// The reason, if Terraform gives one.
    #[serde(default)]
    pub action_reason: Option<String>,
}

/// Before, after, and what is done.
#[derive(Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(default)]
pub struct Change {
    /// `no-op`, `create`, `read`, `update`, `delete`, `forget`; two for a replacement, in their order.
    pub actions: Vec<String>,
    /// The value before.
    pub before: Value,
    /// The known part of the value after.
    pub after: Value,
    /// `true` wherever the value after is unknown, in the shape of the value.
    pub after_unknown: Value,
    /// `true` wherever the value before is sensitive, in the shape of the value.
    pub before_sensitive: Value,
    /// `true` wherever the value after is sensitive, in the shape of the value.
    pub after_sensitive: Value,
    /// Paths that force the replacement.
    pub replace_paths: Vec<Value>,
    /// Set where the object is imported.
    pub importing: Option<Value>,
}

/// Returns the resources of a module in a plan, and of all modules below it.
pub fn resources(module: Option<&Value>) -> Vec<&Value> {
    let list = |name: &str| module.and_then(|m| m.get(name)?.as_array()).into_iter().flatten();
    list("resources").chain(list("child_modules").flat_map(|child| resources(Some(child)))).collect()
}

impl Plan {
    /// Reads the JSON text.
    ///
    /// # Errors
    /// [`Code::Terraform`] where it is no plan of major format version 1.
    pub fn parse(text: &[u8]) -> Result<Plan, Issue> {
        // A CLI warning may come before the one line that holds the object.
        let start = text.iter().position(|b| *b == b'{').unwrap_or(0);
        let object = text.get(start..).unwrap_or_default();
        let wrong = |why: String| {
            Issue::error(Code::Terraform, "the plan that `terraform show -json` printed can't be read", why)
        };
        let plan: Plan = serde_json::from_slice(object).map_err(|e| wrong(e.to_string()))?;
        match plan.format_version.split('.').next() {
            Some("1") => Ok(plan),
            _ => Err(wrong(format!("It has format version {}; tf-phi knows 1.", plan.format_version))),
        }
    }
}

impl Terraform {
    /// Reads a saved plan; `file` is absolute or relative to the working directory.
    ///
    /// # Errors
    /// [`Code::Terraform`], with what Terraform said.
    pub fn show_plan(&self, dir: &Path, file: &Path) -> Result<Plan, Issue> {
        let args: [OsString; 4] = ["show".into(), "-json".into(), "-no-color".into(), file.into()];
        let done = self.capture_own(dir, &args)?;
        if done.exit.code != 0 {
            return Err(Issue::error(Code::Terraform, "`terraform show -json` failed", done.shown()));
        }
        Plan::parse(&done.stdout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{"format_version":"1.2","terraform_version":"1.11.4","new_member":[],
        "resource_changes":[{"address":"module.db_a[0].aws_db_instance.app","previous_address":"module.db.aws_db_instance.app",
        "module_address":"module.db_a[0]","mode":"managed","type":"aws_db_instance","name":"app","index":0,
        "provider_name":"registry.terraform.io/hashicorp/aws",
        "change":{"actions":["no-op"],"before":{"n":1},"after":{"n":123456789012345678901234567890.5},
        "after_unknown":{"id":true},"before_sensitive":false,"after_sensitive":{}}}],
        "output_changes":{"x":{"actions":["create"],"before":null,"after":"v","after_unknown":false}}}"#;

    #[test]
    fn a_plan() {
        let plan = Plan::parse(format!("\u{2577} Warning\n{TEXT}").as_bytes()).unwrap();
        let change = &plan.resource_changes[0];
        assert_eq!(change.previous_address.as_deref(), Some("module.db.aws_db_instance.app"));
        assert_eq!(change.change.actions, ["no-op"]);
        assert_eq!(change.change.after["n"].to_string(), "123456789012345678901234567890.5");
        assert_eq!(plan.output_changes["x"].after, "v");
    }

    #[test]
    fn other_formats_are_refused() {
        assert!(Plan::parse(b"{\"format_version\":\"2.0\"}").unwrap_err().why.contains("2.0"));
        assert!(Plan::parse(b"oops").is_err() && Plan::parse(b"").is_err());
    }
}
