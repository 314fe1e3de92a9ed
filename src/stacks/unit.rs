//! One instance of a Stack while it is written: its state, and the text of its blocks.

use super::claims::Gone;
use super::exports::{Exports, RootExpr};
use super::instances::{Asking, Spot};
use super::items::From;
use super::names;
use super::words::{Each, Stand, Words};
use crate::config::{Config, Module};
use crate::issue::Issue;
use crate::syntax::{Attribute, Block, Item};
use crate::trace::Standing;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One instance of a component or an embedded Stack.
pub(super) struct Instance {
    pub key: Option<Arc<str>>,
    pub label: String,
    pub standing: Standing,
    pub each: Option<Each>,
}

/// The files of a deployment's root module, and the addresses in them.
#[derive(Default)]
pub(super) struct Written {
    pub files: BTreeMap<PathBuf, String>,
    /// The names of calls that lead to each component's instance, with its address.
    pub components: BTreeMap<Vec<String>, String>,
    /// The names of calls that lead to each embedded Stack's instance, with its address.
    pub stacks: BTreeMap<Vec<String>, String>,
    pub gone: Vec<Gone>,
    /// Provider configurations of embedded Stacks, which are written in the root module.
    pub hoisted: Vec<String>,
    /// The outputs that modules of embedded Stacks have for these configurations.
    pub exports: Exports,
    pub issues: Vec<Issue>,
}

/// One instance of a Stack while it is written.
pub(super) struct Unit<'u, 't, 'a> {
    pub asking: &'u mut Asking<'t, 'a>,
    pub config: &'a Config,
    pub module: &'a Module,
    pub spot: Spot,
    /// The names of the calls that lead to this instance.
    pub labels: Vec<String>,
    /// The beginning of the first line of each file.
    pub head: &'u str,
    /// The root variables that the deployment sets.
    pub given: &'u BTreeSet<Arc<str>>,
    pub instances: BTreeMap<Arc<str>, Vec<Instance>>,
    pub stands: BTreeMap<Arc<str>, Stand>,
    pub providers: Configured,
    /// The configurations of providers that embedded Stacks need.
    pub needs: Vec<Need>,
    /// The values passed to the variables, as expressions of the root module.
    pub passed: BTreeMap<Arc<str>, RootExpr>,
    /// Locals to add to the file that is being written.
    pub locals: Vec<(String, String)>,
    pub out: &'u mut Written,
}

/// The instances of a provider configuration: their keys, and the meaning of `each` in them.
pub(super) type Own = Vec<(Option<Arc<str>>, Option<Each>)>;

/// The instances of all provider configurations, by type and name.
pub(super) type Configured = BTreeMap<(Arc<str>, Arc<str>), Own>;

/// A provider configuration that a module is passed.
#[derive(Clone, Debug)]
pub(super) struct Need {
    /// The provider's local name.
    pub kind: Arc<str>,
    /// The provider's entry in `required_providers`.
    pub requirement: String,
    /// The names of the calls down to the Stack that configures it, and its alias there.
    pub way: Vec<String>,
}

impl Need {
    pub fn alias(&self) -> String {
        format!("{}.{}", self.kind, self.way.join(names::BETWEEN))
    }

    /// Returns the same configuration as the module above sees it, which calls this one by the name `label`.
    pub fn seen_from_above(self, label: &str) -> Need {
        Need { way: [label.to_owned()].into_iter().chain(self.way).collect(), ..self }
    }
}

impl Unit<'_, '_, '_> {
    /// Returns the path of a file in this Stack's folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.labels.iter().map(Path::new).chain([Path::new(name)]).collect()
    }

    pub fn words(&self) -> Words<'_> {
        Words { sources: &self.config.sources, stands: &self.stands }
    }

    pub fn fault(&mut self, issue: Issue) {
        if !self.out.issues.contains(&issue) {
            self.out.issues.push(issue);
        }
    }

    /// Returns a name for a local that the Stack doesn't use.
    pub fn free(&self, name: &str) -> String {
        let mut name = name.replace('.', "_");
        while self.module.locals.contains_key(&*name) {
            name.push_str("_phi");
        }
        name
    }

    /// Returns a copy of a block with the expressions of the root module.
    pub fn copied(&self, from: From<'_>, block: &Block, each: Option<&Each>) -> String {
        from.copied(block, &mut |attr| Some(self.argument(from, attr, each)))
    }

    /// Returns the items of a block with the expressions of the root module.
    pub fn items(&self, from: From<'_>, block: &Block, each: Option<&Each>) -> String {
        from.block(block, |item| {
            Some(match item {
                Item::Attribute(attr) => self.argument(from, attr, each),
                Item::Block(block) => self.copied(from, block, each),
            })
        })
    }

    pub fn argument(&self, from: From<'_>, attr: &Attribute, each: Option<&Each>) -> String {
        let text = self.words().text(&attr.expr, (from.file, from.json), each);
        format!("{} = {text}", attr.name.text)
    }
}

/// Returns a body that ends with a line end.
pub(super) fn line_end(body: String) -> String {
    if body.ends_with('\n') { body } else { format!("{body}\n") }
}
