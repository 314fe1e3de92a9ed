//! The line at which a file isn't as it was written any more.
//!
//! In: what was written, and what stands there. Out: a line, counted from one, and what is missing there. Absent on purpose: what becomes of an
//! edit.

use super::{FileRecord, Replaced};
use similar::Algorithm;

/// So many lines may have been typed into a piece that its end is looked for.
const MOST_TYPED: usize = 50;

/// A place at which a text isn't what was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The line.
    pub line: usize,
    /// The line that was written and isn't there any more; none where lines were typed in alone.
    pub missing: Option<String>,
}

/// The first edit of a file that was written as a whole; nothing where comments, blank lines and layout alone differ.
pub fn find_edit(written: &str, now: &str) -> Option<Edit> {
    let (written, now): (Vec<&str>, Vec<&str>) = (written.lines().collect(), now.lines().collect());
    find_difference(&written, &now)
}

/// The first edit of a piece that was written into a file; nothing where the piece can't be told apart.
pub(super) fn find_edited_piece(file: &FileRecord, now: &str) -> Option<Edit> {
    let lines: Vec<&str> = now.lines().collect();
    let find_in = |piece: &Replaced| {
        let written: Vec<&str> = piece.written.lines().skip_while(|line| is_free(line)).collect();
        let first = to_bare(written.first()?);
        let mut starts =
            lines.iter().enumerate().filter(|(_, line)| to_bare(line) == first).map(|(at, _)| at);
        let (start, None) = (starts.next()?, starts.next()) else { return None };
        let there = lines.get(start..)?;
        let there = there.get(..written.len() + MOST_TYPED).unwrap_or(there);
        let edit = find_difference(&written, there)?;
        Some(Edit { line: edit.line + start, ..edit })
    };
    file.replaced.iter().find_map(find_in)
}

/// The first line that differs in more than layout. What follows the last written line is no part of it.
fn find_difference(written: &[&str], now: &[&str]) -> Option<Edit> {
    let bare = |lines: &[&str]| lines.iter().map(|line| to_bare(line)).collect::<Vec<String>>();
    let ops = similar::capture_diff_slices(Algorithm::Myers, &bare(written), &bare(now));
    ops.iter().find_map(|op| {
        let (old, new) = (op.old_range(), op.new_range());
        let gone = written.get(old.clone())?;
        let typed = now.get(new.clone())?;
        if op.tag() == similar::DiffTag::Equal || gone.is_empty() && old.start == written.len() {
            return None;
        }
        let missing = gone.iter().find(|line| !is_free(line)).map(|line| line.trim().to_owned());
        let first = typed.iter().position(|line| !is_free(line));
        if missing.is_none() && first.is_none() {
            return None;
        }
        Some(Edit { line: new.start + first.unwrap_or(0) + 1, missing })
    })
}

/// A line without its layout.
fn to_bare(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns true for a comment or a blank line.
pub(super) fn is_free(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with(['#', '*']) || line.starts_with("//") || line.starts_with("/*")
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRITTEN: &str =
        "# phi: a\nmodule \"a_2\" {\n  v = 2\n}\n\n# phi: b\nmodule \"a_1\" {\n  v = 1\n}\n";

    fn record() -> FileRecord {
        let piece =
            Replaced { at: 2, written: WRITTEN.into(), original: "module \"a\" {\n  v = var.v\n}\n".into() };
        FileRecord { path: "main.tf".into(), replaced: vec![piece], ..FileRecord::default() }
    }

    #[test]
    fn what_is_missing_is_told_with_its_line() {
        let edit = |from: &str, to: &str| {
            find_edited_piece(&record(), &format!("x\n{}y\n", WRITTEN.replace(from, to)))
        };
        let told = |line, missing: Option<&str>| Some(Edit { line, missing: missing.map(str::to_owned) });
        assert_eq!(edit("a_1", "a_0"), told(8, Some("module \"a_1\" {")));
        assert_eq!(edit("  v = 1\n", ""), told(9, Some("v = 1")));
        assert_eq!(edit("v = 1", "v = 1\n  w = 3"), told(10, None));
        assert_eq!(edit("v = 1", "v   =   1 "), None, "layout");
        assert_eq!(edit("v = 1", "# note\n  v = 1"), None, "a comment");
        assert_eq!(find_edit("a\nb\n", "a\nb\nc\n"), None, "a part may be followed by anything");
    }
}
