//! The tree of modules.

use super::variables::VarValues;
use super::{Deployment, In, Module, ModuleId, Role};
use crate::addr::{CallName, ModulePath};
use crate::issue::Issue;
use crate::syntax::{Block, Body};
use crate::text::{SourceId, Sources};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A loaded configuration: every file, every module source, and which module stands behind each call path.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The files.
    pub sources: Sources,
    /// True if OpenTofu is to read it: `.tofu` files count.
    pub tofu: bool,
    /// The modules, by [`ModuleId`].
    pub modules: Vec<Module>,
    /// The module behind each path of calls; the root's path is empty. A call whose source is not a literal, or which
    /// can't be loaded, has no entry. Keyed by path and not by (module, call): an installed module that is called from
    /// a twice-called module has a folder of its own for each.
    pub paths: BTreeMap<ModulePath, ModuleId>,
    /// The root module's test files.
    pub tests: Vec<TestFile>,
    /// The deployments of a Stack.
    pub deployments: Vec<Deployment>,
    /// All blocks of the files that declare them.
    pub deployment_blocks: Vec<In<Block>>,
    /// A warning for each file of a Stack that other programs may read, and that isn't read here.
    pub unread: Vec<Issue>,
    /// Calls whose source an expression chooses, with the sources whose modules were attached: each stands in `paths` under
    /// [`CallName::by_source`].
    pub chosen: BTreeMap<ModulePath, Vec<String>>,
    /// The other sources of these calls, with what is wrong with each that stops Terraform as well: no folder, files that are no configuration. Nothing
    /// where only nobody looks there.
    pub unattached: BTreeMap<ModulePath, BTreeMap<String, Vec<Issue>>>,
}

impl Config {
    /// The root module's id.
    pub const ROOT: ModuleId = ModuleId(0);

    /// The module of an id of this configuration.
    pub fn module(&self, id: ModuleId) -> Option<&Module> {
        self.modules.get(id.0 as usize)
    }

    /// The root module; nothing where even its folder couldn't be read.
    pub fn root(&self) -> Option<&Module> {
        self.module(Config::ROOT)
    }

    /// Returns true if a deployment gives a root variable what HCP alone knows.
    pub fn is_from_outside(&self, variable: &str) -> bool {
        self.deployments.iter().any(|d| d.inputs.get(variable).is_some_and(|(value, _)| value.is_none()))
    }

    /// The configuration without the modules of calls whose source an expression chooses.
    #[must_use]
    pub fn without_chosen(&self) -> Config {
        let mut out = self.clone();
        out.paths.retain(|path, _| !path.is_by_source());
        out.chosen.clear();
        out.unattached.clear();
        out
    }

    /// The number of configurations that differ in the sources which expressions choose, each source being in one of them.
    pub fn number_of_choices(&self) -> usize {
        self.chosen.values().map(Vec::len).max().unwrap_or_default()
    }

    /// The configuration in which each call with a chosen source has one of its sources, as if that was written out.
    #[must_use]
    pub fn write_out_sources(&self, choice: usize) -> Config {
        let mut out = self.clone();
        let written_out = |path: &ModulePath| {
            let mut above = ModulePath::ROOT;
            for name in &path.0 {
                if let Some(source) = &name.source {
                    let sources = self.chosen.get(&above.child(name.plain()))?;
                    let one = sources.get(choice.checked_rem(sources.len())?)?;
                    (**one == **source).then_some(())?;
                }
                above = above.child(name.clone());
            }
            Some(path.plain())
        };
        let paths = self.paths.iter().filter_map(|(path, id)| Some((written_out(path)?, *id)));
        out.paths = paths.collect();
        out.chosen = BTreeMap::new();
        out.unattached = BTreeMap::new();
        out
    }

    /// Returns true if a file holds JSON.
    pub fn is_json(&self, file: SourceId) -> bool {
        self.sources.get(file).is_some_and(|s| s.path.extension().is_some_and(|e| e == "json"))
    }

    /// Returns true if it is a Stack.
    pub fn is_stack(&self) -> bool {
        self.root().is_some_and(|m| m.role == Role::Stack)
    }

    /// The module behind a path of calls.
    pub fn at(&self, path: &ModulePath) -> Option<&Module> {
        self.module(*self.paths.get(path)?)
    }

    /// The module behind the call `name` in the module at `path`.
    pub fn child(&self, path: &ModulePath, name: &str) -> Option<&Module> {
        self.at(&path.child(name))
    }

    /// The modules behind a call: one, or one for each source that the call chooses among.
    pub fn behind(&self, path: &ModulePath, call: &CallName) -> Vec<&Module> {
        let own = path.child(call.plain());
        if let Some(module) = self.at(&own) {
            return vec![module];
        }
        let is_below = |found: &&ModulePath| {
            found.0.starts_with(&path.0) && found.0.get(path.depth()).is_some_and(|own| own.name == call.name)
        };
        let below = self.paths.range(own.clone()..).take_while(|(found, _)| is_below(found));
        let direct = below.filter(|(found, _)| found.depth() == own.depth());
        direct.filter_map(|(_, id)| self.module(*id)).collect()
    }

    /// Every path under which a module is called.
    pub fn paths_of(&self, id: ModuleId) -> impl Iterator<Item = &ModulePath> {
        self.paths.iter().filter(move |(_, m)| **m == id).map(|(p, _)| p)
    }

    /// Returns true if the module at a path, or any that it calls, configures a provider itself. Terraform then takes
    /// no `count`, `for_each` or `depends_on` on the call.
    pub fn configures_providers(&self, path: &ModulePath) -> bool {
        // Where an expression chooses a source on the way, each of the modules that it can be counts.
        let same = |(own, call): (&CallName, &CallName)| own == call || *own == call.plain();
        let leads = |p: &ModulePath| p.0.len() >= path.0.len() && path.0.iter().zip(&p.0).all(same);
        let below = self.paths.iter().filter(|(p, _)| leads(p));
        below.into_iter().any(|(_, id)| self.module(*id).is_some_and(Module::configures_providers))
    }
}

/// A test file.
#[derive(Clone, Debug)]
pub struct TestFile {
    /// The file.
    pub source: SourceId,
    /// Its body; `None` if it can't be parsed.
    pub body: Option<Arc<Body>>,
    /// The values that the variable files of its runs give to the root's variables.
    pub given: VarValues,
}
