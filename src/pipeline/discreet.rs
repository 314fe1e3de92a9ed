//! What is said of a field that can't be specialised, without what that tells of secrets.
//!
//! In: a trace, and the issue for it. Out: the issue, or one that says less. An error quotes the value that it is about, and so does a reason that holds its
//! words; whatever prints such an issue gets it from here. Absent on purpose: values, which have a name of their own in issues nowhere.

use super::secrets::{ERROR_OF_SECRET, PART_OF_SECRET, Veil};
use super::session::Session;
use crate::host::Host;
use crate::issue::{Fix, Issue};
use crate::trace::{Reason, Trace, Traced};

impl<H: Host + Clone> Session<H> {
    /// The issue for a trace without what it tells of secrets.
    pub fn conceal_issue(&self, trace: &Trace, issue: Issue) -> Issue {
        let (hidden, touched) = (self.hides(&trace.field), self.touched());
        let is_touched = hidden || touched.has(&trace.field);
        let veil = Veil { secrets: self.secrets(), touched, is_touched, hidden };
        match &trace.result {
            _ if !is_touched => issue,
            Traced::Resolved(_) => issue,
            Traced::Rejected(error) if hidden || veil.is_told_in_error(&error.message) => {
                Issue { why: format!("{}.", sentence(ERROR_OF_SECRET)), fixes: Vec::new(), ..issue }
            }
            Traced::Rejected(_) => issue,
            Traced::Unbounded(reason) => conceal_reason(&veil, reason, issue),
            Traced::Bounded(_) => match &trace.per_entry {
                Some(per_entry) => conceal_reason(&veil, &per_entry.reason, issue),
                None => issue,
            },
        }
    }
}

fn conceal_reason(veil: &Veil<'_>, reason: &Reason, mut issue: Issue) -> Issue {
    if !veil.is_told_in(reason) {
        return issue;
    }
    // What stands beside the words of an error is ours. Other words that quote something may come with ways out that do, too.
    let is_open = |fix: &Fix| {
        reason.has_error
            || fix.paste.ends_with("\"...\"")
            || !veil.quotes(&fix.title) && !veil.quotes(&fix.paste)
    };
    issue.fixes.retain(is_open);
    Issue { why: sentence(PART_OF_SECRET), ..issue }
}

/// Words that begin as a sentence does.
fn sentence(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
