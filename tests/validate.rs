//! `tf-phi validate`: a folder per kind of failure, with what is found in it.
//!
//! `UPDATE_GOLDEN=1 cargo test --test validate` writes what is found. `scripts/validate` asks a real Terraform about each witness.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    missing_docs
)]

#[path = "cli_common/mod.rs"]
mod cli_common;
mod refused;

use cli_common::{Done, Scratch};
use refused::Syntax;
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};

fn files(below: &Path, out: &mut Vec<(String, String)>, top: &Path) {
    let mut entries: Vec<PathBuf> = fs::read_dir(below).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, out, top);
        } else {
            let name = path.strip_prefix(top).unwrap().to_str().unwrap().to_owned();
            out.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
}

/// A case's tree, with the list of modules that `terraform get` would write.
fn scratch(case: &Path) -> Scratch {
    let mut all = Vec::new();
    let top = case.join("in");
    files(&top, &mut all, &top);
    Scratch::new(all.iter().map(|(path, text)| (path.as_str(), text.as_str())))
}

fn found(done: &Done) -> Vec<Json> {
    let document: Json =
        serde_json::from_str(&done.out).unwrap_or_else(|e| panic!("{e}: {}\n{}", done.out, done.err));
    assert_eq!(document["format_version"], "1.0");
    document["findings"].as_array().unwrap().clone()
}

#[test]
fn each_kind_of_failure() {
    let mut cases: Vec<PathBuf> =
        fs::read_dir("tests/validate").unwrap().map(|e| e.unwrap().path()).collect();
    cases.sort();
    assert!(cases.len() > 15, "{cases:?}");
    let mut wrong = Vec::new();
    for case in cases {
        let scratch = scratch(&case);
        let before = scratch.snapshot();
        let text = scratch.run(&["validate"]);
        let json = scratch.run(&["validate", "--format", "json"]);
        assert_eq!(scratch.snapshot(), before, "{case:?} was changed");
        assert_eq!(scratch.log(), "", "{case:?} started a program");
        let stops = found(&json).iter().any(|f| f["severity"] == "error");
        assert_eq!(
            (text.code, json.code),
            (Some(3 * i32::from(stops)), Some(3 * i32::from(stops))),
            "{case:?}\n{}",
            text.err
        );
        for (name, said) in [("out.txt", format!("{}{}", text.out, text.err)), ("out.json", json.out)] {
            let path = case.join(name);
            if std::env::var_os("UPDATE_GOLDEN").is_some() {
                fs::write(&path, &said).unwrap();
            }
            if fs::read_to_string(&path).unwrap_or_default() != said {
                wrong.push(format!("{}:\n{said}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn some_environments() {
    let scratch = scratch(Path::new("tests/validate/index-missing-key"));
    assert_eq!(scratch.run(&["validate", "--env", "dev", "--env", "prod"]).code, Some(0));
    let done = scratch.run(&["validate", "--env", "qa", "--format", "json"]);
    assert_eq!((done.code, found(&done).len()), (Some(3), 1));
    let done = scratch.run(&["validate", "--env", "stage"]);
    assert_eq!(done.code, Some(1));
    assert!(
        done.err.contains("No environment is named \"stage\"") && done.err.contains("dev, prod, qa"),
        "{}",
        done.err
    );
    assert_eq!(scratch.run(&["validate", "--var", "env=dev"]).code, Some(0), "-var goes before files");
    assert_eq!(scratch.run(&["validate", "--var", "env=other", "--env", "dev"]).code, Some(3));
}

#[test]
fn what_terraform_loads_by_itself_and_the_environment() {
    let main = "variable \"a\" {\n  default = 0\n}\nvariable \"b\" {\n  default = 0\n}\nlocals {\n  x = [1][var.a]\n  y = [1][var.b]\n}\n";
    let scratch =
        Scratch::new([("main.tf", main), ("terraform.tfvars", "a = 1\n"), ("x.auto.tfvars", "b = 0\n")]);
    let places =
        |done: &Done| found(done).iter().map(|f| f["field"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let args = ["validate", "--format", "json"];
    assert_eq!(places(&scratch.run(&args)), ["local.x"]);
    let done = Done::new(scratch.command(&args).env("TF_VAR_b", "1").output().unwrap());
    assert_eq!(places(&done), ["local.x"], "files go before the environment");
    fs::remove_file(scratch.tree().join("x.auto.tfvars")).unwrap();
    let done = Done::new(scratch.command(&args).env("TF_VAR_b", "1").output().unwrap());
    assert_eq!(places(&done), ["local.x", "local.y"]);
    assert_eq!(found(&done)[0]["witness"]["environment"], "default");
}

/// Each of these Terraform refuses before it gives any variable a value.
#[test]
fn what_terraform_refuses_in_a_variable_file_is_found() {
    let main = "variable \"v\" {\n  default = \"x\"\n}\nlocals {\n  w = { x = 1, dev = 2 }[var.v]\n}\n";
    let refused = [
        ("tfvars", "v = [1,\n"),
        ("tfvars", "v = upper(\"a\")\n"),
        ("tfvars", "v = \"a\"\nv = \"b\"\n"),
        ("tfvars", "v = var.x\n"),
        ("tfvars", "v = foo\n"),
        ("tfvars", "v {\n}\n"),
        ("tfvars.json", "[]"),
        ("tfvars.json", "{\"v\": 1,}"),
        ("tfvars.json", "{\"v\": 1, \"v\": 2}"),
    ];
    for (end, text) in refused {
        let file = format!("env/prod.{end}");
        let scratch = Scratch::new([("main.tf", main), ("env/dev.tfvars", "v = \"dev\"\n"), (&*file, text)]);
        let done = scratch.run(&["validate", "--format", "json"]);
        let all = found(&done);
        assert_eq!((done.code, all.len()), (Some(3), 1), "{text}: {}", done.out);
        assert_eq!(all[0]["environments"], serde_json::json!(["prod"]), "{text}");
        assert_eq!(all[0]["witness"]["environment"], "prod", "{text}");
        assert!(all[0]["source_span"].as_str().unwrap().starts_with(&file), "{text}: {}", done.out);
        assert_eq!(scratch.run(&["validate", "--env", "dev"]).code, Some(0), "{text}");
        assert_eq!(scratch.run(&["validate", "--env", "prod"]).code, Some(3), "{text}");
        // What is read by itself counts in each.
        for name in [format!("terraform.{end}"), format!("x.auto.{end}")] {
            let scratch = Scratch::new([("main.tf", main), (&*name, text)]);
            let done = scratch.run(&["validate", "--format", "json"]);
            let all = found(&done);
            assert_eq!((done.code, all.len()), (Some(3), 1), "{name}: {text}: {}", done.out);
            assert_eq!(all[0]["environments"], serde_json::json!(["default"]), "{name}: {text}");
        }
    }
    // Terraform evaluates the value that counts, and none of a variable that nothing declares.
    let taken = [
        ("a.auto.tfvars", "v = foo\n"),
        ("b.auto.tfvars", "v = \"x\"\nother = upper(\"a\")\n"),
        ("main.tf", main),
    ];
    assert_eq!(Scratch::new(taken).run(&["validate"]).code, Some(0));
}

#[test]
fn what_can_t_be_read_is_no_all_clear() {
    let main = "variable \"v\" {\n  default = \"x\"\n}\n";
    for path in ["terraform.tfvars/x", "x.auto.tfvars/x", "x.auto.tfvars.json/x"] {
        let done = Scratch::new([("main.tf", main), (path, "")]).run(&["validate"]);
        let name = path.trim_end_matches("/x");
        assert!(done.code == Some(1) && done.err.contains(name), "{path}: {}", done.err);
    }
    let scratch = Scratch::new([("main.tf", main)]);
    for (args, said) in [
        (["-var", "nope=1"], "does not declare a variable of that name"),
        (["-var", "v"], "Invalid -var option"),
        (["-var-file", "nope.tfvars"], "nope.tfvars"),
    ] {
        let done = scratch.run(&[&["validate"][..], &args].concat());
        assert!(done.code == Some(1) && done.err.contains(said), "{args:?}: {}", done.err);
    }
    assert_eq!(scratch.run(&["validate", "-var", "v=y"]).code, Some(0));
}

#[test]
fn every_form_says_it() {
    let scratch = scratch(Path::new("tests/validate/index-missing-key"));
    for (format, wanted) in [
        ("sarif", "\"ruleId\": \"fails\""),
        ("github", "::error file=main.tf,line=7"),
        ("markdown", "Invalid index"),
        ("text", "var.env == \"qa\""),
    ] {
        let done = scratch.run(&["validate", "--format", format]);
        assert_eq!(done.code, Some(3), "{format}");
        assert!(done.out.contains(wanted), "{format}: {}", done.out);
    }
}

#[test]
fn what_is_wrong_with_the_tree_is_said_first() {
    let scratch = Scratch::new([("main.tf", "locals {\n  a = \n}\n")]);
    let done = scratch.run(&["validate"]);
    assert_eq!(done.code, Some(1));
    assert!(done.err.contains("main.tf:2"), "{}", done.err);
    assert_eq!(Scratch::new([]).run(&["validate"]).code, Some(1), "no configuration");
}

/// Terraform refuses it as it loads the configuration (measured, 1.11), as it does two resources of one name.
#[test]
fn a_data_source_of_a_check_shares_its_name_with_none() {
    let data = "data \"terraform_remote_state\" \"x\" {\n  backend = \"local\"\n}\n";
    let check = |name: &str| {
        let assertion = "assert {\n  condition = data.terraform_remote_state.x.outputs.v == 1\n  error_message = \"m\"\n}\n";
        format!("check \"{name}\" {{\n{data}{assertion}}}\n")
    };
    for other in [data.to_owned(), check("d")] {
        let scratch = Scratch::new([("a.tf", &*other), ("main.tf", &*check("c"))]);
        let done = scratch.run(&["validate"]);
        assert_eq!(done.code, Some(1), "{}", done.err);
        assert!(done.err.contains("Duplicate resource data.terraform_remote_state.x"), "{}", done.err);
        let done = scratch.run(&["validate", "--format", "json"]);
        assert!(
            done.code == Some(1) && (done.out + &done.err).contains("Duplicate resource"),
            "{}",
            done.err
        );
    }
}

#[test]
fn what_was_written_hides_nothing() {
    let main = "variable \"env\" {\n  type = string\n}\nlocals {\n  size = { a = 1, b = 2 }[var.env]\n}\n\
                resource \"terraform_data\" \"app\" {\n  input = { a = \"x\", b = \"y\" }[var.env]\n}\n";
    let phi = "variable \"env\" {\n  universe = [\"a\", \"b\", \"c\"]\n}\nspecialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("phi.hcl", phi)]);
    let before = scratch.run(&["validate", "--format", "json"]);
    assert_eq!(found(&before).len(), 2, "{}", before.out);
    assert_eq!(scratch.run(&["plan", "-var=env=a"]).code, Some(0));
    let written = fs::read_to_string(scratch.tree().join("main.tf")).unwrap();
    assert!(written.contains("validation {"), "{written}");
    assert_eq!(
        scratch.run(&["validate", "--format", "json"]).out,
        before.out,
        "the original is what is asked"
    );
}

/// Null is no value that `phi.hcl` lacks where Terraform itself refuses it.
#[test]
fn a_null_that_terraform_refuses_is_said_as_such() {
    let main = "variable \"env\" {\n  type     = string\n  nullable = false\n}\nresource \"terraform_data\" \"app\" {\n  input = var.env\n}\n";
    let phi = "variable \"env\" {\n  universe = [\"a\", \"b\"]\n}\nspecialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("phi.hcl", phi), ("env/a.tfvars", "env = null\n")]);
    let before = scratch.snapshot();
    let found = found(&scratch.run(&["validate", "--format", "json"]));
    assert!(found[0]["error"].as_str().unwrap().starts_with("Required variable not set"), "{found:?}");
    let done = scratch.run(&["plan", "-var-file=env/a.tfvars"]);
    assert_eq!(done.code, Some(1));
    assert!(
        done.err.contains("env/a.tfvars:1:1") && done.err.contains("may not be set to null"),
        "{}",
        done.err
    );
    assert!(!done.err.contains("universe"), "{}", done.err);
    assert_eq!(scratch.snapshot(), before, "nothing is written");
}

/// The file is the same, and so is what its values do.
#[test]
fn a_variable_file_counts_however_its_path_is_written() {
    let main = "variable \"size\" {\n  type    = string\n  default = \"s\"\n}\nlocals {\n  price = { s = 1 }[var.size]\n}\n";
    let scratch =
        Scratch::new([("main.tf", main), ("x.tfvars", "size = \"l\"\n"), ("env/e.tfvars", "size = \"s\"\n")]);
    for path in ["x.tfvars", "./x.tfvars", "env/../x.tfvars"] {
        let done = scratch.run(&["validate", &format!("-var-file={path}")]);
        assert_eq!(done.code, Some(3), "{path}: {}", done.out);
    }
}

/// What was found is one thing, and that nothing could be looked for is another.
#[test]
fn findings_are_told_from_failures_by_the_status() {
    let scratch = scratch(Path::new("tests/validate/index-missing-key"));
    let status = |args: &[&str]| scratch.run(&[&["validate"], args].concat()).code;
    assert_eq!(status(&[]), Some(3));
    assert_eq!(status(&["--env", "dev"]), Some(0));
    for failure in [&["--env", "nowhere"][..], &["--fromat", "json"], &["gone"]] {
        assert_eq!(status(failure), Some(1), "{failure:?}");
    }
    fs::create_dir(scratch.tree().join("broken")).unwrap();
    fs::write(scratch.tree().join("broken/main.tf"), "locals {\n").unwrap();
    assert_eq!(status(&["broken"]), Some(1));
    assert_eq!(status(&[".", "broken"]), Some(1), "a failure is worse");
    // A warning is none, unless all of them count.
    let check = "variable \"n\" {\n  default = 1\n}\ncheck \"c\" {\n  assert {\n    condition     = var.n > 1\n    error_message = \"No.\"\n  }\n}\n";
    let warned = Scratch::new([("main.tf", check)]);
    let done = warned.run(&["validate", "--format", "json"]);
    assert_eq!((done.code, found(&done).len()), (Some(0), 1), "{}", done.out);
    assert_eq!(warned.run(&["--strict", "validate"]).code, Some(3));
}

/// What is said of trees, each a root module of one tree.
fn judged(trees: &[Vec<(String, String)>]) -> Vec<Json> {
    let path = |at: usize, path: &str| format!("r{at:03}/{path}");
    let files: Vec<(String, &str)> = trees
        .iter()
        .enumerate()
        .flat_map(|(at, files)| files.iter().map(move |(own, text)| (path(at, own), text.as_str())))
        .collect();
    let scratch = Scratch::new(files.iter().map(|(path, text)| (path.as_str(), *text)));
    let done = scratch.run(&["validate", "--recursive", "--format", "json"]);
    let said: Json = serde_json::from_str(&done.out).unwrap();
    let roots = said["roots"].as_array().unwrap();
    assert_eq!(roots.len(), trees.len());
    roots.clone()
}

fn is_taken(root: &Json) -> bool {
    root["status"] == 0 && root["findings"].as_array().is_some_and(Vec::is_empty)
}

fn is_refused(summary: &str, root: &Json) -> bool {
    let findings = root["findings"].as_array().into_iter().flatten().map(|f| f["error"].as_str().unwrap());
    let issues = root["issues"].as_array().into_iter().flatten().map(|i| i["summary"].as_str().unwrap());
    root["status"] != 0 && findings.chain(issues).any(|text| text.starts_with(summary))
}

/// What `e2e` asks a real Terraform about: each tree in either syntax, by the summary that it gives.
fn judge_table(name: &str, least: usize, is_refused_natively: bool) {
    let text = fs::read_to_string(format!("tests/refused/{name}.txt")).unwrap();
    let table = refused::read_trees(&text, is_refused_natively);
    for syntax in [Syntax::Native, Syntax::Json] {
        let all = table.iter().filter_map(|tree| Some((tree, tree.in_syntax(syntax)?)));
        let (trees, files): (Vec<_>, Vec<_>) = all.unzip();
        assert!(files.len() > least, "{syntax:?}: {}", files.len());
        let mut wrong = Vec::new();
        for ((tree, root), files) in trees.iter().zip(judged(&files)).zip(&files) {
            let summary = tree.summary(syntax);
            let is_right = summary.map_or_else(|| is_taken(&root), |summary| is_refused(summary, &root));
            if !is_right {
                wrong.push(format!("{} as {summary:?}: {root}\n{files:?}", tree.name));
            }
        }
        assert!(wrong.is_empty(), "{} in {syntax:?}:\n{}", wrong.len(), wrong.join("\n"));
    }
}

#[test]
fn what_terraform_refuses_is_found_without_it_in_both_syntaxes() {
    judge_table("refused", 200, true);
}

#[test]
fn what_looks_like_it_and_is_taken_is_no_finding() {
    judge_table("right", 40, false);
}

/// What Terraform before 1.0 accepts isn't known.
#[test]
fn a_tree_for_an_old_terraform_is_not_judged_by_what_a_new_one_refuses() {
    let main = "terraform {\n  required_version = \"= 0.11.15\"\n}\ndata \"terraform_remote_state\" \"r\" {\n  backend = \"local\"\n  config {\n    path = \"x\"\n  }\n}\n";
    let done = Scratch::new([("main.tf", main)]).run(&["validate"]);
    assert_eq!(done.code, Some(0), "{}", done.out);
    let done = Scratch::new([("main.tf", &*main.replace("= 0.11.15", ">= 0.11"))]).run(&["validate"]);
    assert!(done.code == Some(3) && done.out.contains("Unsupported block type"), "{}", done.out);
}

/// Each error as Terraform heads it (measured, 1.11), once, and where Terraform shows it.
#[test]
fn errors_have_terraforms_own_summaries() {
    let variable = |value: &str| format!("variable \"v\" {{\n  default = {value}\n}}\n");
    let rule = |message: &str| {
        format!(
            "resource \"terraform_data\" \"r\" {{\n  lifecycle {{\n    precondition {{\n      condition     = var.v != 1\n      error_message = {message}\n    }}\n  }}\n}}\n"
        )
    };
    let output = |value: &str| format!("output \"o\" {{\n  value = {value}\n}}\n");
    let null = "null\n  type = string";
    for (value, rest, summary, place) in [
        ("[1, 1]", output("{ for x in var.v : x => 1 }"), "Duplicate object key", 5),
        ("[1]", output("\"x${var.v}\""), "Invalid template interpolation value", 5),
        (null, output("\"x${var.v}\""), "Invalid template interpolation value", 6),
        ("true", output("var.v ? [1] : { a = 1 }"), "Inconsistent conditional result types", 5),
        ("\"x\"", output("var.v ? 1 : 2"), "Incorrect condition type", 5),
        ("\"x\"", output("\"%{ if var.v }a%{ endif }\""), "Incorrect condition type", 5),
        (null, output("{ for x in [var.v] : x => 1 }"), "Invalid object key", 6),
        (null, output("[for x in [1] : x if var.v]"), "Condition is null", 6),
        ("\"x\"", output("[for x in [1] : x if var.v]"), "Invalid 'for' condition", 5),
        ("3", output("max(var.v...)"), "Invalid expanding argument value", 5),
        (null, output("{ (var.v) = 1 }"), "Null value as key", 6),
        (
            "1",
            output("module.m.nope") + "module \"m\" {\n  source = \"./m\"\n}\n",
            "Unsupported attribute",
            5,
        ),
        (
            "1",
            output("module.m.y") + "module \"m\" {\n  source = \"./n\"\n}\n",
            "Missing required argument",
            7,
        ),
        ("1", rule("\"one is not enough\""), "Resource precondition failed: one is not enough", 7),
    ] {
        let main = variable(value) + &rest;
        let module = "output \"y\" {\n  value = 1\n}\n";
        let asking = "variable \"q\" {}\noutput \"y\" {\n  value = var.q\n}\n";
        let scratch = Scratch::new([("main.tf", &*main), ("m/main.tf", module), ("n/main.tf", asking)]);
        let said = found(&scratch.run(&["validate", "--format", "json"]));
        assert_eq!(said.len(), 1, "{main}{said:?}");
        assert!(said[0]["error"].as_str().unwrap().starts_with(summary), "{summary}: {said:?}");
        assert!(
            said[0]["source_span"].as_str().unwrap().starts_with(&format!("main.tf:{place}")),
            "{main}{said:?}"
        );
        let text = scratch.run(&["validate"]).out;
        let head = summary.split(':').next().unwrap();
        assert!(text.starts_with(&format!("⚠ Stops: {head}\n")), "{text}");
        assert!(!summary.contains("not enough") || text.contains("\n  one is not enough\n"), "{text}");
    }
}
