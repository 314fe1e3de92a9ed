//! The machine as seen from the working directory.
//!
//! Terraform changes into `-chdir` first, so every relative path, `..` included, counts from the real folder behind it.
//! Here nothing changes folder: relative paths are put behind the canonical root instead.

use crate::config::{Overlay, Tracked, View, paths};
use crate::host::{
    Border, Confined, EntryKind, Host, Machine, WriteHost as _, kind_straight, list_straight, read_straight,
};
use crate::issue::{Code, Issue};
use crate::ops::read::as_before::AsBefore;
use crate::txn::PHI_DIR;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The machine's files with relative paths counted from a folder.
#[derive(Clone, Debug)]
pub struct RootedHost {
    /// The folder, without links.
    pub root: PathBuf,
    border: Border,
    /// The folder, opened.
    beneath: Arc<OnceLock<Option<Confined>>>,
    /// The folder whose data folder this one shares, where it is a copy of ours: links lead from it there.
    shared: Option<PathBuf>,
    /// The workspace that counts as selected, where an environment names one.
    pub workspace: Option<String>,
    /// What stood there before the run that is at work here, where one is.
    before: Option<Arc<AsBefore>>,
    /// True if functions are to see no file that Git doesn't track.
    pub hides_untracked: bool,
    /// True if no values are to be read from variable files that Git doesn't track.
    hides_values: bool,
    /// What Git tracks.
    tracked: Arc<OnceLock<Tracked>>,
    /// The number of root modules that are read in the same run.
    pub roots_of_run: usize,
}

/// The environment variable that has functions see no file that Git doesn't track, and nobody read values from such a file that the command
/// line doesn't name.
const TRACKED_ONLY: &str = "TF_PHI_TRACKED_ONLY";

fn is_tracked_only() -> bool {
    Machine.env(TRACKED_ONLY).is_some_and(|set| !set.is_empty())
}

impl RootedHost {
    /// A host for a working directory.
    ///
    /// # Errors
    /// [`Code::Missing`] where there is no such folder.
    pub fn new(dir: &Path) -> Result<RootedHost, Issue> {
        let fault = |why: String| {
            let shown = dir.display().to_string();
            Issue::error(Code::Missing, format!("can't work in the directory {shown}"), why).in_path(shown)
        };
        let root = Machine.canonical(dir).map_err(|e| fault(format!("It can't be opened: {e}.")))?;
        match Machine.kind(&root) {
            Some(EntryKind::Dir) => Ok(RootedHost::at(root)),
            _ => Err(fault("It is not a directory.".to_owned())),
        }
    }

    /// A host for a folder whose path holds no links.
    pub fn at(root: PathBuf) -> RootedHost {
        RootedHost {
            border: Border::around(root.clone()),
            shared: None,
            beneath: Arc::default(),
            root,
            workspace: None,
            before: None,
            hides_untracked: is_tracked_only(),
            hides_values: is_tracked_only(),
            tracked: Arc::default(),
            roots_of_run: 1,
        }
    }

    /// Sees the folder as it was before a run that is at work in it.
    pub fn look_through(&mut self, before: Option<AsBefore>) {
        self.before = before.map(Arc::new);
    }

    /// Returns true if a run is at work here that was seen.
    pub fn is_looked_through(&self) -> bool {
        self.before.is_some()
    }

    /// Returns what a run at work here says of a path.
    fn told<T>(&self, path: &Path, ask: impl Fn(&AsBefore, &Path) -> Option<T>) -> Option<T> {
        let before = self.before.as_ref()?;
        let path = path.strip_prefix(&self.root).unwrap_or(path);
        ask(before, &paths::clean(path))
    }

    /// Takes what lies in another folder for the user's own, and its installed modules for those of this copy, too.
    pub fn share(&mut self, folder: &Path) {
        self.border.trust(folder);
        self.shared = Some(folder.to_owned());
    }

    /// The folder in which Terraform installs what this one needs: itself, or that which it is a copy of.
    pub fn installs(&self) -> RootedHost {
        self.shared.clone().map_or_else(|| self.clone(), RootedHost::at)
    }

    /// The tree that the folder lies in, beyond which nothing is read.
    pub fn tree(&self) -> &Path {
        self.border.tree()
    }

    /// A host for a copy of this tree, which was judged already.
    pub fn copied(&self, root: PathBuf) -> RootedHost {
        let shared = Some(self.installs().root);
        RootedHost {
            border: Border::none(root.clone()),
            shared,
            beneath: Arc::default(),
            root,
            workspace: None,
            before: None,
            hides_untracked: is_tracked_only(),
            hides_values: is_tracked_only(),
            tracked: Arc::default(),
            roots_of_run: 1,
        }
    }
}

impl RootedHost {
    /// The folder itself, opened once.
    fn beneath(&self) -> Option<&Confined> {
        self.beneath.get_or_init(|| Confined::open(&self.root).ok()).as_ref()
    }

    /// Where a path leads, and whether that lies outside. What stands there is to be opened without a link.
    fn located(&self, path: &Path) -> io::Result<(PathBuf, bool)> {
        let named = self.root.join(path);
        let real = Machine.canonical(&named)?;
        let is_outside = self.border.excludes(&real, &paths::clean(&named));
        Ok((real, is_outside))
    }

    /// Returns true if Git doesn't track what stands at a path without links.
    fn is_untracked(&self, real: &Path) -> bool {
        let overlay = Overlay::new();
        let view = View { host: self, overlay: &overlay };
        self.tracked(view).is_untracked(view, real)
    }

    /// Returns true if the working directory lies in a work tree of Git.
    pub fn is_in_work_tree(&self) -> bool {
        let overlay = Overlay::new();
        let view = View { host: self, overlay: &overlay };
        self.tracked(view).top().is_some()
    }

    fn tracked(&self, view: View<'_>) -> &Tracked {
        self.tracked.get_or_init(|| Tracked::around(view, &self.root))
    }

    /// Sees to it that no link of the tree leads to what a job left there, where others see what is read.
    ///
    /// # Errors
    /// One that does.
    fn judge_link(&self, path: &Path) -> io::Result<()> {
        // Sources are named from the root on, and what Git has is read to find out what it tracks.
        if !self.hides_untracked || path.is_absolute() {
            return Ok(());
        }
        let named = paths::clean(&self.root.join(path));
        match Machine.canonical(&named) {
            Ok(real) if real != named && self.is_untracked(&real) => {
                Err(io::Error::new(io::ErrorKind::PermissionDenied, "a link leads to what Git doesn't track"))
            }
            _ => Ok(()),
        }
    }

    /// Where a path leads that may be looked at.
    fn judged(&self, path: &Path) -> io::Result<PathBuf> {
        match self.located(path)? {
            (_, true) => Err(io::Error::new(io::ErrorKind::PermissionDenied, "it lies outside of the tree")),
            (real, false) => Ok(real),
        }
    }
}

impl Host for RootedHost {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if let Some(text) =
            self.told(path, |before, path| before.text(path).map(|text| text.map(str::to_owned)))
        {
            return text.map(String::into_bytes).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound));
        }
        self.judge_link(path)?;
        // What says what to do is the tree's own: no link leads out of it.
        if path == Path::new("phi.hcl") || path.starts_with(PHI_DIR) {
            return Confined::open(&self.root)?.read(path);
        }
        // Nearly all files lie below the folder, and there one question opens them.
        match self.beneath().and_then(|own| own.read(path).ok()) {
            Some(bytes) => Ok(bytes),
            None => read_straight(&self.judged(path)?),
        }
    }

    fn read_named(&self, path: &Path) -> io::Result<Vec<u8>> {
        Machine.read(&self.root.join(path))
    }

    fn list(&self, path: &Path) -> io::Result<Vec<(String, EntryKind)>> {
        let now = match self.beneath().and_then(|own| own.list(path).ok()) {
            Some(entries) => Ok(entries),
            None => list_straight(&self.judged(path)?),
        }?;
        match &self.before {
            None => Ok(now),
            Some(_) => self
                .told(path, |before, path| before.list(path, now.clone()))
                .ok_or_else(|| io::Error::from(io::ErrorKind::NotFound)),
        }
    }

    fn kind(&self, path: &Path) -> Option<EntryKind> {
        if let Some(text) = self.told(path, |before, path| before.text(path).map(|text| text.is_some())) {
            return text.then_some(EntryKind::File);
        }
        match self.beneath().and_then(|own| own.kind(path)) {
            Some(kind) => Some(kind),
            // Of what lies outside whoever asks says that it does, once there is something to say it of; no more is told. It is looked at where
            // it was found to lie: by its name something else could stand there by now.
            None => {
                let (real, is_outside) = self.located(path).ok()?;
                kind_straight(&real).ok().or(is_outside.then_some(EntryKind::Other))
            }
        }
    }

    fn kind_inside(&self, path: &Path) -> Option<EntryKind> {
        if let Some(text) = self.told(path, |before, path| before.text(path).map(|text| text.is_some())) {
            return text.then_some(EntryKind::File);
        }
        match self.beneath().and_then(|own| own.kind(path)) {
            Some(kind) => Some(kind),
            None => match self.located(path).ok()? {
                (_, true) => Some(EntryKind::Other),
                (real, false) => kind_straight(&real).ok(),
            },
        }
    }

    fn link(&self, path: &Path) -> Option<PathBuf> {
        if let Some(link) = self.told(path, AsBefore::link) {
            return link;
        }
        self.beneath()?.link(path)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        if let Some(is_there) = self.told(path, |before, path| before.text(path).map(|text| text.is_some())) {
            let named = self.root.join(path);
            return match (is_there, Machine.canonical(&named)) {
                (false, _) => Err(io::Error::from(io::ErrorKind::NotFound)),
                (true, found) => found.or(Ok(paths::clean(&named))),
            };
        }
        Machine.canonical(&self.root.join(path))
    }

    fn own(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        if let Some(text) =
            self.told(path, |before, path| before.text(path).map(|text| text.map(str::to_owned)))
        {
            return Ok(text.map(String::into_bytes));
        }
        self.judge_link(path)?;
        let own = Confined::open(&self.root)?;
        own.entry(path)?.map(|_| own.read(path)).transpose()
    }

    fn is_outside(&self, path: &Path) -> bool {
        let path = self.root.join(path);
        self.border.excludes(&path, &paths::clean(&path))
    }

    fn is_tracked(&self, path: &Path) -> bool {
        let overlay = Overlay::new();
        let view = View { host: self, overlay: &overlay };
        self.tracked(view).holds(view, &self.root.join(path))
    }

    fn is_tracked_below(&self, dir: &Path) -> bool {
        let overlay = Overlay::new();
        let view = View { host: self, overlay: &overlay };
        self.tracked(view).holds_below(view, &paths::join(&self.root, dir))
    }

    fn hides_untracked(&self) -> bool {
        self.hides_untracked
    }

    fn hides_values(&self, path: &Path) -> bool {
        self.hides_values && self.canonical(path).is_ok_and(|real| self.is_untracked(&real))
    }

    fn roots_of_run(&self) -> usize {
        self.roots_of_run
    }

    fn env(&self, name: &str) -> Option<String> {
        let named = self.workspace.clone().filter(|_| name == "TF_WORKSPACE");
        named.or_else(|| Machine.env(name))
    }

    fn env_all(&self) -> BTreeMap<String, String> {
        Machine.env_all()
    }
}

/// The working directory, which nothing leads out of.
///
/// # Errors
/// Returns an error if it can't be opened.
pub fn confined(root: &Path) -> Result<Confined, Issue> {
    Confined::open(root).map_err(|e| {
        let shown = root.display().to_string();
        Issue::error(Code::Io, format!("can't open the folder {shown}: {e}"), "").in_path(shown)
    })
}
