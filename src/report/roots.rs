//! One report of many root modules.
//!
//! In: what each gave, in the form that was asked for. Out: one document: JSON with an object for each, findings in one list, or a
//! text with a heading for each that has something to say. Roots without anything are counted. JSON is a public contract
//! (`format_version` 1.0).

mod page;
mod part;

pub use part::{Form, Part, Piece, Shape, heading};

use super::document::Document;
use super::issue::{self, Format, rendered};
use super::markdown::{code, text as escaped};
use super::table::{Entry, Table};
use super::{Console, Group, Reader, Style};
use crate::issue::Issue;
use crate::text::Sources;
use part::counted;
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::path::Path;

impl Form {
    /// The part of a root module that can't be worked on.
    pub fn stopped(&self, dir: &Path, issues: Vec<Issue>, sources: Sources, console: Console) -> Part {
        let sources = sources.seen_from(dir);
        let group = Group { dir, issues: &issues, sources: &sources };
        let said = |format, style| rendered(format, &[group], style);
        let report = match self.shape {
            Shape::Text => Piece::Text(said(Format::Text, console.out)),
            Shape::Markdown => Piece::Text(said(Format::Markdown, Style::Plain)),
            Shape::Csv => Piece::Csv(Table::default()),
            Shape::Json => {
                let all: Vec<Json> = issues.iter().map(|i| issue::json(i, &sources)).collect();
                Piece::Json(json!({ "format_version": "1.0", "issues": all }).into())
            }
            Shape::Findings(_) => Piece::Findings(issues.clone(), sources.clone()),
            Shape::Html => Piece::Html(page::stopped(&issues, &sources)),
        };
        let aside = if self.shape == Shape::Csv { said(Format::Text, console.err) } else { String::new() };
        Part { status: 1, aside, ..Part::of(dir, report) }
    }

    /// Warnings, for standard error.
    pub fn warned(issues: &[Issue], sources: &Sources, console: Console) -> String {
        let group = Group { dir: Path::new(""), issues, sources };
        rendered(Format::Text, &[group], console.err)
    }
}

/// Prints the report of the only root module, as it stands.
pub fn print_one(console: Console, form: &Form, part: &Part) {
    console.say(&part.aside);
    match &part.report {
        Piece::Text(text) => console.report(text),
        Piece::Json(document) => console.print_document(document),
        Piece::Csv(table) => console.print(Reader::People, &table.csv()),
        Piece::Html(page) => console.report(&page.text()),
        Piece::Findings(issues, sources) => {
            let Shape::Findings(format) = form.shape else { return };
            let group = Group { dir: &part.dir, issues, sources };
            console.print(format.reader(), &rendered(format, &[group], Style::Plain))
        }
    };
}

/// Prints one report of all.
pub fn print(console: Console, form: &Form, parts: &[Part]) {
    for (all, aside) in warnings(parts) {
        console.say(&format!("{}\n{aside}", console.err.strong(&names(&all))));
    }
    match form.shape {
        Shape::Text | Shape::Markdown if parts.is_empty() => true,
        Shape::Text => {
            let block = |dir: &str, text: &str| format!("{}\n{text}", console.out.strong(dir));
            console.report(&blocks(form, parts, block, |silent| silent))
        }
        Shape::Markdown => {
            let block = |dir: &str, text: &str| format!("## {}\n\n{text}", code(dir));
            console.report(&blocks(form, parts, block, |silent| escaped(&silent)))
        }
        Shape::Json => console.print_documents("roots", parts.iter().map(object)),
        Shape::Csv => console.print(Reader::People, &csv(parts)),
        Shape::Findings(format) => {
            let groups: Vec<Group<'_>> = parts
                .iter()
                .filter_map(|part| match &part.report {
                    Piece::Findings(issues, sources) => Some(Group { dir: &part.dir, issues, sources }),
                    _ => None,
                })
                .collect();
            console.print(format.reader(), &rendered(format, &groups, Style::Plain))
        }
        Shape::Html => console.report(&page::of(form, parts).text()),
    };
}

/// The warnings of directories, each once: many root modules call the same module that isn't installed.
fn warnings(parts: &[Part]) -> Vec<(Vec<&Part>, &str)> {
    let mut groups: Vec<(Vec<&Part>, &str)> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for part in parts.iter().filter(|part| !part.aside.is_empty()) {
        let dir = heading(&part.dir);
        // Where its files are, and where its fixes are meant.
        let own = [(format!("{dir}/"), ""), (format!("(in {dir}"), "(in"), (format!("(cd {dir} && "), "(cd")];
        let said = own.iter().fold(part.aside.clone(), |text, (own, any)| text.replace(own, any));
        match known.get(&said).and_then(|at| groups.get_mut(*at)) {
            Some((all, _)) => all.push(part),
            None => {
                known.insert(said, groups.len());
                groups.push((vec![part], &part.aside));
            }
        }
    }
    groups
}

/// The texts of directories that have something to report, each as `block` shows it behind its heading, and how many have nothing.
fn blocks(
    form: &Form,
    parts: &[Part],
    block: impl Fn(&str, &str) -> String,
    silent: impl Fn(String) -> String,
) -> String {
    let mut groups: Vec<(Vec<&Part>, &str)> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for part in parts.iter().filter(|part| part.tells) {
        let Piece::Text(text) = &part.report else { continue };
        // Where the same is said, lines of files may differ.
        let said = part.joins.then(|| without_places(text));
        let same = said.as_ref().and_then(|said| known.get(said)).copied();
        match same.and_then(|at| groups.get_mut(at)) {
            Some((all, _)) => all.push(part),
            None => {
                known.extend(said.map(|said| (said, groups.len())));
                groups.push((vec![part], text));
            }
        }
    }
    let telling = groups.iter().map(|(all, _)| all.len()).sum();
    let one = |(all, text): &(Vec<&Part>, &str)| block(&names(all), text.trim_end_matches('\n'));
    let mut blocks: Vec<String> = groups.iter().map(one).collect();
    blocks.extend(counted(form, parts.len(), telling).map(silent));
    blocks.join("\n\n") + "\n"
}

/// The directories that say the same. Places are those of the first one.
fn names(all: &[&Part]) -> String {
    let names: Vec<String> = all.iter().map(|part| heading(&part.dir)).collect();
    match names.as_slice() {
        [] | [_] => names.concat(),
        [first, ..] => format!("{} (these read alike; lines are those of {first})", names.join(", ")),
    }
}

/// A report without the places, as in `from local.tags (main.tf:3-5)`, in the lines that name what was edited. Values stay as they are.
fn without_places(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let mut bare = line;
        while let Some((_, behind)) = bare.strip_prefix('\u{1b}').and_then(|own| own.split_once('m')) {
            bare = behind;
        }
        match bare.starts_with("from ") {
            true => {
                bare.split(", ").map(|part| part.split_once(" (").map_or(part, |(name, _)| name)).collect()
            }
            false => line.to_owned(),
        }
    });
    lines.collect::<Vec<String>>().join("\n")
}

fn object(part: &Part) -> Document {
    let mut out = Document::default();
    out.add("directory", part.dir.display().to_string());
    out.add("status", part.status);
    if let Piece::Json(own) = &part.report {
        out.extend(own);
    }
    out
}

/// One table, the directory before each line; a head stands wherever the columns are others than before.
fn csv(parts: &[Part]) -> String {
    let mut out = String::new();
    let mut known = String::new();
    for part in parts {
        let Piece::Csv(table) = &part.report else { continue };
        if table.rows.is_empty() {
            continue;
        }
        let dir = Entry::plain(heading(&part.dir));
        let row = |row: &Vec<Entry>| std::iter::once(dir.clone()).chain(row.iter().cloned()).collect();
        let head = std::iter::once("directory".to_owned()).chain(table.head.iter().cloned()).collect();
        let text = Table { head, rows: table.rows.iter().map(row).collect() }.csv();
        // No name of a column holds a line break.
        let Some((head, lines)) = text.split_once('\n') else { continue };
        if head != known {
            out.push_str(&format!("{head}\n"));
            known = head.to_owned();
        }
        out.push_str(lines);
    }
    out
}
