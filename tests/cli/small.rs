//! What people type that isn't quite it: each is answered with what to type.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::Scratch;
use std::fs;

const MAIN: &str = "variable \"size\" {\n  type = string\n  validation {\n    condition     = contains([\"small\", \"large\"], var.size)\n    \
    error_message = \"No.\"\n  }\n}\nvariable \"tier\" {\n  type = string\n}\nmodule \"app\" {\n  source = \"./app\"\n  size   = var.size\n  \
    tier   = var.tier\n}\n";
const APP: &str = "variable \"size\" {}\nvariable \"tier\" {}\nresource \"terraform_data\" \"server\" {\n  \
    input = { size = var.size, tier = var.tier }\n}\n";
const PHI: &str = "variable \"tier\" {\n  universe = [\"a\", \"b\"]\n}\n\nspecialize \"terraform_data.server\" {\n  \
    fields = [\"input.size\", \"input.tier\"]\n}\n";

fn scratch() -> Scratch {
    Scratch::new([("main.tf", MAIN), ("app/main.tf", APP), ("phi.hcl", PHI)])
}

#[test]
fn commands_of_terraform_are_answered_with_what_to_type() {
    let scratch = scratch();
    let done = scratch.run(&["destroy", "-auto-approve"]);
    assert!(done.code == Some(1) && done.err.ends_with("Type: tf-phi apply -destroy\n"), "{}", done.err);
    assert!(scratch.run(&["valdate"]).err.contains("'validate'"), "a slip is one of ours");
    assert_eq!(scratch.log(), "");
}

#[test]
fn init_passes_its_options_on() {
    for phi in [PHI, ""] {
        let scratch = scratch();
        fs::write(scratch.tree().join("phi.hcl"), phi).unwrap();
        assert_eq!(scratch.run(&["init", "-upgrade"]).code, Some(0));
        assert!(scratch.calls().contains(&"init -upgrade".to_owned()), "{:?}", scratch.calls());
    }
}

#[test]
fn validate_of_terraforms_own_kind() {
    let scratch = scratch();
    assert_eq!(scratch.run(&["validate", "-no-color", "-var=size=small"]).code, Some(0));
    for option in ["-no-tests", "-test-directory=x"] {
        let done = scratch.run(&["validate", option]);
        let name = option.split('=').next().unwrap();
        assert!(done.err.contains(&format!("Type: tf-phi run -- terraform validate {name}")), "{}", done.err);
    }
}

#[test]
fn json_is_short_for_the_format() {
    let scratch = scratch();
    for command in [
        &["check"][..],
        &["validate"],
        &["trace"],
        &["matrix"],
        &["roots"],
        &["explain", "no-universe"],
        &["review", "--base", "HEAD"],
    ] {
        let long = scratch.run(&[command, &["--format", "json"]].concat());
        for json in ["--json", "-json"] {
            let short = scratch.run(&[command, &[json]].concat());
            assert_eq!(
                (short.code, &short.out, &short.err),
                (long.code, &long.out, &long.err),
                "{command:?}"
            );
        }
        let printed = serde_json::from_str::<serde_json::Value>(&long.out).is_ok();
        assert!(printed || long.out.is_empty(), "{command:?}: {}", long.out);
        let both = scratch.run(&[command, &["--json", "--format", "json"]].concat());
        assert!(both.err.contains("cannot be used with"), "{command:?}: {}", both.err);
    }
}

#[test]
fn a_slip_in_an_option_is_named() {
    let scratch = scratch();
    for command in [&["trace"][..], &["validate"], &["graph"], &["diff"], &["explain", "module.app"]] {
        let done = scratch.run(&[command, &["-vra", "tier=a"]].concat());
        assert!(done.code == Some(1) && done.err.contains("Did you mean -var?"), "{command:?}: {}", done.err);
    }
    assert!(scratch.run(&["plan", "-vra", "tier=a"]).err.contains("If -var is meant"));
    for option in ["-xyzzy", "--xyzzy"] {
        let done = scratch.run(&["trace", option]);
        assert!(
            done.err.contains(&format!("{option} is no option of `tf-phi trace`. `tf-phi")),
            "{}",
            done.err
        );
    }
    let done = scratch.run(&["check", "--formt=json"]);
    assert!(done.code == Some(1) && done.err.contains("Did you mean --format?"), "{}", done.err);
    // What stands behind an option is its value.
    let done = scratch.run(&["trace", "-expr", "-vra"]);
    assert!(done.out.contains("error"), "{}{}", done.out, done.err);
}

#[test]
fn nothing_to_verify_says_what_to_type() {
    let scratch = Scratch::new([("main.tf", "locals {}\n")]);
    let done = scratch.run(&["verify"]);
    assert!(done.code == Some(0) && done.err.contains("type: tf-phi plan"), "{}", done.err);
}

#[test]
fn strict_makes_errors_of_warnings() {
    let scratch = scratch();
    fs::write(scratch.tree().join("phi.hcl"), PHI.replace("\"input.size\"", "\"input.szie\"")).unwrap();
    let commands =
        [&["check"][..], &["plan", "-var=tier=a", "-var=size=small"], &["trace"], &["matrix"], &["init"]];
    for command in commands {
        let done = scratch.run(&[command, &["--strict"]].concat());
        assert_eq!(done.code, Some(1), "{command:?}: {}{}", done.out, done.err);
        assert!(done.err.contains("Blocking: no terraform_data.server sets input.szie"), "{}", done.err);
        let done = scratch.run(&[&["--strict"], command].concat());
        assert_eq!(done.code, Some(1), "{command:?}");
    }
    assert_eq!(scratch.log(), "", "nothing was started");
    assert_eq!(scratch.run(&["check"]).code, Some(3), "without it, it is a warning");
    let phi = fs::read_to_string(scratch.tree().join("phi.hcl")).unwrap();
    fs::write(scratch.tree().join("phi.hcl"), format!("settings {{\n  strict = true\n}}\n{phi}")).unwrap();
    let done = scratch.run(&["check"]);
    assert!(done.code == Some(1) && done.err.contains("Blocking: no terraform_data.server"), "{}", done.err);
    let json = scratch.run(&["check", "--format", "json"]).out;
    assert!(json.contains("\"severity\": \"error\""), "{json}");
}

/// What is found only when files are decided on stops a command as what is read does.
#[test]
fn strict_stops_at_what_is_rounded() {
    let main = "variable \"size\" {\n  type = number\n}\nvariable \"big\" {\n  type = bool\n}\nmodule \"m\" {\n  source = var.big ? \"./a\" : \"./b\"\n}\nresource \"terraform_data\" \"disk\" {\n  input = var.size\n}\n";
    let phi = "specialize \"terraform_data\" {\n  field \"input\" { bins = [20, 100] }\n}\n";
    let scratch =
        Scratch::new([("main.tf", main), ("phi.hcl", phi), ("a/main.tf", "# a\n"), ("b/main.tf", "# b\n")]);
    let vars = ["-var=size=50", "-var=big=true"];
    let given = |command: &'static str| [&[command][..], &vars].concat();
    let commands = [vec!["init"], given("plan"), given("diff"), vec!["check"], vec!["test"], vec!["verify"]];
    for command in commands {
        let done = scratch.run(&[&command[..], &["--strict"]].concat());
        assert_eq!(done.code, Some(1), "{command:?}: {}{}", done.out, done.err);
        assert!(
            done.err.contains("Blocking: terraform_data.disk.input is rounded"),
            "{command:?}: {}",
            done.err
        );
    }
    let log = scratch.log();
    let asked: Vec<&str> =
        log.lines().filter(|line| line.starts_with("arg ") && *line != "arg version").collect();
    assert!(asked.is_empty(), "Terraform was asked for its version alone: {asked:?}");
    assert_eq!(scratch.run(&["init"]).code, Some(0), "without it, it is a warning");
}

#[test]
fn strict_keeps_what_is_right() {
    let scratch = scratch();
    assert_eq!(scratch.run(&["check", "--fix", "--strict"]).code, Some(0));
    assert_eq!(scratch.run(&["check", "--strict"]).code, Some(0));
}

#[test]
fn trace_takes_every_label_of_phi() {
    let scratch = scratch();
    let whole = scratch.run(&["trace", "module.app.terraform_data.server"]).out;
    for label in ["terraform_data", "terraform_data.server", "module.app.terraform_data.server"] {
        let done = scratch.run(&["trace", label]);
        assert_eq!((done.code, done.out.as_str()), (Some(0), whole.as_str()), "{label}: {}", done.err);
    }
    let part = scratch.run(&["trace", "terraform_data.server.input.size"]);
    assert!(part.out.contains("module.app.terraform_data.server.input.size: 2 values"), "{}", part.err);
    assert_eq!(scratch.run(&["trace", "module.app"]).code, Some(0));
    let done = scratch.run(&["trace", "terraform_data.sever"]);
    assert!(done.code == Some(1) && done.err.contains("names no field"), "{}", done.err);
}

#[test]
fn a_value_outside_of_what_is_listed_is_answered_with_the_list() {
    let scratch = scratch();
    for command in [&["trace"][..], &["graph"], &["validate"], &["trace", "module.app.tier"]] {
        let done = scratch.run(&[command, &["-var=tier=c", "-var=size=small"]].concat());
        let said = "var.tier: \"c\" isn't among the values that are listed for it";
        assert!(
            done.err.contains(said) && done.err.contains("Listed are \"a\", \"b\"."),
            "{command:?}: {}",
            done.err
        );
    }
    for command in [&["diff"][..], &["explain", "module.app"], &["plan"]] {
        let done = scratch.run(&[command, &["-var=tier=c", "-var=size=small"]].concat());
        assert!(done.err.contains("Specialised are \"a\", \"b\""), "{command:?}: {}{}", done.out, done.err);
    }
    let done = scratch.run(&["trace", "-var=tier=c", "--strict"]);
    assert!(done.code == Some(1) && done.err.contains("Blocking: var.tier"), "{}", done.err);
    let done = scratch.run(&["trace", "-var=tier=a"]);
    assert!(!done.err.contains("isn't among"), "{}", done.err);
}

#[test]
fn a_syntax_error_counts_lines() {
    let scratch = scratch();
    fs::write(scratch.tree().join("phi.hcl"), format!("{PHI}specialize \"é\" {{\n  fields = [\"é\",\n}}\n"))
        .unwrap();
    let done = scratch.run(&["check"]);
    assert!(done.err.contains("opened on line 9") && !done.err.contains("byte"), "{}", done.err);
}

/// Which functions a Terraform before 1.0 had isn't known, so none of them is called unknown.
#[test]
fn a_tree_for_a_terraform_before_1_0() {
    let main = "terraform {\n  required_version = \"~> 0.12.0\"\n}\noutput \"x\" {\n  value = format(\"%s\", \"a\")\n}\n";
    let done = Scratch::new([("main.tf", main)]).run(&["validate"]);
    assert_eq!((done.code, done.out.as_str()), (Some(0), ""), "{}", done.err);
}

#[test]
fn fences_name_the_language() {
    let scratch = scratch();
    let done = scratch.run(&["check", "--format", "markdown"]);
    assert!(done.out.contains("```sh\n  tf-phi check --fix\n"), "{}", done.out);
    fs::write(scratch.tree().join("x.tf.json"), "{\"output\": {\"x\": {\"value\": \"${var.gone}\"}}}")
        .unwrap();
    let done = scratch.run(&["validate", "--format", "markdown", "-var=tier=a", "-var=size=small"]);
    assert!(done.out.contains("```json\n{\"output\"") && !done.out.contains("```hcl\n{"), "{}", done.out);
}
