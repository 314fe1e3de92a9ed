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
    for record in ["provenance.json", "local.json"] {
        std::fs::remove_file(scratch.dir().join(".phi/stacks/dev/.phi").join(record)).unwrap();
    }
    let ran = scratch.tf_phi(&["plan", "--env", "dev", "-input=false", "-no-color"]).expect(1);
    let command = ran.stderr.lines().find_map(|l| l.trim().strip_prefix("rm ")).unwrap();
    let ended = scratch.command(Path::new("sh")).args(["-c", &format!("rm {command}")]).status().unwrap();
    assert!(ended.success(), "{command}");
    assert!(planned(&scratch).contains("No changes."));
}

/// The copy that stands there still calls it.
#[test]
fn a_module_that_goes_from_a_component_is_planned() {
    let scratch = Scratch::with(&[
        ("a.tfcomponent.hcl", STACK),
        ("a.tfdeploy.hcl", &deployed("m")),
        ("m/main.tf", &format!("{MODULE}module \"n\" {{\n  source = \"../n\"\n}}\n")),
        ("n/main.tf", "resource \"terraform_data\" \"x\" {}\n"),
        ("phi.hcl", PHI),
    ]);
    scratch.tf_phi(&["apply", "--env", "dev", "-auto-approve", "-input=false"]).expect(0);
    std::fs::remove_dir_all(scratch.dir().join("n")).unwrap();
    scratch.write("m/main.tf", MODULE);
    assert!(planned(&scratch).contains("Plan: 0 to add, 0 to change, 1 to destroy."));
}

/// What is pinned gets another name, in the modules and in `phi.hcl`; the deployment's own `phi.hcl` has the old one still.
#[test]
fn a_pinned_resource_that_is_renamed_is_planned() {
    let scratch = stack();
    let moved = "moved {\n  from = terraform_data.db\n  to   = terraform_data.main\n}\n";
    scratch.write("m/main.tf", &format!("{}{moved}", MODULE.replace("\"db\"", "\"main\"")));
    scratch.write("phi.hcl", &PHI.replace(".db", ".main"));
    let renamed = planned(&scratch);
    assert!(renamed.contains("0 to add, 0 to change, 0 to destroy"), "{renamed}");
    scratch.tf_phi(&["restore"]).expect(0);
}

/// A deployment has no instance of the component in which something is pinned: that is no name that nobody knows.
#[test]
fn a_pin_in_a_component_without_instances_is_planned() {
    let scratch = stack();
    let gone = "removed {\n  from      = component.pg\n  source    = \"./m\"\n  providers = { terraform = provider.terraform.main }\n}\n";
    let each = STACK.replace(
        "component \"pg\" {\n",
        "component \"other\" {\n  for_each  = var.tier == \"l\" ? toset([\"a\"]) : toset([])\n",
    );
    scratch.write("a.tfcomponent.hcl", &format!("{each}{gone}"));
    let planned = planned(&scratch);
    assert!(planned.contains("0 to add, 0 to change, 1 to destroy"), "{planned}");
}
