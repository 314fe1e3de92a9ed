//! `check`: up to date or not, in one directory and in many, and the forms of its report.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::Scratch;
use serde_json::Value as Json;

const ROOT: &str = "variable \"env\" {\n  type = string\n}\n\nmodule \"db\" {\n  source = \"./modules/db\"\n  \
    v = var.env == \"prod\" ? \"a\" : \"b\"\n}\n";
const MODULE: &str = "variable \"v\" {}\nresource \"terraform_data\" \"app\" {\n  input = var.v\n}\n";
const PHI: &str = "specialize \"terraform_data.app\" {\n  fields = [\"input\"]\n}\n";

fn scratch() -> Scratch {
    Scratch::new([("main.tf", ROOT), ("modules/db/main.tf", MODULE), ("phi.hcl", PHI)])
}

#[test]
fn it_would_change_until_it_is_specialised() {
    let scratch = scratch();
    let before = scratch.snapshot();
    let done = scratch.run(&["check"]);
    assert_eq!(done.code, Some(3), "{}", done.err);
    assert!(done.out.contains(".: would change main.tf, modules/db-a/main.tf"), "{}", done.out);
    let shown = scratch.run(&["check", "--diff"]);
    assert!(shown.code == Some(3) && shown.out.contains("+++ b/modules/db-a/main.tf"), "{}", shown.out);
    assert_eq!(scratch.snapshot(), before);
    // The chain of either branch is one.
    for value in ["prod", "dev"] {
        scratch.run(&["plan", &format!("-var=env={value}")]);
        let done = scratch.run(&["check"]);
        assert_eq!(
            (done.code, done.out.as_str()),
            (Some(0), "1 of 1 directory up to date.\n"),
            "{}",
            done.err
        );
    }
    let main = std::fs::read_to_string(scratch.tree().join("modules/db/main.tf")).unwrap();
    std::fs::write(scratch.tree().join("modules/db/main.tf"), format!("{main}locals {{}}\n")).unwrap();
    let done = scratch.run(&["check"]);
    assert!(done.code == Some(3) && done.out.contains("modules/db-a/main.tf"), "{}", done.out);
    assert!(!done.out.contains("phi.moved.tf"), "{}", done.out);
}

/// What a later version has written may hold what this one knows nothing of, and would lose.
#[test]
fn a_record_of_a_later_version_is_left_alone() {
    let forms =
        [("\"format_version\": \"1.2\"", "\"format_version\": \"1.3\""), ("\"naming\": 2", "\"naming\": 3")];
    for (ours, later) in forms {
        let scratch = scratch();
        assert_eq!(scratch.run(&["check", "--fix"]).code, Some(0));
        let record = scratch.tree().join(".phi/provenance.json");
        let text = std::fs::read_to_string(&record).unwrap();
        assert!(text.contains(ours));
        std::fs::write(&record, text.replace(ours, later)).unwrap();
        let before = scratch.snapshot();
        for command in ["plan", "check", "restore", "diff", "trace", "graph"] {
            let done = scratch.run(&[command]);
            assert_eq!(done.code, Some(1), "{command}: {}{}", done.out, done.err);
            let said = format!("{}{}", done.out, done.err);
            assert!(
                said.contains("a later version of tf-phi") && said.contains("Update tf-phi"),
                "{command}: {said}"
            );
        }
        assert_eq!(scratch.run(&["check", "--fix"]).code, Some(1));
        assert_eq!(scratch.snapshot(), before);
    }
}

#[test]
fn it_is_fixed_on_request() {
    let scratch = scratch();
    let done = scratch.run(&["check", "--fix"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    assert!(done.out.contains("wrote main.tf"), "{}", done.out);
    assert_eq!(scratch.run(&["check"]).code, Some(0));
    // The moves lead to some branch; a run leads them to its own.
    let moves = |value: &str| scratch.run(&["diff", value]).out.matches("+++ b/phi.moved.tf").count();
    assert_eq!(moves("-var=env=prod") + moves("-var=env=dev"), 1);
    assert_eq!(scratch.run(&["restore"]).code, Some(0));
    assert_eq!(scratch.run(&["check"]).code, Some(3));
}

#[test]
fn where_sources_are_put_back_the_original_is_up_to_date() {
    let scratch = scratch();
    let phi = format!("settings {{\n  keep = false\n}}\n{PHI}");
    std::fs::write(scratch.tree().join("phi.hcl"), phi).unwrap();
    assert_eq!(scratch.run(&["check"]).code, Some(0));
}

#[test]
fn many_directories() {
    let scratch = Scratch::new([
        ("a/main.tf", ROOT),
        ("a/modules/db/main.tf", MODULE),
        ("a/phi.hcl", PHI),
        ("b/main.tf", "locals {}\n"),
        ("c/main.tf", "variable \"v\" {}\nresource \"terraform_data\" \"x\" {\n  input = var.v\n}\n"),
        ("c/phi.hcl", "specialize \"terraform_data.x\" {\n  fields = [\"input\"]\n}\n"),
        (".hidden/main.tf", "locals {\n"),
    ]);
    let done = scratch.run(&["check", "--recursive"]);
    assert_eq!(done.code, Some(1), "{}", done.out);
    assert!(
        done.err.contains("no-universe") && done.out.contains("a: would change"),
        "{}{}",
        done.out,
        done.err
    );
    assert!(done.out.ends_with("1 of 3 directories up to date.\n"), "{}", done.out);
    assert_eq!(scratch.run(&["check", "a", "b"]).code, Some(3));
    assert_eq!(scratch.run(&["-chdir=b", "check"]).code, Some(0));
    let json: Json =
        serde_json::from_str(&scratch.run(&["check", "--recursive", "--format=json"]).out).unwrap();
    let status: Vec<_> = json["directories"].as_array().unwrap().iter().map(|d| &d["status"]).collect();
    assert_eq!(status, ["would-change", "up-to-date", "issues"]);
    let done = scratch.run(&["check", "--recursive", "--format", "sarif"]);
    let sarif: Json = serde_json::from_str(&done.out).unwrap();
    let rules: Vec<_> =
        sarif["runs"][0]["results"].as_array().unwrap().iter().map(|r| &r["ruleId"]).collect();
    assert_eq!(rules, ["outdated", "no-universe"]);
    assert_eq!(done.err, "");
    let done = scratch.run(&["check", "--recursive", "--format", "github"]);
    assert!(
        done.out.contains("::error file=a/main.tf,line=5,endLine=5,col=1,title=tf-phi%3A outdated::"),
        "{}",
        done.out
    );
    assert!(done.out.contains("::error file=c/main.tf,line=3,endLine=3,col=11,title="), "{}", done.out);
    let done = scratch.run(&["check", "--recursive", "--format", "markdown"]);
    assert!(done.out.contains("### ⛔ can't determine the value of input"), "{}", done.out);
}

/// The files of the text are those of the JSON, and both say what to type.
#[test]
fn it_says_what_to_do_and_lists_the_same_everywhere() {
    let scratch = scratch();
    let done = scratch.run(&["check"]);
    assert!(done.out.contains("; to write it: tf-phi check --fix\n"), "{}", done.out);
    let json: Json = serde_json::from_str(&scratch.run(&["check", "--format=json"]).out).unwrap();
    let files: Vec<_> =
        json["directories"][0]["changes"].as_array().unwrap().iter().map(|f| f.as_str().unwrap()).collect();
    assert!(done.out.contains(&format!("would change {};", files.join(", "))), "{files:?} {}", done.out);
    let done = scratch.run(&["-chdir=modules/..", "check"]);
    assert!(done.out.contains("to write it: tf-phi -chdir=modules/.. check --fix\n"), "{}", done.out);
}

/// An annotation stands at the edit, and not in the copy that follows from it.
#[test]
fn the_line_that_was_edited_is_marked() {
    let scratch = scratch();
    assert_eq!(scratch.run(&["check", "--fix"]).code, Some(0));
    let module = scratch.tree().join("modules/db/main.tf");
    let edited = MODULE.replace("  input = var.v\n", "  input = var.v\n  triggers_replace = [\"now\"]\n");
    std::fs::write(&module, edited).unwrap();
    let done = scratch.run(&["check", "--format", "github"]);
    assert_eq!(done.code, Some(3));
    assert!(done.out.starts_with("::error file=modules/db/main.tf,line=4,endLine=4,col=3,"), "{}", done.out);
}

#[test]
fn plan_reports_in_every_form() {
    let scratch = scratch();
    std::fs::write(scratch.tree().join("main.tf"), ROOT.replace("? \"a\" : \"b\"", "? var.env : \"b\""))
        .unwrap();
    for (format, wanted) in [("sarif", "\"ruleId\""), ("github", "::error "), ("markdown", "### ⛔")] {
        let broken = ROOT.replace("var.env == \"prod\" ? \"a\" : \"b\"", "var.env");
        std::fs::write(scratch.tree().join("main.tf"), broken).unwrap();
        let done = scratch.run(&["plan", "--format", format]);
        assert!(done.code == Some(1) && done.err.contains(wanted), "{}", done.err);
    }
}

/// A field that nothing sets is passed over, and said; one that some resources set is not.
#[test]
fn fields_that_nothing_sets_are_said() {
    let module = "variable \"v\" {}\nresource \"terraform_data\" \"app\" {\n  input = { version = var.v, size = 1 }\n}\nresource \"terraform_data\" \"bare\" {}\n";
    let said = |label: &str, fields: &str, args: &[&str]| {
        let phi = format!("specialize \"{label}\" {{\n  fields = [{fields}]\n}}\n");
        let scratch = Scratch::new([("main.tf", ROOT), ("modules/db/main.tf", module), ("phi.hcl", &phi)]);
        scratch.run(args).err.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for (fields, near) in [
        ("\"inptu\"", "Did you mean \"input\"?"),
        ("\"input.versoin\"", "Did you mean \"input.version\"?"),
        ("\"input.version\", \"input.colour\"", "What is set: input.size, input.version."),
        ("\"colour\"", "What is set: input."),
    ] {
        for label in ["terraform_data", "terraform_data.app", "module.db.terraform_data.app"] {
            for args in [&["check"][..], &["plan", "--dry-run", "-var=env=prod"]] {
                let err = said(label, fields, args);
                assert!(
                    err.contains("Warning") && err.contains("phi.hcl:2") && err.contains(near),
                    "{label}: {err}"
                );
            }
        }
    }
    for (label, fields) in [("terraform_data", "\"input.version\""), ("module.db", "\"v\"")] {
        let err = said(label, fields, &["check"]);
        assert!(!err.contains("Warning"), "{err}");
    }
}

/// What a run takes away is no file that it wrote.
#[test]
fn files_that_go_are_called_removed() {
    let main = "variable \"env\" {\n  default = \"dev\"\n}\nmodule \"m\" {\n  source  = \"./m\"\n  protect = var.env == \"prod\"\n}\n";
    let module = "variable \"protect\" {\n  type = bool\n}\nresource \"terraform_data\" \"db\" {\n";
    let split = format!("{module}  lifecycle {{\n    prevent_destroy = var.protect\n  }}\n}}\n");
    let scratch = Scratch::new([("main.tf", main), ("m/main.tf", &split)]);
    assert_eq!(scratch.run(&["check", "--fix"]).code, Some(0));
    std::fs::write(scratch.tree().join("m/main.tf"), format!("{module}}}\n")).unwrap();
    let done = scratch.run(&["check"]);
    let said = ".: would change main.tf, phi.moved.tf; would remove m-split/main.tf; to write it: tf-phi check --fix";
    assert!(done.code == Some(3) && done.out.contains(said), "{}", done.out);
    let done = scratch.run(&["check", "--format", "github"]);
    assert!(done.out.contains("These files would be removed: m-split/main.tf."), "{}", done.out);
    let done = scratch.run(&["check", "--fix"]);
    assert!(done.out.contains(".: wrote main.tf, phi.moved.tf; removed m-split/main.tf\n"), "{}", done.out);
    let done = scratch.run(&["restore"]);
    let said = "no source had to be put back; removed .phi/provenance.json, phi.moved.tf.";
    assert!(done.code == Some(0) && done.err.contains(said), "{}", done.err);
}

/// `restore` can't tell the way home of what can't be read. Only where a state may need it something is left to do.
#[test]
fn a_way_home_that_is_not_found_is_left_to_do_where_a_state_may_need_it() {
    let main = "variable \"env\" {}\nresource \"terraform_data\" \"db\" {\n  lifecycle {\n    prevent_destroy = var.env == \"prod\"\n  }\n}\n";
    for backend in ["", "terraform {\n  backend \"s3\" {}\n}\n"] {
        let scratch = Scratch::new([("main.tf", main), ("backend.tf", backend)]);
        assert_eq!(scratch.run(&["check", "--fix"]).code, Some(0));
        std::fs::write(scratch.tree().join("more.tf"), "module \"x\" {\n  source = \"./nowhere\"\n}\n")
            .unwrap();
        let done = scratch.run(&["restore"]);
        let is_due = !backend.is_empty();
        assert_eq!(done.code, Some(u8::from(is_due).into()), "{}", done.err);
        assert_eq!(done.err.contains("before anybody plans without tf-phi"), is_due, "{}", done.err);
        assert_eq!(std::fs::read_to_string(scratch.tree().join("main.tf")).unwrap(), main);
    }
}
