//! Many root modules in one command: which are meant, one report, one status.

#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::git::git;
use crate::cli_common::{Done, Scratch};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::fs;

const ROOT: &str = "variable \"env\" {\n  type = string\n}\n\nmodule \"db\" {\n  source = \"../../modules/db\"\n  \
    v = var.env == \"prod\" ? \"a\" : \"b\"\n}\n";
const MODULE: &str = "variable \"v\" {}\nresource \"terraform_data\" \"app\" {\n  input = var.v\n}\n";
const PHI: &str = "specialize \"terraform_data.app\" {\n  fields = [\"input\"]\n}\n";
const STOPS: &str = "module \"net\" {\n  source = \"../../modules/net\"\n  zones  = [\"a\"]\n}\n";
const NET: &str =
    "variable \"zones\" {\n  type = list(string)\n}\noutput \"third\" {\n  value = var.zones[2]\n}\n";

/// Three roots: `a` without environments, `b` with two, `c` at which Terraform stops.
fn scratch() -> Scratch {
    Scratch::new([
        ("live/a/main.tf", ROOT),
        ("live/a/phi.hcl", PHI),
        ("live/b/main.tf", ROOT),
        ("live/b/phi.hcl", PHI),
        ("live/b/env/dev.tfvars", "env = \"dev\"\n"),
        ("live/b/env/prod.tfvars", "env = \"prod\"\n"),
        ("live/c/main.tf", STOPS),
        ("modules/db/main.tf", MODULE),
        ("modules/net/main.tf", NET),
        ("shared/x.txt", "x\n"),
    ])
}

pub(crate) fn repository(scratch: &Scratch) {
    let tree = scratch.tree();
    git(&tree, &["init", "-q"]);
    commit(scratch);
}

pub(crate) fn commit(scratch: &Scratch) {
    git(&scratch.tree(), &["add", "-A"]);
    git(&scratch.tree(), &["commit", "-qm", "x"]);
}

pub(crate) fn json(scratch: &Scratch, args: &[&str]) -> Json {
    let done = scratch.run(args);
    serde_json::from_str(&done.out).unwrap_or_else(|e| panic!("{e}: {}{}", done.out, done.err))
}

fn directories(document: &Json) -> Vec<String> {
    let roots = document["roots"].as_array().unwrap();
    roots.iter().map(|root| root["directory"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn validate_says_once_what_all_have_to_say() {
    let scratch = scratch();
    let done = scratch.run(&["validate", "--recursive"]);
    assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
    assert!(done.out.starts_with("live/c\n⚠ Stops: Invalid index\n"), "{}", done.out);
    assert!(done.out.contains("--> modules/net/main.tf:5:11"), "a path from here: {}", done.out);
    assert!(done.out.ends_with("No input makes Terraform stop in 2 of 3 directories.\n"), "{}", done.out);
    assert_eq!(scratch.run(&["validate", "live/a", "live/b"]).code, Some(0));
    let only = scratch.run(&["validate", "--recursive", "live/c"]).out;
    assert!(only.starts_with("live/c\n") && !only.contains("No input") && !only.ends_with("\n\n"), "{only}");
    let found = json(&scratch, &["validate", "--recursive", "--format", "json"]);
    assert_eq!(directories(&found), ["live/a", "live/b", "live/c"]);
    // The object of one directory is the one that it prints by itself.
    let alone = json(&scratch, &["validate", "live/c", "--format", "json"]);
    assert!(alone.get("roots").is_none());
    for (key, value) in alone.as_object().unwrap() {
        assert_eq!(&found["roots"][2][key], value, "{key}");
    }
    assert_eq!(found["roots"][2]["status"], 3);
    let done = scratch.run(&["validate", "--recursive", "--format", "github"]);
    assert!(done.out.starts_with("::error file=modules/net/main.tf,line=5,"), "{}", done.out);
    let sarif = json(&scratch, &["validate", "--recursive", "--format", "sarif"]);
    let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "modules/net/main.tf");
    let done = scratch.run(&["validate", "--recursive", "--format", "markdown"]);
    assert!(done.out.starts_with("## `live/c`\n\n### ⛔"), "{}", done.out);
}

#[test]
fn a_root_that_cannot_be_read_keeps_no_other_from_its_report() {
    let scratch = scratch();
    fs::write(scratch.tree().join("live/a/main.tf"), "locals {\n").unwrap();
    let done = scratch.run(&["validate", "--recursive"]);
    assert_eq!(done.code, Some(1));
    assert!(
        done.out.contains("live/a\n⚠ Blocking: ") && done.out.contains("live/c\n⚠ Stops"),
        "{}",
        done.out
    );
    assert!(done.out.contains("--> live/a/main.tf:"), "{}", done.out);
    let found = json(&scratch, &["matrix", "--recursive", "--format", "json"]);
    let status: Vec<_> = found["roots"].as_array().unwrap().iter().map(|r| r["status"].clone()).collect();
    assert_eq!(status, [1, 0, 0]);
    assert_eq!(found["roots"][0]["issues"][0]["file"], "main.tf");
}

#[test]
fn a_missing_directory_is_an_error_of_its_own() {
    let scratch = scratch();
    for command in ["validate", "check", "matrix"] {
        let done = scratch.run(&[command, "live/a", "live/d/", "lvie/a"]);
        assert_eq!((done.code, done.out.as_str()), (Some(1), ""), "{command}");
        assert!(done.err.contains("there is no directory live/d"), "{}", done.err);
        assert!(done.err.contains("there is no directory lvie/a"), "{}", done.err);
    }
    let done = scratch.run(&["check", "liv"]);
    assert!(done.err.contains("Did you mean live?"), "{}", done.err);
    let done = scratch.run(&["validate", "live/a/main.tf"]);
    assert!(done.err.contains("live/a/main.tf is not a directory"), "{}", done.err);
    let done = scratch.run(&["validate", "--recursive", "shared"]);
    assert!(done.code == Some(1) && done.err.contains("there is no root module here"), "{}", done.err);
}

#[test]
fn matrix_takes_directories_and_addresses() {
    let scratch = scratch();
    let done = scratch.run(&["matrix", "live/b", "module.db.terraform_data.app.input"]);
    assert!(done.code == Some(0) && done.out.starts_with("field "), "{}{}", done.out, done.err);
    let done = scratch.run(&["matrix", "live/b", "live/a"]);
    assert!(done.out.starts_with("live/b\nfield ") && done.out.contains("\nlive/a\nfield "), "{}", done.out);
    let done = scratch.run(&["matrix", "--recursive", "--format", "csv"]);
    assert!(done.out.contains("directory,field,dev,prod\nlive/b,"), "{}", done.out);
    let done = scratch.run(&["-chdir=live/b", "matrix", "terraform_data.app[\"a/b\"].input"]);
    assert!(!done.err.contains("there is no directory"), "{}", done.err);
}

#[test]
fn an_address_has_to_be_in_one_of_the_roots() {
    let scratch = scratch();
    let done = scratch.run(&["matrix", "--recursive", "module.db.terraform_data.app.input"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    assert!(done.out.contains("live/b\nfield "), "{}", done.out);
    assert!(done.out.ends_with("There is no such field in 1 of 3 directories.\n"), "{}", done.out);
    let words =
        ["matrix", "--recursive", "module.db.terraform_data.app.input", "module.db.terraform_data.ap.input"];
    let done = scratch.run(&words);
    assert!(done.code == Some(1) && done.out.is_empty(), "{}", done.out);
    assert_eq!(done.err.matches("names no field").count(), 1, "said once: {}", done.err);
    assert!(done.err.contains("\"module.db.terraform_data.ap.input\" names no field"), "{}", done.err);
    assert!(done.err.contains("None of 3 root modules has it.\n  In live/a: "), "{}", done.err);
}

#[test]
fn one_page_of_many() {
    let scratch = scratch();
    fs::write(scratch.tree().join("live/a/main.tf"), "locals {\n  x = \"<b>\n").unwrap();
    let done = scratch.run(&["matrix", "--recursive", "--format", "html"]);
    assert_eq!(done.code, Some(1), "{}", done.err);
    assert_eq!(done.out.matches("<!DOCTYPE html>").count(), 1);
    assert_eq!(done.out.matches("<title>").count(), 1);
    for part in
        ["<title>Fields by environment", "data-in=\"live/a\"", "data-in=\"live/b\"", "<b>1</b> error</li>"]
    {
        assert!(done.out.contains(part), "{part}: {}", done.out);
    }
    // What has nothing to say is named in one list.
    assert!(
        !done.out.contains("data-in=\"live/c\"") && done.out.contains("<p data-row>live/c</p>"),
        "{}",
        done.out
    );
    repository(&scratch);
    let module = scratch.tree().join("modules/db/main.tf");
    fs::write(&module, MODULE.replace("= var.v", "= \"x${var.v}\"")).unwrap();
    let done = scratch.run(&["review", "--base=HEAD", "live/b", "live/c", "--format=html"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(done.out.contains("<h1>Changes since HEAD</h1>"), "{}", done.out);
    assert!(done.out.contains("Nothing differs in 1 of 2 directories."), "{}", done.out);
    // Environments stand within their root module.
    let root = done.out.find("data-in=\"live/b\"").unwrap();
    assert!(done.out.find("data-in=\"dev, prod\"").or(done.out.find("data-in=\"dev\"")).unwrap() > root);
}

/// What shows a failure is a command that can be pasted where tf-phi was started.
#[test]
fn a_witness_says_where_terraform_has_to_run() {
    let scratch = scratch();
    let done = scratch.run(&["validate", "--recursive"]);
    assert!(done.out.contains("Seen:  terraform -chdir=live/c plan\n"), "{}", done.out);
    let done = scratch.run(&["-chdir=live/c", "validate"]);
    assert!(done.out.contains("Seen:  terraform -chdir=live/c plan\n"), "{}", done.out);
    let mut command = scratch.command(&["validate"]);
    let done = Done::new(command.current_dir(scratch.tree().join("live/c")).output().unwrap());
    assert!(done.out.contains("Seen:  terraform plan\n"), "{}", done.out);
}

#[test]
fn a_review_of_many() {
    let scratch = scratch();
    repository(&scratch);
    let module = scratch.tree().join("modules/db/main.tf");
    fs::write(&module, MODULE.replace("= var.v", "= \"x${var.v}\"")).unwrap();
    let done = scratch.run(&["review", "--base", "HEAD", "--recursive", "--fail-on", "change"]);
    assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
    assert!(done.out.contains("live/b\ndev\n") && !done.out.contains("live/c"), "{}", done.out);
    assert!(done.out.ends_with("Nothing differs in 1 of 3 directories.\n"), "{}", done.out);
    let found = json(&scratch, &["review", "--base=HEAD", "--recursive", "--format=json"]);
    assert_eq!(directories(&found), ["live/a", "live/b", "live/c"]);
    let alone = json(&scratch, &["review", "live/b", "--base=HEAD", "--format=json"]);
    assert_eq!(found["roots"][1]["environments"], alone["environments"]);
    let done = scratch.run(&["review", "--base=HEAD", "live/a", "live/b", "--format=markdown"]);
    assert!(done.out.contains("## `live/b`\n\n### Changes since `HEAD`"), "{}", done.out);
}

/// Which variable files count is the same on both sides: what the top of the work tree excludes is excluded in the revision, too.
#[test]
fn a_list_at_the_top_holds_in_the_revision() {
    let scratch = scratch();
    let tree = scratch.tree();
    repository(&scratch);
    fs::write(tree.join(".gitignore"), "**/*.tfvars\n").unwrap();
    commit(&scratch);
    // What is tracked is part of the tree all the same.
    let done = scratch.run(&["review", "live/b", "--base", "HEAD"]);
    assert_eq!(done.out, "dev, prod: nothing differs\n\n", "{}", done.err);
    git(&tree, &["rm", "--quiet", "-r", "--cached", "live"]);
    git(&tree, &["add", "."]);
    commit(&scratch);
    let done = scratch.run(&["review", "live/b", "--base", "HEAD"]);
    assert_eq!(done.out, "default: nothing differs\n\n", "{}", done.err);
}

#[test]
fn results_do_not_depend_on_jobs() {
    let scratch = scratch();
    let one = scratch.run(&["validate", "--recursive", "--jobs", "1"]);
    let four = scratch.run(&["validate", "--recursive", "--jobs", "4"]);
    assert_eq!((one.code, one.out), (four.code, four.out));
    assert_eq!(scratch.run(&["validate", "--recursive", "--jobs", "0"]).code, Some(1));
}

#[test]
fn each_root_is_in_one_shard_wherever_it_is_asked_from() {
    let scratch = scratch();
    repository(&scratch);
    let of =
        |args: &[&str]| directories(&json(&scratch, &[args, &["--format=json", "--recursive"]].concat()));
    let mut all = Vec::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let own = of(&["validate", "--shard", shard]);
        let below = of(&["-chdir=live", "validate", "--shard", shard]);
        assert_eq!(below.iter().map(|d| format!("live/{d}")).collect::<Vec<_>>(), own);
        all.extend(own);
    }
    all.sort();
    assert_eq!(all, ["live/a", "live/b", "live/c"]);
    for wrong in ["0/3", "4/3", "x"] {
        let done = scratch.run(&["validate", "--recursive", "--shard", wrong]);
        assert!(done.code == Some(1) && done.err.contains("K/N"), "{}", done.err);
    }
}

/// A root module depends on what a path leads to, whatever it is written in.
#[test]
fn a_written_path_counts_however_it_is_written() {
    let local = |value: &str| format!("locals {{\n  v = {value}\n}}\n");
    let variable = "variable \"p\" {\n  type = string\n}\nlocals {\n  v = file(var.p)\n}\n";
    let cases: [(&str, Vec<(&str, String)>); 11] = [
        (
            "an environment's file",
            vec![("main.tf", variable.into()), ("env/prod.tfvars", "p = \"../../x/y\"\n".into())],
        ),
        (
            "JSON",
            vec![("main.tf", variable.into()), ("env/prod.tfvars.json", "{\"p\": \"../../x/y\"}".into())],
        ),
        (
            "steps alone",
            vec![("main.tf", local("[for f in fileset(\"../..\", \"x/*\") : file(\"../../${f}\")]"))],
        ),
        (
            "data without quotes",
            vec![
                ("main.tf", local("file(yamldecode(file(\"c.yaml\")).p)")),
                ("c.yaml", "p: ../../x/y\n".into()),
            ],
        ),
        (
            "data that a computed name leads to",
            vec![
                ("main.tf", local("[for f in fileset(path.module, \"d/*\") : yamldecode(file(f))]")),
                ("d/c.yaml", "p: ../../x/y\n".into()),
            ],
        ),
        ("blanks", vec![("main.tf", local("file(\"${ path.module }/../../x/y\")"))]),
        ("a comment", vec![("main.tf", local("file(/* x */ \"../../x/y\")"))]),
        ("an escape", vec![("main.tf", local("file(\"..\\u002f../x/y\")"))]),
        ("a heredoc", vec![("main.tf", local("<<E\n../../x/y\nE"))]),
        ("a format", vec![("main.tf", local("file(format(\"%s/../../x/y\", path.module))"))]),
        ("joined steps", vec![("main.tf", local("file(join(\"/\", [\"..\", \"..\", \"x\", \"y\"]))"))]),
    ];
    let listed = |what: &str, files: &[(&str, String)], link: Option<&str>| {
        let scratch = Scratch::new([("x/y", "good"), ("live/db/main.tf", "locals {}\n")]);
        files.iter().for_each(|(path, text)| write(&scratch, &format!("live/app/{path}"), text));
        if let Some(link) = link {
            let path = scratch.tree().join("live/app").join(link);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::os::unix::fs::symlink(scratch.tree().join("x/y"), path).unwrap();
        }
        repository(&scratch);
        let roots = ["roots", "--recursive", "--changed-since", "HEAD"];
        let before = scratch.run(&roots).out;
        write(&scratch, "x/y", "evil");
        let after = scratch.run(&roots).out;
        assert!(!before.contains("live/app") && after.contains("live/app"), "{what}: {before}{after}");
        assert!(!after.contains("live/db"), "{what}: {after}");
    };
    cases.iter().for_each(|(what, files)| listed(what, files, None));
    let main = [("main.tf", local("[for f in fileset(path.module, \"**\") : file(f)]"))];
    for link in [".hidden/l", "a/b/c/d/e/f/g/h/i/j/l"] {
        listed(link, &main, Some(link));
    }
}

/// What is done to a tree, and the roots that depend on it.
fn changed(what: &dyn Fn(&Scratch)) -> BTreeSet<String> {
    let scratch = scratch();
    let tree = scratch.tree();
    let main = format!("{STOPS}locals {{\n  x = file(\"${{path.module}}/../../shared/x.txt\")\n}}\n");
    fs::write(tree.join("live/c/main.tf"), main).unwrap();
    fs::create_dir_all(tree.join("modules/db/templates")).unwrap();
    fs::write(tree.join("modules/db/templates/t.tpl"), "t").unwrap();
    std::os::unix::fs::symlink("../../shared/x.txt", tree.join("live/a/linked.txt")).unwrap();
    fs::write(tree.join("live/.gitignore"), "*.log\n").unwrap();
    repository(&scratch);
    what(&scratch);
    let found = json(&scratch, &["validate", "--recursive", "--changed-since", "HEAD", "--format", "json"]);
    directories(&found).into_iter().map(|dir| dir.replace("live/", "")).collect()
}

pub(crate) fn write(scratch: &Scratch, path: &str, text: &str) {
    let path = scratch.tree().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn names(all: &[&str]) -> BTreeSet<String> {
    all.iter().map(|n| (*n).to_owned()).collect()
}

#[test]
fn a_root_counts_as_changed_with_all_it_depends_on() {
    let remove = |path: &'static str| move |s: &Scratch| fs::remove_file(s.tree().join(path)).unwrap();
    assert_eq!(changed(&|_| {}), names(&[]));
    assert_eq!(changed(&|s| write(s, "live/a/main.tf", &format!("{ROOT}# x\n"))), names(&["a"]));
    assert_eq!(changed(&|s| write(s, "live/a/new.tf", "")), names(&["a"]));
    assert_eq!(changed(&remove("live/a/phi.hcl")), names(&["a"]));
    assert_eq!(changed(&|s| write(s, "modules/db/main.tf", "variable \"v\" {}\n")), names(&["a", "b"]));
    assert_eq!(changed(&remove("modules/db/templates/t.tpl")), names(&["a", "b"]));
    assert_eq!(changed(&|s| write(s, "live/b/env/qa.tfvars", "env = \"qa\"\n")), names(&["b"]));
    assert_eq!(changed(&remove("live/b/env/dev.tfvars")), names(&["b"]));
    assert_eq!(changed(&|s| write(s, "shared/x.txt", "y\n")), names(&["a", "c"]), "read, and linked to");
    assert_eq!(
        changed(&|s| write(s, "live/a/x.log", "y\n")),
        names(&[]),
        "what is ignored is in no revision"
    );
    assert_eq!(changed(&|s| write(s, "live/.gitignore", "*.tfvars\n")), names(&["a", "b", "c"]));
    assert_eq!(changed(&|s| write(s, "README.md", "y\n")), names(&[]));
    // What is in a commit since then counts as what isn't.
    let since = |s: &Scratch| {
        write(s, "modules/net/main.tf", &format!("{NET}# x\n"));
        git(&s.tree(), &["add", "-A"]);
    };
    assert_eq!(changed(&since), names(&["c"]));
}

#[test]
fn a_module_that_goes_or_is_called_deeper_counts() {
    let scratch = scratch();
    write(
        &scratch,
        "modules/db/main.tf",
        &format!("{MODULE}module \"in\" {{\n  source = \"../inner\"\n}}\n"),
    );
    write(&scratch, "modules/inner/main.tf", "locals {}\n");
    repository(&scratch);
    fs::remove_dir_all(scratch.tree().join("modules/inner")).unwrap();
    let found = json(&scratch, &["check", "--recursive", "--changed-since", "HEAD", "--format", "json"]);
    let dirs: Vec<_> =
        found["directories"].as_array().unwrap().iter().map(|d| d["directory"].clone()).collect();
    assert_eq!(dirs, ["live/a", "live/b"]);
    let done = scratch.run(&["check", "--recursive", "--changed-since", "nope"]);
    assert!(done.code == Some(1) && done.err.contains("there is no revision \"nope\" here"), "{}", done.err);
}

/// Nothing that a repository's configuration or a tree's attributes name is run, and no filter.
#[test]
fn asking_for_changes_runs_nothing_of_the_repository() {
    let scratch = scratch();
    let tree = scratch.tree();
    fs::write(tree.join(".gitattributes"), "* filter=x diff=x\n").unwrap();
    repository(&scratch);
    let ran = scratch.path("ran");
    let program = scratch.path("program");
    write(&scratch, "../program", &format!("#!/bin/sh\necho x >> {}\ncat\n", ran.display()));
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let program = program.to_str().unwrap();
    for name in ["core.fsmonitor", "filter.x.clean", "filter.x.process", "diff.external", "core.pager"] {
        git(&tree, &["config", name, program]);
    }
    write(&scratch, "live/a/main.tf", &format!("{ROOT}# x\n"));
    let found = json(&scratch, &["validate", "--recursive", "--changed-since", "HEAD", "--format", "json"]);
    assert_eq!(directories(&found), ["live/a"]);
    assert!(!ran.exists(), "something ran");
}

/// A work tree's folder that leads elsewhere by a link isn't compared with what stands there.
#[test]
fn a_folder_that_became_a_link_out_is_a_change() {
    let scratch = scratch();
    repository(&scratch);
    let tree = scratch.tree();
    fs::rename(tree.join("modules"), scratch.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink(scratch.path("elsewhere"), tree.join("modules")).unwrap();
    let done = scratch.run(&["validate", "--recursive", "--changed-since", "HEAD", "--format", "json"]);
    let found: Json = serde_json::from_str(&done.out).unwrap();
    assert_eq!(directories(&found), ["live/a", "live/b", "live/c"]);
}

/// The roots that are meant when these files are named.
fn of_files(scratch: &Scratch, files: &[&str]) -> Vec<String> {
    let found = json(scratch, &[&["roots", "--recursive", "--files", "--format=json"], files].concat());
    let all = found["root_modules"].as_array().unwrap();
    all.iter().map(|dir| dir.as_str().unwrap().replace("live/", "")).collect()
}

#[test]
fn files_lead_to_the_roots_that_depend_on_them() {
    let scratch = scratch();
    let tree = scratch.tree();
    write(&scratch, "modules/db/templates/t.tpl", "t");
    let all: [(&[&str], &[&str]); 10] = [
        (&["live/a/main.tf"], &["a"]),
        (&["live/a/phi.hcl", "live/c/main.tf"], &["a", "c"]),
        (&["modules/db/main.tf"], &["a", "b"]),
        (&["modules/db/templates/t.tpl"], &["a", "b"]),
        (&["./modules/../modules/net/main.tf"], &["c"]),
        (&["live/b/env/dev.tfvars"], &["b"]),
        (&["modules/net/gone.tf"], &["c"]),
        (&["README.md"], &[]),
        (&["live/a", "modules/db/main.tf"], &["a"]),
        (&[], &[]),
    ];
    for (files, want) in all {
        assert_eq!(of_files(&scratch, files), *want, "{files:?}");
    }
    let absolute = tree.join("modules/net/main.tf");
    assert_eq!(of_files(&scratch, &[absolute.to_str().unwrap()]), ["c"]);
    let done = scratch.run(&["check", "--recursive", "--files", "README.md"]);
    assert!(
        done.code == Some(0) && done.err.contains("No root module depends on any of these files."),
        "{}",
        done.err
    );
    let done = scratch.run(&["validate", "--recursive", "--files", "live/c/main.tf", "--changed-since=HEAD"]);
    assert!(done.code == Some(1) && done.err.contains("cannot be used with"), "{}", done.err);
    let done = scratch.run(&["validate", "live/c/main.tf"]);
    assert!(done.err.contains("--recursive --files"), "what is meant: {}", done.err);
    let done = scratch.run(&["validate", "--recursive", "--files", "live/c/main.tf"]);
    assert!(done.out.starts_with("live/c\n") && !done.out.contains("directory"), "{}", done.out);
    // Whoever names the files of a commit can't name those that go with it.
    repository(&scratch);
    fs::remove_file(tree.join("modules/net/main.tf")).unwrap();
    assert_eq!(of_files(&scratch, &["live/a/main.tf"]), ["a", "c"]);
}

#[test]
fn roots_are_listed() {
    let scratch = scratch();
    let done = scratch.run(&["roots", "--recursive"]);
    assert_eq!((done.code, done.out.as_str(), done.err.as_str()), (Some(0), "live/a\nlive/b\nlive/c\n", ""));
    assert_eq!(scratch.run(&["roots", "live/c", "live/a"]).out, "live/c\nlive/a\n");
    assert_eq!(scratch.run(&["-chdir=live", "roots", "--recursive"]).out, "a\nb\nc\n");
    assert_eq!(scratch.run(&["roots", "--recursive", "shared"]).code, Some(1));
    // The template of a service is none.
    let service = "form_factor \"x\" {\n  services = [\"s\"]\n}\nservice \"s\" {\n  replaces = \"terraform_data\"\n  module   = \
                   \"../../templates/s\"\n}\n";
    write(&scratch, "live/c/phi.hcl", service);
    write(&scratch, "templates/s/main.tf", "locals {}\n");
    assert_eq!(scratch.run(&["roots", "--recursive"]).out, "live/a\nlive/b\nlive/c\n");
    let shards = ["1/2", "2/2"].map(|shard| scratch.run(&["roots", "--recursive", "--shard", shard]).out);
    let mut all: Vec<&str> = shards.iter().flat_map(|out| out.lines()).collect();
    all.sort_unstable();
    assert_eq!(all, ["live/a", "live/b", "live/c"]);
}

/// Each root's output stands together and in order, whatever ends first; and so many run at a time.
#[test]
fn plans_side_by_side() {
    let scratch = scratch();
    let log = scratch.path("times");
    // The first root takes the longest.
    let during = format!(
        "if [ $1 != state ]; then case \"$*\" in *live/a*) sleep 0.8;; *) sleep 0.3;; esac; echo \"$* of $TF_INPUT\"; echo oops >&2; \
         echo \"end $*\" >> {}; fi",
        log.display()
    );
    let run = |jobs: &str| {
        let words = ["plan", "--recursive", "--jobs", jobs, "-var=env=prod", "-refresh=false"];
        let mut command = scratch.command(&words);
        Done::new(command.env("FAKE_DURING", &during).output().unwrap())
    };
    let done = run("3");
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    let heads: Vec<&str> = done.out.lines().filter(|line| line.starts_with("── ")).collect();
    assert_eq!(heads, ["── live/a", "── live/b", "── live/c"]);
    for dir in ["live/a", "live/b", "live/c"] {
        let own = done.out.split("── ").find(|part| part.starts_with(dir)).unwrap();
        assert!(
            own.contains(&format!("-chdir={dir} plan -var=env=prod -refresh=false of 0")),
            "{}",
            done.out
        );
    }
    assert_eq!(done.err.matches("oops").count(), 3, "{}", done.err);
    let ends = fs::read_to_string(&log).unwrap();
    let last = ends.lines().last().unwrap();
    assert!(last.contains("live/a"), "the others didn't wait for it: {ends}");
    let one = run("1");
    assert_eq!(one.out.replace("of \n", "of 0\n"), done.out, "what is printed is the same");
    assert!(one.out.contains("of \n"), "one by one, Terraform may ask");
}

/// Of two of which one reads what is written for the other, one follows the other.
#[test]
fn plans_that_meet_follow_one_another() {
    let scratch = scratch();
    write(&scratch, "live/a/example/main.tf", "module \"a\" {\n  source = \"../\"\n  env    = \"prod\"\n}\n");
    let log = scratch.path("times");
    let during = format!(
        "if [ $1 != state ]; then echo \"begin $1\" >> {log}; sleep 0.5; echo \"end $1\" >> {log}; fi",
        log = log.display()
    );
    let mut command =
        scratch.command(&["plan", "live/a", "live/a/example", "--jobs=2", "-input=false", "-var=env=prod"]);
    let done = Done::new(command.env("FAKE_DURING", during).output().unwrap());
    let ends = fs::read_to_string(&log).unwrap();
    let kinds: Vec<&str> = ends.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(kinds.chunks(2).all(|pair| pair == ["begin", "end"]), "{ends}{}{}", done.out, done.err);
}

#[test]
fn plans_follow_one_another() {
    let scratch = scratch();
    let done = scratch.run(&["plan", "live/a", "live/b", "-var=env=prod", "-input=false"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    let plans: Vec<_> = scratch.calls().into_iter().filter(|call| call.contains(" plan ")).collect();
    assert_eq!(
        plans,
        ["-chdir=live/a plan -var=env=prod -input=false", "-chdir=live/b plan -var=env=prod -input=false"]
    );
    let (first, second) = (done.out.find("── live/a\n").unwrap(), done.out.find("── live/b\n").unwrap());
    assert!(first < second && done.out.matches("plan").count() >= 2, "{}", done.out);
    assert!(done.err.contains("tf-phi: 2 of 2 directories planned."), "{}", done.err);
}

#[test]
fn a_plan_that_fails_keeps_no_other_from_being_made() {
    let scratch = scratch();
    fs::write(scratch.tree().join("live/a/main.tf"), "locals {\n").unwrap();
    let done = scratch.run(&["plan", "--recursive", "-var=env=prod", "-json"]);
    assert_eq!(done.code, Some(1), "{}{}", done.out, done.err);
    assert!(!done.out.contains("──"), "lines of JSON take no heading: {}", done.out);
    assert!(done.err.contains("2 of 3 directories planned. Not planned: live/a (1)."), "{}", done.err);
    let mut status = scratch.command(&["plan", "live/b", "live/c", "-var=env=prod", "-detailed-exitcode"]);
    let code = status.env("FAKE_EXIT", "2").output().unwrap().status.code();
    assert_eq!(code, Some(2));
    // One directory is what -chdir is.
    let done = scratch.run(&["plan", "live/b", "-var=env=prod"]);
    assert!(done.code == Some(0) && !done.out.contains("──"), "{}{}", done.out, done.err);
    let done = scratch.run(&["plan", "--recursive", "-refersh"]);
    assert!(done.code == Some(1) && done.err.contains("tf-phi plan --recursive -refresh"), "{}", done.err);
}

const PROTECTED: &str = "variable \"protect\" {\n  type = bool\n}\n\nresource \"terraform_data\" \"vpc\" {\n  lifecycle {\n    \
    prevent_destroy = var.protect\n  }\n}\n";

/// A root that calls one of two modules, by a source that an expression gives.
fn choosing(source: &str, dev: &str) -> Scratch {
    let main = format!(
        "variable \"network\" {{\n  type = string\n}}\n\nvariable \"protect\" {{\n  type    = bool\n  default = false\n}}\n\n\
         locals {{\n  dir = \"./modules\"\n}}\n\nmodule \"network\" {{\n  source  = {source}\n  protect = var.protect\n}}\n"
    );
    Scratch::new([
        ("main.tf", main.as_str()),
        ("env/dev.tfvars", dev),
        ("env/prod.tfvars", "network = \"isolated\"\n"),
        ("modules/shared/main.tf", PROTECTED),
        ("modules/isolated/main.tf", PROTECTED),
    ])
}

const SOURCES: [&str; 6] = [
    "\"./modules/${var.network}\"",
    "\"${local.dir}/${var.network}\"",
    "format(\"./modules/%s\", var.network)",
    "var.network == \"shared\" ? \"./modules/shared\" : \"./modules/isolated\"",
    "{ shared = \"./modules/shared\", isolated = \"${local.dir}/isolated\" }[var.network]",
    "join(\"/\", [\"./modules\", var.network])",
];

#[test]
fn a_module_that_a_source_may_choose_is_no_root() {
    for source in SOURCES {
        // Known values, and one that no environment gives.
        for dev in ["network = \"shared\"\n", "protect = true\n"] {
            let scratch = choosing(source, dev);
            assert_eq!(scratch.run(&["roots"]).out, ".\n", "{source} {dev}");
        }
    }
}

#[test]
fn a_fixing_hook_writes_into_no_module_that_a_source_may_choose() {
    for source in SOURCES {
        let scratch = choosing(source, "network = \"shared\"\n");
        scratch.run(&["check", "--recursive", "--fix"]);
        for module in ["shared", "isolated"] {
            let own = scratch.tree().join("modules").join(module);
            assert_eq!(fs::read_to_string(own.join("main.tf")).unwrap(), PROTECTED, "{source}");
            assert!(!own.join(".phi").exists() && !own.join("phi.moved.tf").exists(), "{source}");
        }
        // The same once it is specialised.
        assert_eq!(scratch.run(&["roots"]).out, ".\n", "{source}");
    }
}

#[test]
fn a_root_depends_on_whatever_its_source_may_choose() {
    for source in SOURCES {
        let scratch = choosing(source, "network = \"shared\"\n");
        repository(&scratch);
        let changed = || {
            let found =
                json(&scratch, &["validate", "--recursive", "--changed-since", "HEAD", "--format", "json"]);
            directories(&found).len()
        };
        assert_eq!(changed(), 0, "{source}");
        write(&scratch, "modules/isolated/main.tf", &format!("{PROTECTED}\n"));
        assert_eq!(changed(), 1, "{source}");
        let file =
            ["validate", "--recursive", "--format", "json", "--files", "--", "modules/isolated/main.tf"];
        assert_eq!(directories(&json(&scratch, &file)).len(), 1, "{source}");
        commit(&scratch);
        fs::remove_dir_all(scratch.tree().join("modules/shared")).unwrap();
        assert_eq!(changed(), 1, "{source}: what is gone counts");
    }
}
