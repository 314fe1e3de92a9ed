//! What must not be planned: a value outside the universe, a field that can't be narrowed.

use std::fs;
use std::path::Path;

use crate::support::{Ran, Scratch};
use crate::trees::{UNBOUNDED, UNIVERSE};

#[test]
fn a_value_outside_the_universe_stops_the_plan() {
    let scratch = UNIVERSE.scratch();
    let before = scratch.everything();
    let ran = scratch.tf_phi(&["plan", "-input=false", "-no-color", "-var=instance_size=huge"]).expect(1);
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert!(
        said.contains("var.instance_size: \"huge\" isn't among the values that are specialised"),
        "{said}"
    );
    assert_eq!(scratch.everything(), before);
    // As the finding says.
    let listed = said.rsplit("variable \"instance_size\" {").next().unwrap().split('}').next().unwrap();
    assert!(listed.trim().starts_with("universe = [") && listed.trim().ends_with("\"huge\"]"), "{said}");
    // And so it does later, whoever plans.
    scratch.phi(&["-var=instance_size=small"]);
    let ran = scratch.terraform(&["plan", "-input=false", "-no-color", "-var=instance_size=huge"]).expect(1);
    assert!(ran.stderr.contains("instance_size must be one of"), "{}", ran.stderr);
}

/// `contains` takes no null, and says so in words that help nobody: what is written says what may be given.
#[test]
fn null_is_answered_in_our_words() {
    let scratch = UNIVERSE.scratch();
    scratch.phi(&["-var=instance_size=small"]);
    let ran = scratch.terraform(&["plan", "-input=false", "-no-color", "-var=instance_size=null"]).expect(1);
    let said = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("instance_size must be one of"), "{said}");
    assert!(!said.contains("argument must not be null"), "{said}");
}

/// The value of a variable without type is text; a `count` converts it, and a list of numbers has none of it.
#[test]
fn a_count_of_no_type_is_no_data() {
    let main = "variable \"size\" {\n  validation {\n    condition     = contains([1, 2], var.size)\n    error_message = \"One or two.\"\n  }\n}\n\
                resource \"terraform_data\" \"db\" {\n  count = var.size\n  input = var.size == 1 ? \"a\" : \"b\"\n}\n";
    let phi = "specialize \"terraform_data.db\" {\n  fields = [\"input\"]\n}\n";
    let scratch = Scratch::with(&[("main.tf", main), ("phi.hcl", phi)]);
    scratch.init();
    let ran = scratch.tf_phi(&["plan", "-input=false", "-no-color", "-var=size=1"]).expect(1);
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert!(said.contains("One or two.") && !said.contains("data decides"), "{said}");
}

/// A workspace that nobody listed: nothing can be planned there, not even with a target, and the file that says so goes again.
#[test]
fn a_workspace_outside_the_universe_stops_the_plan() {
    let scratch = Scratch::copy_of("tests/golden/scenario/workspace-one-value/in");
    scratch.init();
    scratch.phi(&[]);
    assert!(scratch.read("main.tf").contains("input = \"plain\""), "{}", scratch.read("main.tf"));
    scratch.plan(&[]);
    scratch.terraform(&["workspace", "new", "other"]).expect(0);
    let said = "terraform.workspace must be one of";
    for args in [&["plan"][..], &["plan", "-target=terraform_data.db"], &["plan", "-refresh-only"]] {
        let all = [args, &["-input=false", "-no-color"]].concat();
        let ran = scratch.terraform(&all).expect(1);
        assert!(ran.stderr.contains(said), "{args:?}: {}", ran.stderr);
        let ran = scratch.tf_phi(&all).expect(1);
        let said = "terraform.workspace: \"other\" isn't among the values that are specialised";
        assert!(ran.stderr.contains(said), "{args:?}: {}", ran.stderr);
    }
    scratch.tf_phi(&["restore"]).expect(0);
    assert!(!scratch.dir().join("phi.guard.tf").exists());
    scratch.plan(&[]);
}

#[test]
fn another_value_than_the_pinned_default_stops_the_plan() {
    let files = [
        (
            "main.tf",
            "variable \"release\" {\n  type    = string\n  default = \"15.4\"\n}\nresource \"terraform_data\" \"db\" {\n  input = var.release\n}\n",
        ),
        ("phi.hcl", "specialize \"terraform_data.db\" {\n  fields = [\"input\"]\n}\n"),
    ];
    let scratch = Scratch::with(&files);
    scratch.init();
    scratch.phi(&[]);
    let before = scratch.everything();
    let ran = scratch.tf_phi(&["plan", "-input=false", "-no-color", "-var=release=16.2"]).expect(1);
    assert!(ran.stderr.contains("var.release: \"16.2\" isn't among"), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(scratch.everything(), before);
    let ran = scratch.terraform(&["plan", "-input=false", "-no-color", "-var=release=16.2"]).expect(1);
    assert!(ran.stderr.contains("Invalid value for variable"), "{}{}", ran.stdout, ran.stderr);
}

/// tf-phi with nothing on `PATH` but a Terraform that leaves a trace.
fn with_recorder(scratch: &Scratch, args: &[&str]) -> (Ran, bool) {
    let log = scratch.aside("started");
    let fake = scratch.fake(&format!("echo \"$@\" >> '{}'", log.display()));
    let mut command = scratch.command(Path::new(env!("CARGO_BIN_EXE_tf-phi")));
    command.env_remove("TF_PHI_TERRAFORM").env("PATH", fake.parent().unwrap()).args(args);
    let ran = Ran::of(&command.output().unwrap());
    let started = fs::read_to_string(&log).is_ok_and(|text| text.lines().any(|l| !l.starts_with("version")));
    (ran, started)
}

#[test]
fn a_stack_issue_stops_before_terraform() {
    let scratch = UNBOUNDED.raw();
    let before = scratch.everything();
    for args in [&["plan"][..], &["plan", "-var=postgres_version=15.4"], &["plan", "-detailed-exitcode"]] {
        let (ran, started) = with_recorder(&scratch, args);
        let ran = ran.expect(1);
        assert!(!started, "Terraform was started");
        assert_eq!(ran.stdout, "", "stdout is Terraform's");
        for part in
            ["postgres_version", "terraform_data.app", "input", "main.tf", "validation", "no-universe"]
        {
            assert!(ran.stderr.contains(part), "{part} is missing in:\n{}", ran.stderr);
        }
        assert_eq!(sources_of(&before, &scratch), sources_of(&scratch.everything(), &scratch), "{args:?}");
    }
    assert_eq!(before, scratch.everything());
}

type Everything = std::collections::BTreeMap<std::path::PathBuf, (Vec<u8>, std::time::SystemTime)>;

fn sources_of(all: &Everything, scratch: &Scratch) -> Vec<String> {
    all.keys().map(|p| p.strip_prefix(scratch.dir()).unwrap().display().to_string()).collect()
}

#[test]
fn the_recorder_records() {
    // So that the test above can't pass because nothing is ever recorded.
    let scratch = Scratch::with(&[("main.tf", "variable \"a\" {\n  default = 1\n}\n")]);
    let (ran, started) = with_recorder(&scratch, &["plan"]);
    ran.expect(0);
    assert!(started);
}

#[test]
fn no_terraform_at_all() {
    let scratch = crate::trees::POSTGRES.raw();
    let before = scratch.everything();
    let mut command = scratch.command(Path::new(env!("CARGO_BIN_EXE_tf-phi")));
    command.env_remove("TF_PHI_TERRAFORM").env("PATH", scratch.aside("nowhere"));
    let ran = Ran::of(&command.args(["plan", "-var=customer_env=prod"]).output().unwrap()).expect(1);
    assert!(ran.stderr.contains("terraform"), "{}", ran.stderr);
    assert_eq!(before, scratch.everything());
}
