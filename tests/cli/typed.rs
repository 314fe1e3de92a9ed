//! Comments and blank lines that a user types into what was written: what `check`, `plan` and `restore` make of them.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::Scratch;
use std::fs;

const ROOT: &str = "variable \"env\" {\n  type = string\n}\n\nmodule \"db\" {\n  source = \"./modules/db\"\n  \
    v      = var.env == \"prod\" ? \"a\" : \"b\"\n  size   = 1\n}\n";
const MODULE: &str = "variable \"v\" {}\n\nvariable \"size\" {}\n\n# the app\nresource \"terraform_data\" \"app\" {\n  \
    input            = var.v\n  triggers_replace = var.size\n}\n";
const PHI: &str = "specialize \"terraform_data.app\" {\n  fields = [\"input\"]\n}\n";

fn scratch() -> Scratch {
    let scratch = Scratch::new([("main.tf", ROOT), ("modules/db/main.tf", MODULE), ("phi.hcl", PHI)]);
    let done = scratch.run(&["check", "--fix"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    scratch
}

fn read(scratch: &Scratch, path: &str) -> String {
    fs::read_to_string(scratch.tree().join(path)).unwrap()
}

/// Replaces a text in a file.
fn edit(scratch: &Scratch, path: &str, from: &str, to: &str) {
    let text = read(scratch, path);
    assert!(text.contains(from), "{path}: {text}");
    fs::write(scratch.tree().join(path), text.replacen(from, to, 1)).unwrap();
}

/// Comments and blank lines in both copies, in a residual folder, and in the file of moves.
fn commented() -> Scratch {
    let scratch = scratch();
    edit(&scratch, "main.tf", "  size   = 1\n", "\n  # as the vendor says\n  size   = 1 # GB\n");
    edit(&scratch, "main.tf", "  source = ", "\n  # where it is\n  source = ");
    edit(&scratch, "main.tf", "variable \"env\" {\n", "# mine\n\nvariable \"env\" {\n");
    edit(
        &scratch,
        "modules/db-a/main.tf",
        "  triggers_replace",
        "\n  // replaced with it\n  triggers_replace",
    );
    edit(&scratch, "phi.moved.tf", "moved { #", "/* a move\n   of ours */\nmoved { #");
    scratch
}

#[test]
fn a_comment_leaves_the_tree_up_to_date() {
    let scratch = commented();
    let before = scratch.snapshot();
    let done = scratch.run(&["check"]);
    assert_eq!((done.code, done.out.as_str()), (Some(0), "1 of 1 directory up to date.\n"), "{}", done.err);
    assert_eq!(scratch.run(&["check", "--fix"]).code, Some(0));
    assert_eq!(scratch.run(&["plan", "-var=env=dev", "--dry-run"]).out.matches("+++ b/main.tf").count(), 0);
    assert_eq!(scratch.snapshot(), before);
    // A comment in the module's own file changes nothing that Terraform reads.
    edit(&scratch, "modules/db/main.tf", "# the app\n", "# the app\n# and more\n");
    assert_eq!(scratch.run(&["check"]).code, Some(0));
    edit(&scratch, "modules/db/main.tf", "var.size\n", "[var.size]\n");
    assert_eq!(scratch.run(&["check"]).code, Some(3));
}

#[test]
fn what_is_written_anew_keeps_it() {
    let scratch = commented();
    edit(&scratch, "modules/db/main.tf", "var.size\n", "[var.size]\n");
    edit(&scratch, "phi.hcl", "[\"input\"]", "[\"input\", \"triggers_replace\"]");
    let done = scratch.run(&["check", "--fix"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    let main = read(&scratch, "main.tf");
    // Its size is written into the folders, and what stood there stays where it was.
    for kept in [
        "# mine\n\nvariable",
        "1 : 0\n\n  # where it is\n  source",
        "-a\"\n  # as the vendor says\n  # GB\n}\n",
    ] {
        assert!(main.contains(kept), "{kept}: {main}");
    }
    let moved = read(&scratch, "phi.moved.tf");
    assert!(moved.contains("/* a move\n   of ours */\nmoved {"), "{moved}");
    assert_eq!(scratch.run(&["check"]).code, Some(0));
}

#[test]
fn a_statement_that_changed_has_it_above() {
    let scratch = commented();
    edit(&scratch, "modules/db/main.tf", "triggers_replace = var.size\n", "triggers_replace = [var.size]\n");
    let done = scratch.run(&["check", "--fix"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    let residual = read(&scratch, "modules/db-a/main.tf");
    assert!(residual.contains("[var.size]"), "{residual}");
    assert_eq!(residual.matches("// replaced with it").count(), 1, "{residual}");
    assert!(residual.contains("# the app"), "{residual}");
    assert_eq!(scratch.run(&["check"]).code, Some(0));
}

#[test]
fn a_comment_in_a_folder_that_goes_is_said() {
    let scratch = commented();
    edit(&scratch, "phi.hcl", "fields = [\"input\"]", "fields = [\"output\"]");
    let done = scratch.run(&["check", "--fix"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    assert!(!scratch.tree().join("modules/db-a").exists());
    assert!(done.err.contains("are not kept"), "{}", done.err);
    assert!(done.err.contains("modules/db-a/main.tf:9: // replaced with it"), "{}", done.err);
}

#[test]
fn restore_keeps_it_or_says_that_it_went() {
    let scratch = commented();
    let done = scratch.run(&["restore"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let want = ROOT.replace("variable \"env\" {\n", "# mine\n\nvariable \"env\" {\n");
    let (want, main) = (want.replace("  size   = 1\n", "  size   = 1 # GB\n"), read(&scratch, "main.tf"));
    assert_eq!(main, want);
    assert_eq!(read(&scratch, "modules/db/main.tf"), MODULE);
    for said in [
        "modules/db-a/main.tf:9: // replaced with it",
        ": # as the vendor says",
        "phi.moved.tf:",
        "/* a move",
    ] {
        assert!(done.err.contains(said), "{said}: {}", done.err);
    }
    // What was typed within a copy of a block stands where it comes back.
    let scratch = self::scratch();
    edit(&scratch, "main.tf", "\n}\n\n# phi: ", "\n  # last\n}\n\n# phi: ");
    assert_eq!(scratch.run(&["check"]).code, Some(0));
    let done = scratch.run(&["restore"]);
    assert!(
        done.err.contains(": # last") || read(&scratch, "main.tf").contains("  # last\n}\n"),
        "{}",
        done.err
    );
}

#[test]
fn what_stands_in_strings_is_no_comment() {
    let module = MODULE.replace("var.size\n", "<<-EOT\n    # not a comment\n\n    EOT\n");
    let scratch = Scratch::new([("main.tf", ROOT), ("modules/db/main.tf", &module), ("phi.hcl", PHI)]);
    assert_eq!(scratch.run(&["check", "--fix"]).code, Some(0));
    edit(&scratch, "modules/db-a/main.tf", "    # not a comment\n", "    # not this comment\n");
    let done = scratch.run(&["check"]);
    assert_eq!(done.code, Some(1), "{}{}", done.out, done.err);
    assert!(done.err.contains("modules/db-a/main.tf"), "{}", done.err);
}
