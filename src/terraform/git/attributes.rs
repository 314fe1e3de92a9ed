//! What `.gitattributes` say of the contents of files: ends of lines, encodings, `$Id$`, filters.
//!
//! In: a revision and the work tree. Out: the files of attributes by which Git writes other contents into a work tree than it did at the
//! revision. Contents are compared as they are stored, so nobody sees that otherwise. An attribute that isn't known to leave contents alone counts.
//! Absent on purpose: which files a pattern means, and what Git makes of them.

use super::Changes;
use crate::host::{EntryKind, Host as _};
use crate::issue::Issue;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The name of a file of attributes.
const FILE: &str = ".gitattributes";

/// What a line begins with that gives a name to several attributes.
const MACRO: &str = "[attr]";

/// Attributes that leave contents alone.
const HARMLESS: [&str; 8] = [
    "conflict-marker-size",
    "delta",
    "diff",
    "encoding",
    "export-ignore",
    "export-subst",
    "merge",
    "whitespace",
];

/// What the names of further ones begin with, which sites look at that show files.
const SHOWN: [&str; 2] = ["linguist-", "gitlab-"];

impl Changes {
    /// The files of attributes that came, went or differ in what they say of contents.
    ///
    /// # Errors
    /// Returns an error if the work tree can't be opened.
    pub fn find_attributes(&self) -> Result<BTreeSet<PathBuf>, Issue> {
        let mut found = self.of(&|path| path.file_name().is_some_and(|name| name == FILE))?;
        if found.is_empty() {
            return Ok(found);
        }
        let tree = self.open_tree()?;
        let before = |path: &Path| match self.commit.0.entries.get(path) {
            Some(entry) if entry.kind == EntryKind::File => {
                self.commit.0.blob(entry).ok().map(|b| b.to_vec())
            }
            Some(_) => None,
            None => Some(Vec::new()),
        };
        let now = |path: &Path| match (tree.link(path), tree.kind(path)) {
            (None, None) => Some(Vec::new()),
            (None, Some(EntryKind::File)) => tree.read(path).ok(),
            _ => None,
        };
        let read = |path: &Path| {
            let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
            before(path).map(text).zip(now(path).map(text))
        };
        // Names for several attributes stand at the top alone, and any name may be one.
        let has_macro = |(before, now): (String, String)| before.contains(MACRO) || now.contains(MACRO);
        let is_plain = !read(Path::new(FILE)).is_none_or(has_macro);
        found.retain(|path| {
            read(path).is_none_or(|(before, now)| {
                told_of_contents(&before, is_plain) != told_of_contents(&now, is_plain)
            })
        });
        Ok(found)
    }
}

/// The lines that say something of contents, in their order. `is_plain`: whether attributes are what their names say.
fn told_of_contents(text: &str, is_plain: bool) -> Vec<(String, Vec<String>)> {
    let told = |line: &str| {
        let (pattern, attributes) = split_pattern(line.trim_ascii_start())?;
        let own = attributes.split_ascii_whitespace().filter(|one| !is_plain || !is_harmless(one));
        let own: Vec<String> = own.map(str::to_owned).collect();
        (!own.is_empty()).then(|| (pattern.to_owned(), own))
    };
    text.lines().filter_map(told).collect()
}

/// A line's pattern, and what follows it.
fn split_pattern(line: &str) -> Option<(&str, &str)> {
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    // In quotes, a pattern may hold blanks.
    let Some(quoted) = line.strip_prefix('"') else {
        return line.split_once(|c: char| c.is_ascii_whitespace());
    };
    let mut is_escaped = false;
    let end = quoted.find(|c: char| {
        let is_end = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    });
    Some(end.map_or((line, line), |end| line.split_at(end + 2)))
}

/// Returns true if an attribute leaves contents alone, whatever it is set to.
fn is_harmless(written: &str) -> bool {
    let name = written.trim_start_matches(['-', '!']);
    let name = name.split_once('=').map_or(name, |(name, _)| name);
    HARMLESS.contains(&name) || SHOWN.iter().any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_say_something_of_contents() {
        let told = |text: &str| {
            told_of_contents(text, true).into_iter().map(|(at, all)| format!("{at}: {}", all.join(" ")))
        };
        let text = "# x\n*.sh text eol=lf diff=sh\r\n*.png -diff linguist-vendored\n\"a b\" !ident\n[attr]x merge\n*.y filter=lfs\n*\n";
        let all: Vec<String> = told(text).collect();
        assert_eq!(all, ["*.sh: text eol=lf", "\"a b\": !ident", "*.y: filter=lfs"]);
        assert_eq!(told_of_contents("*.png diff\n", false).len(), 1);
    }
}
