//! Our evaluator against the real Terraform, expression by expression.
//!
//! In: the rows beside this file, one expression a line, and random ones from a grammar. Both sides evaluate each; the
//! values have to be the same JSON text and of the same type, errors have to meet errors.
//! A row that starts with `~` may also be declined or unknown on our side; lines that start with `#` are comments.
//! Deliberately absent: the wording of errors.

#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used
)] // a test; what goes wrong shall end it

#[path = "../../tests/evaluated/mod.rs"]
mod evaluated;
#[allow(dead_code)]
#[path = "../support.rs"]
mod support;

mod charsets;
mod folder;
mod generate;
mod gzip;
mod heredoc;
mod json;
mod lines;
mod oracle;
mod outcome;
mod properties;
mod rows;
mod types;
mod variables;
mod versions;

use rows::Row;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;
use tf_phi::syntax::on_big_stack;

/// Both sides' outcomes of rows that disagree, as a report; empty where none does.
fn disagreements(rows: &[Row]) -> String {
    let texts: Vec<&str> = rows.iter().map(|r| r.text.as_str()).collect();
    let all_ours: Vec<_> = on_big_stack(|| texts.iter().map(|text| outcome::ours(text)).collect());
    let theirs = oracle::evaluate(&texts);
    let mut report = String::new();
    // Answers are those of 1.11. Of an earlier version what it answers otherwise may be declined; `core::` is no syntax before 1.8.
    let older = oracle::version() < (1, 11);
    let reads = |row: &Row| oracle::version() >= (1, 8) || !row.text.contains("core::");
    for ((row, ours), theirs) in rows.iter().zip(all_ours).zip(theirs).filter(|((row, _), _)| reads(row)) {
        if !ours.agrees_with(&theirs, row.lenient || older) {
            writeln!(report, "{}: {}\n    terraform: {theirs}\n    tf-phi:    {ours}", row.place, row.text)
                .unwrap();
        }
    }
    report
}

/// The rows of the file that `TF_PHI_DIFFERENTIAL_ROWS` names, or all.
fn wanted() -> Vec<Row> {
    match std::env::var_os("TF_PHI_DIFFERENTIAL_ROWS").map(PathBuf::from) {
        Some(file) => rows::of_file(file.parent().unwrap_or(&file), &file),
        None => rows::all(),
    }
}

#[test]
fn rows_agree() {
    let report = disagreements(&wanted());
    assert!(report.is_empty(), "\n{report}");
}

#[test]
fn every_function_has_rows() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for row in rows::all().into_iter().filter(|r| !r.lenient) {
        *counts.entry(row.group).or_default() += 1;
    }
    let poor: BTreeSet<&str> =
        tf_phi::func::all().map(|f| f.name).filter(|n| counts.get(*n).copied().unwrap_or(0) < 10).collect();
    assert!(poor.is_empty(), "fewer than 10 rows in e2e/differential/NAME.txt for: {poor:?}");
}

#[test]
fn there_are_enough_rows() {
    let rows: Vec<Row> = rows::all().into_iter().filter(|r| !r.lenient).collect();
    let language = rows.iter().filter(|r| r.place.starts_with("language/")).count();
    assert!(language >= 600 && rows.len() >= 2_500, "{language} rows on the language, {} in all", rows.len());
}

/// `functions/VERSION` is what `terraform metadata functions -json` of that version lists.
#[test]
fn every_function_of_terraform_is_registered() {
    for (minor, listed) in [(11, include_str!("functions/1.11.4")), (15, include_str!("functions/1.15.5"))] {
        let listed: BTreeSet<&str> = listed.lines().collect();
        let ours: BTreeSet<&str> = tf_phi::func::all().filter(|f| f.since <= minor).map(|f| f.name).collect();
        // They exist to say that they are gone, and aren't listed.
        let gone = BTreeSet::from(["list", "map"]);
        assert_eq!(ours.difference(&gone).copied().collect::<BTreeSet<_>>(), listed, "1.{minor}");
    }
}

#[test]
fn random_expressions_agree() {
    let number = |name: &str, default: u64| std::env::var(name).map_or(default, |v| v.parse().expect(name));
    let cases = number("TF_PHI_DIFFERENTIAL_CASES", 300);
    let seed = number("TF_PHI_DIFFERENTIAL_SEED", 1);
    let mut generator = generate::Generator::new(seed);
    let rows: Vec<Row> = (0..cases)
        .map(|i| Row {
            text: generator.expression(),
            lenient: true,
            place: format!("seed {seed}, case {i}"),
            group: String::new(),
        })
        .collect();
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for row in &rows {
        *kinds.entry(outcome::ours(&row.text).kind()).or_default() += 1;
    }
    println!("{cases} expressions, of which we find: {kinds:?}");
    let report = disagreements(&rows);
    assert!(report.is_empty(), "\n{report}");
}
