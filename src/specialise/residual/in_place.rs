//! Modules that are edited in place and not copied: those that `phi.hcl` names, where all of their instances come out the same.
//!
//! If two calls need different texts, the module is copied like any other: which call kept the folder would be arbitrary.

use super::writer::InPlace;
use super::{FileEdits, Here, Naming, Writer};
use crate::addr::{CallName, ModulePath};
use crate::config::{Config, Module};
use crate::specialise::decision::{Child, Node};
use crate::specialise::unit::Unit;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl InPlace {
    /// Returns the modules among `named` whose instances all change.
    pub fn of(config: &Config, tree: &Node, named: &BTreeSet<PathBuf>) -> InPlace {
        let changed = |module: &&Module| {
            config.paths_of(module.id).all(|path| !path.is_by_source() && is_changed(tree, &path.0))
        };
        let modules = config.modules.iter().filter(|m| named.contains(&m.dir));
        InPlace::allowing(modules.filter(changed).map(|m| m.dir.clone()).collect())
    }

    /// Allows only these modules.
    pub fn allowing(allowed: BTreeSet<PathBuf>) -> InPlace {
        InPlace { allowed, ..InPlace::default() }
    }
}

/// The texts of all modules; what is edited in place keeps its folder only where all of its instances come out the same.
/// `apart` is the folder in which residuals stand; each stands beside its module where there is none.
pub fn written<'a>(
    config: &'a Config,
    editable: &BTreeSet<PathBuf>,
    apart: Option<&Path>,
    (tree, units, naming): (&Node, &'a [Unit<'a>], &'a [Naming]),
) -> (Writer<'a>, FileEdits) {
    let mut in_place = InPlace::of(config, tree, editable);
    loop {
        let allowed = in_place.allowed.clone();
        let mut writer = Writer::new(config, units, naming);
        writer.in_place = in_place;
        writer.folders.apart = apart.map(Path::to_path_buf);
        let edits = writer.root(tree);
        if writer.in_place.uneven.is_empty() {
            return (writer, edits);
        }
        let allowed = allowed.difference(&writer.in_place.uneven).cloned().collect();
        in_place = InPlace::allowing(allowed);
    }
}

/// Returns true if an instance changes in every copy of what leads to it.
fn is_changed(node: &Node, path: &[CallName]) -> bool {
    let Some((call, rest)) = path.split_first() else { return !node.is_empty() };
    match node.calls.get(&call.name) {
        None => false,
        Some(Child::Through(inner)) => is_changed(inner, rest),
        Some(Child::Split(split)) => split.copies.iter().all(|copy| is_changed(&copy.inner, rest)),
    }
}

impl<'a> Writer<'a> {
    /// The folder of a module that is edited in place; nothing where it isn't.
    pub(super) fn in_place(&mut self, module: &'a Module, path: &ModulePath, node: &Node) -> Option<PathBuf> {
        if !self.in_place.allowed.contains(&module.dir) {
            return None;
        }
        let here = Here { module, path, dir: &module.dir };
        let mut edits = self.edits(here, node);
        super::tail::without_blank_ends(self.config, &mut edits);
        let content = self.unsaid(module, &edits);
        match self.in_place.texts.get(&module.dir) {
            None => {
                self.in_place.texts.insert(module.dir.clone(), content);
                self.in_place.edits.extend(edits);
            }
            Some(same) if *same == content => {}
            Some(_) => {
                self.in_place.uneven.insert(module.dir.clone());
            }
        }
        Some(module.dir.clone())
    }

    /// Returns true if a module stays as it is, because all that changes further in is edited in place.
    pub(super) fn is_passed(&self, path: &ModulePath, node: &Node) -> bool {
        let own = !node.literals.is_empty()
            || !node.variables.is_empty()
            || !node.unused.variables.is_empty()
            || !node.unused.locals.is_empty()
            || !node.absent.is_empty()
            || !node.unused.outputs.is_empty()
            || !node.resources.is_empty()
            || !node.sources.is_empty()
            || !node.guards.is_empty();
        let passes = |(name, child): (&Arc<str>, &Child)| {
            let Child::Through(inner) = child else { return false };
            let path = node.path_of(path, name, None);
            let Some(target) = self.config.at(&path) else { return false };
            let whole = inner.gone().next().is_none() && inner.unused.variables.is_empty();
            let in_place = inner.is_empty() || self.in_place.allowed.contains(&target.dir);
            whole && (in_place || self.is_passed(&path, inner))
        };
        !own && !self.in_place.allowed.is_empty() && node.calls.iter().all(passes)
    }
}
