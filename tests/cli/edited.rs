//! What somebody edits in files that tf-phi wrote: the message names the line, quotes what is missing, names what was edited and nothing
//! else, and its fixes work.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use crate::cli_common::git::{git, repository_of};
use crate::cli_common::{Done, Scratch};
use std::fs;

const MAIN: &str = r#"variable "size" {
  type    = string
  default = "small"
  validation {
    condition     = contains(["small", "large"], var.size)
    error_message = "small or large"
  }
}

module "app" {
  source = "./modules/app"

  size = var.size
}

output "name" {
  value = module.app.name
}
"#;
const APP: &str = "variable \"size\" {\n  type = string\n}\n\nmodule \"db\" {\n  source = \"../db\"\n\n  size = var.size\n}\n\n\
    resource \"terraform_data\" \"web\" {\n  input = \"web\"\n}\n\noutput \"name\" {\n  value = module.db.name\n}\n";
const DB: &str = "variable \"size\" {\n  type = string\n}\n\nresource \"terraform_data\" \"db\" {\n  input = {\n    name = \"db\"\n    \
    size = var.size\n  }\n}\n\nresource \"terraform_data\" \"backup\" {\n  input = \"nightly\"\n}\n\noutput \"name\" {\n  \
    value = terraform_data.db.output\n}\n";
const COPY: &str = "modules/db-large/main.tf";

/// A specialised tree, committed.
fn specialised() -> Scratch {
    let phi = "specialize \"terraform_data.db\" {\n  fields = [\"input.size\"]\n}\nsettings {\n  links = false\n}\n";
    let files = [
        ("main.tf", MAIN),
        ("modules/app/main.tf", APP),
        ("modules/db/main.tf", DB),
        ("phi.hcl", phi),
        (".gitignore", ".terraform/\n"),
    ];
    let scratch = Scratch::new(files);
    let done = scratch.run(&["check", "--fix"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    repository_of(&scratch.tree());
    scratch
}

fn commit(scratch: &Scratch) {
    git(&scratch.tree(), &["add", "-A"]);
    git(&scratch.tree(), &["commit", "-qm", "x"]);
}

fn edit(scratch: &Scratch, path: &str, from: &str, to: &str) {
    let path = scratch.tree().join(path);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{from}: {text}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

/// The line of a text in a file, from one.
fn line_of(scratch: &Scratch, path: &str, text: &str) -> usize {
    let all = fs::read_to_string(scratch.tree().join(path)).unwrap();
    all.lines().position(|line| line.contains(text)).unwrap() + 1
}

fn check(scratch: &Scratch) -> (Done, String) {
    let done = scratch.run(&["check"]);
    let said = format!("{}{}", done.out, done.err);
    (done, said)
}

/// A copy is edited and committed without the hook, on a branch; the original on another. Git merges both, and `check --fix` could put no
/// originals together: nobody is sent there.
#[test]
fn the_originals_of_both_sides_are_offered_where_that_leads_out_alone() {
    let scratch = specialised();
    let tree = scratch.tree();
    git(&tree, &["checkout", "-qb", "other"]);
    edit(&scratch, COPY, "nightly", "hourly");
    commit(&scratch);
    git(&tree, &["checkout", "-q", "-"]);
    edit(&scratch, "modules/db/main.tf", "name = \"db\"", "name = \"database\"");
    assert_eq!(scratch.run(&["check", "--fix"]).code, Some(0));
    commit(&scratch);
    git(&tree, &["merge", "-q", "other", "-m", "merge"]);
    for command in [&["check"][..], &["check", "--fix"], &["check"], &["plan"]] {
        let done = scratch.run(command);
        let said = format!("{}{}", done.out, done.err);
        assert_eq!(done.code, Some(1), "{said}");
        assert!(!said.contains("originals of both sides"), "{command:?}: {said}");
        let line = line_of(&scratch, COPY, "hourly");
        assert!(said.contains(&format!("{COPY}:{line}")), "{command:?}: {said}");
    }
    // What is offered works.
    fs::remove_file(tree.join(COPY)).unwrap();
    assert_eq!(scratch.run(&["check", "--fix"]).code, Some(0));
    let (done, said) = check(&scratch);
    assert_eq!(done.code, Some(0), "{said}");
}

#[test]
fn what_is_missing_is_quoted_and_not_what_stands_there() {
    let scratch = specialised();
    edit(&scratch, "main.tf", "module \"app_small\"", "module \"app_tiny\"");
    let (done, said) = check(&scratch);
    assert_eq!(done.code, Some(1), "{said}");
    let line = line_of(&scratch, "main.tf", "app_tiny");
    assert!(said.contains(&format!("main.tf:{line}")), "{said}");
    assert!(said.contains("not there any more as it was written: module \"app_small\" {"), "{said}");
    assert!(!said.contains("app_large"), "{said}");
}

#[test]
fn lines_that_are_typed_into_what_was_written_are_said_to_be() {
    let scratch = specialised();
    edit(&scratch, "main.tf", "module \"app_small\" {\n", "module \"app_small\" {\n  extra = 1\n");
    let (done, said) = check(&scratch);
    assert_eq!(done.code, Some(1), "{said}");
    let line = line_of(&scratch, "main.tf", "extra");
    assert!(said.contains(&format!("main.tf:{line}")), "{said}");
    assert!(
        said.contains("Lines were typed into what tf-phi wrote here.")
            && !said.contains("not there any more"),
        "{said}"
    );
}

#[test]
fn the_line_of_an_edit_in_a_copy_is_named() {
    let scratch = specialised();
    edit(&scratch, COPY, "nightly", "hourly");
    let line = line_of(&scratch, COPY, "hourly");
    let (done, said) = check(&scratch);
    assert_eq!(done.code, Some(1), "{said}");
    assert!(said.contains(&format!("{COPY}:{line}")), "{said}");
    // Committed as well: the commit before has what was written.
    commit(&scratch);
    let (_, said) = check(&scratch);
    assert!(said.contains(&format!("{COPY}:{line}")), "{said}");
    // Where nothing tells what was written, the file alone.
    fs::remove_dir_all(scratch.tree().join(".git")).unwrap();
    let (done, said) = check(&scratch);
    assert_eq!(done.code, Some(1), "{said}");
    assert!(said.contains(COPY) && !said.contains(&format!("{COPY}:")), "{said}");
}

/// A comment is no edit, so that its line isn't the one.
#[test]
fn the_line_of_an_edit_is_none_of_a_comment() {
    let scratch = specialised();
    edit(&scratch, COPY, "resource \"terraform_data\" \"db\"", "# Mine.\nresource \"terraform_data\" \"db\"");
    edit(&scratch, COPY, "nightly", "hourly");
    let line = line_of(&scratch, COPY, "hourly");
    let (_, said) = check(&scratch);
    assert!(said.contains(&format!("{COPY}:{line}")), "{said}");
}

/// The record was left out of a commit, so that no copy is as it says: what would be written there is nobody's edit all the same.
#[test]
fn copies_that_are_as_they_would_be_written_are_no_edits() {
    let scratch = specialised();
    let tree = scratch.tree();
    edit(&scratch, "modules/app/main.tf", "\"web\"\n}", "\"web2\"\n}");
    assert_eq!(scratch.run(&["check", "--fix"]).code, Some(0));
    git(&tree, &["add", "modules"]);
    git(&tree, &["commit", "-qm", "without the record"]);
    git(&tree, &["reset", "-q", "--hard"]);
    let (done, said) = check(&scratch);
    assert_eq!(done.code, Some(3), "{said}");
    edit(&scratch, COPY, "nightly", "daily");
    let (done, said) = check(&scratch);
    assert_eq!(done.code, Some(1), "{said}");
    assert!(said.contains(COPY) && !said.contains("app-large") && !said.contains("app-small"), "{said}");
    assert_eq!(said.matches("Blocking").count(), 1, "{said}");
    fs::remove_file(tree.join(COPY)).unwrap();
    assert_eq!(scratch.run(&["check", "--fix"]).code, Some(0));
}

/// The call stands in the file as copies; the line is theirs, and what is pinned in the module isn't said to be nowhere.
#[test]
fn a_module_that_is_gone_is_one_finding_with_the_line_of_the_file() {
    let scratch = specialised();
    git(&scratch.tree(), &["mv", "modules/app", "modules/application"]);
    let (done, said) = check(&scratch);
    assert_eq!(done.code, Some(1), "{said}");
    let line = line_of(&scratch, "main.tf", "module \"app_large\"");
    assert!(said.contains(&format!("main.tf:{line}\n")), "{said}");
    assert!(said.contains("does not exist") && !said.contains("source = "), "{said}");
    assert!(!said.contains("matches nothing"), "{said}");
    assert_eq!(said.matches("Blocking").count(), 1, "{said}");
}
