//! Meta-arguments that hold references: Terraform takes no expression there, so the original can't be planned, and what
//! counts is what the written form does.

use crate::support::{Scratch, actions};

const FROZEN: &str = r#"
variable "frozen" {
  type = bool
}
variable "size" {
  type = string
}
resource "terraform_data" "app" {
  input = var.size
  lifecycle {
    ignore_changes = var.frozen ? [input] : []
  }
}
data "terraform_remote_state" "unused" {
  count    = 0
  backend  = "local"
  provider = [terraform][0]
}
output "size" {
  value = terraform_data.app.output
}
"#;

/// The actions on the resource, in words.
fn planned(scratch: &Scratch, frozen: bool, size: &str) -> Vec<String> {
    let (frozen, size) = (format!("-var=frozen={frozen}"), format!("-var=size={size}"));
    let (plan, saved) = scratch.phi_plan(&[&frozen, &size]);
    scratch.terraform(&["apply", "-input=false", saved.to_str().unwrap()]).expect(0);
    actions(&plan).into_values().map(|a| a.actions).collect()
}

#[test]
fn changes_are_ignored_where_the_condition_says_so() {
    let scratch = Scratch::with(&[("main.tf", FROZEN)]);
    // Terraform can't even initialise what it can't read.
    scratch.terraform(&["init", "-input=false"]).expect(1);
    scratch.tf_phi(&["check", "--fix"]).expect(0);
    scratch.init();
    assert_eq!(planned(&scratch, false, "s"), ["create"]);
    assert_eq!(planned(&scratch, true, "l"), ["no-op"], "frozen: the change of size is not looked at");
    assert_eq!(planned(&scratch, false, "l"), ["update"]);
    assert_eq!(planned(&scratch, true, "s"), ["no-op"]);
    scratch.tf_phi(&["restore"]).expect(0);
    assert_eq!(scratch.read("main.tf"), FROZEN);
}

/// Older configurations quote what they refer to. Terraform takes it with a warning, and so it is in what is written.
const QUOTED: &str = r#"
variable "env" {
  type    = string
  default = "dev"
}
variable "size" {
  type    = string
  default = "1"
}
provider "terraform" {
  alias = "us"
}
module "db" {
  source    = "./db"
  release   = var.env == "prod" ? "15" : "14"
  size      = var.size
  providers = { terraform = "terraform.us" }
}
resource "terraform_data" "after" {
  input      = var.env == "prod" ? "b" : "a"
  depends_on = ["module.db", "terraform_data.first"]
  provider   = "terraform.us"
  lifecycle {
    ignore_changes = ["triggers_replace"]
  }
}
resource "terraform_data" "first" {
  input = var.env == "prod" ? "y" : "x"
}
data "terraform_remote_state" "unused" {
  count      = 0
  backend    = "local"
  depends_on = ["module.db"]
}
"#;

const QUOTED_DB: &str = r#"
variable "release" {}
variable "size" {}
resource "terraform_data" "db" {
  input            = var.release
  triggers_replace = var.size
  lifecycle {
    ignore_changes = ["triggers_replace"]
  }
}
"#;

#[test]
fn references_in_quotes() {
    let pin = "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n";
    let scratch = Scratch::with(&[("main.tf", QUOTED), ("db/main.tf", QUOTED_DB), ("phi.hcl", pin)]);
    scratch.init();
    for (env, size, wanted) in [("dev", "1", "create"), ("dev", "2", "no-op"), ("prod", "3", "update")] {
        let vars = [format!("-var=env={env}"), format!("-var=size={size}")];
        let vars: Vec<&str> = vars.iter().map(String::as_str).collect();
        let (plan, saved) = scratch.phi_plan(&vars);
        scratch.tf_phi(&[&["verify"], &vars[..]].concat()).expect(0);
        let done = actions(&plan);
        assert_eq!(done.len(), 3, "{done:?}");
        assert!(done.values().all(|a| a.actions == wanted), "{env} {size}: {done:?}");
        scratch.terraform(&["apply", "-input=false", saved.to_str().unwrap()]).expect(0);
    }
    assert!(scratch.read("main.tf").contains("module.db_v15"), "{}", scratch.read("main.tf"));
}
