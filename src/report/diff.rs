//! Unified diffs, as `diff -u` and `patch` know them.
//!
//! Absent on purpose: the header of Git's own (`diff --git`). With it, `git apply` takes paths from the top of the repository, and passes
//! over those of a folder in which it is run. So an empty file that comes or goes can't be told.

use super::{Reader, Style};
use crate::text::{one_line, visible};
use similar::{ChangeTag, TextDiff};
use std::borrow::Cow;

/// A file or a symbolic link, as it is on disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Side {
    /// A file with this text.
    File(String),
    /// A symbolic link that says this.
    Link(String),
}

impl Side {
    /// Returns the content and the mode that Git keeps of it.
    fn parts(&self) -> (&str, &str) {
        match self {
            Side::File(text) => (text, "100644"),
            Side::Link(to) => (to, "120000"),
        }
    }
}

/// One file before and after; `None` where it isn't there. Empty where nothing differs. For [`Reader::Exact`] each byte stands as it
/// is in the file; for people, nothing is hidden in a line.
pub fn unified(
    path: &str,
    before: Option<&str>,
    after: Option<&str>,
    style: Style,
    reader: Reader,
) -> String {
    if before == after {
        return String::new();
    }
    let diff = TextDiff::from_lines(before.unwrap_or(""), after.unwrap_or(""));
    let path = one_line(path);
    let name = |prefix: &str, text: Option<&str>| match text {
        Some(_) => format!("{prefix}/{path}"),
        None => "/dev/null".to_owned(),
    };
    let mut out = String::new();
    out.push_str(&format!("{}\n", style.strong(&format!("--- {}", name("a", before)))));
    out.push_str(&format!("{}\n", style.strong(&format!("+++ {}", name("b", after)))));
    for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
        out.push_str(&format!("{}\n", style.place(&hunk.header().to_string())));
        for change in hunk.iter_changes() {
            let value: &str = change.value();
            let line = value.strip_suffix('\n').unwrap_or(value);
            let line = match reader {
                Reader::Exact => Cow::Borrowed(line),
                _ => shown(line),
            };
            out.push_str(&match change.tag() {
                ChangeTag::Delete => style.removed(&format!("-{line}")),
                ChangeTag::Insert => style.added(&format!("+{line}")),
                ChangeTag::Equal => format!(" {line}"),
            });
            out.push('\n');
            if change.missing_newline() {
                out.push_str("\\ No newline at end of file\n");
            }
        }
    }
    out
}

/// The same of a path, at which a link may stand. What concerns one has the form that Git gives it.
pub fn changed(
    path: &str,
    before: Option<&Side>,
    after: Option<&Side>,
    style: Style,
    reader: Reader,
) -> String {
    if before == after {
        return String::new();
    }
    let is_link = |side: Option<&Side>| matches!(side, Some(Side::Link(_)));
    let texts = (before.map(|s| s.parts().0), after.map(|s| s.parts().0));
    if !is_link(before) && !is_link(after) {
        return unified(path, texts.0, texts.1, style, reader);
    }
    // Git takes one kind of thing in the place of another for two changes.
    let path_shown = one_line(path);
    let one = |what: &str, side: Option<&Side>, before: Option<&str>, after: Option<&str>| {
        let Some(side) = side else { return String::new() };
        let head = format!("diff --git a/{path_shown} b/{path_shown}");
        let mode = format!("{what} file mode {}", side.parts().1);
        let head = format!("{}\n{}\n", style.strong(&head), style.strong(&mode));
        head + &unified(path, before, after, style, reader)
    };
    one("deleted", before, texts.0, None) + &one("new", after, None, texts.1)
}

/// A line without what would hide in it. That it ends as on Windows says nothing here.
fn shown(line: &str) -> Cow<'_, str> {
    visible(line.strip_suffix('\r').unwrap_or(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unified(path: &str, before: Option<&str>, after: Option<&str>, style: Style) -> String {
        super::unified(path, before, after, style, Reader::Exact)
    }

    #[test]
    fn links_as_git_has_them() {
        let link = |to: &str| Some(Side::Link(to.to_owned()));
        let of = |before: Option<Side>, after: Option<Side>| {
            super::changed("a/o.tf", before.as_ref(), after.as_ref(), Style::Plain, Reader::Exact)
        };
        let new = "diff --git a/a/o.tf b/a/o.tf\nnew file mode 120000\n--- /dev/null\n+++ b/a/o.tf\n@@ -0,0 +1 @@\n\
                   +../b/o.tf\n\\ No newline at end of file\n";
        assert_eq!(of(None, link("../b/o.tf")), new);
        assert_eq!(of(link("../b/o.tf"), link("../b/o.tf")), "");
        let gone = "diff --git a/a/o.tf b/a/o.tf\ndeleted file mode 120000\n--- a/a/o.tf\n+++ /dev/null\n@@ -1 +0,0 @@\n\
                    -../b/o.tf\n\\ No newline at end of file\n";
        assert_eq!(of(link("../b/o.tf"), None), gone);
        let file = "diff --git a/a/o.tf b/a/o.tf\nnew file mode 100644\n--- /dev/null\n+++ b/a/o.tf\n@@ -0,0 +1 @@\n+x\n";
        assert_eq!(of(link("../b/o.tf"), Some(Side::File("x\n".to_owned()))), format!("{gone}{file}"));
    }

    #[test]
    fn changed_added_removed() {
        let want = "--- a/m.tf\n+++ b/m.tf\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n";
        assert_eq!(unified("m.tf", Some("a\nb\n"), Some("a\nc"), Style::Plain), want);
        let want = "--- /dev/null\n+++ b/m.tf\n@@ -0,0 +1 @@\n+a\n";
        assert_eq!(unified("m.tf", None, Some("a\n"), Style::Plain), want);
        let want = "--- a/m.tf\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
        assert_eq!(unified("m.tf", Some("a\n"), None, Style::Plain), want);
        assert_eq!(unified("m.tf", Some("a\n"), Some("a\n"), Style::Plain), "");
    }

    #[test]
    fn carriage_returns_stay() {
        let text = unified("m.tf", Some("a\r\n"), Some("b\r\n"), Style::Plain);
        assert!(text.contains("-a\r\n+b\r\n"), "{text:?}");
        let text = super::unified("m.tf", Some("a\u{1b}\r\n"), None, Style::Plain, Reader::People);
        assert!(text.ends_with("-a\\u{1b}\n"), "{text:?}");
    }
}
