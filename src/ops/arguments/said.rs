//! Faults as issues, with the line to paste.

use super::Passed;
use super::fault::{Edit, Fault};
use super::line::{Line, name_of};
use crate::issue::{Code, Issue};
use crate::text::shell_word;

/// Flags whose values may be secrets, which are never repeated.
const SECRET: &[&str] = &["var"];

/// One issue for each fault.
pub(super) fn issues(passed: &Passed<'_>, line: &Line, faults: &[Fault]) -> Vec<Issue> {
    faults.iter().map(|fault| issue(passed, line, faults, fault)).collect()
}

fn issue(passed: &Passed<'_>, line: &Line, faults: &[Fault], fault: &Fault) -> Issue {
    let origin = line.origin(fault.at);
    let from = origin.map(|name| format!("It comes from the environment variable {name}."));
    let untouched = "Nothing was written, and nothing was planned.".to_owned();
    let why = [Some(fault.why.clone()).filter(|w| !w.is_empty()), from, Some(untouched)];
    let why: Vec<String> = why.into_iter().flatten().collect();
    let issue = Issue::error(Code::Config, &fault.summary, why.join(" "));
    if fault.edits.is_empty() {
        return if fault.title.is_empty() { issue } else { issue.fix(&fault.title, "") };
    }
    // One line puts all right that is wrong in it.
    let edits: Vec<&Edit> = faults
        .iter()
        .filter(|f| line.origin(f.at) == origin && f.edits.iter().all(|e| within(line, e, origin)))
        .flat_map(|f| &f.edits)
        .collect();
    match pasted(passed, line, origin, &edits) {
        Some(text) => issue.fix(format!("{}:", fault.title), text),
        None => apart(issue, fault),
    }
}

/// The fix where the whole line can't be said.
fn apart(issue: Issue, fault: &Fault) -> Issue {
    let words = fault.edits.iter().filter_map(|edit| match edit {
        Edit::Replace(_, word) | Edit::Front(word) => Some(word),
        Edit::Drop(_) | Edit::Last(_) => None,
    });
    let words: Vec<&String> = words.collect();
    if words.iter().any(|word| is_secret(word) && word.contains('=')) {
        return issue.fix(format!("{}, write it so.", fault.title), "");
    }
    let paste: Vec<String> = words.into_iter().map(|word| quoted(word)).collect();
    if fault.edits.iter().any(|e| matches!(e, Edit::Front(_))) {
        return issue.fix(format!("{}:", fault.title), paste.join(" "));
    }
    match paste.is_empty() {
        true => issue.fix(format!("{}.", fault.title), ""),
        false => issue.fix(format!("{}, put this in its place:", fault.title), paste.join(" ")),
    }
}

fn within(line: &Line, edit: &Edit, origin: Option<&str>) -> bool {
    match edit {
        Edit::Replace(at, _) | Edit::Drop(at) | Edit::Last(at) => line.origin(*at) == origin,
        Edit::Front(_) => origin.is_none(),
    }
}

/// The corrected line, or the corrected variable. `None` where it would repeat what may be a secret, or where one place
/// alone can't put it right.
fn pasted(passed: &Passed<'_>, line: &Line, origin: Option<&str>, edits: &[&Edit]) -> Option<String> {
    if edits.is_empty() || edits.iter().any(|e| !within(line, e, origin)) {
        return None;
    }
    let (mut kept, mut last): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for (at, word) in line.from(origin) {
        let of =
            |edit: &&&Edit| matches!(edit, Edit::Replace(i, _) | Edit::Drop(i) | Edit::Last(i) if *i == at);
        match edits.iter().find(of) {
            Some(Edit::Replace(_, word)) => kept.push(word.clone()),
            Some(Edit::Drop(_)) => {}
            Some(Edit::Last(_)) => last.push(word.to_owned()),
            Some(Edit::Front(_)) | None => kept.push(word.to_owned()),
        }
    }
    kept.extend(last);
    if kept.iter().any(|word| is_secret(word)) {
        return None;
    }
    let kept: Vec<String> = kept.iter().map(|word| quoted(word)).collect();
    if let Some(name) = origin {
        return Some(format!("export {name}={}", quoted(&kept.join(" "))));
    }
    let mut all = vec!["tf-phi".to_owned()];
    all.extend(edits.iter().filter_map(|edit| match edit {
        Edit::Front(word) => Some(quoted(word)),
        _ => None,
    }));
    all.extend(passed.front.iter().map(|word| {
        let word = word.to_string_lossy();
        quoted(word.strip_prefix('-').filter(|w| w.starts_with("-chdir=")).unwrap_or(&word))
    }));
    all.extend(kept);
    Some(all.join(" "))
}

/// Returns true if a word, or the one after it, holds a value that may be secret.
pub(super) fn is_secret(word: &str) -> bool {
    name_of(word).is_some_and(|name| SECRET.contains(&name))
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    shell_word(word).into_owned()
}
