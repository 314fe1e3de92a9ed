//! What a run says before and after Terraform speaks, beside what Terraform does.

use crate::support::Scratch;
use crate::trees::POSTGRES;
use std::collections::BTreeSet;

#[test]
fn moves_are_said_before_terraform_speaks() {
    let scratch = POSTGRES.scratch();
    scratch.apply(&["-var=customer_env=dev"]);
    // State stands where the original has it.
    let first = scratch.phi(&["-var=customer_env=prod"]);
    assert!(
        first.stderr.contains("  state moves      module.database → module.database_v15_4[0]\n"),
        "{}",
        first.stderr
    );
    let apply = ["apply", "-input=false", "-no-color", "-auto-approve", "-var=customer_env=prod"];
    scratch.tf_phi(&apply).expect(0);
    let still = scratch.phi(&["-var=customer_env=prod"]);
    assert_eq!(still.stderr, "tf-phi: 1 field specialised, no file changed\n");
    let flip = scratch.phi(&["-var=customer_env=dev"]);
    let moved = "  state moves      module.database_v15_4[0] → module.database_v14_9[0]\n";
    assert!(flip.stderr.ends_with(moved), "{}", flip.stderr);
    // Terraform says the same.
    assert!(
        flip.stdout.contains("moved from module.database_v15_4[0].terraform_data.postgres"),
        "{}",
        flip.stdout
    );
}

const REPLACED: &str = r#"
variable "env" { type = string }
variable "size" { default = 2 }

variable "token" {
  default   = "s3cret"
  sensitive = true
}

resource "terraform_data" "db" {
  count            = var.size
  input            = var.env == "prod" ? "15.4" : "14.9"
  triggers_replace = [var.env == "prod" ? "15.4" : "14.9", var.token]
}

resource "terraform_data" "beside" {
  triggers_replace = var.env
}
"#;

#[test]
fn what_goes_is_said_again_after_a_saved_plan() {
    let phi = "specialize \"terraform_data.db\" {\n  fields = [\"input\"]\n}\n";
    let scratch = Scratch::with(&[("main.tf", REPLACED), ("phi.hcl", phi)]);
    let apply = ["apply", "-input=false", "-no-color", "-auto-approve", "-var=env=prod"];
    scratch.tf_phi(&apply).expect(0);
    for mode in [&[][..], &["--ephemeral"]] {
        let plan = [&["-out=plan.out", "-var=env=dev", "-var=size=1", "-var=token=0ther"][..], mode].concat();
        let ran = scratch.phi(&plan);
        let said = "tf-phi: this plan destroys or replaces specialised objects:\n\
                    \x20 destroyed  terraform_data.db[1]  count has no such index any more\n\
                    \x20 replaced   terraform_data.db[0]  triggers_replace: (sensitive value) → (sensitive value)\n";
        assert!(ran.stderr.ends_with(said), "{}", ran.stderr);
        assert!(!ran.stderr.contains("s3cret") && !ran.stderr.contains("0ther"), "{}", ran.stderr);
        let quiet = scratch.phi(&[&plan[..], &["-q"]].concat());
        assert_eq!(quiet.stderr, "");
        // stdout is Terraform's own.
        let terraform = ["plan", "-input=false", "-no-color", "-out=plan.out"];
        if mode.is_empty() {
            let own = scratch
                .terraform(&[&terraform[..], &["-var=env=dev", "-var=size=1", "-var=token=0ther"]].concat());
            // Objects are refreshed in any order.
            let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
            assert_eq!(lines(&own.expect(0).stdout), lines(&ran.stdout));
        }
    }
    // What was not saved can't be read again.
    let unsaved = scratch.phi(&["-var=env=dev", "-var=size=1"]);
    assert!(!unsaved.stderr.contains("destroys or replaces"), "{}", unsaved.stderr);
}

#[test]
fn a_replacement_that_the_choice_asks_for() {
    let main = "variable \"env\" { type = string }\n\nmodule \"db\" {\n  source = \"./db\"\n  v      = var.env == \"prod\" ? \
                \"15.4\" : \"14.9\"\n}\n";
    let module = "variable \"v\" { type = string }\n\nresource \"terraform_data\" \"app\" {\n  triggers_replace = var.v\n}\n";
    let phi = "specialize \"terraform_data.app\" {\n  fields = [\"triggers_replace\"]\n}\n";
    let scratch = Scratch::with(&[("main.tf", main), ("db/main.tf", module), ("phi.hcl", phi)]);
    scratch.init();
    scratch.tf_phi(&["apply", "-input=false", "-no-color", "-auto-approve", "-var=env=prod"]).expect(0);
    let ran = scratch.phi(&["-out=plan.out", "-var=env=dev"]);
    let said = "  replaced   module.db.terraform_data.app  triggers_replace: \"15.4\" → \"14.9\", since not var.env == \"prod\"\n";
    assert!(ran.stderr.ends_with(said), "{}", ran.stderr);
}
