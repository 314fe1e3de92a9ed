//! The lines of source that a finding is about, with carets.

use super::Style;
use crate::text::{Place, SourceFile, Sources, Span, one_line};
use std::fmt::Write as _;

/// No more lines of a span than this are shown.
const LINES: usize = 6;

/// `  --> file:line:column` and, unless the file may hold secrets, the lines.
pub(super) fn excerpt(sources: &Sources, place: Place, style: Style) -> String {
    let Some(file) = sources.get(place.file) else { return String::new() };
    let at = file.line_col(place.span.start);
    let path = file.shown().to_string_lossy();
    let path = one_line(&path);
    let mut out = format!("  {} {path}:{}:{}\n", style.place("-->"), at.line, at.column);
    if shows_lines(file) {
        lines(file, place.span, style, &mut out);
    }
    out
}

/// A file of somebody else is not the tree's to show. A variable file is where secrets stand, and a value from the command line or the environment may be one.
pub(super) fn shows_lines(file: &SourceFile) -> bool {
    let name = file.path.to_string_lossy();
    let secret = name.ends_with(".tfvars") || name.ends_with(".tfvars.json") || name.starts_with('<');
    !(secret || file.is_foreign())
}

/// The line of source that a place begins in, without its indent; nothing where the file may hold secrets or the text
/// stands in none.
pub(super) fn source_line(sources: &Sources, place: Place) -> Option<String> {
    let file = sources.get(place.file).filter(|f| shows_lines(f))?;
    let text = file.line_text(file.line_col(place.span.start).line).trim();
    Some(one_line(text).into_owned()).filter(|t| !t.is_empty())
}

fn lines(file: &SourceFile, span: Span, style: Style, out: &mut String) {
    let (first, last) = file.line_range(span);
    let shown = last.min(first + LINES - 1);
    let width = shown.to_string().len();
    let bar = style.place("|");
    // Writing to a String can't fail.
    let _ = writeln!(out, "  {:width$} {bar}", "");
    for number in first..=shown {
        let text = file.line_text(number);
        let line = one_line(&text.replace('\t', " ")).into_owned();
        let _ = writeln!(out, "  {} {bar} {line}", style.place(&format!("{number:width$}")));
        if let Some((from, to)) = marked(file, span, number, text) {
            let carets = format!("{}{}", " ".repeat(from), "^".repeat(to - from));
            let _ = writeln!(out, "  {:width$} {bar} {}", "", style.error(carets.as_str()));
        }
    }
    if shown < last {
        let _ = writeln!(out, "  {:width$} {bar} …", "");
    }
}

/// The characters of a line that belong to a span; of a span of several lines only on the first.
fn marked(file: &SourceFile, span: Span, line: usize, text: &str) -> Option<(usize, usize)> {
    let start = file.line_col(span.start);
    if start.line != line {
        return None;
    }
    // As wide as it is shown.
    let width = |count: usize| one_line(&text.chars().take(count).collect::<String>()).chars().count();
    let end = file.line_col(span.end);
    let from = width(start.column - 1);
    let to = width(if end.line == line { end.column - 1 } else { usize::MAX });
    Some((from, to.max(from + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(path: &str, text: &str, start: usize, end: usize) -> String {
        let mut sources = Sources::default();
        let file = sources.add(SourceFile::new(path, text));
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
        assert_eq!(show("a.tf", "a", 1, 1), "  --> a.tf:1:2\n    |\n  1 | a\n    |  ^\n");
    }

    #[test]
    fn variable_files_are_not_quoted() {
        assert_eq!(show("prod.tfvars", "pw = \"s\"", 0, 2), "  --> prod.tfvars:1:1\n");
    }
}
