//! A report that can't be written is no success; a reader that went away is no failure.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)]
#![cfg(target_os = "linux")]

use crate::cli_common::{Done, Scratch};
use std::fs::OpenOptions;
use std::process::Stdio;

const MAIN: (&str, &str) = (
    "main.tf",
    "variable \"on\" {\n  type    = bool\n  default = true\n}\n\nresource \"terraform_data\" \"a\" {\n  input = var.on ? \"x\" : \"y\"\n}\n",
);
const PHI: (&str, &str) = ("phi.hcl", "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n");

/// Commands that print a report, in each of their forms.
const REPORTS: &[&[&str]] = &[
    &["trace"],
    &["trace", "--format", "json"],
    &["trace", "--format", "markdown"],
    &["trace", "--expr", "1 + 1"],
    &["check"],
    &["check", "--format", "json"],
    &["diff"],
    &["graph"],
    &["explain", "terraform_data.a.input"],
    &["--help"],
    &["--version"],
];

#[test]
fn a_full_disk_is_an_error() {
    for words in REPORTS {
        let scratch = Scratch::new([MAIN, PHI]);
        let whole = scratch.run(words);
        assert!(!whole.out.is_empty(), "{words:?} prints nothing\n{}", whole.err);
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let done = scratch.command(words).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
        let done = Done::new(done.wait_with_output().unwrap());
        assert_eq!(done.code, Some(1), "{words:?}\n{}", done.err);
        assert!(done.err.contains("standard output can't be written"), "{words:?}\n{}", done.err);
    }
}

#[test]
fn a_reader_that_went_away_is_none() {
    for words in REPORTS {
        let scratch = Scratch::new([MAIN, PHI]);
        let whole = scratch.run(words);
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let done = scratch.command(words).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
        let done = Done::new(done.wait_with_output().unwrap());
        assert_eq!((done.code, done.err), (whole.code, whole.err), "{words:?}");
    }
}
