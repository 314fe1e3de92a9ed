//! Plans that are saved: read again once they are made, and before they are applied.

use std::path::Path;

use crate::support::{Ran, Scratch, terraform};

const MAIN: &str = r#"variable "env" { default = "dev" }

resource "terraform_data" "db" {
  input = { v = var.env == "prod" ? "15.4" : "14.9" }
}
"#;
const PHI: &str = "specialize \"terraform_data\" {\n  fields = [\"input.v\"]\n}\n";

/// Applied as dev, with tf-phi.
fn applied() -> Scratch {
    let scratch = Scratch::with(&[("main.tf", MAIN), ("phi.hcl", PHI)]);
    scratch.tf_phi(&["apply", "-input=false", "-auto-approve", "-no-color"]).expect(0);
    scratch
}

fn ids(scratch: &Scratch) -> Vec<String> {
    let state = scratch.terraform(&["state", "pull"]).expect(0).stdout;
    let state: serde_json::Value = serde_json::from_str(&state).unwrap();
    let all = state["resources"].as_array().unwrap().iter();
    let instances = all.flat_map(|r| r["instances"].as_array().unwrap());
    instances.map(|i| i["attributes"]["id"].as_str().unwrap().to_owned()).collect()
}

/// `tf-phi` with a Terraform that passes over the moves as it plans.
fn without_moves(scratch: &Scratch, args: &[&str]) -> Ran {
    let real = terraform().display();
    let script = format!(
        "[ \"$1\" = plan ] && [ -e phi.moved.tf ] || exec '{real}' \"$@\"\n\
         mv phi.moved.tf ../moves; '{real}' \"$@\"; code=$?; mv ../moves phi.moved.tf; exit $code"
    );
    let fake = scratch.fake(&script);
    let mut command = scratch.command(Path::new(env!("CARGO_BIN_EXE_tf-phi")));
    Ran::of(&command.env("TF_PHI_TERRAFORM", fake).args(args).output().unwrap())
}

#[test]
fn a_plan_that_destroys_what_stays_is_an_error() {
    let scratch = applied();
    for mode in [&["--ephemeral"][..], &[]] {
        let args = [&["plan", "-input=false", "-no-color", "-out=plan.out", "-var=env=prod"][..], mode];
        let ran = without_moves(&scratch, &args.concat()).expect(1);
        assert!(
            ran.stderr.contains("the plan plan.out destroys terraform_data.db_v14_9[0]"),
            "{}",
            ran.stderr
        );
        // What is meant to go may go.
        scratch.tf_phi(&["restore"]).expect(0);
        let args = ["plan", "-input=false", "-no-color", "-out=plan.out", "-destroy"];
        without_moves(&scratch, &[&args[..], mode].concat()).expect(0);
        scratch.tf_phi(&["restore"]).expect(0);
    }
}

#[test]
fn a_saved_plan_that_tears_an_object_apart_is_not_applied() {
    let scratch = applied();
    let before = ids(&scratch);
    let out = ["plan", "-input=false", "-no-color", "-out=plan.out", "-var=env=prod"];
    scratch.tf_phi(&out).expect(0);
    std::fs::remove_file(scratch.dir().join("phi.moved.tf")).unwrap();
    scratch.terraform(&out).expect(0);
    let ran = scratch.tf_phi(&["apply", "-input=false", "-no-color", "plan.out"]).expect(1);
    assert!(ran.stderr.contains("destroys terraform_data.db_v14_9[0]"), "{}", ran.stderr);
    assert!(ran.stderr.contains("creates terraform_data.db_v15_4[0]"), "{}", ran.stderr);
    assert_eq!(ids(&scratch), before);
    // As the fix says.
    scratch.tf_phi(&["restore"]).expect(0);
    scratch.tf_phi(&out).expect(0);
    scratch.tf_phi(&["apply", "-input=false", "-no-color", "plan.out"]).expect(0);
    assert_eq!(ids(&scratch), before);
}

/// Keys that the run alone gives, below a pin.
const KEYED: &str = r#"variable "env" { default = "dev" }

variable "names" {
  type    = set(string)
  default = []
}

resource "terraform_data" "db" {
  for_each = var.names
  input    = { v = var.env == "prod" ? "15.4" : "14.9", tag = each.key }
}
"#;

/// The job that applies has the plan and the commit, and nothing of what the job that planned has noted. What it applies has a way home in a
/// clone that sees no state.
#[test]
fn what_a_saved_plan_applies_is_noted_where_it_is_applied() {
    let names = "-var=names=[\"a\",\"b\"]";
    for mode in [&[][..], &["--ephemeral"]] {
        let scratch = Scratch::with(&[("main.tf", KEYED), ("phi.hcl", PHI)]);
        scratch.init();
        scratch.phi(mode);
        scratch.commit();
        let plan = scratch.aside("saved.out");
        let out = format!("-out={}", plan.display());
        scratch.phi(&[&[out.as_str(), names][..], mode].concat());
        let git = |args: &[&str]| {
            assert!(scratch.command(Path::new("git")).args(args).status().unwrap().success(), "{args:?}");
        };
        git(&["checkout", "-q", "."]);
        let apply = ["apply", "-input=false", "-no-color", plan.to_str().unwrap()];
        let ran = scratch.tf_phi(&apply).expect(0);
        let history = scratch.read(".phi/history.jsonl");
        assert_eq!(history.matches("\"applied\"").count(), 2, "{mode:?}: {history}");
        assert!(ran.stderr.contains(".phi/history.jsonl notes"), "{}", ran.stderr);
        scratch.phi(&[&[names][..], mode].concat());
        assert_eq!(scratch.read(".phi/history.jsonl"), history, "{mode:?}: the next plan adds nothing");
        let state = scratch.dir().join("terraform.tfstate");
        std::fs::rename(&state, scratch.aside("state")).unwrap();
        scratch.tf_phi(&["leave"]).expect(0);
        std::fs::rename(scratch.aside("state"), &state).unwrap();
        let left = scratch.plan(&[names]);
        let fates: Vec<_> = left.resource_changes.iter().map(|c| c.change.actions.join(" ")).collect();
        assert_eq!(fates, ["no-op", "no-op"], "{mode:?}");
    }
}

const CALL: &str = r#"variable "env" { default = "dev" }

module "db" {
  source = "./db"
  count  = 2
  v      = "14.9"
}
"#;
const CALLED: &str = r#"variable "v" {}

resource "terraform_data" "db" {
  input = { v = var.v }
}
"#;

/// A call was repeated when a run named its copies, and is no more: `[0]` of a copy stands for something else now.
#[test]
fn a_saved_plan_of_what_is_repeated_no_more_is_applied() {
    for mode in [&[][..], &["--ephemeral"]] {
        let scratch = Scratch::with(&[("main.tf", CALL), ("db/main.tf", CALLED), ("phi.hcl", PHI)]);
        scratch.init();
        scratch.terraform(&["apply", "-input=false", "-auto-approve", "-no-color"]).expect(0);
        let split = CALL.replace("\"14.9\"", "var.env == \"prod\" ? \"15.4\" : \"14.9\"");
        scratch.write("main.tf", &split);
        let plan = [&["plan", "-input=false", "-no-color", "-out=plan.out"][..], mode].concat();
        scratch.tf_phi(&plan).expect(0);
        scratch.tf_phi(&["restore"]).expect(0);
        scratch.write("main.tf", &split.replace("  count  = 2\n", ""));
        scratch.tf_phi(&plan).expect(0);
        scratch.tf_phi(&["apply", "-input=false", "-no-color", "plan.out"]).expect(0);
        assert_eq!(ids(&scratch).len(), 1);
    }
}
