//! What a secret decides, what rules say of one, and what becomes one.

use super::{CANARY, words};
use crate::cli_common::Scratch;
use crate::cli_common::git::repository_of;

/// Of what a secret decides nothing says which value that was, even where the same text stands somewhere plain.
#[test]
fn what_picks_by_a_secret_is_not_shown() {
    let main = "variable \"token\" {\n  sensitive = true\n}\noutput \"plain\" {\n  value = \"hunter2zq\"\n}\n\
        locals {\n  m = {\n    hunter2zq = \"one\"\n    b = \"two\"\n  }\n}\n\
        output \"a\" {\n  value = nonsensitive(var.token == \"hunter2zq\") ? \"a\" : \"b\"\n}\n\
        output \"b\" {\n  value = nonsensitive(lookup(local.m, var.token, \"none\"))\n}\n\
        output \"c\" {\n  value = nonsensitive(local.m[var.token])\n}\n";
    let scratch = Scratch::new([("main.tf", main)]);
    for output in ["a", "b", "c"] {
        for line in [
            "trace F --format json",
            "trace F",
            "graph F",
            "graph F --format svg",
            "trace F --format markdown",
        ] {
            let done = scratch.run(&words(&line.replace('F', &format!("output.{output}.value"))));
            // The map itself stands in the source, as a line or as a whole.
            let told = |text: &&str| text.contains(CANARY) && !text.contains("hunter2zq = ");
            let all = format!("{}{}", done.out, done.err);
            let lines: Vec<&str> = all.lines().filter(told).collect();
            assert!(lines.is_empty(), "{output} {line}: {lines:#?}");
        }
    }
}

/// A rule that names a secret in whatever way: neither its message nor what is wrong with its condition stands anywhere, and no excerpt
/// shows what the secret is compared with.
#[test]
fn what_a_rule_says_of_a_secret_is_not_shown() {
    let rules = [
        "condition     = length(local.l) > 99\n      error_message = \"three ${local.l}\"",
        "condition     = tonumber(local.l) > 99\n      error_message = \"x\"",
        "condition     = parseint(local.l, 10) > 99\n      error_message = \"x\"",
        "condition     = local.l != \"hunter2-prod\"\n      error_message = \"x\"",
        "condition     = var.marked != \"hunter2-marked\"\n      error_message = \"x\"",
        "condition     = timeadd(local.l, \"1h\") != \"\"\n      error_message = \"x\"",
    ];
    let phi =
        "environment \"prod\" {\n  variables = { pw = \"hunter2-prod\", marked = \"hunter2-marked\" }\n}\n";
    for rule in rules {
        let main = format!(
            "variable \"pw\" {{}}\nvariable \"marked\" {{\n  sensitive = true\n}}\nlocals {{\n  l = var.pw\n}}\n\
             resource \"aws_db_instance\" \"a\" {{\n  password = var.pw\n}}\n\
             resource \"aws_db_instance\" \"e\" {{\n  for_each = {{ a = \"hunter2-e\" }}\n  password = each.value\n  lifecycle {{\n    \
             precondition {{\n      condition     = length(each.value) > 99\n      error_message = \"e ${{each.value}}\"\n    }}\n  }}\n}}\n\
             resource \"aws_instance\" \"b\" {{\n  lifecycle {{\n    precondition {{\n      {rule}\n    }}\n  }}\n}}\n\
             output \"o\" {{\n  value = 1\n  precondition {{\n      {rule}\n  }}\n}}\n\
             check \"c\" {{\n  assert {{\n      {rule}\n  }}\n}}\n\
             variable \"v\" {{\n  default = \"d\"\n  validation {{\n    condition     = var.v == local.l\n    error_message = \"v ${{local.l}}\"\n  }}\n}}\n"
        );
        let scratch = Scratch::new([("main.tf", &*main), ("phi.hcl", phi)]);
        repository_of(&scratch.tree());
        for format in ["text", "json", "github", "markdown", "sarif"] {
            let done = scratch.run(&["validate", "--format", format]);
            assert!(
                !done.out.contains(CANARY) && !done.err.contains(CANARY),
                "{format}: {rule}\n{}\n{}",
                done.out,
                done.err
            );
            assert_eq!(done.code, Some(3), "{rule}\n{}", done.err);
        }
        std::fs::write(scratch.tree().join("more.tf"), "output \"more\" {\n  value = 1\n}\n").unwrap();
        for format in ["text", "json", "markdown"] {
            let done = scratch.run(&["review", "--base", "HEAD", "--format", format]);
            assert!(
                !done.out.contains(CANARY) && !done.err.contains(CANARY),
                "{format}: {rule}\n{}\n{}",
                done.out,
                done.err
            );
        }
    }
}

/// What a change makes a secret was one before it: the old side isn't shown either.
#[test]
fn what_becomes_a_secret_is_not_shown_as_it_was() {
    let base = "variable \"pw\" {}\nvariable \"other\" {}\nresource \"aws_instance\" \"i\" {\n  user_data = \"start ${var.pw}\"\n}\n\
                resource \"aws_instance\" \"j\" {\n  for_each  = { a = var.other }\n  user_data = each.value\n}\n";
    let phi = "environment \"dev\" {\n  variables = { pw = \"hunter2-dev\", other = \"hunter2-other\" }\n}\n";
    let scratch = Scratch::new([("main.tf", base), ("phi.hcl", phi)]);
    repository_of(&scratch.tree());
    let head = base.replace("variable \"pw\" {}", "variable \"pw\" {\n  sensitive = true\n}");
    let head = format!("{head}resource \"aws_db_instance\" \"d\" {{\n  password = var.other\n}}\n");
    std::fs::write(scratch.tree().join("main.tf"), head).unwrap();
    for format in ["text", "json", "markdown", "html"] {
        let done = scratch.run(&["review", "--base", "HEAD", "--format", format]);
        assert!(!done.out.contains(CANARY), "{format}: {}", done.out);
        // That it is one now is a difference.
        assert!(done.out.contains("pw") && done.out.contains("sensitive"), "{format}: {}", done.out);
    }
}
