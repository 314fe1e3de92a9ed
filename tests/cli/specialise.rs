//! `plan`, `diff` and `restore` over a tree with a driven field, with a stand-in for Terraform.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::{Done, Scratch};

const ROOT: &str = r#"variable "env" {
  type = string
}

module "database" {
  source         = "./modules/postgres"
  engine_version = var.env == "prod" ? "15.4" : "14.9"
}
"#;

const MODULE: &str = r#"variable "engine_version" {
  type = string
}

resource "terraform_data" "app" {
  input = var.engine_version
}
"#;

const PHI: &str = "specialize \"terraform_data.app\" {\n  fields = [\"input\"]\n}\n";
const PLAN: &str = "fake \u{1b}[1mplan\u{1b}[0m\n";

fn scratch() -> Scratch {
    Scratch::new([("main.tf", ROOT), ("modules/postgres/main.tf", MODULE), ("phi.hcl", PHI)])
}

#[test]
fn plan_then_restore() {
    let scratch = scratch();
    let before = scratch.snapshot();
    let done = Done::new(scratch.command(&["plan", "-var=env=prod"]).env("FAKE_EXIT", "2").output().unwrap());
    assert_eq!((done.code, done.out.as_str()), (Some(2), PLAN), "{}", done.err);
    // Modules are installed where nothing was initialised, too; nothing else is.
    assert_eq!(scratch.calls(), ["get -no-color", "plan -var=env=prod"]);
    let main = std::fs::read_to_string(scratch.tree().join("main.tf")).unwrap();
    assert!(main.contains("module \"database_v15_4\"") && !main.contains("module \"database\""), "{main}");
    let moves = std::fs::read_to_string(scratch.tree().join("phi.moved.tf")).unwrap();
    assert!(moves.trim_end().ends_with("to   = module.database_v15_4[0]\n}"), "{moves}");
    let specialised = scratch.snapshot();
    assert_eq!(scratch.run(&["plan", "-var", "env=prod"]).code, Some(0));
    assert_eq!(scratch.snapshot(), specialised, "a second plan changed something");
    assert_eq!(scratch.run(&["diff", "-var", "env=prod"]).out, "");
    assert!(scratch.run(&["diff", "-var", "env=dev"]).out.contains("--- a/phi.moved.tf"));
    let shown = scratch.run(&["restore", "--dry-run"]);
    assert!(shown.out.contains("+module \"database\" {"), "{}", shown.out);
    assert_eq!(scratch.snapshot(), specialised);
    assert_eq!(scratch.run(&["restore"]).code, Some(0));
    // State may hold what was written, so its addresses stay known.
    let mut after = scratch.snapshot();
    after.retain(|path, _| !path.starts_with(scratch.tree().join(".phi")));
    assert_eq!(after, before);
    assert!(scratch.tree().join(".phi/history.jsonl").exists());
    assert_eq!(scratch.run(&["restore"]).code, Some(0));
}

#[test]
fn the_trace_of_a_specialised_tree_is_that_of_the_original() {
    let scratch = scratch();
    let before = scratch.run(&["trace", "--json"]).out;
    scratch.run(&["plan", "-var=env=prod"]);
    assert_eq!(scratch.run(&["trace", "--json"]).out, before);
}

#[test]
fn a_dry_run_and_a_diff_write_nothing() {
    let scratch = scratch();
    let before = scratch.snapshot();
    let dry = scratch.run(&["plan", "--dry-run", "-var", "env=dev"]);
    let diff = scratch.run(&["diff", "-var", "env=dev"]);
    assert_eq!((dry.code, diff.code), (Some(0), Some(0)), "{}{}", dry.err, diff.err);
    assert!(dry.out.contains("+++ b/modules/postgres-v14-9/main.tf"), "{}", dry.out);
    assert_eq!(dry.out, diff.out);
    assert_eq!((scratch.snapshot(), scratch.log().as_str()), (before, ""));
}

#[test]
fn new_calls_are_installed_where_the_directory_was_initialised() {
    let scratch = scratch();
    std::fs::create_dir(scratch.tree().join(".terraform")).unwrap();
    let done = scratch.run(&["plan", "-var=env=prod"]);
    assert_eq!((done.code, done.out.as_str()), (Some(0), PLAN), "what `get` prints is not the plan");
    // Without a record, state is asked for copies that an earlier one told of.
    assert_eq!(scratch.calls(), ["state pull -no-color", "get -no-color", "plan -var=env=prod"]);
}

#[test]
fn a_failed_installation_puts_everything_back() {
    let scratch = scratch();
    std::fs::create_dir(scratch.tree().join(".terraform")).unwrap();
    let before = scratch.snapshot();
    let done =
        Done::new(scratch.command(&["plan", "-var=env=prod"]).env("FAKE_GET_EXIT", "1").output().unwrap());
    assert_eq!((done.code, done.out.as_str()), (Some(1), ""));
    assert!(done.err.contains("terraform get"), "{}", done.err);
    assert_eq!(scratch.snapshot(), before);
    assert_eq!(scratch.calls(), ["state pull -no-color", "get -no-color"]);
}

#[test]
fn a_state_that_cannot_be_read_is_not_taken_for_an_empty_one() {
    let scratch = scratch();
    std::fs::create_dir(scratch.tree().join(".terraform")).unwrap();
    let before = scratch.snapshot();
    let with = |during: &str| {
        let mut command = scratch.command(&["plan", "-var=env=prod"]);
        Done::new(command.env("FAKE_DURING", during).output().unwrap())
    };
    let done = with("if [ $1 = state ]; then echo 'Error: dial tcp: i/o timeout' >&2; exit 1; fi");
    assert_eq!(done.code, Some(1));
    assert!(done.err.contains("the state can't be read") && done.err.contains("i/o timeout"), "{}", done.err);
    assert_eq!((scratch.snapshot(), scratch.calls().len()), (before, 1));
    let done = with("if [ $1 = state ]; then echo 'No state file was found!' >&2; exit 1; fi");
    assert_eq!(done.code, Some(0), "{}", done.err);
}

#[test]
fn a_run_that_does_not_say_which_copy_is_active() {
    let scratch = scratch();
    let before = scratch.snapshot();
    let done = scratch.run(&["plan"]);
    assert_eq!((done.code, scratch.log().as_str()), (Some(1), ""));
    assert!(done.err.contains("-var 'env=…'") && done.err.contains("missing-value"), "{}", done.err);
    assert_eq!(scratch.snapshot(), before);
}

#[test]
fn an_edited_specialization_is_not_overwritten() {
    let scratch = scratch();
    scratch.run(&["plan", "-var=env=prod"]);
    let path = scratch.tree().join("main.tf");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("postgres-v15-4", "other")).unwrap();
    let edited = scratch.snapshot();
    for args in [&["plan", "-var=env=prod"][..], &["restore"], &["diff"]] {
        let done = scratch.run(args);
        assert_eq!(done.code, Some(1), "{args:?}");
        assert!(done.err.contains("main.tf") && done.err.contains("Code: edited"), "{}", done.err);
    }
    assert_eq!(scratch.snapshot(), edited);
}

#[test]
fn a_pin_that_was_taken_away_gives_the_original_and_a_chain_back() {
    let scratch = scratch();
    scratch.run(&["plan", "-var=env=prod"]);
    std::fs::write(scratch.tree().join("phi.hcl"), "").unwrap();
    let done = scratch.run(&["plan", "-var=env=prod"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert_eq!(std::fs::read_to_string(scratch.tree().join("main.tf")).unwrap(), ROOT);
    let moves = std::fs::read_to_string(scratch.tree().join("phi.moved.tf")).unwrap();
    assert!(moves.trim_end().ends_with("to   = module.database\n}"), "{moves}");
    assert!(!scratch.tree().join("modules/postgres-v15-4").exists());
}

#[test]
fn a_rounded_number_is_a_warning() {
    let main = "variable \"size\" {\n  type = number\n}\n\nresource \"terraform_data\" \"disk\" {\n  input = var.size\n}\n";
    let phi = "specialize \"terraform_data\" {\n  field \"input\" { bins = [20, 100] }\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("phi.hcl", phi)]);
    let done = scratch.run(&["plan", "-var", "size=50"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let said = done.err.split_whitespace().collect::<Vec<_>>().join(" ");
    let want = "`var.size` is rounded up to the next bin: up to 20 it is 20; above 20 and up to 100, 100. Steps in between \
                are lost, and what is above 100 is refused.";
    assert!(said.contains("Warning: terraform_data.disk.input is rounded") && said.contains(want), "{said}");
    let moves = std::fs::read_to_string(scratch.tree().join("phi.moved.tf")).unwrap();
    assert!(moves.trim_end().ends_with("to   = terraform_data.disk_v100[0]\n}"), "{moves}");
    let traced = scratch.run(&["trace", "terraform_data.disk.input"]);
    assert!(traced.out.contains("var.size > 20 && var.size <= 100"), "{}", traced.out);
    assert_eq!(scratch.run(&["check"]).code, Some(0));
}

/// Names are cut where file systems have an end, and nobody may read more than before.
#[test]
fn long_values_and_private_files() {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for long in [30, 250, 5_000] {
        let scratch = Scratch::new([
            ("main.tf", &*ROOT.replace("15.4", &"x".repeat(long))),
            ("modules/postgres/main.tf", MODULE),
            ("phi.hcl", PHI),
        ]);
        let source = scratch.tree().join("modules/postgres/main.tf");
        std::fs::set_permissions(&source, std::fs::Permissions::from_mode(0o600)).unwrap();
        for (args, code) in [(&["check"][..], 3), (&["check", "--fix"], 0), (&["check"], 0)] {
            let done = scratch.run(args);
            assert_eq!(done.code, Some(code), "{long} {args:?}\n{}{}", done.out, done.err);
        }
        for (path, text) in scratch.snapshot() {
            let text = String::from_utf8_lossy(text.as_deref().unwrap_or_default()).into_owned();
            let given = ["phi.hcl", "tree/main.tf"].iter().any(|own| path.ends_with(own));
            if text.contains("terraform_data") && !given {
                assert_eq!(mode(&path) & 0o077, 0, "{}", path.display());
            }
        }
        let done = scratch.run(&["restore"]);
        assert_eq!(done.code, Some(0), "{long}\n{}", done.err);
        assert_eq!(mode(&source), 0o600);
    }
}
