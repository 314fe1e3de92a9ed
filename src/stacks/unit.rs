//! A Stack in one instance, while it is written: what is known of it, and texts of its blocks.

use super::exports::{Exports, Rooted};
use super::gone::Gone;
use super::instances::{Asking, Spot};
use super::items::From;
use super::names;
use super::words::{Each, Stand, Words};
use crate::config::{Config, Module};
use crate::issue::Issue;
use crate::syntax::{Attribute, Block, Item};
use crate::trace::Standing;
use crate::value::hcl;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A component or an embedded Stack in one instance.
pub(super) struct Instance {
    pub key: Option<Arc<str>>,
    pub label: String,
    pub standing: Standing,
    pub each: Option<Each>,
}

/// What is written.
#[derive(Default)]
pub(super) struct Written {
    pub files: BTreeMap<PathBuf, String>,
    /// The names of calls that lead to each component's instance, with its address.
    pub components: BTreeMap<Vec<String>, String>,
    /// The same of embedded Stacks.
    pub stacks: BTreeMap<Vec<String>, String>,
    pub gone: Vec<Gone>,
    /// Configurations of providers of embedded Stacks, which are the root module's.
    pub hoisted: Vec<String>,
    /// What their modules hand up for these.
    pub exports: Exports,
    pub issues: Vec<Issue>,
}

/// A Stack in one instance, while it is written.
pub(super) struct Unit<'u, 't, 'a> {
    pub asking: &'u mut Asking<'t, 'a>,
    pub config: &'a Config,
    pub module: &'a Module,
    pub spot: Spot,
    /// The names of the calls that lead here.
    pub labels: Vec<String>,
    /// What the first lines of each file say.
    pub head: &'u str,
    /// The root's variables that the deployment gives a value.
    pub given: &'u BTreeSet<Arc<str>>,
    pub instances: BTreeMap<Arc<str>, Vec<Instance>>,
    pub stands: BTreeMap<Arc<str>, Stand>,
    pub providers: Configured,
    /// The configurations of providers that embedded Stacks need.
    pub needs: Vec<Need>,
    /// What is passed to the variables, as the root module says it.
    pub passed: BTreeMap<Arc<str>, Rooted>,
    /// Locals that the file at hand needs besides its own.
    pub locals: Vec<(String, String)>,
    pub out: &'u mut Written,
}

/// A configuration's instances: their keys, and what `each` is there.
pub(super) type Own = Vec<(Option<Arc<str>>, Option<Each>)>;

/// The instances of all configurations, by type and name.
pub(super) type Configured = BTreeMap<(Arc<str>, Arc<str>), Own>;

/// A configuration that a module is handed.
#[derive(Clone, Debug)]
pub(super) struct Need {
    /// The provider's local name.
    pub kind: Arc<str>,
    /// What `required_providers` says of it.
    pub requirement: String,
    /// The names of the calls down to the Stack that configures it, and its alias there.
    pub way: Vec<String>,
}

impl Need {
    pub fn alias(&self) -> String {
        format!("{}.{}", self.kind, self.way.join(names::BETWEEN))
    }

    /// The same from the module above, which calls this one by a name.
    pub fn seen_from_above(self, label: &str) -> Need {
        Need { way: [label.to_owned()].into_iter().chain(self.way).collect(), ..self }
    }
}

impl Unit<'_, '_, '_> {
    /// A path in this Stack's folder.
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

    /// A local's name that the Stack doesn't use.
    pub fn free(&self, name: &str) -> String {
        let mut name = name.replace('.', "_");
        while self.module.locals.contains_key(&*name) {
            name.push_str("_phi");
        }
        name
    }

    /// A block as it stands, in which names are what they stand for.
    pub fn copied(&self, from: From<'_>, block: &Block, each: Option<&Each>) -> String {
        let labels: String = block.labels.iter().map(|l| format!(" {}", hcl::quote(&l.text))).collect();
        format!("{}{labels} {{{}}}", block.kind.text, self.items(from, block, each))
    }

    /// The items of a block as they stand.
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

/// A body that ends its last line.
pub(super) fn line_end(body: String) -> String {
    if body.ends_with('\n') { body } else { format!("{body}\n") }
}
