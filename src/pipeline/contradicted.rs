//! The finding about a history that gives a name two originals.
//!
//! In: a history, the text of its file. Out: one error, with what settles it. Absent: what is a contradiction
//! ([`crate::specialise::record::contradicted`]).

use crate::issue::{Code, Issue};
use crate::specialise::record::contradicted::{Contradiction, Meaning};
use crate::specialise::record::history::{self, History};
use crate::text::{one_line, shell_quoted};

/// So many meanings are told one by one.
const MOST_TOLD: usize = 4;

/// Finds the first name with several originals; `text` is that of the history's file.
pub(super) fn find_two_meanings(history: &History, text: &str) -> Option<Issue> {
    let all = history.find_contradictions(text);
    let first = all.first()?;
    let told: Vec<String> = first.meanings.iter().take(MOST_TOLD).map(describe_meaning).collect();
    let others = match all.len() - 1 {
        0 => String::new(),
        1 => " So it is with one more name.".to_owned(),
        more => format!(" So it is with {more} more names."),
    };
    let why = format!(
        "{}. What a state holds under this name would be led to each of them, and Terraform stops with \"Ambiguous move statements\". Two \
         branches that gave the name to copies of their own merge to this.{others}",
        told.join(", ")
    );
    let summary = format!("the history says that {} is a copy of two originals", one_line(&first.address));
    let line = first.meanings.iter().flat_map(|meaning| &meaning.lines).max();
    let place = line.map_or_else(|| history::FILE.to_owned(), |line| format!("{}:{line}", history::FILE));
    let issue = Issue::error(Code::Edited, summary, why).in_path(place);
    Some(first.meanings.iter().take(MOST_TOLD).fold(issue, |issue, kept| add_fix(issue, first, kept)))
}

fn describe_meaning(meaning: &Meaning) -> String {
    let original = one_line(&meaning.entry.original);
    match meaning.lines.first() {
        Some(line) => format!("By line {line} it is a copy of {original}"),
        None => format!("By the record it is a copy of {original}"),
    }
}

/// Adds what leaves one meaning alone.
fn add_fix(issue: Issue, name: &Contradiction, kept: &Meaning) -> Issue {
    let others = name.meanings.iter().filter(|other| other.entry.original != kept.entry.original);
    let lines: Vec<usize> = others.flat_map(|other| other.lines.iter().copied()).collect();
    let settle = match lines.is_empty() {
        false => {
            let program = format!("print unless {}", name_lines(lines));
            format!("perl -i -ne {} {}", shell_quoted(&program), history::FILE)
        }
        true => {
            let line = serde_json::to_string(&kept.entry).unwrap_or_default();
            format!("printf '%s\\n' {} >> {}", shell_quoted(&line), history::FILE)
        }
    };
    let title = format!(
        "Where the states hold a copy of {} under this name, or nothing, let that one be it:",
        one_line(&kept.entry.original)
    );
    issue.fix(title, format!("{settle} && tf-phi check --fix"))
}

/// The condition of Perl that is true for these lines.
fn name_lines(mut lines: Vec<usize>) -> String {
    lines.sort_unstable();
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for line in lines {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => ranges.push((line, line)),
        }
    }
    let one = |(first, last): &(usize, usize)| match first == last {
        true => format!("$. == {first}"),
        false => format!("$. >= {first} && $. <= {last}"),
    };
    ranges.iter().map(one).collect::<Vec<_>>().join(" || ")
}
