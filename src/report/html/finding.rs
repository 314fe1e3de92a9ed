//! A finding on a page.

use super::{Tone, escaped, prose, tag};
use crate::issue::{Fix, Issue, Severity};
use crate::report::formats::{Group, spot};
use crate::report::issue::shown;
use crate::text::Sources;
use std::path::Path;

/// A finding, with the ways out.
pub(crate) fn finding(sources: &Sources, issue: &Issue) -> String {
    let issue = &shown(issue, sources);
    let group = Group { dir: Path::new(""), issues: &[], sources };
    let (tone, word) = match issue.severity {
        Severity::Error => (Tone::Destroy, "stops"),
        Severity::Warning => (Tone::Replace, "warning"),
    };
    let place = spot(&group, issue).map(|spot| {
        let line = spot.lines.map_or_else(String::new, |[line, ..]| format!(":{line}"));
        format!("<code>{}{line}</code> · ", escaped(&spot.file))
    });
    let field = issue.field.as_ref().map(|field| format!("<code>{}</code> · ", escaped(field)));
    format!(
        "<article class=\"finding\" data-row>\n<h3>{} {}</h3>\n<p class=\"where\">{}{}code <code>{}</code></p>\n\
         <p>{}</p>\n{}</article>\n",
        tag(tone, word),
        prose(&issue.summary),
        place.unwrap_or_default(),
        field.unwrap_or_default(),
        issue.code,
        prose(&issue.why),
        fixes(&issue.fixes),
    )
}

/// The ways out; nothing where there is none.
pub(crate) fn fixes(all: &[Fix]) -> String {
    let one = |fix: &Fix| {
        let paste =
            if fix.paste.is_empty() { String::new() } else { format!("<pre>{}</pre>", escaped(&fix.paste)) };
        format!("<li>{}{paste}</li>\n", prose(&fix.title))
    };
    let fixes: String = all.iter().map(one).collect();
    if fixes.is_empty() { fixes } else { format!("<ul>\n{fixes}</ul>\n") }
}
