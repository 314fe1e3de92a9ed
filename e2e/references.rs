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
