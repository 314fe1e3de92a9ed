//! The frame that every page stands in: one file that needs nothing from elsewhere.
//!
//! In: a title, figures, and a body that is HTML already. Out: a page that can be searched, by keyboard too, in light and dark, on a
//! phone. Invariants: a browser loads nothing and runs no script but ours (the page's own Content-Security-Policy names both
//! by their hash); without scripts everything is there to read. Deliberately absent: what a report means.

mod finding;
mod table;

use super::wrap::capital;

pub(super) use finding::{finding, fixes};
pub(super) use table::{Item, Rows};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

/// No line may begin with `::`, as what is printed has none.
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// A page.
#[derive(Clone, Debug)]
pub struct Page {
    /// The command that made it.
    pub(super) command: &'static str,
    /// Text.
    pub(super) title: String,
    /// Text: a sentence or two.
    pub(super) lead: String,
    /// Figures, the gravest first.
    pub(super) facts: Vec<Fact>,
    /// HTML.
    pub(super) body: String,
}

/// A figure.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    /// Its colour.
    pub tone: Tone,
    /// The number.
    pub count: usize,
    /// The thing counted: its singular, its plural.
    pub what: [&'static str; 2],
}

/// The weight of a thing to the reader, shown as a colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tone {
    /// Nothing much.
    Plain,
    /// Something comes.
    Add,
    /// Something changes in place.
    Change,
    /// Something is replaced, or deserves a look.
    Replace,
    /// Something goes, or is wrong.
    Destroy,
}

impl Tone {
    /// The class.
    fn class(self) -> &'static str {
        match self {
            Tone::Plain => "plain",
            Tone::Add => "add",
            Tone::Change => "change",
            Tone::Replace => "replace",
            Tone::Destroy => "destroy",
        }
    }
}

impl Page {
    /// The page's text.
    pub fn text(&self) -> String {
        let (title, command) = (escaped(&self.title), self.command);
        let facts: String = self.facts.iter().map(fact).collect();
        let facts = if facts.is_empty() { facts } else { format!("<ul class=\"facts\">\n{facts}</ul>\n") };
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{}'; script-src '{}'; \
             base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
             <title>{title} · tf-phi {command}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
             <a class=\"skip\" href=\"#report\">Skip to the report</a>\n\
             <header class=\"top\"><div class=\"wrap\">\n<p class=\"eyebrow\"><b>tf-phi</b> {command}</p>\n\
             <h1>{title}</h1>\n<p class=\"lead\">{}</p>\n{facts}</div></header>\n{BAR}\
             <main id=\"report\"><div class=\"wrap\">\n{}\
             <p class=\"empty\" id=\"nothing\" hidden>Nothing matches this filter.</p>\n</div></main>\n\
             <footer><div class=\"wrap\"><p>Made by tf-phi {}. This page loads nothing from elsewhere.</p></div></footer>\n\
             <script>{SCRIPT}</script>\n</body>\n</html>\n",
            hash(STYLE),
            hash(SCRIPT),
            escaped(&self.lead),
            self.body,
            env!("CARGO_PKG_VERSION"),
        )
    }
}

const BAR: &str = "<div class=\"bar\" role=\"search\"><div class=\"wrap\">\n<div class=\"find\">\
    <label class=\"sr\" for=\"filter\">Filter rows</label>\
    <input id=\"filter\" type=\"search\" placeholder=\"Filter rows\" autocomplete=\"off\" spellcheck=\"false\" \
    aria-describedby=\"count\" aria-keyshortcuts=\"/\"><kbd aria-hidden=\"true\">/</kbd></div>\n\
    <output class=\"count\" id=\"count\" for=\"filter\" aria-live=\"polite\"></output>\n\
    <button id=\"theme\" type=\"button\">Dark mode</button>\n</div></div>\n";

impl Fact {
    /// Returns the name of the thing counted, in the right number.
    pub fn what(&self) -> &'static str {
        let [one, several] = self.what;
        if self.count == 1 { one } else { several }
    }
}

fn fact(fact: &Fact) -> String {
    // What didn't happen needs no colour.
    let tone = if fact.count == 0 { Tone::Plain } else { fact.tone };
    format!("<li class=\"{}\"><b>{}</b> {}</li>\n", tone.class(), fact.count, fact.what())
}

/// Returns the hash by which a content security policy allows a text of the page.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

/// A part of the page with its heading, which is text.
pub(super) fn section(class: &str, heading: &str, body: &str) -> String {
    format!("<section class=\"{class}\" data-group>\n<h2>{}</h2>\n{body}</section>\n", escaped(heading))
}

/// A part of the page that can be closed, with the label of its heading behind it as HTML.
pub(super) fn group(class: &str, name: &str, heading: &str, tags: &str, open: bool, body: &str) -> String {
    format!(
        "<details class=\"group{class}\" data-group data-in=\"{}\"{}>\n<summary><h2>{}</h2>{tags}</summary>\n{body}</details>\n",
        escaped(name),
        if open { " open" } else { "" },
        escaped(heading),
    )
}

/// A label.
pub(super) fn tag(tone: Tone, text: &str) -> String {
    format!("<span class=\"tag {}\">{}</span>", tone.class(), escaped(text))
}

/// Sentences in HTML: what stands between backticks is code.
pub(super) fn prose(text: &str) -> String {
    let text = capital(text.trim());
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escaped(&text);
    }
    let one = |(at, part): (usize, &&str)| match at % 2 {
        0 => escaped(part),
        _ => format!("<code>{}</code>", escaped(part)),
    };
    parts.iter().enumerate().map(one).collect()
}

/// Text in HTML, between tags and in quoted attributes.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Reader, Style};

    #[test]
    fn what_the_policy_names_is_printed_as_it_is() {
        for text in [STYLE, SCRIPT] {
            assert!(text.is_ascii() && !text.contains("</"));
            assert_eq!(Reader::People.guarded(text, Style::Plain), text);
        }
        let page = Page {
            command: "x",
            title: "<t>".into(),
            lead: "'l'".into(),
            facts: vec![],
            body: String::new(),
        };
        let text = page.text();
        assert!(text.contains("<h1>&lt;t&gt;</h1>") && text.contains(">&#39;l&#39;</p>"), "{text}");
        assert_eq!(prose("say `<a>` of `b`."), "Say <code>&lt;a&gt;</code> of <code>b</code>.");
        assert_eq!(prose("a ` and `b` <"), "A ` and `b` &lt;");
        assert_eq!(hash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }
}
