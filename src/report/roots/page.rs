//! One page of many root modules: figures of all, a list of those that have something to say, and a section for each of these.

use super::part::{Form, Part, Piece, counted, heading};
use crate::issue::Issue;
use crate::report::html::{Fact, Page, Tone, escaped, finding, group, section, tag};
use crate::text::Sources;

/// The number of sections that are open when the page is loaded.
const OPEN: usize = 12;

/// The page of a root module that can't be worked on.
pub(super) fn stopped(issues: &[Issue], sources: &Sources) -> Page {
    let all: String = issues.iter().map(|issue| finding(sources, issue)).collect();
    let errors = issues.iter().filter(|issue| issue.is_error()).count();
    let fact = Fact { tone: Tone::Destroy, count: errors, what: ["error", "errors"] };
    Page {
        command: "",
        title: String::new(),
        lead: String::new(),
        facts: vec![fact],
        body: section("findings", "Findings", &all),
    }
}

/// The page of all.
pub(super) fn of(form: &Form, parts: &[Part]) -> Page {
    let pages = || {
        parts.iter().filter_map(|part| match &part.report {
            Piece::Html(page) => Some((part, page)),
            _ => None,
        })
    };
    let telling = pages().filter(|(part, _)| part.tells).count();
    let mut body = String::new();
    for (at, (part, page)) in pages().filter(|(part, _)| part.tells).enumerate() {
        let name = heading(&part.dir);
        body.push_str(&group(" root", &name, &name, &tags(page), at < OPEN, &page.body));
    }
    let silent: Vec<String> =
        pages().filter(|(part, _)| !part.tells).map(|(part, _)| heading(&part.dir)).collect();
    if !silent.is_empty() {
        let each: String = silent.iter().map(|dir| format!("<p data-row>{}</p>\n", escaped(dir))).collect();
        body.push_str(&section("quiet", &format!("{} in", form.nothing), &each));
    }
    let known = pages().find(|(_, page)| !page.title.is_empty());
    Page {
        command: known.map_or("report", |(_, page)| page.command),
        title: known.map_or_else(|| "Root modules".to_owned(), |(_, page)| page.title.clone()),
        lead: counted(form, parts.len(), telling).unwrap_or_default(),
        facts: sums(pages().map(|(_, page)| page)),
        body,
    }
}

/// The figures of all, each once, what is wrong first.
fn sums<'a>(pages: impl Iterator<Item = &'a Page>) -> Vec<Fact> {
    let mut all: Vec<Fact> = Vec::new();
    for fact in pages.flat_map(|page| &page.facts) {
        match all.iter_mut().find(|known| known.what == fact.what) {
            Some(known) => known.count += fact.count,
            None => all.push(fact.clone()),
        }
    }
    all.sort_by_key(|fact| fact.what != ["error", "errors"]);
    all
}

/// Returns the labels that a closed section shows.
fn tags(page: &Page) -> String {
    let some = page.facts.iter().filter(|fact| fact.count > 0);
    some.map(|fact| format!(" {}", tag(fact.tone, &format!("{} {}", fact.count, fact.what())))).collect()
}
