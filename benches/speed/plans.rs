//! tf-phi on the examples: by itself, and around Terraform.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::clock::{in_turns, line, median, ratio, timed};
use crate::offer;
use crate::support::{Scratch, terraform};

const EXAMPLES: [&str; 2] = ["examples/postgres", "examples/aws-postgres"];
const PROD: &str = "-var=customer_env=prod";

fn quiet(mut command: Command, args: &[&str]) -> Duration {
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    timed(|| assert!(command.status().unwrap().success(), "{args:?} failed"))
}

fn tf_phi(scratch: &Scratch, args: &[&str]) -> Duration {
    quiet(scratch.command(env!("CARGO_BIN_EXE_tf-phi").as_ref()), args)
}

fn bare(scratch: &Scratch, args: &[&str]) -> Duration {
    quiet(scratch.command(terraform()), args)
}

/// A tree with an expression where Terraform takes none, without copies, against the one with the value written by hand.
pub fn without_copies() {
    println!("tf-phi plan --no-copies against terraform plan of the tree by hand");
    for (example, rounds) in EXAMPLES.into_iter().zip([21, 9]) {
        let (by_hand, ours) = (Scratch::copy_of(example), Scratch::copy_of(example));
        let both = [(&by_hand, "true"), (&ours, "var.protect")];
        let installed = both.into_iter().all(|(scratch, value)| {
            scratch.write("phi.hcl", "");
            scratch.write("protected.tf", &format!("{PROTECT}{}", PROTECTED.replace("VALUE", value)));
            if example.contains("aws") {
                offer::offer(scratch);
            }
            let words = ["init", "--no-copies", "-input=false", "-no-color"];
            scratch.tf_phi(&words).code == 0
        });
        println!(" {example}");
        if !installed {
            println!(
                "  SKIPPED: its provider can't be installed here ({} names a folder with it)",
                offer::ENV
            );
            continue;
        }
        let plan = ["plan", "-input=false", PROD];
        let without = ["plan", "--no-copies", "-input=false", PROD];
        let times = in_turns(rounds, &mut [&mut || bare(&by_hand, &plan), &mut || tf_phi(&ours, &without)]);
        line("terraform plan, by hand", &times[0]);
        line("tf-phi plan --no-copies", &times[1]);
        let aim =
            if example.contains("aws") { "at most 1.02" } else { "none: Terraform itself is short here" };
        ratio("ratio", median(&times[1]) / median(&times[0]), aim);
    }
}

const PROTECT: &str = "variable \"protect\" {\n  type    = bool\n  default = true\n}\n";
const PROTECTED: &str =
    "resource \"terraform_data\" \"protected\" {\n  lifecycle {\n    prevent_destroy = VALUE\n  }\n}\n";

/// Without Terraform: a program that does nothing stands where it would.
pub fn own_time() {
    println!("tf-phi by itself (a Terraform that does nothing; aim: at most 20 ms)");
    for example in EXAMPLES {
        let mut scratch = Scratch::copy_of(example);
        let fake = scratch.fake("exit 0");
        scratch.env("TF_PHI_TERRAFORM", fake.to_str().unwrap());
        let times = in_turns(
            41,
            &mut [
                &mut || quiet(Command::new(&fake), &[]),
                &mut || tf_phi(&scratch, &["diff", PROD]),
                &mut || tf_phi(&scratch, &["plan", "--dry-run", PROD]),
                &mut || {
                    tf_phi(&scratch, &["restore"]);
                    tf_phi(&scratch, &["plan", PROD])
                },
                &mut || tf_phi(&scratch, &["plan", PROD]),
            ],
        );
        println!(" {example}");
        let names = [
            "the program that does nothing",
            "tf-phi diff",
            "tf-phi plan --dry-run",
            "tf-phi plan, everything to be written",
            "tf-phi plan again, nothing to be written",
        ];
        names.iter().zip(&times).for_each(|(name, times)| line(name, times));
    }
}

/// Around the real Terraform.
pub fn against_terraform() {
    println!("tf-phi plan against terraform get && terraform plan");
    for (example, rounds) in EXAMPLES.into_iter().zip([21, 9]) {
        let (original, specialised) = (Scratch::copy_of(example), Scratch::copy_of(example));
        let both = [&original, &specialised];
        let installed = both.into_iter().all(|scratch| {
            if example.contains("aws") {
                offer::offer(scratch);
            }
            scratch.terraform(&["init", "-input=false", "-no-color"]).code == 0
        });
        println!(" {example}");
        if !installed {
            println!(
                "  SKIPPED: its provider can't be installed here ({} names a folder with it)",
                offer::ENV
            );
            continue;
        }
        let plan = ["plan", "-input=false", PROD];
        let times = in_turns(
            rounds,
            &mut [
                &mut || bare(&original, &["get"]) + bare(&original, &plan),
                &mut || {
                    tf_phi(&specialised, &["restore"]);
                    bare(&specialised, &["get"]);
                    tf_phi(&specialised, &plan)
                },
                &mut || tf_phi(&specialised, &plan),
            ],
        );
        line("terraform get && terraform plan, original", &times[0]);
        line("tf-phi plan, everything to be written", &times[1]);
        line("tf-phi plan again, nothing to be written", &times[2]);
        let aim =
            if example.contains("aws") { "at most 1.05" } else { "none: Terraform itself is short here" };
        ratio("ratio, everything to be written", median(&times[1]) / median(&times[0]), aim);
        ratio("ratio, nothing to be written", median(&times[2]) / median(&times[0]), aim);
    }
}
