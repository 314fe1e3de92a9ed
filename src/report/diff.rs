//! Unified diffs, as `diff -u` and `patch` know them.

use super::Style;
use crate::text::one_line;
use similar::{ChangeTag, TextDiff};

/// One file before and after; `None` where it isn't there. Empty where nothing differs.
pub fn unified(path: &str, before: Option<&str>, after: Option<&str>, style: Style) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

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
    }
}
