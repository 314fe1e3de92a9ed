//! Runs that `-target` narrows down: what they leave out of the outputs is said before the plan, and the way out that a refused one
//! prints works as it is printed.

use std::collections::BTreeSet;

use crate::support::{Ran, Scratch};

const VARIABLES: &str = "variable \"env\" {\n  type    = string\n  default = \"dev\"\n}\nvariable \"n\" {\n  type    = string\n  \
                         default = \"1\"\n}\n";

/// A call that a condition splits, beside outputs of every kind: behind the whole module, one of its resources, none.
const MAIN: &str = r#"
module "m" {
  source = "./m"
  v      = var.env == "prod" ? "15" : "14"
  n      = terraform_data.r.input
}
resource "terraform_data" "r" {
  input = var.n
}
output "db" { value = module.m.db }
output "other" { value = module.m.other }
output "named" { value = module.m.named }
output "both" { value = "${module.m.named}${terraform_data.r.input}" }
output "r" { value = terraform_data.r.input }
output "root" { value = var.n }
"#;

const MODULE: &str = r#"
variable "v" {}
variable "n" {}
resource "terraform_data" "db" {
  input = { v = var.v, n = var.n }
}
resource "terraform_data" "other" {
  input = var.n
}
output "db" { value = terraform_data.db.output }
output "other" { value = terraform_data.other.input }
output "named" { value = "n${var.n}" }
"#;

const PIN: &str = "specialize \"terraform_data.db\" {\n  fields = [\"input.v\"]\n}\n";

/// The outputs that a plan has anything to say of.
fn outputs(ran: &Ran, scratch: &Scratch, file: &str) -> BTreeSet<String> {
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let shown = scratch.terraform(&["show", "-json", file]).expect(0);
    let plan: serde_json::Value = serde_json::from_str(&shown.stdout).unwrap();
    plan["output_changes"].as_object().map(|all| all.keys().cloned().collect()).unwrap_or_default()
}

/// The outputs that a note names behind some words.
fn named(ran: &Ran, words: &str) -> BTreeSet<String> {
    let said = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((_, rest)) = said.split_once(&format!("{words} without tf-phi: ")) else {
        return BTreeSet::new();
    };
    let end = rest.find(['.', ';']).unwrap();
    rest[..end].split(", ").map(str::to_owned).collect()
}

/// The twin says which outputs Terraform updates; each that tf-phi's plan treats otherwise is named before it.
#[test]
fn outputs_that_a_target_leaves_out() {
    let main = format!("{VARIABLES}{MAIN}");
    let (mut left, mut alike) = (0, 0);
    for at in ["", "  at = \"resource\"\n"] {
        let pin = PIN.replace("}\n", &format!("{at}}}\n"));
        let files = [("main.tf", main.as_str()), ("m/main.tf", MODULE)];
        let twin = Scratch::with(&files);
        let ours = Scratch::with(&[&files[..], &[("phi.hcl", pin.as_str())]].concat());
        twin.init();
        twin.apply(&[]);
        ours.tf_phi(&["apply", "-auto-approve", "-input=false"]).expect(0);
        let targets =
            ["module.m", "module.m.terraform_data.db", "module.m.terraform_data.other", "terraform_data.r"];
        for target in targets {
            let target = format!("-target={target}");
            let args = ["plan", "-input=false", "-no-color", "-out=p", "-var=n=2", &target];
            let plain = outputs(&twin.terraform(&args), &twin, "p");
            let ran = ours.tf_phi(&args);
            let found = outputs(&ran, &ours, "p");
            let differ = |a: &BTreeSet<String>, b: &BTreeSet<String>| a - b;
            assert_eq!(named(&ran, "would update"), differ(&plain, &found), "{target}{at}: {}", ran.stderr);
            assert_eq!(named(&ran, "as they are"), differ(&found, &plain), "{target}{at}: {}", ran.stderr);
            if plain == found { alike += 1 } else { left += 1 }
        }
    }
    assert!(left > 0 && alike > 0, "{left} differ, {alike} don't");
}

/// State has to move first. What is printed for that has the run's values and its state, but no secret, and leads out.
#[test]
fn the_way_out_has_the_values_of_the_run() {
    let main = format!(
        "{VARIABLES}variable \"secret\" {{\n  type      = string\n  default   = \"s\"\n  sensitive = \
         true\n}}\n{MAIN}output \"secret\" {{\n  value     = var.secret\n  sensitive = true\n}}\n"
    );
    let files = [("main.tf", main.as_str()), ("m/main.tf", MODULE), ("phi.hcl", PIN)];
    let ours = Scratch::with(&[&files[..], &[("of n.tfvars", "n = \"it's\"\n")]].concat());
    let own = ["-state=own.tfstate", "-var-file=of n.tfvars"];
    ours.tf_phi(&[&["apply", "-auto-approve", "-input=false"], &own[..]].concat()).expect(0);
    let narrowed =
        [&["plan", "-input=false", "-no-color", "-target=terraform_data.r", "-var", "env=prod"], &own[..]]
            .concat();
    let secret = [&narrowed[..], &["-var=secret=hidden"]].concat();
    let ran = ours.tf_phi(&secret).expect(1);
    assert!(!ran.stderr.contains("hidden") && ran.stderr.contains("-var=secret=…"), "{}", ran.stderr);
    let ran = ours.tf_phi(&narrowed).expect(1);
    let line = ran.stderr.lines().find_map(|l| l.trim().strip_prefix("tf-phi apply -refresh-only"));
    let line = line.unwrap_or_else(|| panic!("no way out: {}", ran.stderr));
    assert_eq!(line.trim(), "-var env=prod -state=own.tfstate '-var-file=of n.tfvars'");
    let shell = format!("\"$0\" apply -refresh-only {line} -auto-approve -input=false");
    let done =
        ours.command(std::path::Path::new("sh")).args(["-c", &shell, env!("CARGO_BIN_EXE_tf-phi")]).output();
    let done = Ran::of(&done.unwrap()).expect(0);
    assert!(done.stdout.contains("0 added, 0 changed, 0 destroyed"), "{}", done.stdout);
    ours.tf_phi(&narrowed).expect(0);
    // An environment that was named is named again.
    ours.write("phi.hcl", &format!("{PIN}environment \"test\" {{\n  variables = {{ env = \"dev\" }}\n}}\n"));
    let ran = ours.tf_phi(&[
        "plan",
        "--env",
        "test",
        "-input=false",
        "-target=terraform_data.r",
        "-state=own.tfstate",
    ]);
    assert!(ran.expect(1).stderr.contains("tf-phi apply -refresh-only --env test -state=own.tfstate\n"));
}

/// Terraform judges a `moved` block by what it plans: that the object which moves away is still declared stops a run only if its targets
/// take that in. So does tf-phi, with copies or without.
#[test]
fn a_move_away_from_what_a_target_leaves_out() {
    let call = |env: &str| format!("module \"m\" {{\n  source = \"./m\"\n  env    = {env}\n}}\n");
    let pinned = |name: &str| {
        format!(
            "resource \"terraform_data\" \"{name}\" {{\n  input = {{ v = var.env == \"prod\" ? \"15\" : \"14\" }}\n}}\n"
        )
    };
    let module = format!("variable \"env\" {{}}\n{}", pinned("db"));
    let moved = "moved {\n  from = terraform_data.db\n  to   = module.m.terraform_data.db\n}\n";
    let pins = ["", PIN];
    let mains = [
        format!("{VARIABLES}{}{}{moved}", call("var.env"), pinned("db")),
        // Behind what the target needs, Terraform plans it, and stops.
        format!("{VARIABLES}{}{}{moved}", call("terraform_data.db.input.v"), pinned("db")),
    ];
    let mut stopped = Vec::new();
    for (main, pin) in mains.iter().flat_map(|main| pins.map(|pin| (main, pin))) {
        let files = [("main.tf", main.as_str()), ("m/main.tf", module.as_str())];
        let twin = Scratch::with(&files);
        twin.init();
        let ours = Scratch::with(&[&files[..], &[("phi.hcl", pin)]].concat());
        ours.init();
        for target in ["module.m", "module.m.terraform_data.db", "terraform_data.db", ""] {
            let target = format!("-target={target}");
            let args: Vec<&str> = ["plan", "-input=false", "-no-color", &target]
                .into_iter()
                .filter(|a| *a != "-target=")
                .collect();
            let plain = twin.terraform(&args);
            let ran = ours.tf_phi(&args);
            assert_eq!(ran.code, plain.code, "{args:?} {pin}\n{main}\n{}{}", ran.stdout, ran.stderr);
            stopped.push(plain.code);
        }
    }
    assert!(stopped.contains(&0) && stopped.contains(&1), "{stopped:?}");
}
