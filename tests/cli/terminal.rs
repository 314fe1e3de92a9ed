//! What a terminal shows of `matrix`, `review` and `validate`, at 80 and 140 columns, with and without colour; of `plan` see
//! `cli_summary`. `UPDATE_GOLDEN=1` writes the snapshots; look at them before they are committed.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::git::repository_of;
use crate::cli_common::{Done, Scratch, terminal};
use std::fs;
use std::path::Path;

const MAIN: &str = r#"variable "env" {
  type = string
}
variable "token" {
  type      = string
  sensitive = true
  default   = "hunter2"
}
variable "size" {
  type    = number
  default = 1
  validation {
    condition     = var.size < 10
    error_message = "At most nine machines fit into a rack, and each environment has one rack."
  }
}
locals {
  sizes = { dev = "small", staging = "small", prod = "large" }
  lazy  = var.env == "dev" || parseint(var.env, 10) > 1
}
resource "terraform_data" "machine" {
  count = var.env == "prod" ? 3 : 1
  input = local.sizes[var.env]
}
resource "terraform_data" "policy" {
  input = "${var.env}: ${join(", ", [for n in range(40) : "statement ${n}"])}"
}
resource "terraform_data" "secret" {
  input = "${var.env}-${var.token}"
}
"#;

/// A repository in which a change makes something of each kind: values, instances, findings.
fn scratch() -> Scratch {
    let file = |env: &str| format!("env = \"{env}\"\n");
    let scratch = Scratch::new([
        ("main.tf", MAIN),
        ("phi.hcl", "specialize \"terraform_data.machine\" {\n  fields = [\"input\"]\n}\n"),
        ("env/dev.tfvars", &*file("dev")),
        ("env/staging.tfvars", &*file("staging")),
        ("env/prod.tfvars", &*file("prod")),
    ]);
    repository_of(&scratch.tree());
    let head = MAIN
        .replace("prod = \"large\"", "prod = \"huge\"")
        .replace(", staging = \"small\"", "")
        .replace("var.env == \"prod\" ? 3 : 1", "var.env == \"prod\" ? 2 : 1");
    fs::write(scratch.tree().join("main.tf"), head).unwrap();
    fs::write(scratch.tree().join("env/prod.tfvars"), "env  = \"prod\"\nsize = 12\n").unwrap();
    scratch
}

#[test]
fn what_a_terminal_shows() {
    let scratch = scratch();
    let commands: [(&str, &[&str], i32); 3] = [
        ("matrix", &["matrix"], 0),
        ("review", &["review", "--base", "HEAD"], 0),
        ("validate", &["validate"], 3),
    ];
    let mut wrong = Vec::new();
    for (name, args, code) in commands {
        for (columns, colour) in [(80, true), (140, true), (80, false), (140, false)] {
            let done = terminal::run(&scratch, args, columns, colour);
            assert_eq!(done.code, Some(code), "{name}: {}{}", done.out, done.err);
            assert!(!done.out.contains("hunter2"), "{name}: {}", done.out);
            assert_eq!(done.out.contains('\u{1b}'), colour, "{name}");
            let file = format!("{name}-{columns}-{}.txt", if colour { "colour" } else { "plain" });
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/terminal").join(&file);
            if std::env::var_os("UPDATE_GOLDEN").is_some() {
                fs::write(&path, &done.out).unwrap();
            }
            if fs::read_to_string(&path).unwrap_or_default() != done.out {
                wrong.push(format!("{file}:\n{}", done.out));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What stands on a terminal at the end, line by line: what was drawn over, or erased, is gone.
fn left(shown: &str) -> Vec<String> {
    let escapes = regex::Regex::new("\u{1b}\\[([0-9;?]*)([A-Za-z])").unwrap();
    let mut screen = vec![String::new()];
    let (mut row, mut column, mut rest) = (0_usize, 0_usize, shown);
    while let Some(c) = rest.chars().next() {
        if let Some(found) = escapes.captures(rest).filter(|found| found.get(0).unwrap().start() == 0) {
            let count = found[1].parse::<usize>().unwrap_or(1).max(1);
            match &found[2] {
                "A" => row = row.saturating_sub(count),
                "G" => column = count - 1,
                "K" => {
                    screen[row] =
                        screen[row].chars().take(if &found[1] == "2" { 0 } else { column }).collect()
                }
                "J" => screen.truncate(row + 1),
                _ => {}
            }
            rest = &rest[found[0].len()..];
            continue;
        }
        rest = &rest[c.len_utf8()..];
        match c {
            '\r' => column = 0,
            '\n' => (row, column) = (row + 1, 0),
            c => {
                let mut line: Vec<char> = screen[row].chars().collect();
                line.resize(line.len().max(column + 1), ' ');
                line[column] = c;
                screen[row] = line.into_iter().collect();
                column += 1;
            }
        }
        screen.resize(screen.len().max(row + 1), String::new());
    }
    let mut lines: Vec<String> = screen.iter().map(|line| line.trim_end().to_owned()).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// A bar on a terminal while plans are made, and nothing of it in the end; none in a pipe, and none with `-q`.
#[test]
fn a_bar_while_one_waits() {
    let slow = "if [ $1 != state ]; then sleep 1.8; fi";
    let scratch = Scratch::new([
        ("a/main.tf", "locals {}\n"),
        ("b/main.tf", "locals {}\n"),
        ("c/main.tf", "locals {}\n"),
    ]);
    let words = ["plan", "--recursive", "--jobs=2", "-input=false"];
    let on_terminal =
        |words: &[&str]| terminal::run_with(&scratch, words, 100, false, &[("FAKE_DURING", slow)]);
    let shown = on_terminal(&words);
    assert_eq!(shown.code, Some(0), "{}", shown.out);
    assert!(shown.out.contains("planning… 0 of 3 "), "{:?}", shown.out);
    assert!(shown.out.contains("planning… 2 of 3 "), "{:?}", shown.out);
    let left = left(&shown.out);
    assert!(left.iter().all(|line| !line.contains("planning")), "{left:#?}");
    let mut piped = scratch.command(&words);
    let piped = Done::new(piped.env("FAKE_DURING", slow).output().unwrap());
    assert!(!piped.err.contains("planning") && !piped.err.contains('\r'), "{:?}", piped.err);
    // What stays is what a pipe gets.
    for said in ["── a", "── b", "── c", "tf-phi: 3 of 3 directories planned."] {
        assert_eq!(left.iter().filter(|line| *line == said).count(), 1, "{said}: {left:#?}");
    }
    let quiet = on_terminal(&[&words[..], &["-q"]].concat());
    assert!(!quiet.out.contains("planning…"), "{:?}", quiet.out);
}

/// Without a terminal there is no colour and no width.
#[test]
fn what_a_pipe_gets() {
    let scratch = scratch();
    for args in [&["matrix"][..], &["review", "--base", "HEAD"], &["validate"]] {
        let done = scratch.run(args);
        assert!(!done.out.contains('\u{1b}') && !done.out.is_empty(), "{}", done.out);
    }
}
