//! Test files of which something can't be led to copies: who runs them on the specialised tree is told.

use super::session::Session;
use crate::addr::{Referent, Target};
use crate::config::TestFile;
use crate::graph;
use crate::issue::{Code, Issue};
use crate::specialise::SplitUnit;
use crate::text::SourceFile;

/// Warnings for test files that are not rewritten and name a split unit of the root module, and for expected failures of
/// such units.
pub(super) fn warnings(session: &Session, splits: &[SplitUnit]) -> Vec<Issue> {
    let split: Vec<&SplitUnit> = splits.iter().filter(|s| !s.gates.is_empty() && s.scope.is_root()).collect();
    let mut out = Vec::new();
    for file in &session.config.tests {
        let Some(source) = session.config.sources.get(file.source) else { continue };
        match &file.body {
            Some(_) => out.extend(expected(file, &split)),
            None => out.extend(unread(source, &split)),
        }
    }
    out
}

fn unread(source: &SourceFile, split: &[&SplitUnit]) -> Option<Issue> {
    let unit = split.iter().find(|s| names(&source.text, &s.original))?;
    let summary = format!("a test names {}, which is split", unit.original);
    let why = "Tests in JSON, and such as can't be read, are not rewritten, so that it names what the specialised tree \
               doesn't declare.";
    let issue = Issue::warning(Code::Unsupported, summary, why).in_path(source.path.display().to_string());
    Some(issue.fix("Run the tests on the originals:", "tf-phi restore && terraform test"))
}

/// Terraform wants all that is named there to fail, and an address without an instance doesn't.
fn expected(file: &TestFile, split: &[&SplitUnit]) -> Vec<Issue> {
    let Some(body) = &file.body else { return Vec::new() };
    let uses = graph::uses_in(body, file.source);
    let named = uses.iter().filter(|u| &*u.context.attribute == "expect_failures").filter_map(|used| {
        let Referent::Resource(addr) = &used.referent else { return None };
        let unit = split.iter().find(|s| s.target == Target::Resource(addr.clone()))?;
        let summary = format!("a test expects {} to fail, which is split", unit.original);
        let why = "All that `expect_failures` names has to fail, and which copy has an instance depends on the variables \
                   of the run. The line stays as it is, and the test fails on the specialised tree.";
        let issue = Issue::warning(Code::Unsupported, summary, why).at(used.place());
        Some(issue.fix("Put the condition into a `check` block or an output, and expect that one to fail.", ""))
    });
    named.collect()
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
