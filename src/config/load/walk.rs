//! The tree of calls: from the root downwards, each folder once.

use super::ahead::{self, Folder};
use super::folder::{self, Room};
use super::manifest::{Entry, Manifest};
use super::submodules::{Submodules, find_submodule};
use super::version;
use crate::addr::{CallName, ModulePath};
use crate::config::module_hosts;
use crate::config::module_source::{is_local, package_here, same_source};
use crate::config::{Call, Config, Module, ModuleId, Origin, Role, View, build, outside, paths, stacks};
use crate::issue::{Code, Issue};
use crate::syntax::ExprKind;
use crate::text::{git_path, shell_path};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// More paths of calls than this are refused; a module that calls two others twenty levels deep has a million.
const MAX_PATHS: usize = 20_000;

/// The same over all root modules of a run, which share it in equal parts.
const MAX_PATHS_OF_RUN: usize = 400_000;

/// However many there are, each may have so many.
const MIN_PATHS: usize = 256;

pub(super) struct Walk<'a> {
    view: View<'a>,
    pub config: &'a mut Config,
    manifest: Manifest,
    /// Folders that are loaded, `None` for those that failed and were reported.
    pub by_dir: FxHashMap<(PathBuf, Role), Option<ModuleId>>,
    /// Folders that were read ahead.
    pub ahead: FxHashMap<PathBuf, Folder>,
    /// The number of bytes that may still be read.
    room: Room,
    pub issues: Vec<Issue>,
    root: PathBuf,
    submodules: Submodules,
}

/// Loads the root module and all that it calls.
pub(in crate::config) fn root(view: View<'_>, config: &mut Config, root: &Path) -> Vec<Issue> {
    let root = paths::clean(root);
    let (manifest, fault) = Manifest::read(view, &root);
    let ahead = ahead::read(view, &manifest, &root, config.tofu);
    let mut walk = Walk {
        view,
        config,
        ahead,
        manifest,
        room: Room::new(),
        by_dir: FxHashMap::default(),
        issues: fault.into_iter().collect(),
        root: root.clone(),
        submodules: Submodules::default(),
    };
    let role = if stacks::is_stack(view, &root) { Role::Stack } else { Role::Module };
    walk.issues.extend(stacks::beside(view, &root).filter(|_| role == Role::Module));
    match walk.folder(&root, Origin::Root, role) {
        Ok(id) => walk.enter(ModulePath::ROOT, id),
        Err(issue) => walk.issues.push(*issue),
    }
    walk.issues
}

/// Adds the module that a call named `name` in the module at `parent` would have with that source, and all that it
/// calls. For calls whose source is an expression: each possible source becomes a branch with a name of its own.
pub fn attach(
    view: View<'_>,
    config: &mut Config,
    parent: &ModulePath,
    name: &CallName,
    source: &str,
    call: &Call,
) -> Vec<Issue> {
    let root = config.root().map(|m| m.dir.clone()).unwrap_or_default();
    let (manifest, fault) = Manifest::read(view, &root);
    let by_dir = config.modules.iter().map(|m| ((m.dir.clone(), m.role), Some(m.id))).collect();
    let (issues, ahead) = (fault.into_iter().collect(), FxHashMap::default());
    let mut walk = Walk {
        view,
        config,
        manifest,
        by_dir,
        ahead,
        room: Room::new(),
        issues,
        root,
        submodules: Submodules::default(),
    };
    walk.call(parent, name, source, call);
    walk.issues
}

impl Walk<'_> {
    /// Loads a folder, or finds it loaded.
    fn folder(&mut self, dir: &Path, origin: Origin, role: Role) -> Result<ModuleId, Box<Issue>> {
        let id = ModuleId(u32::try_from(self.config.modules.len()).unwrap_or(u32::MAX));
        if role == Role::Stack {
            return self.stack(dir, (id, origin));
        }
        let read = self.ahead.remove(dir);
        let read = read.or_else(|| {
            ahead::folders(self.view, vec![dir.to_path_buf()], &self.room, self.config.tofu).pop()
        });
        let parsed = read.unwrap_or_else(|| Ok(Vec::new()))?;
        let (files, issues) = folder::enter(parsed, &mut self.config.sources);
        let unread = issues.iter().any(Issue::is_error);
        self.issues.extend(issues);
        if files.is_empty() && !unread && (dir == self.root || !self.has_other_files(dir)) {
            let issue = no_files(dir);
            return Err(Box::new(if dir == self.root {
                issue.fix(ROOTS_BELOW, "tf-phi roots --recursive")
            } else {
                issue
            }));
        }
        let mut module = Module::empty(id, dir.to_path_buf(), origin);
        module.files = files;
        let found = build::build(&mut module, &self.config.sources, self.config.tofu);
        self.issues.extend(found);
        module.taken_as(role);
        self.config.modules.push(module);
        self.by_dir.insert((dir.to_path_buf(), role), Some(id));
        Ok(id)
    }

    /// Returns true if a folder without configuration files holds others. Such a one is an empty module; in one with nothing a submodule may be
    /// missing, and one with OpenTofu's files alone is a module of a program that nobody named.
    fn has_other_files(&self, dir: &Path) -> bool {
        let entries = self.view.entries(dir).unwrap_or_default();
        !entries.is_empty() && !entries.keys().any(|name| folder::is_tofus(name))
    }

    fn stack(&mut self, dir: &Path, (id, origin): (ModuleId, Origin)) -> Result<ModuleId, Box<Issue>> {
        let (module, issues) = stacks::module(self.view, dir, (id, origin), &mut self.config.sources);
        if module.files.is_empty() && !issues.iter().any(Issue::is_error) {
            let why = format!(
                "The directory {} contains no .tfcomponent.hcl file, which would say what a Stack consists of.",
                paths::shown(dir)
            );
            let issue = Issue::error(Code::Missing, "No configuration files", why);
            return Err(Box::new(issue.in_path(paths::shown(dir))));
        }
        self.issues.extend(issues);
        self.config.modules.push(module);
        self.by_dir.insert((dir.to_path_buf(), Role::Stack), Some(id));
        Ok(id)
    }

    /// Puts a module at a path and follows its calls.
    pub(super) fn enter(&mut self, path: ModulePath, id: ModuleId) {
        let roots = self.view.host.roots_of_run().max(1);
        let most = (MAX_PATHS_OF_RUN / roots).clamp(MIN_PATHS, MAX_PATHS);
        if self.config.paths.len() >= most {
            if self.config.paths.len() == most {
                let why = match most {
                    MAX_PATHS => format!("The modules are called on more than {most} paths."),
                    _ => format!(
                        "The modules are called on more than {most} paths, which is this root module's share of a run over {roots}. Name fewer of them at a time."
                    ),
                };
                self.issues.push(Issue::error(Code::TooLarge, "Too many module calls", why));
                self.config.paths.insert(path, id);
            }
            return;
        }
        self.config.paths.insert(path.clone(), id);
        let Some(module) = self.config.module(id) else { return };
        let calls: Vec<(Arc<str>, Call)> = module.calls.iter().map(|(n, c)| (n.clone(), c.clone())).collect();
        let mut rest = calls.as_slice();
        loop {
            rest = rest.get(self.leaves(&path, rest)..).unwrap_or_default();
            let [(name, call), later @ ..] = rest else { break };
            if let Some(source) = call.source_text().map(str::to_owned) {
                self.call(&path, &name.clone().into(), &source, call);
            }
            rest = later;
        }
    }

    fn call(&mut self, parent: &ModulePath, name: &CallName, source: &str, call: &Call) {
        let path = parent.child(name.clone());
        let Some((dir, origin)) = self.locate(parent, &path, source, call) else { return };
        let role = Role::of_call(&name.name);
        if self.is_above(parent, &dir, role) {
            self.cycle(&path, call, &dir);
            return;
        }
        let at = (dir, role);
        let id = match self.by_dir.get(&at) {
            Some(Some(id)) => *id,
            Some(None) => return,
            None => match self.folder(&at.0, origin, role) {
                Ok(id) => id,
                Err(mut issue) => {
                    self.by_dir.insert(at, None);
                    if let Some(source) = &call.source {
                        issue.place = Some(source.value_place());
                    }
                    self.issues.push(*issue);
                    return;
                }
            },
        };
        self.enter(path, id);
    }

    /// Returns true if a folder is there; one that was listed is.
    fn is_dir(&self, dir: &Path) -> bool {
        let listed = self.ahead.get(dir).is_some_and(Result::is_ok);
        let loaded = matches!(self.by_dir.get(&(dir.to_path_buf(), Role::Module)), Some(Some(_)));
        listed || loaded || self.view.is_dir(dir)
    }

    /// The folder of this machine that an installed module was copied from. A registry may say so, too, and only the clone tells.
    fn copied_from(&self, entry: &Entry, dir: &Path) -> Option<PathBuf> {
        // The package is the folder right below that of modules. What stands in it may be a clone, with clones in it.
        let is_package = |at: &Path| at.parent().is_some_and(|above| above.ends_with("modules"));
        let within: Vec<&Path> = dir.ancestors().collect();
        let package = within.iter().position(|at| is_package(at));
        let within = within.get(..=package?).unwrap_or_default();
        let url = |line: &str| {
            let rest = line.trim().strip_prefix("url")?.trim_start().strip_prefix('=')?;
            Some(rest.trim().trim_matches('"').to_owned())
        };
        let here = |text: String| text.lines().filter_map(url).find_map(|url| package_here(&url));
        let cloned = || within.iter().filter_map(|at| self.clone_settings(at)).find_map(here);
        package_here(&entry.source).or_else(cloned)
    }

    /// What the settings of the clone in a folder say, be it a clone of its own or a part of one around it.
    fn clone_settings(&self, at: &Path) -> Option<String> {
        let text = |path: &Path| String::from_utf8(self.view.read(path).ok()?).ok();
        let dot = at.join(".git");
        let own = text(&dot.join("config"));
        own.or_else(|| text(&paths::join(at, text(&dot)?.strip_prefix("gitdir:")?.trim()).join("config")))
    }

    /// The folder of a called module.
    fn locate(
        &mut self,
        parent: &ModulePath,
        path: &ModulePath,
        source: &str,
        call: &Call,
    ) -> Option<(PathBuf, Origin)> {
        if is_local(source) {
            let base = self.config.at(parent).map(|m| m.dir.clone())?;
            let dir = paths::join(&base, source.replace('\\', "/"));
            // Of what lies outside nobody is told whether it is there.
            if let Some(listed) = self.find_other_folder(parent, path, source, &dir) {
                self.report(call, other_folder(path, source, &self.manifest, &listed));
                return None;
            }
            if self.is_dir(&dir) || self.view.host.is_outside(&dir) {
                return Some((dir, Origin::Local));
            }
            let why = format!("The folder {} that \"{path}\" names does not exist.", paths::shown(&dir));
            let mut issue = Issue::error(Code::Missing, "Unreadable module directory", why);
            if let Some(submodule) = find_submodule(self.view, &dir, &mut self.submodules) {
                let title =
                    format!("It lies in the submodule {}, which isn't there yet:", paths::shown(&submodule));
                issue = issue.fix(title, "git submodule update --init --recursive");
            } else if self.view.host.is_tracked_below(&dir) {
                let title = "Git tracks it, and this checkout lacks it. Where that is sparse, `git sparse-checkout add` takes it in for good; for now:";
                let paste =
                    format!("git restore --ignore-skip-worktree-bits -- {}", git_path(&paths::shown(&dir)));
                issue = issue.fix(title, paste);
            }
            self.report(call, issue);
            return None;
        }
        if call.is_version_chosen() {
            // As with a source that an expression chooses: what is installed, is so for one of its values at most. Who knows that
            // it has only one attaches the module.
            return None;
        }
        if let Some(entry) = self.manifest.get(path) {
            // What Terraform copied here was anybody's before.
            let dir = paths::join(&self.root, &entry.dir);
            if let Some(from) = self.copied_from(entry, &dir).filter(|from| self.view.host.is_outside(from)) {
                self.report(call, outside::folder(&from));
                return None;
            }
            if let Some(unknown) = module_hosts::find_unknown_host(self.view.host, &entry.source) {
                self.report(call, module_hosts::refuse_host(unknown));
                return None;
            }
            let origin = Origin::Installed { source: source.to_owned(), version: entry.version.clone() };
            if same_source(&entry.source, source) && self.is_dir(&dir) {
                if let Some(issue) = other_version(path, entry, call) {
                    self.report(call, issue);
                    return None;
                }
                return Some((dir, origin));
            }
            let why = format!(
                "\"{path}\" asks for \"{source}\", but what {} names for it is something else or no longer there.",
                paths::shown(&self.manifest.path)
            );
            let issue = Issue::error(Code::NotInstalled, "Module source has changed", why);
            self.report(call, issue.fix("Install what the call asks for:", "terraform init"));
            return None;
        }
        let why = format!(
            "\"{path}\" is not yet installed: {} doesn't name it.",
            paths::shown(&self.manifest.path)
        );
        let issue = Issue::error(Code::NotInstalled, "Module not installed", why);
        self.report(call, issue.fix("Install all modules that this configuration calls:", "terraform init"));
        None
    }

    /// The folder in which the list of installed modules has a local call's module, where that isn't the one that its source names. Terraform follows the list as long
    /// as the sources there are those of the calls; where one on the way isn't, it installs all below anew.
    pub(super) fn find_other_folder(
        &self,
        parent: &ModulePath,
        path: &ModulePath,
        source: &str,
        dir: &Path,
    ) -> Option<PathBuf> {
        let is_same = |entry: &Entry, dir: &Path| {
            let listed = paths::join(&self.root, &entry.dir);
            let real = |path: &Path| self.view.host.canonical(path).ok();
            listed == dir || real(&listed).is_some_and(|listed| real(dir) == Some(listed))
        };
        let listed = self.manifest.find_listed(path).filter(|entry| same_source(&entry.source, source))?;
        if is_same(listed, dir) {
            return None;
        }
        let mut above = parent.clone();
        while let Some((outer, _)) = above.parent() {
            let module = self.config.at(&above)?;
            self.manifest.find_listed(&above).filter(|entry| is_same(entry, &module.dir))?;
            above = outer;
        }
        Some(paths::join(&self.root, &listed.dir))
    }

    fn report(&mut self, call: &Call, issue: Issue) {
        let place = call.source.as_ref().map_or_else(|| call.decl.place(), |s| s.value_place());
        // A module that is called on many paths is missing on all of them; one message is enough.
        if !self.issues.iter().any(|i| i.place == Some(place) && i.code == issue.code) {
            self.issues.push(issue.at(place));
        }
    }

    /// Returns true if a folder is the module at `path` or one of those it is called from.
    pub(super) fn is_above(&self, path: &ModulePath, dir: &Path, role: Role) -> bool {
        let mut at = path.clone();
        let is_module = role != Role::Stack;
        loop {
            let same = |m: &Module| m.dir == dir && (m.role != Role::Stack) == is_module;
            if self.config.at(&at).is_some_and(same) {
                return true;
            }
            match at.parent() {
                Some((up, _)) => at = up,
                None => return false,
            }
        }
    }

    fn cycle(&mut self, path: &ModulePath, call: &Call, dir: &Path) {
        let why = format!(
            "\"{path}\" calls the module in {}, from which it is itself called, so the calls would never end.",
            paths::shown(dir)
        );
        self.report(call, Issue::error(Code::Cycle, "Module calls itself", why));
    }
}

/// The issue of a local call that Terraform would look for elsewhere.
fn other_folder(path: &ModulePath, source: &str, manifest: &Manifest, listed: &Path) -> Issue {
    let list = paths::shown(&manifest.path);
    let why = format!(
        "\"{path}\" calls \"{source}\", and {list} says that this is in the folder {}. Terraform reads that one, and `terraform init` leaves it so.",
        paths::shown(listed)
    );
    let issue = Issue::error(Code::Environment, "The list of installed modules leads to another folder", why);
    let list = shell_path(&list);
    issue.fix(
        "Take it out of Git where Git tracks it, and have Terraform write it anew:",
        format!("rm -- {list} && terraform init"),
    )
}

/// Returns an issue if another version is installed than the call asks for.
fn other_version(path: &ModulePath, entry: &Entry, call: &Call) -> Option<Issue> {
    let ExprKind::String(wanted) = &call.version.as_ref()?.expr.kind else { return None };
    let installed = entry.version.as_ref()?;
    if version::is_within(installed, wanted) != Some(false) {
        return None;
    }
    let why = format!("\"{path}\" asks for version {wanted}, and {installed} is installed.");
    let issue = Issue::error(Code::NotInstalled, "Module version requirements have changed", why);
    Some(issue.fix("Install what the call asks for:", "terraform init"))
}

const ROOTS_BELOW: &str = "Change into a root module. This lists those below the current directory:";

fn no_files(dir: &Path) -> Issue {
    let why = format!(
        "The directory {} contains no Terraform configuration files (.tf or .tf.json).",
        paths::shown(dir)
    );
    Issue::error(Code::Missing, "No configuration files", why).in_path(paths::shown(dir))
}
