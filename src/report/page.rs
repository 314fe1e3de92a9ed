//! The page of a code: what `docs/codes.md` says of it, in the program itself.
//!
//! Invariant: the document is the only text; a test holds its sections to the table of codes.

use crate::issue::Code;
use serde_json::{Value as Json, json};

const CODES: &str = include_str!("../../docs/codes.md");

/// The page of a code, in Markdown, without its heading.
pub fn page(code: Code) -> &'static str {
    let mut sections = CODES.split("\n## ").filter_map(|section| section.split_once('\n'));
    sections.find(|(name, _)| *name == code.name()).map_or("", |(_, body)| body.trim())
}

/// Returns the public address of a code's page, as of this version.
pub fn uri(code: Code) -> String {
    concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/v", env!("CARGO_PKG_VERSION"), "/docs/codes.md#").to_owned()
        + code.name()
}

/// The page for a terminal: the heading, and links without their targets.
pub fn text(code: Code) -> String {
    format!("{}: {}\n\n{}\n", code.name(), code.meaning(), without_links(page(code)))
}

/// The page for programs.
pub fn document(code: Code) -> Json {
    json!({
        "format_version": "1.0",
        "code": code.name(),
        "meaning": code.meaning(),
        "page": page(code),
    })
}

/// `[text](target)` as `text`.
fn without_links(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut rest = markdown;
    while let Some(at) = rest.find("](") {
        let (before, after) = rest.split_at(at);
        let link = before.rfind('[').zip(after.find(')'));
        let Some((open, close)) = link else { break };
        let (head, text) = before.split_at(open);
        out.push_str(head);
        out.push_str(text.get(1..).unwrap_or_default());
        rest = after.get(close + 1..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_page() {
        for code in Code::ALL {
            let shown = text(*code);
            assert!(shown.contains("**Fix.**") && !shown.contains("]("), "{code}: {shown}");
            assert!(!shown.contains("\n## "), "{code} goes on into the next page");
        }
    }

    #[test]
    fn links_are_their_text() {
        assert_eq!(without_links("a [`b`](#c), x[0] [d](e.md)."), "a `b`, x[0] d.");
    }
}
