//! Which files of a folder belong to a Stack, and their bodies.

use crate::config::load::folder;
use crate::config::module_source::is_local;
use crate::config::{Config, FileEntry, Overlay, Role, View, json, outside, paths};
use crate::host::Host;
use crate::issue::{Code, Issue};
use crate::syntax::ExprKind;
use crate::text::shell_path;
use crate::text::{SourceFile, Sources};
use std::path::Path;
use std::sync::Arc;

/// Suffixes of what a Stack consists of, with whether they are JSON.
const CURRENT: [(&str, bool); 2] = [(".tfcomponent.hcl", false), (".tfcomponent.json", true)];

/// The names of these files before Terraform 1.14. Later versions ignore them.
const FORMER: [(&str, bool); 2] = [(".tfstack.hcl", false), (".tfstack.json", true)];

/// Deployments.
const DEPLOYMENTS: [(&str, bool); 1] = [(".tfdeploy.hcl", false)];

/// Deployments as JSON. HashiCorp's language server takes such a file for one; the documentation of Stacks names none.
const UNREAD_DEPLOYMENTS: [(&str, bool); 1] = [(".tfdeploy.json", true)];

/// What is said of a Stack that stands beside a root module.
pub const NOT_READ: &str = "The Stack in this folder is not read";

/// How it is read.
pub const MOVE_FILES: &str = "To have the Stack read, move the .tf files to a folder of their own.";

/// Returns true if a file of this name is a Stack's, or holds its deployments, whether it is read or not.
pub fn is_named_in_stack(name: &str) -> bool {
    let all = CURRENT.iter().chain(&FORMER).chain(&DEPLOYMENTS).chain(&UNREAD_DEPLOYMENTS);
    !folder::is_ignored(name) && has_suffix(name, all)
}

/// Returns true if a file of this name is part of a Stack.
pub fn is_stacks(name: &str) -> bool {
    !folder::is_ignored(name) && CURRENT.iter().chain(&FORMER).any(|(suffix, _)| name.ends_with(suffix))
}

/// Returns true if a folder is a Stack, or what there is of one. With a `.tf` file it is a root module, as Terraform's own commands
/// have it.
pub(in crate::config) fn is_stack(view: View<'_>, dir: &Path) -> bool {
    if view.host.is_outside(paths::or_dot(dir)) {
        return false;
    }
    let names: Vec<String> = view.files(dir).unwrap_or_default();
    let names: Vec<&String> = names.iter().filter(|n| !folder::is_ignored(n)).collect();
    let module = [".tf", ".tf.json", ".tofu", ".tofu.json"];
    let stack = CURRENT.iter().chain(&FORMER).chain(&DEPLOYMENTS).chain(&UNREAD_DEPLOYMENTS);
    let stack = stack.map(|(suffix, _)| *suffix);
    let ends = |suffix: &str| names.iter().any(|n| n.ends_with(suffix));
    !module.into_iter().any(ends) && stack.into_iter().any(ends)
}

/// Returns true if the working directory of a host is a Stack.
pub fn stands_in(host: &dyn Host) -> bool {
    let overlay = Overlay::new();
    is_stack(View { host, overlay: &overlay }, Path::new(""))
}

/// Returns a warning if the files of a Stack stand in the folder of a root module.
pub(in crate::config) fn beside(view: View<'_>, dir: &Path) -> Option<Issue> {
    if view.host.is_outside(paths::or_dot(dir)) {
        return None;
    }
    let names = view.files(dir).unwrap_or_default();
    let is_one =
        |name: &&String| !folder::is_ignored(name) && has_suffix(name, CURRENT.iter().chain(&FORMER));
    let found = names.iter().find(is_one)?;
    let why =
        "The folder has .tf files, so that it is read as a root module, as Terraform's own commands do.";
    let issue = Issue::warning(Code::Config, NOT_READ, why);
    let issue = issue.in_path(paths::shown(&paths::join(dir, found)));
    Some(issue.fix(MOVE_FILES, ""))
}

fn has_suffix<'s>(name: &str, suffixes: impl IntoIterator<Item = &'s (&'s str, bool)>) -> bool {
    suffixes.into_iter().any(|(suffix, _)| name.ends_with(suffix))
}

/// A warning for each file in the folders of a Stack that other programs may read, and that isn't read here.
pub(in crate::config) fn find_unread(view: View<'_>, config: &Config) -> Vec<Issue> {
    let why = "Deployments are read from .tfdeploy.hcl files alone. Some of HashiCorp's programs take a .tfdeploy.json file for one, too: \
               what it deploys, and what differs in it, is not looked at.";
    let fix = "Write its deployments in a file that ends in .tfdeploy.hcl, and remove it.";
    let is_one = |_: &[String], name: &str| has_suffix(name, &UNREAD_DEPLOYMENTS);
    warn_of_files(view, config, &is_one, (why, fix))
}

/// A warning for each file with a former suffix beside those of a current one: Terraform passes it over, too.
pub(in crate::config) fn find_former(view: View<'_>, config: &Config) -> Vec<Issue> {
    let why = "The folder has .tfcomponent files, and Terraform 1.14 and later read these alone.";
    let fix = "Move what it holds to a file that ends in .tfcomponent.hcl, and remove it.";
    let is_one = |names: &[String], name: &str| {
        has_suffix(name, &FORMER) && names.iter().any(|other| has_suffix(other, &CURRENT))
    };
    warn_of_files(view, config, &is_one, (why, fix))
}

/// Warns of files in the folders of a Stack; `is_one` is asked with all names in a folder, and one of them.
fn warn_of_files(
    view: View<'_>,
    config: &Config,
    is_one: &dyn Fn(&[String], &str) -> bool,
    (why, fix): (&str, &str),
) -> Vec<Issue> {
    let mut out = Vec::new();
    let folders = config.modules.iter().filter(|module| module.role == Role::Stack);
    for dir in folders.map(|module| &module.dir).filter(|dir| !view.host.is_outside(paths::or_dot(dir))) {
        let mut names = view.files(dir).unwrap_or_default();
        names.retain(|name| !folder::is_ignored(name));
        for name in names.iter().filter(|name| is_one(&names, name)) {
            let shown = paths::shown(&paths::join(dir, name));
            let issue = Issue::warning(Code::Config, format!("{shown} is not read"), why);
            out.push(issue.in_path(shown).fix(fix, ""));
        }
    }
    out
}

/// The files of a Stack in a folder. Former suffixes count where there is no current one.
pub(super) fn of_stack(view: View<'_>, dir: &Path, sources: &mut Sources) -> (Vec<FileEntry>, Vec<Issue>) {
    let (files, mut issues) = read(view, dir, sources, &CURRENT);
    if !files.is_empty() || issues.iter().any(Issue::is_error) {
        return (files, issues);
    }
    let (files, found) = read(view, dir, sources, &FORMER);
    issues.extend(found);
    if let Some(path) = files.first().and_then(|f| sources.get(f.source)).map(|s| s.path.clone()) {
        let why = "Terraform 1.14 and later read .tfcomponent.hcl alone.";
        let issue = Issue::warning(Code::Config, "A suffix that later versions pass over", why);
        let name = paths::shown(&path);
        let paste = format!(
            "git mv {} {}",
            shell_path(&name),
            shell_path(&name.replace(".tfstack.", ".tfcomponent."))
        );
        issues.push(issue.in_path(name).fix("Rename the Stack's files:", paste));
    }
    (files, issues)
}

/// The local sources of components and embedded Stacks in a folder.
pub fn called_from(view: View<'_>, dir: &Path) -> Vec<String> {
    let (files, _) = of_stack(view, dir, &mut Sources::default());
    let blocks = files.iter().flat_map(|file| file.body.blocks());
    let sources = blocks.filter(|b| matches!(&*b.kind.text, "component" | "stack" | "removed"));
    let texts = sources.filter_map(|block| match &block.body.attribute("source")?.expr.kind {
        ExprKind::String(source) => Some(source.to_string()),
        _ => None,
    });
    texts.filter(|source| is_local(source)).collect()
}

/// The files of a folder that hold deployments.
pub(super) fn of_deployments(
    view: View<'_>,
    dir: &Path,
    sources: &mut Sources,
) -> (Vec<FileEntry>, Vec<Issue>) {
    read(view, dir, sources, &DEPLOYMENTS)
}

fn read(
    view: View<'_>,
    dir: &Path,
    sources: &mut Sources,
    suffixes: &[(&str, bool)],
) -> (Vec<FileEntry>, Vec<Issue>) {
    let (mut files, mut issues) = (Vec::new(), Vec::new());
    if view.host.is_outside(paths::or_dot(dir)) {
        return (files, vec![outside::folder(dir)]);
    }
    for name in view.files(dir).unwrap_or_default() {
        let suffix = suffixes.iter().find(|(suffix, _)| name.ends_with(suffix));
        let Some((_, is_json)) = suffix.filter(|_| !folder::is_ignored(&name)) else { continue };
        let path = paths::join(dir, &name);
        let text = folder::text(view, &path).and_then(|text| folder::with_room(text, &path, sources));
        let text = match text {
            Ok(text) => text,
            Err(issue) => {
                issues.push(*issue);
                continue;
            }
        };
        let source = sources.add(SourceFile::new(&*path, text.as_str()));
        let read = if *is_json { json::stack } else { folder::native };
        let body = read(&text).unwrap_or_else(|fault| {
            issues.push(fault.issue(source));
            Default::default()
        });
        files.push(FileEntry { source, body: Arc::new(body), json: *is_json, is_override: false });
    }
    (files, issues)
}
