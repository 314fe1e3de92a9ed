//! The tree that `check --fix` writes knows of no run: a plain `terraform plan` over it is right or stops, and never destroys.

use crate::compare::nothing_is_destroyed;
use crate::support::Scratch;

const PHI: (&str, &str) = ("phi.hcl", "specialize \"terraform_data.app\" {\n  fields = [\"input\"]\n}\n");

const BESIDE: &str = r#"
variable "env" { type = string }
resource "terraform_data" "app" {
  input = var.env == "prod" ? "a" : "b"
}
"#;

const KEYED: &str = r#"
variable "env" { type = string }
resource "terraform_data" "app" {
  for_each = toset(["k", "l"])
  input    = var.env == "prod" ? "a" : each.key
}
"#;

const CALLS: &str = r#"
variable "env" { type = string }
variable "names" {
  type    = set(string)
}
module "m" {
  for_each = var.names
  source   = "./m"
  env      = var.env
}
"#;

/// Applies the original, specialises it without variables, and plans with Terraform alone. Gives how many plans succeeded.
fn plain_plans(files: &[(&str, &str)], others: &[&str]) -> usize {
    let scratch = Scratch::with(&[files, &[PHI]].concat());
    let all = |env: &str| [&[env][..], others].concat().iter().map(ToString::to_string).collect::<Vec<_>>();
    scratch.init();
    let before: Vec<String> = all("-var=env=prod");
    scratch.apply(&before.iter().map(String::as_str).collect::<Vec<_>>());
    scratch.tf_phi(&["check", "--fix"]).expect(0);
    scratch.tf_phi(&["check"]).expect(0);
    scratch.terraform(&["get"]).expect(0);
    scratch.terraform(&["validate"]).expect(0);
    let mut right = 0;
    for env in ["-var=env=prod", "-var=env=dev"] {
        let args = all(env);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let out = scratch.aside("plain.out");
        let out_arg = format!("-out={}", out.display());
        let ran = scratch.terraform(&[&["plan", "-input=false", &out_arg][..], &args].concat());
        if ran.code == 0 {
            nothing_is_destroyed(&scratch.show(&out), env);
            right += 1;
        }
        let (plan, _) = scratch.phi_plan(&args);
        nothing_is_destroyed(&plan, env);
        scratch.tf_phi(&["check"]).expect(0);
        // As somebody else finds it who has only what the hook wrote.
        scratch.tf_phi(&["restore"]).expect(0);
        scratch.tf_phi(&["check", "--fix"]).expect(0);
    }
    scratch.tf_phi(&["restore"]).expect(0);
    assert_eq!(scratch.read(files[0].0), files[0].1);
    right
}

#[test]
fn a_plain_plan_is_right_for_one_branch_and_stops_for_the_other() {
    assert_eq!(plain_plans(&[("main.tf", BESIDE)], &[]), 1);
}

#[test]
fn a_plain_plan_stops_where_keys_decide() {
    assert_eq!(plain_plans(&[("main.tf", KEYED)], &[]), 0);
}

#[test]
fn a_plain_plan_stops_where_the_keys_of_a_module_are_not_known() {
    let files = [("main.tf", CALLS), ("m/main.tf", BESIDE)];
    assert_eq!(plain_plans(&files, &["-var=names=[\"x\", \"y\"]"]), 0);
}
