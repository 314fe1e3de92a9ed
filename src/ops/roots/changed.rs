//! The root modules that something has changed for since a revision.
//!
//! In: root modules, a revision. Out: those of them that depend on a file which came, went, or holds something else. A root depends on
//! its own folder; on the folders of the modules that it calls, however deep, and of its services; on its variable files; on what any
//! path names that is written in one of these; and on what links there lead to. A folder counts with all below it, up to folders that
//! hold another configuration. Where it isn't clear, a root counts as changed. Absent on purpose: evaluating paths.

use super::find::reached;
use crate::config::variables::VarArg;
use crate::config::{Overlay, View, paths, phi};
use crate::host::{EntryKind, Host as _, Machine, threads};
use crate::issue::Issue;
use crate::ops::rooted::Rooted;
use crate::ops::session::Session;
use crate::ops::{Start, Stop};
use crate::specialise::record;
use crate::terraform::git::{Changes, Commit, Git};
use crate::text::Sources;
use regex::Regex;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

/// So many folders deep are links looked for.
const MOST_DEEP: usize = 8;

/// A path that is written in a text: relative, or below one of Terraform's own folders.
static WRITTEN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#""(\$\{path\.(?:module|root|cwd)\}/?|\.{1,2}/)([^"\n]*)"#).ok());

/// The roots that are meant, in their order.
///
/// # Errors
/// A revision that can't be read.
pub(super) fn since(
    start: &Start,
    revision: &str,
    dirs: Vec<PathBuf>,
    vars: &[VarArg],
) -> Result<Vec<PathBuf>, Box<Stop>> {
    let needs = threads::map(dirs, |dir| {
        let needs = Needs::of(&start.dir.join(&dir), vars);
        (dir, needs)
    });
    let mut trees: Vec<Tree> = Vec::new();
    // Its submodules are looked at as it names them.
    let here = Rooted::new(&start.dir)?.root;
    if top_of(&here).is_some() {
        trees.push(Tree::open(&here, revision)?);
    }
    let mut wanted = Vec::new();
    for (dir, needs) in needs {
        let needs = needs?;
        let at = match trees.iter().position(|tree| tree.holds(&needs.root)) {
            Some(at) => at,
            None => {
                trees.push(Tree::open(&needs.root, revision)?);
                trees.len() - 1
            }
        };
        wanted.push((dir, needs, at));
    }
    for (at, tree) in trees.iter_mut().enumerate() {
        let own = wanted.iter().filter(|(_, _, of)| *of == at).map(|(_, needs, _)| needs);
        tree.compare(&own.collect::<Vec<_>>())?;
    }
    let changed =
        wanted.into_iter().filter(|(_, needs, at)| trees.get(*at).is_some_and(|t| t.concerns(needs)));
    Ok(changed.map(|(dir, ..)| dir).collect())
}

/// What a root module depends on. Paths are absolute, as they are written and without links.
struct Needs {
    root: PathBuf,
    paths: BTreeSet<PathBuf>,
}

impl Needs {
    fn of(dir: &Path, vars: &[VarArg]) -> Result<Needs, Issue> {
        let host = Rooted::new(dir)?;
        let root = host.root.clone();
        let mut below = BTreeSet::from([PathBuf::new()]);
        below.extend(reached(&host, &Overlay::new(), vec![PathBuf::new()]));
        if Machine.kind(&root.join(record::FILE)).is_some()
            && let Ok(session) = Session::recorded(&root)
        {
            below.extend(reached(&host, &session.overlay, vec![PathBuf::new()]));
        }
        let none = Overlay::new();
        let view = View { host: &host, overlay: &none };
        let (phi, _) = phi::read(view, Path::new(""), &mut Sources::default());
        for service in phi.services.values() {
            let template = paths::clean(Path::new(&service.module.0));
            below.extend(reached(&host, &none, vec![template.clone()]));
            below.insert(template);
        }
        let mut needs = Needs { paths: BTreeSet::new(), root };
        for dir in &below {
            match host.is_outside(paths::or_dot(dir)) {
                true => needs.add(dir),
                false => needs.folder(dir),
            }
        }
        let files = phi.environments.iter().flat_map(|env| &env.var_files).map(|(file, _)| file.as_str());
        let patterns = phi.settings.environments.iter().flatten().map(|(pattern, _)| pattern.as_str());
        for written in files.chain(patterns) {
            needs.add(&paths::clean(&fixed(written)));
        }
        for var in vars {
            if let VarArg::File(file) = var {
                needs.add(file);
            }
        }
        Ok(needs)
    }

    /// A path from the root module.
    fn add(&mut self, path: &Path) {
        let path = paths::join(&self.root, path);
        self.paths.extend(Machine.canonical(&path).ok());
        self.paths.insert(path);
    }

    /// A module's folder, with what is written in it.
    fn folder(&mut self, dir: &Path) {
        self.add(dir);
        let mut open = vec![(dir.to_path_buf(), 0)];
        while let Some((at, depth)) = open.pop() {
            for (name, kind) in Machine.list(&self.root.join(&at)).unwrap_or_default() {
                let path = at.join(&name);
                match kind {
                    // What lies in other folders belongs to other configurations, but for links and tests.
                    EntryKind::Dir if depth < MOST_DEEP && !name.starts_with('.') => {
                        open.push((path, depth + 1));
                    }
                    EntryKind::Link => self.link(&path),
                    EntryKind::File if at == dir || at.ends_with("tests") => self.written(dir, &path),
                    _ => {}
                }
            }
        }
    }

    fn link(&mut self, path: &Path) {
        if let Some(to) = Machine.link(&self.root.join(path)) {
            let beside = path.parent().unwrap_or(Path::new("")).join(to);
            self.add(&beside);
        }
    }

    /// The paths that are written in a file, from its module, and from the root: functions that read files take both.
    fn written(&mut self, dir: &Path, file: &Path) {
        let name = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        if ![".tf", ".tofu", ".tfvars", ".hcl", ".json"].iter().any(|end| name.ends_with(end)) {
            return;
        }
        let Ok(bytes) = Machine.read(&self.root.join(file)) else { return };
        let text = String::from_utf8_lossy(&bytes);
        let Some(pattern) = &*WRITTEN else { return };
        for found in pattern.captures_iter(&text) {
            let (Some(front), Some(rest)) = (found.get(1), found.get(2)) else { continue };
            let front = if front.as_str().starts_with('$') { "" } else { front.as_str() };
            let path = fixed(&format!("{front}{}", rest.as_str()));
            // The folder itself is one that is needed already, and what lies above all is no path that tells anything.
            if path.components().any(|c| matches!(c, Component::Normal(_))) {
                self.add(&dir.join(&path));
                self.add(&path);
            }
        }
    }
}

/// The part of a written path before anything that is put in, or stands for other letters.
fn fixed(written: &str) -> PathBuf {
    let special = written.find(['$', '%', '*', '?', '[', '{', '\\']);
    match special {
        None => PathBuf::from(written),
        Some(at) => {
            let front = written.get(..at).unwrap_or_default();
            PathBuf::from(front.rsplit_once('/').map_or("", |(dir, _)| dir))
        }
    }
}

/// A work tree, and what differs in it.
struct Tree {
    changes: Changes,
    /// The folders that hold a configuration, now or before.
    folders: BTreeSet<PathBuf>,
    /// The paths that differ, absolute.
    changed: BTreeSet<PathBuf>,
}

impl Tree {
    fn open(root: &Path, revision: &str) -> Result<Tree, Issue> {
        let changes = Commit::open(Git::find(&Machine)?, root, revision)?.changes()?;
        let is_configuration = |path: &&Path| {
            [".tf", ".tf.json", ".tofu", ".tofu.json"].iter().any(|end| path.to_string_lossy().ends_with(end))
        };
        let folders = changes.names().filter(is_configuration).filter_map(Path::parent);
        let folders = folders.map(|dir| changes.top().join(dir)).collect();
        Ok(Tree { changes, folders, changed: BTreeSet::new() })
    }

    /// Whether a root lies in it, and in no work tree within it that isn't a part of it.
    fn holds(&self, root: &Path) -> bool {
        let Ok(below) = root.strip_prefix(self.changes.top()) else { return false };
        top_of(root) == Some(self.changes.top()) || self.changes.names().any(|name| name.starts_with(below))
    }

    /// Compares what some root depends on.
    fn compare(&mut self, needs: &[&Needs]) -> Result<(), Issue> {
        let all: BTreeSet<&Path> = needs.iter().flat_map(|n| &n.paths).map(PathBuf::as_path).collect();
        let top = self.changes.top().to_path_buf();
        let matters = |path: &Path| {
            let path = top.join(path);
            path.ends_with(".gitignore")
                || path.ancestors().any(|at| all.contains(at))
                || leads_to(&all, &path)
        };
        let found = self.changes.of(&matters)?;
        self.changed = found.into_iter().map(|path| top.join(path)).collect();
        Ok(())
    }

    /// Whether something differs that a root depends on.
    fn concerns(&self, needs: &Needs) -> bool {
        self.changed.iter().any(|path| {
            // Which variable files count, folders above have a say in.
            let rules =
                path.ends_with(".gitignore") && path.parent().is_some_and(|dir| needs.root.starts_with(dir));
            rules || self.lies_in(path, needs) || needs.paths.iter().any(|own| own.starts_with(path))
        })
    }

    /// Whether a file is one of a folder that is needed, or of a folder below that holds no other configuration.
    fn lies_in(&self, path: &Path, needs: &Needs) -> bool {
        for at in path.ancestors() {
            if needs.paths.contains(at) {
                return true;
            }
            if at != path && self.folders.contains(at) {
                return false;
            }
        }
        false
    }
}

/// The work tree that a folder lies in.
fn top_of(dir: &Path) -> Option<&Path> {
    dir.ancestors().find(|dir| Machine.kind(&dir.join(".git")).is_some())
}

/// Whether one of the paths lies below this one: a link, or a submodule, on the way to it.
fn leads_to(all: &BTreeSet<&Path>, path: &Path) -> bool {
    all.range(path..).next().is_some_and(|next| next.starts_with(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_anything_that_is_put_in() {
        for (written, want) in [
            ("a/b.json", "a/b.json"),
            ("../env/*.tfvars", "../env"),
            ("templates/${var.x}.tpl", "templates"),
            ("${var.x}", ""),
            ("../x-${var.x}/y", ".."),
        ] {
            assert_eq!(fixed(written), Path::new(want), "{written}");
        }
    }
}
