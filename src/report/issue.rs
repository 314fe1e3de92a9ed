//! An issue for people: which field, where, why, and what to paste; and the same as JSON.

use super::fixes::folder_of_fixes;
use super::wrap::{capital, indented, paragraph};
use super::{Console, Group, Reader, Style, excerpt, formats, markdown};
use crate::config::paths;
use crate::issue::{Fix, Issue, Severity};
use crate::text::{Sources, one_line, visible};
use serde_json::{Map, Value as Json, json};
use std::borrow::Cow;
use std::path::Path;

/// The form of reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
    /// For code scanners.
    Sarif,
    /// For GitHub's workflows.
    Github,
    /// For comments.
    Markdown,
}

impl Format {
    /// Every form and its name on the command line.
    pub const NAMES: [(&'static str, Format); 5] = [
        ("text", Format::Text),
        ("json", Format::Json),
        ("sarif", Format::Sarif),
        ("github", Format::Github),
        ("markdown", Format::Markdown),
    ];

    /// Returns the reader of the form.
    pub fn reader(self) -> Reader {
        match self {
            Format::Text | Format::Markdown => Reader::People,
            Format::Json | Format::Sarif => Reader::Json,
            Format::Github => Reader::Workflow,
        }
    }
}

/// Prints issues to standard error, the blocking ones last, where they are seen.
pub fn print(console: Console, format: Format, issues: &[Issue], sources: &Sources) {
    let group = Group { dir: Path::new(""), issues, sources };
    console.tell(format.reader(), &rendered(format, &[group], console.err));
}

/// An issue without anything hidden in it, and without secrets: what it quotes may be a stranger's.
pub(in crate::report) fn shown(issue: &Issue, sources: &Sources) -> Issue {
    let text = |text: &String| visible(&sources.conceal(text)).into_owned();
    let line = |text: &String| one_line(&sources.conceal(text)).into_owned();
    let fix = |f: &Fix| discreet_fix(f, sources);
    let fix = |f: &Fix| Fix { title: text(&fix(f).title), paste: visible(&fix(f).paste).into_owned() };
    Issue {
        field: issue.field.as_ref().map(line),
        path: issue.path.as_ref().map(line),
        summary: line(&issue.summary),
        why: text(&issue.why),
        fixes: issue.fixes.iter().map(fix).collect(),
        ..issue.clone()
    }
}

/// A way out that may be shown: what can't be pasted without a secret is none.
pub(super) fn discreet_fix(fix: &Fix, sources: &Sources) -> Fix {
    if matches!(sources.conceal(&fix.paste), Cow::Borrowed(_)) {
        return fix.clone();
    }
    let title = fix.title.trim_end_matches(':').trim_end_matches('.');
    let title = format!(
        "{title}. A secret is written out in that text, so that it isn't shown: change it where it stands."
    );
    Fix { title, paste: String::new() }
}

/// An issue as [`shown`], with commands that do the same from the user's current directory.
fn shown_from_here(issue: &Issue, sources: &Sources) -> Issue {
    let mut issue = shown(issue, sources);
    if let Some(dir) = folder_of_fixes(&issue, sources) {
        issue.fixes = issue.fixes.into_iter().map(|fix| fix.run_in(&dir)).collect();
    }
    issue
}

/// Issues as one text, the blocking ones of each directory last.
pub fn rendered(format: Format, groups: &[Group<'_>], style: Style) -> String {
    let sorted: Vec<Vec<Issue>> = groups
        .iter()
        .map(|g| {
            // The paths in JSON are those of the directory.
            let form = if format == Format::Json { shown } else { shown_from_here };
            let mut issues: Vec<Issue> = g.issues.iter().map(|issue| form(issue, g.sources)).collect();
            issues.sort_by_key(|i| i.severity);
            issues
        })
        .collect();
    let groups: Vec<Group<'_>> =
        groups.iter().zip(&sorted).map(|(g, issues)| Group { issues, ..*g }).collect();
    let each = |one: &dyn Fn(&Group<'_>, &Issue) -> String| -> Vec<String> {
        groups.iter().flat_map(|g| g.issues.iter().map(|i| one(g, i)).collect::<Vec<_>>()).collect()
    };
    match format {
        Format::Text => each(&|g, i| format!("{}\n", text(i, g.sources, style))).concat(),
        Format::Json => {
            let all: Vec<Json> =
                groups.iter().flat_map(|g| g.issues.iter().map(|i| json(i, g.sources))).collect();
            format!("{}\n", json!({ "format_version": "1.0", "issues": all }))
        }
        Format::Sarif => formats::sarif(&groups),
        Format::Github => formats::github(&groups),
        Format::Markdown => markdown::findings(&groups),
    }
}

/// The article's form.
pub fn text(issue: &Issue, sources: &Sources, style: Style) -> String {
    let marker = match issue.severity {
        Severity::Error => style.error("⚠ Blocking:"),
        Severity::Warning => style.warning("⚠ Warning:"),
    };
    let mut out = format!("{marker} {}\n", style.strong(&issue.summary));
    if let Some(field) = &issue.field {
        out.push_str(&format!("  {field}\n"));
    }
    match (&issue.place, &issue.path) {
        (Some(place), _) => out.push_str(&excerpt::excerpt(sources, *place, style)),
        (None, Some(path)) => {
            let path = sources.seen(Path::new(path));
            let path = if sources.is_seen_from_elsewhere() { paths::clean(&path) } else { path };
            out.push_str(&format!("  {} {}\n", style.place("-->"), path.display()));
        }
        (None, None) => {}
    }
    if !issue.why.is_empty() {
        out.push_str(&format!("\n{}\n{}", style.strong("Why:"), paragraph(&capital(&issue.why), "  ")));
    }
    let folder = folder_of_fixes(issue, sources).map(|dir| format!("in {dir}"));
    let choice = (issue.fixes.len() > 1).then(|| "any one of these works".to_owned());
    let notes: Vec<String> = folder.into_iter().chain(choice).collect();
    let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
    if !issue.fixes.is_empty() {
        out.push_str(&format!("\n{}\n", style.strong(&format!("Fix{notes}:"))));
    }
    for (number, fix) in issue.fixes.iter().enumerate() {
        let title = paragraph(&fix.title, "     ");
        let number = number + 1;
        out.push_str(&format!("  {number}. {}", title.trim_start()));
        if !fix.paste.is_empty() {
            out.push_str(&indented(&fix.paste, "       "));
        }
    }
    out.push_str(&format!("\n{}\n", style.faint(&format!("Code: {}", issue.code))));
    out
}

/// `{"code", "severity", "field", "file", "line", "column", "source_span", "summary", "why", "fixes": [{"title", "paste"}]}`;
/// what is not known is left out.
pub fn json(issue: &Issue, sources: &Sources) -> Json {
    let issue = &shown(issue, sources);
    let mut map = Map::new();
    map.insert("code".into(), issue.code.name().into());
    map.insert("severity".into(), issue.severity.name().into());
    if let Some(field) = &issue.field {
        map.insert("field".into(), field.as_str().into());
    }
    if let Some(place) = issue.place
        && let Some(file) = sources.get(place.file)
    {
        let at = file.line_col(place.span.start);
        map.insert("file".into(), file.shown().display().to_string().into());
        map.insert("line".into(), at.line.into());
        map.insert("column".into(), at.column.into());
        map.insert("source_span".into(), sources.span_text(place).into());
    } else if let Some(path) = &issue.path {
        map.insert("file".into(), path.as_str().into());
    }
    map.insert("summary".into(), issue.summary.as_str().into());
    map.insert("why".into(), issue.why.as_str().into());
    let fixes: Vec<Json> =
        issue.fixes.iter().map(|f| json!({ "title": f.title, "paste": f.paste })).collect();
    map.insert("fixes".into(), fixes.into());
    Json::Object(map)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::issue::Code;
    use crate::text::{Place, SourceFile, Span};

    fn sample() -> (Sources, Issue) {
        let mut sources = Sources::default();
        let text = "resource \"t\" \"app\" {\n  engine_version = var.v\n}\n";
        let file = sources.add(SourceFile::new("main.tf", text));
        let issue = Issue::error(
            Code::NoUniverse,
            "can't determine the value of engine_version",
            "var.v has no default.",
        )
        .at(Place { file, span: Span::new(40, 45) })
        .about("t.app.engine_version")
        .fix("Give it a default:", "variable \"v\" {\n  default = \"1\"\n}")
        .fix("Hardcode it.", "");
        (sources, issue)
    }

    #[test]
    fn reads_like_the_article() {
        let (sources, issue) = sample();
        let want = "⚠ Blocking: can't determine the value of engine_version\n  t.app.engine_version\n  --> main.tf:2:20\n    \
                    |\n  2 |   engine_version = var.v\n    |                    ^^^^^\n\nWhy:\n  var.v has no default.\n\nFix \
                    (any one of these works):\n  1. Give it a default:\n       variable \"v\" {\n         default = \
                    \"1\"\n       }\n  2. Hardcode it.\n\nCode: no-universe\n";
        assert_eq!(text(&issue, &sources, Style::Plain), want);
        assert!(text(&issue, &sources, Style::Coloured).contains('\u{1b}'));
    }

    #[test]
    fn as_json() {
        let (sources, issue) = sample();
        let json = json(&issue, &sources);
        assert_eq!(json["code"], "no-universe");
        assert_eq!(json["source_span"], "main.tf:2");
        assert_eq!((&json["line"], &json["column"]), (&2.into(), &20.into()));
        assert_eq!(json["fixes"][0]["title"], "Give it a default:");
    }
}
