//! What a run says of itself on standard error: for people, on a terminal and in a log.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::{Done, Scratch, terminal};

const ROOT: &str = r#"variable "env" {
  type = string
}

resource "terraform_data" "app" {
  input = var.env == "prod" ? "15.4" : "14.9"
}
"#;
const PHI: &str = "specialize \"terraform_data.app\" {\n  fields = [\"input\"]\n}\n";
const UNITS: &str = "  terraform_data.app  input  \"15.4\" (active: var.env == \"prod\"), \"14.9\"\n";

fn scratch() -> Scratch {
    Scratch::new([("main.tf", ROOT), ("phi.hcl", PHI)])
}

#[test]
fn one_line_per_unit_before_terraform_speaks() {
    let scratch = scratch();
    let head =
        "tf-phi: 1 field specialised, 2 files written  (git status lists them; undo: tf-phi restore)\n";
    let both = "exec 1>&2; echo terraform";
    let done =
        Done::new(scratch.command(&["plan", "-var=env=prod"]).env("FAKE_DURING", both).output().unwrap());
    assert_eq!(done.err, format!("{head}{UNITS}terraform\n"));
    // Nothing is written the second time.
    let again = scratch.run(&["plan", "-var=env=prod"]);
    assert_eq!(again.err, "tf-phi: 1 field specialised, no file changed\n");
    // Nor is a source, where a record was lost.
    std::fs::remove_file(scratch.tree().join(".phi/history.jsonl")).unwrap();
    let again = scratch.run(&["plan", "-var=env=prod"]);
    assert_eq!(again.err, "tf-phi: 1 field specialised, records in .phi changed\n");
    let flip = scratch.run(&["apply", "-var=env=dev"]);
    let units = "  terraform_data.app  input  \"14.9\" (active: not (var.env == \"prod\")), \"15.4\"\n";
    assert_eq!(flip.err, format!("{}{units}", head.replace("2 files", "1 file")));
}

#[test]
fn quiet_and_verbose() {
    let scratch = scratch();
    for quiet in ["-q", "--q", "-quiet", "--quiet"] {
        assert_eq!(scratch.run(&["plan", quiet, "-var=env=prod"]).err, "", "{quiet}");
        assert_eq!(scratch.run(&["restore"]).code, Some(0));
    }
    for verbose in ["-v", "--v", "-verbose", "--verbose"] {
        let done = scratch.run(&["plan", verbose, "-var=env=prod"]);
        assert!(
            done.err.contains(UNITS) && done.err.contains("  wrote phi.moved.tf\n"),
            "{verbose}: {}",
            done.err
        );
        assert!(done.err.contains("main.tf:6  input = var.env"), "each hop: {}", done.err);
        assert_eq!(scratch.run(&["restore"]).code, Some(0));
    }
    assert_eq!(
        scratch.calls().iter().filter(|c| *c == "plan -var=env=prod").count(),
        8,
        "{:?}",
        scratch.calls()
    );
    let both = scratch.run(&["plan", "-q", "-v", "-var=env=prod"]);
    assert!(both.code == Some(1) && both.err.contains("cannot be used with"), "{}", both.err);
    // What is wrong is said all the same.
    let wrong = scratch.run(&["plan", "-q"]);
    assert!(wrong.code == Some(1) && wrong.err.contains("missing-value"), "{}", wrong.err);
    let idle = Scratch::new([("main.tf", "")]);
    assert_eq!(idle.run(&["plan", "-q"]).err, "");
    assert_eq!(idle.run(&["plan"]).err.lines().count(), 1);
}

#[test]
fn in_other_circumstances() {
    let scratch = scratch();
    let done = scratch.run(&["plan", "--ephemeral", "-var=env=prod"]);
    assert!(
        done.err.starts_with("tf-phi: 1 field specialised, 2 files written  (put back when"),
        "{}",
        done.err
    );
    // For a program that reads findings, there are only these.
    let json = scratch.run(&["plan", "--ephemeral", "--format", "json", "-var=env=prod"]).err;
    assert!(json.lines().all(|l| l == "{\"format_version\":\"1.0\",\"issues\":[]}"), "{json}");
    // As Terraform does, nobody is told there what to run next.
    let mut command = scratch.command(&["plan", "-var=env=prod"]);
    let done = Done::new(command.env("TF_IN_AUTOMATION", "1").output().unwrap());
    assert_eq!(done.err, format!("tf-phi: 1 field specialised, 2 files written\n{UNITS}"));
    assert_eq!(scratch.run(&["restore"]).code, Some(0));
    let fixed = scratch.run(&["check", "--fix"]);
    assert!(
        fixed.err.contains("  terraform_data.app  input  \"15.4\", \"14.9\"\n"),
        "no run, nothing active: {}",
        fixed.err
    );
    assert!(fixed.out.contains("wrote main.tf"), "{}", fixed.out);
    assert_eq!(scratch.run(&["restore"]).code, Some(0));
    let quiet = scratch.run(&["check", "--fix", "-q"]);
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("", ""));
}

#[test]
fn on_a_terminal() {
    for (columns, colour) in [(80, true), (140, true), (80, false), (140, false)] {
        let scratch = scratch();
        let done = terminal::run(&scratch, &["plan", "-var=env=prod"], columns, colour);
        assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
        let hint = match columns {
            80 => "  (undo: tf-phi restore)",
            _ => "  (git status lists them; undo: tf-phi restore)",
        };
        let (strong, faint) =
            (|t: &str| format!("\u{1b}[1m{t}\u{1b}[0m"), |t: &str| format!("\u{1b}[2m{t}\u{1b}[0m"));
        let (name, hint, value) = match colour {
            true => (strong("tf-phi:"), faint(hint), strong("\"15.4\"")),
            false => ("tf-phi:".to_owned(), hint.to_owned(), "\"15.4\"".to_owned()),
        };
        let expected = format!(
            "{name} 1 field specialised, 2 files written{hint}\n{}fake \u{1b}[1mplan\u{1b}[0m\n",
            UNITS.replace("\"15.4\"", &value)
        );
        assert_eq!(done.out, expected, "{columns} columns, colour: {colour}");
    }
}

/// A module behind each source has a resource of the same address: each is told by its source, and its field once.
#[test]
fn modules_behind_a_chosen_source() {
    const ROOT: &str = r#"variable "network" {
  type = string
}
variable "protect" {
  type = bool
}
module "net" {
  source  = "./modules/${var.network}"
  protect = var.protect
}
"#;
    const MODULE: &str = r#"variable "protect" {
  type = bool
}
resource "terraform_data" "vpc" {
  lifecycle {
    prevent_destroy = var.protect
  }
}
"#;
    let scratch = Scratch::new([
        ("main.tf", ROOT),
        ("modules/lite/main.tf", MODULE),
        ("modules/full-size/main.tf", MODULE),
        ("env/dev.tfvars", "network = \"lite\"\nprotect = false\n"),
        ("env/prod.tfvars", "network = \"full-size\"\nprotect = true\n"),
    ]);
    let done = scratch.run(&["check", "--fix", "-v"]);
    let unit = |source: &str| {
        format!("module.net (./modules/{source}).terraform_data.vpc lifecycle.prevent_destroy false, true")
    };
    let told: Vec<String> =
        done.err.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for source in ["lite", "full-size"] {
        assert!(told.contains(&unit(source)), "{source}: {}", done.err);
        // The copy isn't called after its own folder a second time.
        let copy = scratch.tree().join(format!("modules/{source}-split/main.tf"));
        assert!(std::fs::read_to_string(copy).unwrap().contains("prevent_destroy = false"));
    }
}
