//! Findings as Markdown, and what any Markdown of ours is made of.
//!
//! In: text that may hold anything. Out: CommonMark in which it is text and nothing else: no link, picture, heading, list, HTML, or
//! mention of anybody (<https://spec.commonmark.org/0.31.2/#backslash-escapes>). Code spans stay, since messages are written with
//! them. Absent on purpose: what hides in a text; whatever is printed has passed [`super::guard`].

use super::excerpt::shows_lines;
use super::fixes::folder_of_fixes;
use super::formats::{Group, spot};
use super::withheld;
use super::wrap::{flat, indented};
use crate::issue::{Issue, Severity};

/// Findings, for a comment on a pull request.
pub fn findings(groups: &[Group<'_>]) -> String {
    let mut out = String::new();
    for (group, issue) in groups.iter().flat_map(|g| g.issues.iter().map(move |i| (g, i))) {
        finding(group, issue, &mut out);
    }
    out
}

fn finding(group: &Group<'_>, issue: &Issue, out: &mut String) {
    let marker = match issue.severity {
        Severity::Error => "⛔",
        Severity::Warning => "⚠️",
    };
    out.push_str(&format!("### {marker} {}\n\n", text(&issue.summary)));
    if let Some(spot) = spot(group, issue) {
        let line = spot.lines.map_or_else(String::new, |[line, ..]| format!(":{line}"));
        out.push_str(&code(&format!("{}{line}", spot.file)));
        out.push_str(&issue.field.as_ref().map_or_else(String::new, |f| format!(" · {}", code(f))));
        out.push_str("\n\n");
    }
    let file = issue.place.and_then(|p| Some((p, group.sources.get(p.file)?)));
    if let Some((place, file)) = file.filter(|(place, f)| shows_lines(f, place.span)) {
        let json = file.path.extension().is_some_and(|e| e == "json");
        let language = if json { "json" } else { "hcl" };
        let line = withheld::line(file, file.line_col(place.span.start).line);
        out.push_str(&fenced(language, &line));
    }
    if !issue.why.is_empty() {
        out.push_str(&format!("{}\n\n", text(&issue.why)));
    }
    if let Some(dir) = folder_of_fixes(issue, group.sources) {
        out.push_str(&format!("In {}:\n\n", code(&dir)));
    }
    for fix in &issue.fixes {
        out.push_str(&format!("- {}\n", text(&fix.title)));
        if !fix.paste.is_empty() {
            out.push('\n');
            let language = if fix.is_for_shell() { "sh" } else { "hcl" };
            out.push_str(&indented(&fenced(language, &fix.paste), "  "));
        }
    }
    let fixes = if issue.fixes.is_empty() { "" } else { "\n" };
    out.push_str(&format!("{fixes}Code: `{}`\n\n", issue.code));
}

/// A code block whose fence is longer than any in the text.
pub(super) fn fenced(language: &str, text: &str) -> String {
    let fence = "`".repeat(longest(text).max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}\n\n", text.trim_end())
}

/// A code span on one line.
pub(super) fn code(text: &str) -> String {
    let text = flat(text);
    let fence = "`".repeat(longest(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A code span in a table, whose cells end at `|` even within code.
pub(super) fn cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// Plain text in a table.
pub(super) fn plain_cell(cell: &str) -> String {
    let mut out = String::new();
    literal(&flat(cell), &mut out);
    out.replace('`', "\\`")
}

fn longest(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Text in which nothing is markup but code spans that end on the line on which they begin.
pub(super) fn text(text: &str) -> String {
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn line(line: &str) -> String {
    let mut out = String::new();
    // Two spaces at its end would break the line.
    let mut rest = line.trim();
    if let Some(item) = rest.find(|c: char| !c.is_ascii_digit()).filter(|end| *end > 0)
        && let Some((number, behind)) = rest.split_at_checked(item)
        && behind.starts_with(['.', ')'])
    {
        out.push_str(number);
        out.push('\\');
        rest = behind;
    } else if rest.starts_with(['-', '+', '=', ':']) {
        out.push('\\');
    }
    while let Some(at) = rest.find('`') {
        let (before, run) = rest.split_at(at);
        literal(before, &mut out);
        let long = run.len() - run.trim_start_matches('`').len();
        match span(run, long) {
            Some(end) => {
                let (code, behind) = run.split_at(end);
                out.push_str(code);
                rest = behind;
            }
            None => {
                out.push_str(&"\\`".repeat(long));
                rest = run.trim_start_matches('`');
            }
        }
    }
    literal(rest, &mut out);
    out
}

/// Returns the index where the code span ends that begins with `long` backticks: after the next run of as many.
fn span(text: &str, long: usize) -> Option<usize> {
    let mut at = long;
    loop {
        at += text.get(at..)?.find('`')?;
        let behind = text.get(at..)?;
        let run = behind.len() - behind.trim_start_matches('`').len();
        at += run;
        if run == long {
            return Some(at);
        }
    }
}

/// What keeps two characters apart and shows nothing.
const APART: &str = "&#8203;";

/// So many digits together are no commit's name yet.
const COMMIT: usize = 6;

/// Returns true if a word could be the name of a commit, of which services make links: seven hexadecimal digits at least.
fn is_commit(first: char, rest: &str) -> bool {
    let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    let word = || std::iter::once(first).chain(rest.get(..end).unwrap_or_default().chars());
    let has = |is: fn(char) -> bool| word().any(is);
    end >= COMMIT
        && word().all(|c| c.is_ascii_hexdigit())
        && has(|c| c.is_ascii_digit())
        && has(|c| c.is_ascii_alphabetic())
}

/// Text as it is: what CommonMark or GitHub could take for markup is escaped. Underscores within words are none.
fn literal(text: &str, out: &mut String) {
    let mut before = ' ';
    let mut chars = text.chars();
    // How much of what looks like a commit's name stands together.
    let mut hex: Option<usize> = None;
    while let Some(c) = chars.next() {
        let rest = chars.as_str();
        let next = rest.chars().next().unwrap_or(' ');
        hex = match hex {
            Some(count) if c.is_ascii_hexdigit() => Some(count + 1),
            _ if !before.is_alphanumeric() && is_commit(c, rest) => Some(1),
            _ => None,
        };
        match c {
            // Services make links of numbers behind these (`#1`, GitLab's `!1`, `GH-1`).
            '#' | '!' | '$' | '&' | '~' if next.is_ascii_digit() => {
                out.extend(['\\', c].into_iter().chain(APART.chars()))
            }
            '%' if next.is_ascii_digit() && !before.is_ascii_digit() => out.push_str(&format!("%{APART}")),
            '-' if matches!(before, 'H' | 'h') && next.is_ascii_digit() => out.push_str(&format!("-{APART}")),
            // GitHub makes links of addresses (<https://github.github.com/gfm/#autolinks-extension->).
            ':' if rest.starts_with("//") => out.push_str("\\:"),
            '.' if matches!(before, 'w' | 'W') => out.push_str("\\."),
            '\\' | '*' | '[' | ']' | '<' | '>' | '#' | '~' | '|' | '!' | '&' | '$' => {
                out.extend(['\\', c]);
            }
            '_' if !(before.is_alphanumeric() && next.is_alphanumeric()) => out.push_str("\\_"),
            // Nothing else keeps GitHub from telling somebody.
            '@' => out.push_str(&format!("@{APART}")),
            c => out.push(c),
        }
        if hex.is_some_and(|count| count % COMMIT == 0) {
            out.push_str(APART);
        }
        before = c;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::issue::Code;
    use crate::text::{Place, SourceFile, Sources, Span};
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;
    use pulldown_cmark::{Event, Options, Parser};
    use std::path::Path;

    #[test]
    fn a_finding() {
        let mut sources = Sources::default();
        let file = sources.add(SourceFile::new("main.tf", "a {\n  b = var.v\n}\n"));
        let issue = Issue::error(Code::NoUniverse, "can't determine b", "50% of it: no\ndefault of `var.v`.")
            .at(Place { file, span: Span::new(10, 15) })
            .about("a.b")
            .fix("Give it a default:", "variable \"v\" {}");
        let text = findings(&[Group { dir: Path::new("./live"), issues: &[issue], sources: &sources }]);
        let want = "### ⛔ can't determine b\n\n`live/main.tf:2` · `a.b`\n\n```hcl\n  b = var.v\n```\n\n50% of it: no\n\
                    default of `var.v`.\n\n- Give it a default:\n\n  ```hcl\n  variable \"v\" {}\n  ```\n\nCode: `no-universe`\n\n";
        assert_eq!(text, want);
        assert_eq!(fenced("", "``` x"), "````\n``` x\n````\n\n");
    }

    #[test]
    fn numbers_and_commits_are_no_links() {
        for (own, shown) in [
            ("GH-12 #1 !23", "GH-&#8203;12 \\#&#8203;1 \\!&#8203;23"),
            ("see deadbeef1, decade 1234567", "see deadbe&#8203;ef1, decade 1234567"),
            ("50% of 7 a-1", "50% of 7 a-1"),
        ] {
            assert_eq!(text(own), shown);
        }
    }

    #[test]
    fn an_address_is_no_link() {
        assert_eq!(text("see https://a.example, www.b.example"), "see https\\://a.example, www\\.b.example");
        assert_eq!(text("a: b.c"), "a: b.c");
    }

    /// Returns the text that a reader of CommonMark with GitHub's extensions shows, or the first event that isn't text or code.
    fn plain(markdown: &str) -> Result<String, String> {
        let mut out = String::new();
        for event in Parser::new_ext(markdown, Options::all()) {
            match event {
                Event::Text(t) | Event::Code(t) => out.push_str(&t),
                Event::SoftBreak => out.push('\n'),
                Event::Start(tag) if format!("{tag:?}") == "Paragraph" => {}
                Event::End(_) => {}
                other => return Err(format!("{other:?}")),
            }
        }
        Ok(out)
    }

    fn cases() -> ProptestConfig {
        let cases = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(2_000);
        ProptestConfig { cases, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Default::default() }
    }

    proptest! {
        #![proptest_config(cases())]

        #[test]
        fn nothing_but_text_and_code(s in r"([-`*_\[\]()<>#!|~&@$+=0-9.:/\\ a\n]|href|x1\. ){0,24}") {
            let said = plain(&text(&s));
            prop_assert!(said.is_ok(), "{said:?} from {:?}", text(&s));
            let letters = |t: &str| t.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
            prop_assert_eq!(letters(&said.unwrap()), letters(&s));
        }

        #[test]
        fn a_span_holds_its_text(s in r"[`a|*<\\]{1,8}") {
            prop_assert_eq!(plain(&code(&s)).unwrap(), s);
        }
    }
}
