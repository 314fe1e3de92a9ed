//! The state of writing residuals: decisions, names, files, and the folder at hand.

use super::edits::FileEdits;
use crate::addr::{Key, ModulePath};
use crate::config::{Config, Module};
use crate::issue::Issue;
use crate::specialise::moves::relocate::{Import, Relocation};
use crate::specialise::unit::Unit;
use crate::specialise::unit::waits::Waits;
use crate::specialise::{naming, paths};
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

/// Which folder holds which residual.
pub struct Folders {
    /// The folder in which all of them stand; each beside its module where there is none.
    pub apart: Option<PathBuf>,
    /// By the module's folder and the content.
    residuals: BTreeMap<(PathBuf, String), PathBuf>,
    /// Folders in use.
    taken: BTreeSet<String>,
}

impl Folders {
    /// There are only those of the modules.
    pub fn new(config: &Config) -> Folders {
        let taken = config.modules.iter().map(|m| lowercase(&m.dir)).collect();
        Folders { apart: None, residuals: BTreeMap::new(), taken }
    }

    /// The folder that a module's residual has if it is free.
    pub fn first(&self, module: &Module, slug: &str) -> PathBuf {
        let name = module.dir.file_name().map(|n| n.to_string_lossy().into_owned());
        let name = name.filter(|n| !n.is_empty() && n != "..").unwrap_or_else(|| "module".to_owned());
        let beside = || paths::residual_parent(&module.dir, module.is_in_other_repository);
        let parent = self.apart.clone().unwrap_or_else(beside);
        parent.join(naming::folder(&name, slug))
    }

    /// The folder of a residual with this content, and true if the content isn't there yet. `dir` is the one to take if it is free.
    pub fn find(&mut self, module: &Module, dir: PathBuf, content: String) -> (PathBuf, bool) {
        let key = (module.dir.clone(), content);
        if let Some(dir) = self.residuals.get(&key) {
            return (dir.clone(), false);
        }
        let mut dir = dir;
        if !self.taken.insert(lowercase(&dir)) {
            // Beside the first one at the same depth, so that relative paths in the text hold.
            dir.as_mut_os_string().push(format!("-{}", naming::hex6(&key.1)));
            self.taken.insert(lowercase(&dir));
        }
        self.residuals.insert(key, dir.clone());
        (dir, true)
    }
}

fn lowercase(dir: &Path) -> String {
    dir.to_string_lossy().to_ascii_lowercase()
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
    /// The folders of residuals.
    pub folders: Folders,
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
    /// What data sources with conditions wait for.
    pub asked_by_data: Waits,
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
