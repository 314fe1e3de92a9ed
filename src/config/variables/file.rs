//! One variable file: `*.tfvars`, `*.tfvars.json`, or what `phi.hcl` or the user names as one.

use super::values::{Given, VarValue};
use crate::config::json::{self, values};
use crate::config::load::folder;
use crate::config::{In, View, paths};
use crate::issue::{Code, Issue};
use crate::syntax;
use crate::text::{Place, SourceFile, SourceId, Sources, shell_path};
use crate::value::json::scan::Kind;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Assignments in source order.
pub(super) type Entries = Vec<(Arc<str>, VarValue)>;

/// The assignments of a file in source order, and what is wrong with it.
pub(super) fn read(view: View<'_>, path: &Path, sources: &mut Sources) -> (Entries, Vec<Issue>) {
    if view.host.hides_values(path) {
        return (Vec::new(), vec![warn_untracked(path)]);
    }
    entries(folder::text(view, path), path, sources)
}

/// The warning about a file whose values others are not to see.
pub(super) fn warn_untracked(path: &Path) -> Issue {
    let shown = paths::shown(path);
    let why = "Git doesn't track it, TF_PHI_TRACKED_ONLY is set, and others may see what is read here. What it gives counts as not given.";
    let issue = Issue::warning(Code::Outside, format!("the values of {shown} aren't read"), why);
    let paste = format!("-var-file={}", shell_path(&shown));
    issue
        .in_path(shown)
        .fix("Where others may see them, name the file on the command line, or have Git track it:", paste)
}

/// The same of a file that the user named, and not the tree.
pub(super) fn read_of_user(view: View<'_>, path: &Path, sources: &mut Sources) -> (Entries, Vec<Issue>) {
    entries(folder::text_of_user(view, path), path, sources)
}

fn entries(text: Result<String, Box<Issue>>, path: &Path, sources: &mut Sources) -> (Entries, Vec<Issue>) {
    let text = match text.and_then(|text| folder::with_room(text, path, sources)) {
        Ok(text) => text,
        Err(issue) => return (Vec::new(), vec![*issue]),
    };
    let is_json = path.extension().is_some_and(|e| e == "json");
    let source = sources.add(SourceFile::new(path, text.as_str()).with_values());
    if is_json { from_json(&text, path, source) } else { native(&text, path, source) }
}

fn unread(source: SourceId, span: crate::text::Span, code: Code, message: String) -> Issue {
    Issue::error(code, "Syntax error", message).at(Place { file: source, span })
}

fn native(text: &str, path: &Path, source: SourceId) -> (Entries, Vec<Issue>) {
    let body = match syntax::parse(text) {
        Ok(body) => body,
        Err(e) => return (Vec::new(), vec![unread(source, e.span, e.code, e.message)]),
    };
    let mut issues = Vec::new();
    for block in body.blocks() {
        let why = "Blocks are not allowed here.";
        let summary = format!("Unexpected \"{}\" block", block.kind.text);
        let place = Place { file: source, span: block.kind.span };
        issues.push(Issue::error(Code::Invalid, summary, why).at(place));
    }
    let entries = body.attributes().map(|attr| {
        let given = Given::Expr(In::new(source, attr.expr.clone()));
        let place = Place { file: source, span: attr.span };
        (attr.name.text.clone(), VarValue::in_file(given, path, place))
    });
    (entries.collect(), issues)
}

fn from_json(text: &str, path: &Path, source: SourceId) -> (Entries, Vec<Issue>) {
    let node = match json::node(text) {
        Ok(node) => node,
        Err(e) => return (Vec::new(), vec![unread(source, e.span, e.code, e.message)]),
    };
    let Kind::Object(members) = node.kind else {
        let why = "A variable file in JSON holds one object.".to_owned();
        return (Vec::new(), vec![unread(source, node.span, Code::Unparsable, why)]);
    };
    let mut issues = Vec::new();
    let mut entries = Entries::new();
    let mut seen = BTreeSet::new();
    for member in members.into_iter().filter(|m| &*m.key != "//") {
        let place = Place { file: source, span: member.key_span.to(member.value.span) };
        // What can't be read doesn't count as set.
        if seen.contains(&member.key) {
            let why = format!("The argument \"{}\" was already set.", member.key);
            issues.push(Issue::error(Code::Invalid, "Duplicate argument", why).at(place));
            continue;
        }
        match values::value(&member.value) {
            Ok(value) => {
                seen.insert(member.key.clone());
                entries.push((member.key, VarValue::in_file(Given::Value(value), path, place)));
            }
            Err(e) => issues.push(unread(source, e.span, e.code, e.message)),
        }
    }
    (entries, issues)
}
