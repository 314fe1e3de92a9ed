//! The paths that a root module depends on.
//!
//! Its own folder; the folders of its modules and services, at any depth; its variable files; every path that is written in one of
//! these, or in a file that such a path leads to; and the links there, with all that they lead to. Absent on purpose: evaluating paths.

use super::folders::Folders;
use super::written::{Written, fixed};
use crate::config::paths;
use crate::config::variables::VarArg;
use crate::host::{EntryKind, Host as _, Machine};
use crate::issue::Issue;
use crate::ops::read::rooted_host::RootedHost;
use crate::terraform::args::RunArgs;
use crate::terraform::init;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The depth to which folders are searched for links.
const MOST_DEEP: usize = 64;

/// Folders in which nothing of a root module's stands.
const PASSED_OVER: [&str; 3] = [".git", ".terraform", ".phi"];

/// How the names of files end that are read as data, and may name others.
const DATA: [&str; 8] = [".yaml", ".yml", ".json", ".csv", ".tpl", ".tftpl", ".tmpl", ".toml"];

/// The number of links that are followed in a row.
const MOST_LINKS: usize = 40;

/// The paths that a root module depends on. They are absolute, both as written and with links resolved.
pub(super) struct Needs {
    /// Its own folder.
    pub root: PathBuf,
    /// All of them.
    pub paths: BTreeSet<PathBuf>,
    /// Folders of which anything may be called or read.
    pub above: BTreeSet<PathBuf>,
    /// True if nobody can tell all of them.
    pub is_open: bool,
    /// Files that written paths lead to and that nobody has read yet.
    led_to: Vec<PathBuf>,
}

impl Needs {
    /// Finds the paths for the root module in `dir`. `vars`: the run's own arguments, for the files they name.
    ///
    /// # Errors
    /// Fails if there is no such folder.
    pub fn of(dir: &Path, vars: &[VarArg]) -> Result<Needs, Issue> {
        let Folders { host, phi, all, above, .. } = Folders::of(dir)?;
        let root = host.root.clone();
        let mut needs = Needs {
            root,
            paths: find_links(dir),
            above: BTreeSet::new(),
            is_open: false,
            led_to: Vec::new(),
        };
        above.iter().for_each(|dir| needs.above(dir));
        // Where Git tracks anything there, Terraform follows it.
        needs.above(&init::data_dir(&host, Path::new("")));
        for dir in &all {
            match host.is_outside(paths::or_dot(dir)) {
                true => needs.add(dir),
                false => needs.folder(&host, dir),
            }
        }
        let files = phi.environments.iter().flat_map(|env| &env.var_files).map(|(file, _)| file.as_str());
        let patterns = phi.settings.environments.iter().flatten().map(|(pattern, _)| pattern.as_str());
        for written in files.chain(patterns) {
            needs.add(&paths::clean(&fixed(written)));
        }
        // What can't be read is said where it is used.
        let of_every_run = RunArgs::read(&Machine, "plan", &[]).unwrap_or_default().vars;
        for var in vars.iter().chain(&of_every_run) {
            if let VarArg::File(file) = var {
                needs.add(file);
            }
        }
        needs.follow(&host);
        Ok(needs)
    }

    /// Adds a folder from the root module, of which anything may be meant.
    fn above(&mut self, dir: &Path) {
        let path = paths::join(&self.root, dir);
        self.above.extend(Machine.canonical(&path).ok());
        self.above.insert(path);
    }

    /// Adds a path from the root module, with every link on the way there. A file that it leads to is read later.
    fn add(&mut self, path: &Path) {
        let path = paths::join(&self.root, path);
        if let Ok(real) = Machine.canonical(&path) {
            if real != path {
                links(&path, &mut { MOST_LINKS }, &mut self.paths);
            }
            if Machine.kind(&real) == Some(EntryKind::File) {
                self.led_to.push(real.clone());
            }
            self.paths.insert(real);
        } else {
            links(&path, &mut { MOST_LINKS }, &mut self.paths);
        }
        self.paths.insert(path);
    }

    /// A module's folder, with what is written in it.
    fn folder(&mut self, host: &RootedHost, dir: &Path) {
        self.add(dir);
        let mut open = vec![(dir.to_path_buf(), 0)];
        while let Some((at, depth)) = open.pop() {
            for (name, kind) in Machine.list(&self.root.join(&at)).unwrap_or_default() {
                let path = at.join(&name);
                // What isn't UTF-8 has another letter here, and is opened by no such name.
                self.is_open |= name.contains(char::REPLACEMENT_CHARACTER);
                match kind {
                    // What lies in other folders belongs to other configurations, but for links and tests.
                    EntryKind::Dir if !PASSED_OVER.contains(&&*name) => match depth < MOST_DEEP {
                        true => open.push((path.clone(), depth + 1)),
                        false => self.is_open = true,
                    },
                    EntryKind::Link => self.add(&path),
                    _ => {}
                }
                let is_source = at == dir || at.ends_with("tests") || name.contains(".tfvars");
                if kind != EntryKind::Dir && is_source {
                    self.source(host, dir, &path);
                } else if kind == EntryKind::File && DATA.iter().any(|end| name.ends_with(end)) {
                    self.led_to.push(self.root.join(&path));
                }
            }
        }
    }

    /// The paths that are written in a file of a module, from its folder, and from the root: functions that read files take both.
    fn source(&mut self, host: &RootedHost, dir: &Path, file: &Path) {
        let name = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        if ![".tf", ".tofu", ".tfvars", ".hcl", ".json"].iter().any(|end| name.ends_with(end)) {
            return;
        }
        let Ok(bytes) = host.read(file) else { return };
        self.written(&name, &String::from_utf8_lossy(&bytes), dir);
    }

    /// Reads the files that written paths lead to, as far as they lead: a template reads files, too, and so does what is read as data. `host`:
    /// what reads them, and nothing outside of the tree.
    fn follow(&mut self, host: &RootedHost) {
        let mut known = BTreeSet::new();
        while let Some(file) = self.led_to.pop() {
            if !known.insert(file.clone()) {
                continue;
            }
            // Functions take nothing but UTF-8 for a text.
            let text = host.read(&file).ok().and_then(|bytes| String::from_utf8(bytes).ok());
            let (Some(text), Some(dir)) = (text, file.parent()) else { continue };
            let name = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            self.written(&name, &text, dir);
        }
    }

    /// The paths that are written in a file, from a folder, and from the root.
    fn written(&mut self, name: &str, text: &str, dir: &Path) {
        let found = Written::of(name, text);
        for path in found.paths {
            self.add(&dir.join(&path));
            self.add(&path);
        }
        for path in found.above {
            self.above(&dir.join(&path));
            self.above(&path);
        }
    }
}

/// The links on the way to a directory as it is named, those to which links lead among them.
fn find_links(dir: &Path) -> BTreeSet<PathBuf> {
    let here = Machine.canonical(Path::new(".")).unwrap_or_default();
    let mut found = BTreeSet::new();
    links(&paths::join(&here, dir), &mut { MOST_LINKS }, &mut found);
    // Where they lead is the root module's own folder, or one around it, of which the rest isn't needed.
    found.retain(|path| Machine.link(path).is_some());
    found
}

/// Adds the links on the way to an absolute path, those to which links lead among them.
fn links(path: &Path, left: &mut usize, out: &mut BTreeSet<PathBuf>) {
    let mut at = PathBuf::new();
    for part in path.components() {
        at = paths::join(&at, part);
        let Some(to) = Machine.link(&at) else { continue };
        let Some(fewer) = left.checked_sub(1) else { return };
        *left = fewer;
        let next = paths::join(at.parent().unwrap_or(Path::new("")), to);
        out.insert(at);
        out.insert(next.clone());
        links(&next, left, out);
        // What comes behind it counts from where it leads.
        at = Machine.canonical(&next).unwrap_or(next);
    }
}
