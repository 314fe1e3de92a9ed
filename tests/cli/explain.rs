//! `explain` and `graph`, `completions`, `man` and `version`.

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
fn from_a_plans_address_to_the_source() {
    let scratch = scratch();
    for specialised in [false, true] {
        if specialised {
            scratch.run(&["plan", "-var=env=dev"]);
        }
        for address in ["module.db_a[0].terraform_data.app", "module.db_a[0]", "module.db_a"] {
            let done = scratch.run(&["explain", address, "-var", "env=prod"]);
            assert_eq!(done.code, Some(0), "{}", done.err);
            for part in [
                "stands for module.db where var.env == \"prod\"",
                "  active with this run's values",
                "module.db.terraform_data.app.input = \"a\"",
                "main.tf:7",
                "v = var.env == \"prod\" ? \"a\" : \"b\"",
                "modules/db/main.tf:3",
                concat!("decided by tf-phi ", env!("CARGO_PKG_VERSION")),
            ] {
                assert!(done.out.contains(part), "{part}: {}", done.out);
            }
        }
        let done = scratch.run(&["explain", "module.db_b[0]", "-var", "env=prod"]);
        assert!(done.out.contains("  not active"), "{}", done.out);
        let done = scratch.run(&["explain", "module.db_b[0]"]);
        assert!(done.out.contains("isn't known") && done.out.contains("var.env"), "{}", done.out);
        let done = scratch.run(&["explain", "module.db"]);
        assert!(done.out.contains("\nmodule.db_a\n") && done.out.contains("\nmodule.db_b\n"), "{}", done.out);
    }
}

#[test]
fn as_json() {
    let done =
        scratch().run(&["explain", "module.db_a[0].terraform_data.app", "-var=env=prod", "--format=json"]);
    let json: Json = serde_json::from_str(&done.out).unwrap();
    assert_eq!(json["original"], "module.db.terraform_data.app");
    let copy = &json["copies"][0];
    assert_eq!((&copy["active"], &copy["fields"][0]["value"]), (&true.into(), &"a".into()));
    let trace = copy["fields"][0]["trace"].as_array().unwrap();
    assert!(trace.iter().any(|h| h["source_span"] == "main.tf:7"), "{trace:?}");
}

#[test]
fn what_was_not_specialised() {
    let done = scratch().run(&["explain", "module.db_c[0]"]);
    assert_eq!(done.code, Some(1));
    assert!(done.err.contains("Did you mean \"module.db_"), "{}", done.err);
}

#[test]
fn pictures() {
    let scratch = scratch();
    let dot = scratch.run(&["graph", "module.db.terraform_data.app.input"]);
    assert!(dot.out.starts_with("digraph trace {") && dot.out.contains("main.tf:7"), "{}", dot.out);
    let drawn = |form: &str| scratch.run(&["graph", "--format", form]).out;
    assert!(drawn("mermaid").starts_with("flowchart TD\n"));
    assert!(
        drawn("svg").starts_with("<svg class=\"g\" xmlns=") && drawn("svg").trim_end().ends_with("</svg>")
    );
    assert!(drawn("html").starts_with("<!DOCTYPE html>"));
    assert_eq!(scratch.run(&["graph", "module.nope.a.b"]).code, Some(1));
}

#[test]
fn a_picture_names_copies_and_marks_what_a_run_takes() {
    let scratch = scratch();
    let drawn = |words: &[&str]| scratch.run(&[&["graph", "--format", "mermaid"], words].concat()).out;
    let plain = drawn(&[]);
    for part in [
        "#34;a#34;<br/>module.db_a",
        "#34;b#34;<br/>module.db_b",
        "-->|\"var.env == #34;prod#34;\"|",
        "-->|\"otherwise\"|",
    ] {
        assert!(plain.contains(part), "{part}: {plain}");
    }
    assert!(!plain.contains("==>"), "{plain}");
    for (run, taken, other) in [
        ("env=prod", "var.env == #34;prod#34;", "otherwise"),
        ("env=dev", "otherwise", "var.env == #34;prod#34;"),
    ] {
        let marked = drawn(&["-var", run]);
        assert!(marked.contains(&format!("==>|\"{taken}\"|")), "{marked}");
        assert!(marked.contains(&format!("-->|\"{other}\"|")), "every way is drawn: {marked}");
    }
    // The same where the tree is specialised already.
    scratch.run(&["plan", "-var=env=dev"]);
    assert_eq!(drawn(&[]), plain);
}

#[test]
fn every_command_is_completed_and_has_its_page() {
    let scratch = Scratch::new([("main.tf", "")]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let done = scratch.run(&["completions", shell]);
        assert_eq!(done.code, Some(0));
        for spec in tf_phi::cli::COMMANDS {
            assert!(done.out.contains(spec.name), "{shell} knows no {}", spec.name);
        }
    }
    // Roff writes dashes so.
    let page = scratch.run(&["man"]).out.replace("\\-", "-");
    for spec in tf_phi::cli::COMMANDS {
        assert!(page.contains(spec.name), "{}", spec.name);
        let own = scratch.run(&["man", spec.name]);
        assert!(own.code == Some(0) && own.out.contains(".SH OPTIONS"), "{}: {}", spec.name, own.out);
    }
    assert_eq!(scratch.run(&["man", "nope"]).code, Some(1));
    let done = scratch.run(&["trace", "--all", "--format", "markdown"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
}

#[test]
fn the_document_names_every_command_and_option() {
    let text = std::fs::read_to_string("docs/commands.md").unwrap();
    for spec in tf_phi::cli::COMMANDS {
        assert!(
            text.contains(&format!("\n## {}\n", spec.name)),
            "docs/commands.md has no section on {}",
            spec.name
        );
        let command = (spec.arguments)(clap::Command::new(spec.name));
        let section = text.split("\n## ").find(|s| s.starts_with(&format!("{}\n", spec.name))).unwrap();
        for long in command.get_arguments().filter_map(clap::Arg::get_long) {
            assert!(
                section.contains(&format!("`--{long}")),
                "docs/commands.md: {} lacks --{long}",
                spec.name
            );
        }
    }
}

#[test]
fn the_page_of_a_code() {
    // No configuration is read for it.
    let scratch = Scratch::new([("main.tf", "resource {"), ("phi.hcl", "nonsense")]);
    let done = scratch.run(&["explain", "no-universe"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(done.out.starts_with("no-universe: ") && done.out.contains("**Fix.**"), "{}", done.out);
    assert!(!done.out.contains("## apply-time-value"), "{}", done.out);
    let done = scratch.run(&["explain", "no-universe", "--format=json"]);
    let json: Json = serde_json::from_str(&done.out).unwrap();
    assert_eq!((&json["format_version"], &json["code"]), (&"1.0".into(), &"no-universe".into()));
    assert!(json["page"].as_str().unwrap().starts_with("**Means.**"), "{json}");
    for (word, said) in [("no-univers", "Did you mean no-universe?"), ("db", "module.db[0]")] {
        let done = scratch.run(&["explain", word]);
        assert_eq!((done.code, done.out.as_str()), (Some(1), ""));
        assert!(done.err.contains(said), "{}", done.err);
    }
}

#[test]
fn the_version_for_people_and_programs() {
    let scratch = Scratch::new([]);
    let number = env!("CARGO_PKG_VERSION");
    let line = scratch.run(&["--version"]).out;
    assert!(line.starts_with(&format!("tf-phi {number}")), "{line}");
    for words in [&["version"][..], &["-version"], &["-v"]] {
        assert_eq!(scratch.run(words).out, line, "{words:?}");
    }
    for words in [&["version", "--json"][..], &["version", "-json"]] {
        let json: Json = serde_json::from_str(&scratch.run(words).out).unwrap();
        assert_eq!((&json["format_version"], &json["version"]), (&"1.0".into(), &number.into()), "{json}");
        // A build for tests says nothing that another commit would change.
        assert!(json["commit"].is_null() == json["date"].is_null(), "{json}");
    }
}
