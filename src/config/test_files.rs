//! Test files of the root module: `*.tftest.hcl` and `*.tftest.json` beside it and in `tests`, where Terraform looks for them.
//!
//! Input: the root folder. Invariant: a test file that can't be parsed is no fault of the configuration, since no plan
//! reads it. Absent on purpose: files in other folders, which only `-test-directory` names.

use super::load::folder;
use super::variables::{self, VarValues};
use super::{Config, TestFile, View, json, paths};
use crate::issue::{Issue, Severity};
use crate::text::SourceFile;
use std::path::Path;
use std::sync::Arc;

/// The folder that Terraform looks into besides the root module's own.
pub const FOLDER: &str = "tests";

/// Reads the test files of a folder, those of OpenTofu included, unless they are read already. What can't be read is a warning: no plan
/// asks for it, but what it says of a copy's address isn't written anew.
pub fn read(view: View<'_>, config: &mut Config, dir: &Path) -> Vec<Issue> {
    let dir = paths::clean(dir);
    let mut issues = Vec::new();
    for name in view.files(&dir).unwrap_or_default() {
        let is_hcl = [".tftest.hcl", ".tofutest.hcl"].iter().any(|end| name.ends_with(end));
        let is_json = [".tftest.json", ".tofutest.json"].iter().any(|end| name.ends_with(end));
        let path = paths::join(&dir, &name);
        let known = |t: &TestFile| config.sources.get(t.source).is_some_and(|s| s.path == path);
        if folder::is_ignored(&name) || !(is_hcl || is_json) || config.tests.iter().any(known) {
            continue;
        }
        let text = folder::text(view, &path).and_then(|t| folder::with_room(t, &path, &config.sources));
        let text = match text {
            Ok(text) => text,
            Err(issue) => {
                issues.push(Issue { severity: Severity::Warning, ..*issue });
                continue;
            }
        };
        let read = if is_hcl { folder::native } else { json::tests };
        let body = read(&text).ok();
        // These alone ask which copy a run leaves an instance of.
        let given = match text.contains("expect_failures") {
            true => variables::automatic(view, config, &dir),
            false => VarValues::new(),
        };
        let source = config.sources.add(SourceFile::new(&*path, text));
        config.tests.push(TestFile { source, body: body.map(Arc::new), given });
    }
    issues
}
