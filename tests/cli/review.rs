//! `tf-phi review`: what differs from a revision, wherever the directory is; no configuration of a repository runs anything.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::git::{git, repository_of};
use crate::cli_common::{Done, Scratch};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const MAIN: &str = r#"variable "env" {
  type = string
}
locals {
  sizes = { dev = "small", prod = "large" }
}
resource "terraform_data" "a" {
  input = local.sizes[var.env]
}
resource "terraform_data" "old" {
  for_each = var.env == "prod" ? toset(["x", "y"]) : toset(["x"])
  input    = each.key
}
module "m" {
  source = "../modules/m"
  v      = var.env
}
"#;

const MODULE: &str = "variable \"v\" {}\nresource \"terraform_data\" \"in\" {\n  input = var.v\n}\n";

const PHI: &str = "specialize \"terraform_data.a\" {\n  fields = [\"input\"]\n}\n";

/// A repository with the root in `app`, committed.
fn repository() -> Scratch {
    let scratch = Scratch::new([
        ("app/main.tf", MAIN),
        ("app/phi.hcl", PHI),
        ("app/env/dev.tfvars", "env = \"dev\"\n"),
        ("app/env/prod.tfvars", "env = \"prod\"\n"),
        ("modules/m/main.tf", MODULE),
    ]);
    repository_of(&scratch.tree());
    scratch
}

fn edit(dir: &Path) {
    let text =
        MAIN.replace("prod = \"large\"", "prod = \"huge\"").replace("[\"x\", \"y\"]", "[\"x\", \"z\"]");
    fs::write(dir.join("main.tf"), text).unwrap();
}

fn review(scratch: &Scratch, dir: &str, args: &[&str]) -> Done {
    let chdir = format!("-chdir={dir}");
    let all: Vec<&str> = [chdir.as_str(), "review"].into_iter().chain(args.iter().copied()).collect();
    scratch.run(&all)
}

fn json_of(done: &Done) -> Value {
    assert_eq!(done.code, Some(0), "{}", done.err);
    serde_json::from_str(&done.out).unwrap()
}

fn differs(review: &Value) {
    let envs = review["environments"].as_array().unwrap();
    assert_eq!(envs[0]["name"], "dev");
    assert_eq!(envs[0]["values"], json!([]));
    assert_eq!(envs[1]["name"], "prod");
    let cell = |v: &str| json!({"result": "resolved", "value": v});
    let values = envs[1]["values"].as_array().unwrap();
    let input = values.iter().find(|v| v["field"] == "terraform_data.a.input").unwrap();
    assert_eq!((&input["before"], &input["after"]), (&cell("large"), &cell("huge")));
    assert_eq!(
        envs[1]["instances"],
        json!([
            {"address": "terraform_data.old[\"y\"]", "before": true, "after": false},
            {"address": "terraform_data.old[\"z\"]", "before": false, "after": true},
        ])
    );
    assert_eq!(
        review["specializations"],
        json!([{"unit": "terraform_data.a.input", "before": ["small", "large"], "after": ["small", "huge"]}])
    );
}

#[test]
fn values_instances_and_specializations_that_differ() {
    let scratch = repository();
    let same = json_of(&review(&scratch, "app", &["--base", "HEAD", "--format", "json"]));
    assert_eq!(same["environments"][1]["values"], json!([]));
    assert_eq!(same["specializations"], json!([]));
    edit(&scratch.tree().join("app"));
    let before = scratch.snapshot();
    let found = json_of(&review(&scratch, "app", &["--base", "HEAD", "--format", "json"]));
    assert_eq!((&found["format_version"], &found["base"]), (&json!("1.0"), &json!("HEAD")));
    differs(&found);
    assert_eq!(scratch.snapshot(), before, "neither the tree nor the repository is touched");
    assert_eq!(scratch.log(), "", "no Terraform is started");
    for form in ["text", "markdown", "html"] {
        let done = review(&scratch, "app", &["--base", "HEAD", "--format", form]);
        assert!(done.code == Some(0) && done.out.contains("huge"), "{form}: {}{}", done.out, done.err);
    }
}

#[test]
fn fail_on_gives_status_3() {
    let scratch = repository();
    let status = |what: &str| review(&scratch, "app", &["--base", "HEAD", "--fail-on", what]).code;
    assert_eq!(status("destroy,replace,change,finding"), Some(0));
    edit(&scratch.tree().join("app"));
    assert_eq!((status("change"), status("destroy"), status("finding")), (Some(3), Some(3), Some(0)));
    let text = MAIN.replace("dev = \"small\", ", "");
    fs::write(scratch.tree().join("app/main.tf"), text).unwrap();
    let done = review(&scratch, "app", &["--base", "HEAD", "--fail-on", "finding", "--format", "json"]);
    assert_eq!(done.code, Some(3), "{}", done.err);
    let found: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(
        found["findings"],
        json!([{
            "field": "terraform_data.a.input",
            "severity": "error",
            "error": "Invalid index: The given key does not identify an element in this collection value.",
            "condition": {"existing": "var.env == \"dev\""},
            "gate": "var.env == \"dev\"",
            "witness": {"workspace": "default", "variables": {"env": "dev"}, "environment": "dev"},
            "environments": ["dev"],
            "source_span": "main.tf:8",
        }])
    );
    for form in ["text", "markdown", "html"] {
        let out = review(&scratch, "app", &["--base", "HEAD", "--format", form]).out;
        assert!(out.contains("Invalid index") && out.contains("main.tf"), "{form}: {out}");
    }
}

fn commit(scratch: &Scratch) {
    git(&scratch.tree(), &["add", "-A"]);
    git(&scratch.tree(), &["commit", "-qm", "next"]);
}

fn findings(scratch: &Scratch) -> Vec<(String, Vec<String>, Value)> {
    let done = review(scratch, "app", &["--base", "HEAD", "--format", "json", "--fail-on", "finding"]);
    let found: Value = serde_json::from_str(&done.out).unwrap();
    let one = |f: &Value| {
        let names = f["environments"].as_array().unwrap().iter().map(|e| e.as_str().unwrap().to_owned());
        let text = f["error"].as_str().unwrap().to_owned();
        (text, names.collect(), f["witness"]["variables"].clone())
    };
    let all: Vec<_> = found["findings"].as_array().unwrap().iter().map(one).collect();
    assert_eq!(done.code, Some(if all.is_empty() { 0 } else { 3 }), "{}", done.out);
    all
}

#[test]
fn what_failed_before_is_no_finding_though_lines_move_and_words_change() {
    let scratch = repository();
    let main = scratch.tree().join("app/main.tf");
    let rule = "variable \"size\" {\n  type    = number\n  default = 3\n  validation {\n    condition     = var.size < 3\n    error_message = \"Too large.\"\n  }\n}\n";
    let failing = format!("{rule}{}", MAIN.replace("dev = \"small\", ", ""));
    fs::write(&main, &failing).unwrap();
    commit(&scratch);
    assert_eq!(findings(&scratch), []);
    fs::write(&main, format!("# A line above.\n\n{}", failing.replace("Too large.", "Too large, sadly.")))
        .unwrap();
    assert_eq!(findings(&scratch), []);
}

#[test]
fn of_what_failed_before_only_further_environments_are_told() {
    let scratch = repository();
    let main = scratch.tree().join("app/main.tf");
    fs::write(&main, MAIN.replace("dev = \"small\", ", "")).unwrap();
    commit(&scratch);
    fs::write(&main, MAIN.replace("dev = \"small\", prod = \"large\"", "qa = \"large\"")).unwrap();
    let found = findings(&scratch);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&found[0].1, &found[0].2), (&vec!["prod".to_owned()], &json!({"env": "prod"})));
    // An environment that comes, and fails at once.
    fs::write(&main, MAIN.replace("dev = \"small\", ", "")).unwrap();
    fs::write(scratch.tree().join("app/env/qa.tfvars"), "env = \"qa\"\n").unwrap();
    let found = findings(&scratch);
    assert_eq!((found.len(), &found[0].1), (1, &vec!["qa".to_owned()]), "{found:?}");
}

#[test]
fn listed_values_that_failed_before_are_no_finding() {
    let scratch = repository();
    let phi = scratch.tree().join("app/phi.hcl");
    let listed = |values: &str| {
        fs::write(&phi, format!("{PHI}variable \"env\" {{\n  universe = [{values}]\n}}\n")).unwrap();
    };
    listed("\"dev\", \"prod\", \"qa\"");
    commit(&scratch);
    assert_eq!(findings(&scratch), []);
    // `qa` fails in the base; what isn't listed there would, too.
    listed("\"dev\", \"prod\", \"qa\", \"live\"");
    assert_eq!(findings(&scratch), []);
    // Nothing failed at `qa` before.
    fs::write(&phi, PHI).unwrap();
    commit(&scratch);
    listed("\"dev\", \"prod\", \"qa\"");
    let found = findings(&scratch);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&found[0].1, &found[0].2), (&Vec::new(), &json!({"env": "qa"})));
}

#[test]
fn a_field_that_can_no_longer_be_specialised_is_a_finding() {
    let scratch = repository();
    let text = MAIN.replace("input = local.sizes[var.env]", "input = timestamp()");
    fs::write(scratch.tree().join("app/main.tf"), text).unwrap();
    let done = review(&scratch, "app", &["--base", "HEAD", "--format", "json", "--fail-on", "finding"]);
    let found: Value = serde_json::from_str(&done.out).unwrap();
    let one = &found["findings"][0];
    assert_eq!(
        (done.code, &one["code"], &one["field"]),
        (Some(3), &json!("plan-stability"), &json!("terraform_data.a.input"))
    );
    assert_eq!(
        (&one["gate"], &one["environments"], &one["source_span"]),
        (&Value::Null, &json!([]), &json!("main.tf:8"))
    );
}

#[test]
fn worktrees_and_shallow_clones() {
    let scratch = repository();
    git(&scratch.tree(), &["worktree", "add", "-q", "../other", "-b", "other"]);
    let other = scratch.path("other");
    edit(&other.join("app"));
    let dir = other.join("app");
    differs(&json_of(&review(&scratch, dir.to_str().unwrap(), &["--base", "main", "--format", "json"])));
    git(&scratch.tree(), &["commit", "-q", "--allow-empty", "-m", "more"]);
    let url = format!("file://{}", scratch.tree().display());
    git(&scratch.path(""), &["clone", "-q", "--depth", "1", &url, "shallow"]);
    let shallow = scratch.path("shallow/app");
    edit(&shallow);
    differs(&json_of(&review(&scratch, shallow.to_str().unwrap(), &["--base", "HEAD", "--format", "json"])));
    let done = review(&scratch, shallow.to_str().unwrap(), &["--base", "HEAD~1"]);
    assert!(
        done.code == Some(1) && done.err.contains("shallow") && done.err.contains("git fetch"),
        "{}",
        done.err
    );
}

#[test]
fn a_sparse_clone_has_the_whole_base() {
    let scratch = repository();
    git(&scratch.tree(), &["sparse-checkout", "set", "--cone", "app", "modules"]);
    edit(&scratch.tree().join("app"));
    differs(&json_of(&review(&scratch, "app", &["--base", "HEAD", "--format", "json"])));
}

#[test]
fn a_directory_that_is_new_or_was_renamed() {
    let scratch = repository();
    git(&scratch.tree(), &["mv", "app", "web"]);
    let found = json_of(&review(&scratch, "web", &["--base", "HEAD", "--format", "json"]));
    assert_eq!(found["environments"][1]["values"], json!([]), "{found}");
    git(&scratch.tree(), &["mv", "web", "app"]);
    fs::create_dir(scratch.tree().join("fresh")).unwrap();
    fs::write(scratch.tree().join("fresh/main.tf"), "resource \"terraform_data\" \"n\" {\n  input = 1\n}\n")
        .unwrap();
    let found = json_of(&review(&scratch, "fresh", &["--base", "HEAD", "--format", "json"]));
    assert_eq!(
        found["environments"][0]["instances"],
        json!([{"address": "terraform_data.n", "before": false, "after": true}])
    );
}

#[test]
fn links_and_submodules_of_the_base() {
    let library = Scratch::new([("main.tf", MODULE)]);
    repository_of(&library.tree());
    let scratch = Scratch::new([
        ("real/main.tf", MODULE),
        (
            "app/main.tf",
            "module \"a\" {\n  source = \"./linked\"\n  v      = \"old\"\n}\nmodule \"b\" {\n  source = \"../sub\"\n  v      = \"old\"\n}\n",
        ),
    ]);
    std::os::unix::fs::symlink("../real", scratch.tree().join("app/linked")).unwrap();
    git(&scratch.tree(), &["init", "-q"]);
    git(&scratch.tree(), &["submodule", "add", "-q", library.tree().to_str().unwrap(), "sub"]);
    git(&scratch.tree(), &["add", "-A"]);
    git(&scratch.tree(), &["commit", "-qm", "base"]);
    let main = scratch.tree().join("app/main.tf");
    fs::write(&main, fs::read_to_string(&main).unwrap().replace("\"old\"", "\"new\"")).unwrap();
    let found = json_of(&review(&scratch, "app", &["--base", "HEAD", "--format", "json"]));
    let fields: Vec<&str> = found["environments"][0]["values"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v["field"].as_str().unwrap())
        .collect();
    assert!(fields.contains(&"module.a.terraform_data.in.input"), "{fields:?}");
    assert!(fields.contains(&"module.b.terraform_data.in.input"), "{fields:?}");
}

/// Modules are installed in the work tree alone, so a base reads them there: no link that a stranger commits leads it out.
#[test]
fn a_base_reads_no_module_outside() {
    let main = |v: &str| format!("resource \"terraform_data\" \"a\" {{\n  input = {v}\n}}\n");
    let call = "module \"m\" {\n  source = \"git::https://example.com/m\"\n}\n";
    let list = r#"{"Modules": [{"Key": "m", "Source": "git::https://example.com/m", "Dir": ".terraform/modules/m"}]}"#;
    for (folder, shown) in [("../../../other", false), ("../../../own", true)] {
        let scratch = Scratch::new([
            ("app/main.tf", &*format!("{}{call}", main("module.m.v"))),
            ("app/.terraform/modules/modules.json", list),
            ("own/main.tf", "output \"v\" {\n  value = \"hunter2\"\n}\n"),
        ]);
        let other = scratch.path("other");
        fs::create_dir_all(&other).unwrap();
        fs::copy(scratch.tree().join("own/main.tf"), other.join("main.tf")).unwrap();
        let folder = if shown { folder.to_owned() } else { format!("../{folder}") };
        std::os::unix::fs::symlink(&folder, scratch.tree().join("app/.terraform/modules/m")).unwrap();
        repository_of(&scratch.tree());
        fs::write(scratch.tree().join("app/main.tf"), main("\"new\"")).unwrap();
        let done = review(&scratch, "app", &["--base", "HEAD", "--format", "json"]);
        let said = format!("{}{}", done.out, done.err);
        assert_eq!(said.contains("hunter2"), shown, "{said}");
        assert!(shown || said.contains("outside"), "{said}");
    }
}

/// A submodule's own work tree names its repository, and that one names it.
#[test]
fn a_submodule_is_reviewed_where_it_stands() {
    let library = repository();
    let scratch = Scratch::new([("main.tf", MODULE)]);
    git(&scratch.tree(), &["init", "-q"]);
    git(&scratch.tree(), &["submodule", "add", "-q", library.tree().to_str().unwrap(), "sub"]);
    git(&scratch.tree(), &["commit", "-qm", "sub"]);
    edit(&scratch.tree().join("sub/app"));
    differs(&json_of(&review(&scratch, "sub/app", &["--base", "HEAD", "--format", "json"])));
}

/// Git prints a path over two lines where its name has two.
#[test]
fn a_directory_named_with_a_newline_is_compared_with_itself() {
    let text = |v: &str| format!("resource \"terraform_data\" \"a\" {{\n  input = \"{v}\"\n}}\n");
    let scratch = Scratch::new([("a/main.tf", &*text("x")), ("a\nb/main.tf", &*text("y"))]);
    repository_of(&scratch.tree());
    let done = review(&scratch, "a\nb", &["--base", "HEAD"]);
    assert!(done.code == Some(0) && done.out.contains("nothing differs"), "{}{}", done.out, done.err);
}

#[test]
fn bad_bases_are_said_and_nothing_is_written() {
    let scratch = repository();
    let before = scratch.snapshot();
    for base in ["nowhere", "--output=/tmp/x", "HEAD:app/main.tf"] {
        let done = review(&scratch, "app", &[&format!("--base={base}")]);
        assert!(done.code == Some(1) && done.err.contains("no revision"), "{base}: {}", done.err);
        assert_eq!(done.out, "");
    }
    assert_eq!(scratch.snapshot(), before);
    let outside = Scratch::new([("main.tf", "")]);
    let done = outside.run(&["review", "--base", "HEAD"]);
    assert!(done.code == Some(1) && done.err.contains("not in a git repository"), "{}", done.err);
}

#[test]
fn a_repository_runs_nothing_through_us() {
    let scratch = repository();
    fs::write(scratch.tree().join(".gitattributes"), "* filter=x diff=x\n").unwrap();
    git(&scratch.tree(), &["add", ".gitattributes"]);
    git(&scratch.tree(), &["commit", "-qm", "attributes"]);
    edit(&scratch.tree().join("app"));
    let evil = scratch.path("evil");
    let mark = scratch.path("mark");
    fs::write(&evil, format!("#!/bin/sh\necho run >> {}\nexit 1\n", mark.display())).unwrap();
    fs::set_permissions(&evil, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let evil = evil.to_str().unwrap();
    for key in [
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "core.askPass",
        "core.gitProxy",
        "core.editor",
        "core.alternateRefsCommand",
        "credential.helper",
        "diff.external",
        "diff.x.textconv",
        "filter.x.smudge",
        "filter.x.clean",
        "filter.x.process",
        "uploadpack.packObjectsHook",
        "alias.ls-tree",
        "alias.cat-file",
        "alias.rev-parse",
        "gpg.program",
    ] {
        let value = if key.starts_with("alias") { format!("!{evil}") } else { evil.to_owned() };
        git(&scratch.tree(), &["config", key, &value]);
    }
    git(&scratch.tree(), &["config", "extensions.partialClone", "origin"]);
    git(&scratch.tree(), &["config", "remote.origin.url", &format!("ext::{evil}")]);
    git(&scratch.tree(), &["config", "remote.origin.promisor", "true"]);
    git(&scratch.tree(), &["config", "remote.origin.uploadpack", evil]);
    let hooks = scratch.tree().join(".git/hooks");
    for hook in ["post-checkout", "pre-commit", "fsmonitor-watchman", "post-index-change"] {
        let _ = fs::create_dir_all(&hooks);
        fs::copy(evil, hooks.join(hook)).unwrap();
    }
    let done = review(&scratch, "app", &["--base", "HEAD", "--format", "json"]);
    differs(&json_of(&done));
    // An object that isn't there would be fetched.
    let missing = review(&scratch, "app", &["--base", "0123456789012345678901234567890123456789"]);
    assert_eq!(missing.code, Some(1), "{}", missing.out);
    assert!(!mark.exists(), "{}", fs::read_to_string(&mark).unwrap_or_default());
}
