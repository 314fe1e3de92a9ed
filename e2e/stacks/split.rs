//! Components that are split, over several runs without HCP.

use crate::support::Scratch;
use std::path::Path;

const STACK: &str = r#"required_providers {
  terraform = { source = "terraform.io/builtin/terraform" }
}
provider "terraform" "main" {}
variable "tier" {
  type = string
}
component "pg" {
  source    = "./m"
  inputs    = { release = { s = "17", m = "13", l = "15" }[var.tier] }
  providers = { terraform = provider.terraform.main }
}
"#;

const MODULE: &str = "variable \"release\" {\n  type = string\n}\nresource \"terraform_data\" \"db\" {\n  input = { release = var.release }\n}\n";

const PHI: &str = "specialize \"terraform_data.db\" {\n  fields = [\"input.release\"]\n}\n";

fn deployed(tier: &str) -> String {
    format!("deployment \"dev\" {{\n  inputs = {{ tier = \"{tier}\" }}\n}}\n")
}

pub fn stack() -> Scratch {
    let scratch = Scratch::with(&[
        ("a.tfcomponent.hcl", STACK),
        ("a.tfdeploy.hcl", &deployed("m")),
        ("m/main.tf", MODULE),
        ("phi.hcl", PHI),
    ]);
    scratch.tf_phi(&["apply", "--env", "dev", "-auto-approve", "-input=false"]).expect(0);
    scratch
}

pub fn planned(scratch: &Scratch) -> String {
    scratch.tf_phi(&["plan", "--env", "dev", "-input=false", "-no-color"]).expect(0).stdout
}

#[test]
fn a_component_by_an_element_of_a_map_is_planned_again() {
    let scratch = stack();
    assert!(planned(&scratch).contains("No changes."));
    scratch.write("a.tfdeploy.hcl", &deployed("s"));
    let flipped = planned(&scratch);
    assert!(flipped.contains("(moved from module.pg_v13[0].terraform_data.db)"), "{flipped}");
    assert!(flipped.contains("Plan: 0 to add, 1 to change, 0 to destroy."), "{flipped}");
}

/// The command that is printed, once, leads out.
#[test]
fn a_lost_record_of_a_deployment_has_a_way_out() {
    let scratch = stack();
    std::fs::remove_file(scratch.dir().join(".phi/stacks/dev/.phi/provenance.json")).unwrap();
    let ran = scratch.tf_phi(&["plan", "--env", "dev", "-input=false", "-no-color"]).expect(1);
    let command = ran.stderr.lines().find_map(|l| l.trim().strip_prefix("rm ")).unwrap();
    let ended = scratch.command(Path::new("sh")).args(["-c", &format!("rm {command}")]).status().unwrap();
    assert!(ended.success(), "{command}");
    assert!(planned(&scratch).contains("No changes."));
}
