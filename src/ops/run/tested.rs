//! Test files that can't be led to copies: who runs them on the specialised tree is told.

use crate::issue::{Code, Issue};
use crate::ops::read::session::Session;
use crate::specialise::SplitUnit;
use crate::text::SourceFile;

/// Warnings for test files that can't be read and name a split unit of the root module.
pub fn warnings(session: &Session, splits: &[SplitUnit]) -> Vec<Issue> {
    let split: Vec<&SplitUnit> = splits.iter().filter(|s| !s.gates.is_empty() && s.scope.is_root()).collect();
    let unreadable = session.config.tests.iter().filter(|file| file.body.is_none());
    let sources = unreadable.filter_map(|file| session.config.sources.get(file.source));
    sources.filter_map(|source| unread(source, &split)).collect()
}

fn unread(source: &SourceFile, split: &[&SplitUnit]) -> Option<Issue> {
    let unit = split.iter().find(|s| names(&source.text, &s.original))?;
    let summary = format!("a test names {}, which is split", unit.original);
    let why = "The test file can't be read, so it stays as it is and names what the specialised tree doesn't declare.";
    let issue = Issue::warning(Code::Unsupported, summary, why).in_path(source.path.display().to_string());
    Some(issue.fix("Mend it. Terraform says what is wrong with it:", "tf-phi test"))
}

/// Returns true if a text holds an address as such, and not as part of a longer name.
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
    use crate::ops::run::tested::names;

    #[test]
    fn whole_addresses_count() {
        assert!(names("condition = module.db.release == \"x\"", "module.db"));
        assert!(names("[module.db]", "module.db"));
        assert!(!names("module.db_other.x", "module.db"));
        assert!(!names("module.stack.module.db.x", "module.db"));
    }
}
