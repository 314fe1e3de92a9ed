//! The root modules that a command is to work on: one, or many with one report.
//!
//! In: what the command line says. Out: directories, in the order in which they were named and are listed, each once. Absent on
//! purpose: what is done in each, which is the command's own.

mod apart;
mod calls;
mod changed;
mod chosen;
mod each;
mod find;
mod folders;
mod list;
mod lost;
mod needs;
mod shard;
mod tree;
mod written;

pub(super) use apart::groups;
pub(super) use changed::find_attributes;
pub(super) use each::{at_once, each, reports, reports_of, worst};
pub(super) use find::is_configuration;
pub(super) use folders::find_reached;
pub use list::List;
pub(super) use lost::Lost;
pub use shard::Shard;

pub(super) use tree::Purpose;

use super::options::positive;
use super::{Start, Stop};
use crate::config::nearest::nearest;
use crate::config::paths;
use crate::config::variables::VarArg;
use crate::host::{EntryKind, Host as _, Machine};
use crate::issue::{Code, Issue};
use crate::terraform::git::Commit;
use crate::text::one_line;
use clap::Args;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tree::WorkTree;

/// The choice among the root modules of directories. The comments are what `--help` prints, here and below.
#[derive(Args, Clone, Debug, Default)]
pub struct Selection {
    /// Every root module below the directories
    #[arg(long)]
    pub recursive: bool,
    /// Split the root modules into N stable parts and take the Kth
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
    /// Only root modules affected by changes since REV
    #[arg(long, value_name = "REV")]
    pub changed_since: Option<String>,
}

/// The choice of root modules on the command line.
#[derive(Args, Clone, Debug, Default)]
pub struct Asked {
    /// Directories of root modules; none stands for the current one
    #[arg(value_name = "DIR", num_args(0..))]
    pub dirs: Vec<PathBuf>,
    /// The choice among them.
    #[command(flatten)]
    pub selection: Selection,
    /// Only root modules affected by the files named as arguments (for pre-commit)
    #[arg(long, conflicts_with = "changed_since")]
    pub files: bool,
    /// How many to look at at a time [default: as many as there are processors and memory for]
    #[arg(long, value_name = "N", value_parser = positive())]
    pub jobs: Option<usize>,
    /// The use that is made of them.
    #[arg(skip)]
    pub(super) purpose: Purpose,
}

/// The directories to work on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Chosen {
    /// One directory, whose report is the whole one.
    One(PathBuf),
    /// Any number of them, in one report.
    Many(Vec<PathBuf>),
}

impl Chosen {
    /// Adds directories to several.
    pub(super) fn add(&mut self, more: impl IntoIterator<Item = PathBuf>) {
        if let Chosen::Many(dirs) = self {
            dirs.extend(more);
        }
    }

    /// Returns all of them.
    pub(super) fn dirs(self) -> Vec<PathBuf> {
        match self {
            Chosen::One(dir) => vec![dir],
            Chosen::Many(dirs) => dirs,
        }
    }
}

impl Selection {
    /// Returns true if it may choose any number of root modules.
    pub fn is_made(&self) -> bool {
        self.recursive || self.shard.is_some() || self.changed_since.is_some()
    }
}

impl Asked {
    /// Returns true if there may be several directories, so that a report names each.
    pub(super) fn is_many(&self) -> bool {
        self.selection.is_made() || self.dirs.len() > 1 || self.files
    }

    /// Returns the sentence that is printed if no directory is left.
    pub(super) fn none(&self) -> String {
        match &self.selection.changed_since {
            Some(revision) => {
                format!("No root module depends on anything that has changed since {}.", one_line(revision))
            }
            None if self.files => "No root module depends on any of these files.".to_owned(),
            None => "No root module is in this shard.".to_owned(),
        }
    }

    /// The directories that are meant. `vars`: the run's own arguments, for the files they name.
    ///
    /// # Errors
    /// A directory that isn't there; a revision that can't be read.
    pub(super) fn chosen(&self, start: &Start, vars: &[VarArg]) -> Result<Chosen, Box<Stop>> {
        self.narrowed(start, vars, self.all(start)?)
    }

    /// The directories among which the choice is made.
    ///
    /// # Errors
    /// A directory that isn't there; none at all.
    pub(super) fn all(&self, start: &Start) -> Result<Vec<PathBuf>, Box<Stop>> {
        let named = self.named(start);
        // Where the working directory itself isn't there, whoever named it is told by that name.
        let written = named.iter().filter(|dir| self.dirs.contains(dir));
        let absent: Vec<Issue> = written.filter_map(|dir| absent(start, dir)).collect();
        if !absent.is_empty() {
            return Err(absent.into());
        }
        if !self.is_many() {
            return Ok(named);
        }
        let mut dirs = match self.selection.recursive {
            true => find::below(&WorkTree::at(&start.dir)?, &named, self.purpose)?,
            false => named,
        };
        if dirs.is_empty() {
            let why = "No folder here holds a configuration that no other one calls.";
            return Err(Issue::error(Code::Missing, "there is no root module here", why).into());
        }
        dirs.iter_mut().for_each(|dir| *dir = paths::or_dot(&paths::clean(dir)).to_owned());
        let mut known = BTreeSet::new();
        dirs.retain(|dir| known.insert(real(start, dir)));
        Ok(dirs)
    }

    /// Those of all that are meant.
    ///
    /// # Errors
    /// A revision that can't be read.
    pub(super) fn narrowed(
        &self,
        start: &Start,
        vars: &[VarArg],
        mut dirs: Vec<PathBuf>,
    ) -> Result<Chosen, Box<Stop>> {
        if !self.is_many() {
            return Ok(Chosen::One(dirs.into_iter().next().unwrap_or_default()));
        }
        if let Some(shard) = self.selection.shard {
            let here = real(start, Path::new(""));
            dirs.retain(|dir| shard.holds(&here, &real(start, dir)));
        }
        if let Some(revision) = &self.selection.changed_since {
            dirs = changed::since(start, revision, dirs, vars)?;
        }
        if self.files {
            let files: Vec<PathBuf> =
                self.dirs.iter().filter(|word| self.is_file(start, word)).cloned().collect();
            dirs = changed::of_files(start, &files, dirs, vars)?;
        }
        Ok(Chosen::Many(dirs))
    }

    /// The root modules of a revision that are none any more, of the shard that is meant. `now`: all that there are now.
    ///
    /// # Errors
    /// A revision that can't be read.
    pub(super) fn lost(
        &self,
        start: &Start,
        now: &[PathBuf],
        commit: &dyn Fn(&Path) -> Result<Option<Commit>, Issue>,
    ) -> Result<Vec<Lost>, Issue> {
        if !self.selection.recursive {
            return Ok(Vec::new());
        }
        let mut all = lost::lost(start, &self.named(start), now, commit)?;
        if let Some(shard) = self.selection.shard {
            let here = real(start, Path::new(""));
            all.retain(|one| shard.holds(&here, &paths::join(&here, &one.dir)));
        }
        Ok(all)
    }

    /// The directories that the command line names, or the current one.
    fn named(&self, start: &Start) -> Vec<PathBuf> {
        let named: Vec<PathBuf> =
            self.dirs.iter().filter(|word| !self.is_file(start, word)).cloned().collect();
        if named.is_empty() { vec![PathBuf::from(".")] } else { named }
    }

    /// Returns true if a word names a file, and not a directory.
    fn is_file(&self, start: &Start, word: &Path) -> bool {
        self.files && Machine.kind(&start.dir.join(word)) != Some(EntryKind::Dir)
    }
}

/// Returns a directory without links.
fn real(start: &Start, dir: &Path) -> PathBuf {
    Machine.canonical(&start.dir.join(dir)).unwrap_or_else(|_| dir.to_owned())
}

/// Returns the settings for one of several directories.
pub(super) fn at(start: &Start, named: &Path) -> Start {
    if named.as_os_str().is_empty() || named == Path::new(".") {
        return start.clone();
    }
    let above = start.dir.components().filter(|c| *c != std::path::Component::CurDir);
    let dir = above.collect::<PathBuf>().join(named);
    Start { seen: named.to_owned(), chdir: Some(dir.clone()), dir, ..start.clone() }
}

/// The issue of a directory that isn't there.
fn absent(start: &Start, dir: &Path) -> Option<Issue> {
    let path = start.dir.join(dir);
    let shown = dir.display().to_string();
    match Machine.kind(&path) {
        Some(EntryKind::Dir) => None,
        Some(_) => {
            let why = "What is named here is the directory of a root module.";
            let issue = Issue::error(Code::Missing, format!("{shown} is not a directory"), why);
            let above = path.parent().map(|above| above.display().to_string()).unwrap_or_default();
            let issue =
                issue.in_path(shown).fix(format!("If its directory is meant, name that: {above}"), "");
            Some(issue.fix("If the root modules that depend on it are meant:", "--recursive --files"))
        }
        None => {
            let (above, name) = (path.parent()?, path.file_name()?.to_string_lossy().into_owned());
            let beside = Machine.list(above).unwrap_or_default();
            let folders = beside.iter().filter(|(_, kind)| *kind == EntryKind::Dir).map(|(n, _)| n.as_str());
            let near = nearest(&name, folders).map(|near| dir.with_file_name(near));
            let near = near.map(|near| format!(" Did you mean {}?", near.display())).unwrap_or_default();
            let why = format!("Nothing of this name is there.{near}");
            Some(Issue::error(Code::Missing, format!("there is no directory {shown}"), why).in_path(shown))
        }
    }
}
