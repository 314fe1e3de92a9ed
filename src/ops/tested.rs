//! Test files that name what is split.
//!
//! `*.tftest.hcl` files are not rewritten: a move chain fits one set of variables, and a test file holds several. So they
//! belong to the originals, and whoever runs them on the specialised tree is told.

use super::session::Session;
use crate::host::{EntryKind, Host as _};
use crate::issue::{Code, Issue};
use crate::specialise::SplitUnit;
use std::path::{Path, PathBuf};

/// A warning for each test file that names a split unit of the root module.
pub(super) fn warnings(session: &Session, splits: &[SplitUnit]) -> Vec<Issue> {
    let split: Vec<&SplitUnit> = splits.iter().filter(|s| !s.gates.is_empty() && s.scope.is_root()).collect();
    if split.is_empty() {
        return Vec::new();
    }
    let mut out = Vec::new();
    for path in files(session) {
        let Some(text) = session.host.read(&path).ok().and_then(|b| String::from_utf8(b).ok()) else {
            continue;
        };
        let Some(unit) = split.iter().find(|s| names(&text, &s.original)) else { continue };
        let summary = format!("a test names {}, which is split", unit.original);
        let why =
            "Test files are not rewritten, so its conditions name what the specialised tree doesn't declare.";
        let issue = Issue::warning(Code::Unsupported, summary, why).in_path(path.display().to_string());
        out.push(issue.fix("Run the tests on the originals:", "tf-phi restore && terraform test"));
    }
    out
}

fn files(session: &Session) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for dir in ["", "tests"].map(Path::new) {
        for (name, kind) in session.host.list(dir).unwrap_or_default() {
            if kind == EntryKind::File && name.ends_with(".tftest.hcl") {
                out.push(dir.join(name));
            }
        }
    }
    out.sort();
    out
}

/// Whether a text holds an address as such, and not as part of a longer name.
fn names(text: &str, address: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    text.match_indices(address).any(|(at, _)| {
        let before = text.get(..at).and_then(|t| t.chars().next_back());
        let after = text.get(at + address.len()..).and_then(|t| t.chars().next());
        !before.is_some_and(|c| part(c) || c == '.') && !after.is_some_and(part)
    })
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn whole_addresses_count() {
        assert!(names("condition = module.db.release == \"x\"", "module.db"));
        assert!(names("[module.db]", "module.db"));
        assert!(!names("module.db_other.x", "module.db"));
        assert!(!names("module.stack.module.db.x", "module.db"));
    }
}
