//! Keeps files outside of the tree from being read.
//!
//! Whoever wrote a tree may have put links into it, and sources behind these would be printed: as values, in the copies, in messages.
//! So the tree's own sources alone are read, and those in folders that the user names where the tree has no say. Which paths lead out
//! is the host's to tell.

use super::paths;
use crate::host::TRUSTED;
use crate::issue::{Code, Issue};
use crate::text::shell_word;
use std::path::Path;

/// A file that a name or a link leads to.
pub(super) fn file(path: &Path) -> Issue {
    let shown = paths::shown(path);
    let folder = format!("$(dirname \"$(realpath -- {})\")", shell_word(&shown));
    issue("A file lies outside of the tree", &format!("The path {shown} leads out of the tree"), &folder)
        .in_path(shown)
}

/// A folder that a call or a link leads to.
pub(in crate::config) fn folder(dir: &Path) -> Issue {
    let shown = paths::shown(dir);
    let folder = format!("$(realpath -- {})", shell_word(&shown));
    issue(
        "A module lies outside of the tree",
        &format!("The folder {shown} lies outside of the tree"),
        &folder,
    )
    .in_path(shown)
}

fn issue(summary: &str, what: &str, folder: &str) -> Issue {
    let why = format!(
        "{what}, so nothing in it is read: a tree is not to show what else is on the machine. The tree is Git's work tree, \
         or the working directory where there is none."
    );
    Issue::error(Code::Outside, summary, why)
        .fix(
            "If you trust what stands there, say so in the environment:",
            format!("export {TRUSTED}=\"${TRUSTED}:{folder}\""),
        )
        .fix("Or keep a copy of it in the tree.", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_to_be_pasted_runs_nothing_of_the_tree() {
        let issue = file(Path::new("a'; rm -rf ~; '.tf"));
        let paste = &issue.fixes[0].paste;
        assert!(paste.contains(r"realpath -- 'a'\''; rm -rf ~; '\''.tf'"), "{paste}");
    }
}
