//! The state of writing residuals: decisions, names, files, and the folder at hand.

use super::edits::FileEdits;
use crate::addr::{Key, ModulePath};
use crate::config::{Config, Module};
use crate::issue::Issue;
use crate::specialise::relocate::{Import, Relocation};
use crate::specialise::unit::Unit;
use crate::trace::Repetition;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The facts about a unit that text is made from.
pub struct Naming {
    /// Names of the copies.
    pub names: Vec<String>,
    /// Slugs of the copies.
    pub slugs: Vec<String>,
    /// The comment above each copy.
    pub comments: Vec<String>,
    /// The repetition of the unit in the original.
    pub repetition: Repetition,
    /// True if its `for_each` iterates over a set; `None` if that isn't known.
    pub over_set: Option<bool>,
}

/// Makes texts from decisions.
pub struct Writer<'a> {
    /// The configuration as it is.
    pub config: &'a Config,
    /// The units.
    pub units: &'a [Unit<'a>],
    /// Names for each unit.
    pub naming: &'a [Naming],
    /// Files of residuals, by path.
    pub files: BTreeMap<PathBuf, String>,
    /// The file that each file of a residual was made from, by path.
    pub origins: BTreeMap<PathBuf, PathBuf>,
    /// Folder of each residual by module folder and content.
    pub residuals: BTreeMap<(PathBuf, String), PathBuf>,
    /// Folders in use.
    pub taken: BTreeSet<String>,
    /// The modules that are edited in place.
    pub in_place: InPlace,
    /// Issues for what can't be done.
    pub issues: Vec<Issue>,
    /// The user's `moved` blocks that are written per run.
    pub relocations: Vec<Relocation>,
    /// The user's `import` blocks that are.
    pub imports: Vec<Import>,
    /// Units from which a `moved` block of the user's takes an instance: index of the unit, key.
    pub handed: Vec<(usize, Option<Key>)>,
}

/// A module, and where its residual will stand.
#[derive(Clone, Copy)]
pub struct Here<'m> {
    /// The module.
    pub module: &'m Module,
    /// The path of calls that leads to it, in the configuration as it is.
    pub path: &'m ModulePath,
    /// The folder of the residual.
    pub dir: &'m Path,
}

/// The modules that are edited in place.
#[derive(Default)]
pub struct InPlace {
    /// Folders of modules that may be.
    pub allowed: BTreeSet<PathBuf>,
    /// The text of each that is.
    pub(super) texts: BTreeMap<PathBuf, String>,
    /// The edits of all of them.
    pub edits: FileEdits,
    /// The modules whose instances differ.
    pub uneven: BTreeSet<PathBuf>,
}
