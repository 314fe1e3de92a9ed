//! The lines of source that a finding is about, with carets.

use super::{Style, withheld};
use crate::config::paths;
use crate::text::{Place, SourceFile, Sources, Span, one_line};
use std::fmt::Write as _;
use std::ops::Range;

/// No more lines of a span than this are shown.
const LINES: usize = 6;

/// No more of a line than this is shown: a list of thousands of values may stand in one.
const WIDTH: usize = 200;

/// The number of characters shown before the finding in a longer line.
const BEFORE: usize = 40;

/// `  --> file:line:column` and, unless the file may hold secrets, the lines.
pub(super) fn excerpt(sources: &Sources, place: Place, style: Style) -> String {
    let Some(file) = sources.get(place.file) else { return String::new() };
    let at = file.line_col(place.span.start);
    let path = paths::clean(&sources.seen(file.shown()));
    let path = path.to_string_lossy();
    let path = one_line(&path);
    let mut out = format!("  {} {path}:{}:{}\n", style.place("-->"), at.line, at.column);
    if shows_lines(file, place.span) {
        lines(file, place.span, (sources, style), &mut out);
    }
    out
}

/// What is read as a variable file, whatever its name, is where secrets stand, and a value from the command line or the environment may be one. So are lines of
/// `phi.hcl` on which an environment gives variables their values, and of sources on which a secret is written out.
pub(super) fn shows_lines(file: &SourceFile, span: Span) -> bool {
    let name = file.path.to_string_lossy();
    let is_given = name.ends_with(".tfvars") || name.ends_with(".tfvars.json") || name.starts_with('<');
    !is_given && !file.holds_values() && withheld::may_be_shown(file, span)
}

/// The line of source that a place begins in, without its indent; nothing where the file may hold secrets or the text
/// stands in none.
pub(super) fn source_line(sources: &Sources, place: Place) -> Option<String> {
    let file = sources.get(place.file).filter(|f| shows_lines(f, place.span))?;
    let text = withheld::line(file, file.line_col(place.span.start).line);
    Some(one_line(sources.conceal(&text).trim()).into_owned()).filter(|t| !t.is_empty())
}

fn lines(file: &SourceFile, span: Span, (sources, style): (&Sources, Style), out: &mut String) {
    let (first, last) = file.line_range(span);
    let shown = last.min(first + LINES - 1);
    let width = shown.to_string().len();
    let bar = style.place("|");
    // Writing to a String can't fail.
    let _ = writeln!(out, "  {:width$} {bar}", "");
    for number in first..=shown {
        let line = withheld::line(file, number);
        // A key may be a secret, and names what it picks.
        let text = &*sources.conceal(&line);
        // Where a text stands for another one, columns would be those of the other.
        let marked = marked(file, span, number, text).filter(|_| text == file.line_text(number));
        let part = window(text, marked.clone().unwrap_or_default());
        let before = if part.start > 0 { "… " } else { "" };
        let after = if part.end < text.len() { " …" } else { "" };
        let line = as_shown(text, part.clone());
        let _ = writeln!(out, "  {} {bar} {before}{line}{after}", style.place(&format!("{number:width$}")));
        if let Some(marked) = marked {
            let wide = |bytes: Range<usize>| as_shown(text, bytes).chars().count();
            let indent = before.chars().count() + wide(part.start..marked.start);
            let carets = wide(marked.start..marked.end.min(part.end)).max(1);
            let carets = style.error("^".repeat(carets).as_str());
            let _ = writeln!(out, "  {:width$} {bar} {}{carets}", "", " ".repeat(indent));
        }
    }
    if shown < last {
        let _ = writeln!(out, "  {:width$} {bar} …", "");
    }
}

/// A part of a line as a terminal shows it.
fn as_shown(text: &str, bytes: Range<usize>) -> String {
    one_line(&text.get(bytes).unwrap_or_default().replace('\t', " ")).into_owned()
}

/// The bytes of a line that are shown of it.
fn window(text: &str, marked: Range<usize>) -> Range<usize> {
    let Some((limit, _)) = text.char_indices().nth(WIDTH) else { return 0..text.len() };
    if marked.end <= limit {
        return 0..limit;
    }
    let before = text.get(..marked.start).unwrap_or_default();
    let start = before.char_indices().rev().nth(BEFORE - 1).map_or(0, |(at, _)| at);
    let rest = text.get(start..).unwrap_or_default();
    start..rest.char_indices().nth(WIDTH).map_or(text.len(), |(at, _)| start + at)
}

/// The bytes of a line that belong to a span; of a span of several lines only on the first.
fn marked(file: &SourceFile, span: Span, line: usize, text: &str) -> Option<Range<usize>> {
    if file.line_col(span.start).line != line {
        return None;
    }
    let within = |at: usize| text.floor_char_boundary(at);
    let start = within(file.in_line(span.start));
    let ends_here = file.line_col(span.end).line == line;
    let end = if ends_here { within(file.in_line(span.end)) } else { text.len() };
    Some(start..end.max(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(path: &str, text: &str, start: usize, end: usize) -> String {
        show_file(SourceFile::new(path, text), start, end)
    }

    fn show_file(file: SourceFile, start: usize, end: usize) -> String {
        let mut sources = Sources::default();
        let file = sources.add(file);
        sources.withhold(&[]);
        excerpt(&sources, Place { file, span: Span::new(start, end) }, Style::Plain)
    }

    #[test]
    fn one_line() {
        let want = "  --> a.tf:2:5\n    |\n  2 | é = var.x\n    |     ^^^^^\n";
        assert_eq!(show("a.tf", "x\né = var.x\n", 7, 12), want);
    }

    #[test]
    fn several_lines_and_the_end_of_the_file() {
        let want = "  --> a.tf:1:3\n    |\n  1 | a {\n    |   ^\n  2 | }\n";
        assert_eq!(show("a.tf", "a {\n}", 2, 5), want);
        assert_eq!(show("a.tf", "#", 1, 1), "  --> a.tf:1:2\n    |\n  1 | #\n    |  ^\n");
    }

    #[test]
    fn a_part_of_a_long_line() {
        let long = format!("#{}wrong{}", "a".repeat(499), "b".repeat(500));
        let shown = format!("… {}wrong{} …", "a".repeat(40), "b".repeat(155));
        let want = format!("  --> a.tf:1:501\n    |\n  1 | {shown}\n    | {}^^^^^\n", " ".repeat(42));
        assert_eq!(show("a.tf", &long, 500, 505), want);
        let whole = show("a.tf", &long, 0, 1005);
        assert!(
            whole.contains(&format!("  1 | #{} …\n    | {}\n", "a".repeat(199), "^".repeat(200))),
            "{whole}"
        );
        let last = show("a.tf", &long, 1000, 1005);
        assert!(
            last.contains(&format!("  1 | … {}\n    | {}^^^^^\n", "b".repeat(45), " ".repeat(42))),
            "{last}"
        );
        let end = show("a.tf", &long, 1005, 1005);
        let want = format!("  1 | … {}\n    | {}^\n", "b".repeat(40), " ".repeat(42));
        assert!(end.ends_with(&want), "{end}");
    }

    #[test]
    fn variable_files_are_not_quoted() {
        assert_eq!(show("prod.tfvars", "pw = \"s\"", 0, 2), "  --> prod.tfvars:1:1\n");
        let named = SourceFile::new("prod.vars", "pw = \"s\"").with_values();
        assert_eq!(show_file(named.clone(), 0, 2), "  --> prod.vars:1:1\n");
        let made = SourceFile::new("a.tf", "pw").made_from(named, Default::default());
        assert_eq!(show_file(made, 0, 2), "  --> prod.vars:1:1\n");
    }
}
