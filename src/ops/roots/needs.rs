//! The paths that a root module depends on.
//!
//! Its own folder; the folders of its modules and services, at any depth; its variable files; every path that is written in one of
//! these; and the targets of links there. Absent on purpose: evaluating paths.

use super::folders::Folders;
use crate::config::paths;
use crate::config::variables::VarArg;
use crate::host::{EntryKind, Host as _, Machine};
use crate::issue::Issue;
use regex::Regex;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

/// The depth to which folders are searched for links.
const MOST_DEEP: usize = 8;

/// A path that is written in a text: relative, or below one of Terraform's own folders.
static WRITTEN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#""(\$\{path\.(?:module|root|cwd)\}/?|\.{1,2}/)([^"\n]*)"#).ok());

/// The paths that a root module depends on. They are absolute, both as written and with links resolved.
pub(super) struct Needs {
    /// Its own folder.
    pub root: PathBuf,
    /// All of them.
    pub paths: BTreeSet<PathBuf>,
    /// Folders of which anything may be called.
    pub above: BTreeSet<PathBuf>,
}

impl Needs {
    /// Finds the paths for the root module in `dir`. `vars`: the run's own arguments, for the files they name.
    ///
    /// # Errors
    /// Fails if there is no such folder.
    pub fn of(dir: &Path, vars: &[VarArg]) -> Result<Needs, Issue> {
        let Folders { host, phi, all, above, .. } = Folders::of(dir)?;
        let mut needs = Needs { paths: BTreeSet::new(), above: BTreeSet::new(), root: host.root.clone() };
        for dir in &above {
            let path = paths::join(&needs.root, dir);
            needs.above.extend(Machine.canonical(&path).ok());
            needs.above.insert(path);
        }
        for dir in &all {
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
