//! Modules that are edited in place: those that `settings { edit = [...] }` names.
//!
//! A module in place belongs to one root: an edit would change what another root plans, and the `moved` blocks that go with it
//! would be missing there. So a module that another folder below this root calls is copied all the same, with a warning; folders
//! within the module itself, such as its examples, don't count. Roots elsewhere aren't looked for; who names a module says that
//! there are none.

use super::PhiConfig;
use super::check::is_whole;
use crate::config::module_source::is_local;
use crate::config::nearest::question;
use crate::config::{Config, Module, Origin, View, paths};
use crate::host::EntryKind;
use crate::issue::{Code, Issue};
use crate::syntax::{self, ExprKind};
use crate::text::SourceFile;
use globset::{ErrorKind, GlobBuilder, GlobSet, GlobSetBuilder};
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// The number of folders that are searched for other callers.
const MAX_FOLDERS: usize = 2_000;

/// The folders of modules that may be edited in place.
pub fn editable(view: View<'_>, phi: &PhiConfig, config: &Config) -> (BTreeSet<PathBuf>, Vec<Issue>) {
    let (mut out, mut issues) = (BTreeSet::new(), Vec::new());
    let Some(root) = config.root().filter(|_| !phi.settings.edit.is_empty()) else { return (out, issues) };
    let own: Vec<&Path> = config.modules.iter().filter(|m| is_own(m)).map(|m| &*m.dir).collect();
    for (pattern, place) in &phi.settings.edit {
        let fail = |summary: &str, why: String| Issue::error(Code::Config, summary, why).at(*place);
        let matcher = match matcher(&root.dir, pattern) {
            Ok(matcher) => matcher,
            Err(why) => {
                issues.push(fail("Invalid pattern", why));
                continue;
            }
        };
        let mut found =
            own.iter().filter(|dir| matcher.is_match(dir)).map(|dir| dir.to_path_buf()).peekable();
        // A pattern may be meant for modules to come; a plain path names one.
        let plain = !pattern.contains(['*', '?', '[', '{']);
        if found.peek().is_none() && plain && is_whole(config) {
            let names: Vec<String> = own.iter().map(|dir| paths::shown(dir)).collect();
            let question = question(pattern, names.iter().map(String::as_str));
            let why = format!("The root calls no local module below it in \"{pattern}\".{question}");
            issues.push(fail("Nothing to edit", why));
        }
        out.extend(found);
    }
    for (dir, caller) in callers(view, config, &root.dir, &out) {
        let why = format!(
            "{} calls it, which is no part of this root. An edit in place would change what is planned there, without the moves \
             that go with it.",
            paths::shown(&caller)
        );
        let summary = format!("{} is copied and not edited in place", paths::shown(&dir));
        issues.push(Issue::warning(Code::Config, summary, why).in_path(paths::shown(&caller)));
        out.remove(&dir);
    }
    (out, issues)
}

/// Returns true if a folder is named as one to be edited, whether anything calls it or not.
pub fn is_named_to_edit(phi: &PhiConfig, dir: &Path) -> bool {
    let mut patterns = phi.settings.edit.iter();
    patterns.any(|(pattern, _)| matcher(Path::new(""), pattern).is_ok_and(|matcher| matcher.is_match(dir)))
}

/// The folders of modules that are the root's own and that no other folder below it calls.
pub fn own_modules(view: View<'_>, config: &Config) -> BTreeSet<PathBuf> {
    let Some(root) = config.root() else { return BTreeSet::new() };
    let mut own: BTreeSet<PathBuf> =
        config.modules.iter().filter(|m| is_own(m)).map(|m| m.dir.clone()).collect();
    for (dir, _) in callers(view, config, &root.dir, &own) {
        own.remove(&dir);
    }
    own
}

/// Returns true if a module is the root's own: local, below it, and not hidden.
fn is_own(module: &Module) -> bool {
    let plain = |c: Component<'_>| matches!(c, Component::Normal(n) if !n.to_string_lossy().starts_with('.'));
    module.origin == Origin::Local
        && module.dir.components().next().is_some()
        && module.dir.components().all(plain)
}

fn matcher(root: &Path, pattern: &str) -> Result<GlobSet, String> {
    let whole = paths::join(root, pattern);
    let glob = GlobBuilder::new(&whole.to_string_lossy()).literal_separator(true).build();
    glob.and_then(|glob| GlobSetBuilder::new().add(glob).build()).map_err(|e| match e.kind() {
        // The expression that a pattern becomes is long, and none of the user's.
        ErrorKind::Regex(_) => "It is too complicated for a pattern.".to_owned(),
        kind => format!("\"{pattern}\" is not a pattern: {kind}."),
    })
}

/// Returns the calls of these modules from folders below the root that aren't part of the configuration: module and
/// file.
fn callers(
    view: View<'_>,
    config: &Config,
    root: &Path,
    modules: &BTreeSet<PathBuf>,
) -> Vec<(PathBuf, PathBuf)> {
    let mut out = Vec::new();
    if modules.is_empty() {
        return out;
    }
    let known: BTreeSet<&Path> = config.modules.iter().map(|m| &*m.dir).collect();
    let mut open = vec![root.to_owned()];
    let mut seen = 0;
    while let Some(dir) = open.pop() {
        seen += 1;
        if seen > MAX_FOLDERS {
            break;
        }
        if !known.contains(&*dir) {
            for name in view.files(&dir).unwrap_or_default().into_iter().filter(|n| n.ends_with(".tf")) {
                let file = dir.join(name);
                let called = called_in(view, &file);
                // Examples and wrappers within a module's own folder come with it, and are nobody's root.
                let others = called.into_iter().filter(|d| modules.contains(d) && !file.starts_with(d));
                out.extend(others.map(|d| (d, file.clone())));
            }
        }
        for (name, kind) in view.host.list(paths::or_dot(&dir)).unwrap_or_default() {
            if kind == EntryKind::Dir && !name.starts_with('.') {
                open.push(dir.join(name));
            }
        }
    }
    out.sort();
    out.dedup_by(|a, b| a.0 == b.0);
    out
}

/// The folders of the local modules that a file calls.
fn called_in(view: View<'_>, file: &Path) -> Vec<PathBuf> {
    let text = view.read(file).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let Some(text) = text.filter(|t| t.contains("module")) else { return Vec::new() };
    let source = SourceFile::new(file, text.as_str());
    let Ok(body) = syntax::parse(&source.text) else { return Vec::new() };
    let dir = file.parent().unwrap_or(Path::new(""));
    let calls = body.blocks_of("module").filter_map(|b| b.body.attribute("source"));
    let sources = calls.filter_map(|attr| match &attr.expr.kind {
        ExprKind::String(text) if is_local(text) => Some(paths::clean(&dir.join(&**text))),
        _ => None,
    });
    sources.collect()
}
