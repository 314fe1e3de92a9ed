//! Combines the edits of services with the later edits of specialization, so that both are edits of the original text.

use super::Rewrite;
use crate::config::paths::join;
use crate::issue::Issue;
use crate::specialise::Specialised;
use crate::specialise::record::{FileRecord, Record, Replaced, ServiceRecord, slashed};
use crate::specialise::residual::broken;
use crate::syntax::{self, ExprKind};
use crate::text::{Edit, EditSet, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

impl Rewrite {
    /// Returns the specialised tree as a change of the original one. `done` was specialised from the tree in which services had replaced
    /// resources; `older` is the record of an earlier run.
    ///
    /// # Errors
    /// Returns an error if edits overlap.
    pub fn under(&self, mut done: Specialised, older: Option<&Record>) -> Result<Specialised, Box<Issue>> {
        for (path, edited) in &self.edited {
            let name = slashed(path);
            let second = done.record.files.iter().position(|f| f.path == name && !f.created);
            let second = second.map(|at| done.record.files.remove(at));
            let later = second.as_ref().map(edits_of).transpose()?.unwrap_or_default();
            let both = edited.edits.then(&later, &edited.original).map_err(broken)?;
            let text = both.apply(&edited.original).map_err(broken)?;
            done.record.files.push(FileRecord::edited(path, &edited.original, &both, &text));
            done.files.insert(path.clone(), text);
        }
        for (path, text) in self.needed(&done.files) {
            done.record.files.push(FileRecord::residual(&path, &text, older));
            done.files.insert(path, text);
        }
        done.record.files.sort_by(|a, b| a.path.cmp(&b.path));
        done.record.services = self
            .replaced
            .iter()
            .map(|r| ServiceRecord {
                form_factor: self.factor.to_string(),
                service: r.service.to_string(),
                resource: r.original(),
                module: Some(r.address()),
            })
            .chain(self.dropped.iter().filter(|d| d.is_managed()).map(|d| ServiceRecord {
                form_factor: self.factor.to_string(),
                service: d.service.as_deref().unwrap_or("drops").to_owned(),
                resource: d.original(),
                module: None,
            }))
            .collect();
        Ok(done)
    }

    /// Returns the files of residual folders that the specialised tree still calls. A residual of a later stage may have replaced one.
    fn needed(&self, files: &BTreeMap<PathBuf, String>) -> Vec<(PathBuf, String)> {
        let at_root = |path: &Path| path.parent().is_none_or(|dir| dir.as_os_str().is_empty());
        let of_root = self.created.iter().filter(|(path, _)| at_root(path));
        let mut open: Vec<(PathBuf, &str)> = of_root.map(|(p, f)| (p.clone(), f.text.as_str())).collect();
        open.extend(files.iter().map(|(path, text)| (path.clone(), text.as_str())));
        let mut found = BTreeSet::new();
        while let Some((path, text)) = open.pop() {
            let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
            for source in sources(text) {
                let dir = join(&folder, source);
                let own = self.created.iter().filter(|(p, _)| p.parent() == Some(&*dir));
                let own: Vec<(PathBuf, &str)> = own.map(|(p, f)| (p.clone(), f.text.as_str())).collect();
                if !own.is_empty() && found.insert(dir) {
                    open.extend(own);
                }
            }
        }
        // What is no configuration belongs to a template, whose copies name it where it stands.
        let other = |path: &Path| path.extension().is_none_or(|e| e != "tf");
        let called = |path: &Path| {
            at_root(path) || other(path) || path.parent().is_some_and(|dir| found.contains(dir))
        };
        self.created.iter().filter(|(p, _)| called(p)).map(|(p, f)| (p.clone(), f.text.clone())).collect()
    }
}

/// The local sources of a file's module calls.
fn sources(text: &str) -> Vec<String> {
    let Ok(body) = syntax::parse(text) else { return Vec::new() };
    let calls = body.blocks_of("module");
    let literal = |e: &syntax::Expr| match &e.kind {
        ExprKind::String(s) => Some(s.to_string()),
        _ => None,
    };
    calls.filter_map(|c| literal(&c.body.attribute("source")?.expr)).collect()
}

/// Returns the edits that a record lists, in bytes of the text before them.
pub(super) fn edits_of(record: &FileRecord) -> Result<EditSet, Issue> {
    let (mut before, mut after) = (0, 0);
    let edit = |piece: &Replaced| {
        let start = (piece.at + before).saturating_sub(after);
        (before, after) = (before + piece.original.len(), after + piece.written.len());
        Edit { span: Span::new(start, start + piece.original.len()), text: piece.written.clone() }
    };
    EditSet::of(record.replaced.iter().map(edit).collect()).map_err(broken)
}
