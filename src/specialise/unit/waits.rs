//! Where it matters whether an expression waits for a whole module or for one of its outputs.
//!
//! In: a call that has become several, or the configuration. Out: the places that the call's arguments lead to, and those that data
//! sources with conditions lead to. Terraform orders single outputs: a resource may use one output of a module and be handed to another of its
//! arguments. `module.x[*].o` names the whole module, `module.x[0].o` the output alone (Terraform's
//! `internal/terraform/transform_reference.go`), so that a join with `[*]` in a place that the call waits for is a cycle. A data source
//! within a `check` waits for every resource besides. And Terraform reads a data source with conditions as late as apply where any expression of
//! it leads to what changes: with a whole module, to all that is in it (`dependenciesHavePendingChanges`; measured on 1.11). Over-approximated: what leads to an argument by
//! an output counts with all that the other module is given. A resource waits for the arguments of `import` blocks for it, and its module with it.

use super::UnitName;
use crate::addr::{Mode, ModulePath, Referent};
use crate::config::{Config, Decl, Module, Resource};
use crate::graph::{self, Use};
use crate::syntax::traversal;
use crate::text::{Place, SourceId, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Places that lead, or are led, to a call.
pub struct Waits {
    /// The outermost ones, by file and beginning, with their ends.
    places: BTreeMap<(SourceId, u32), u32>,
    /// True if it waits for every resource.
    everything: bool,
}

impl Waits {
    /// Collects what the call `name` in the module at `path` waits for.
    pub fn of(config: &Config, path: &ModulePath, name: &str) -> Waits {
        let mut search = Search::new(config);
        search.add_call(path, name);
        search.run(has_data_in_checks(config, path, name))
    }

    /// Collects what data sources with conditions wait for.
    pub fn of_data(config: &Config) -> Waits {
        let mut search = Search::new(config);
        for (path, id) in &config.paths {
            let Some(module) = config.module(*id) else { continue };
            let in_checks = module.checks.iter().filter_map(|check| check.data.as_deref());
            let data = module.resources.values().filter(|r| r.addr.mode == Mode::Data).chain(in_checks);
            let has_rules = |r: &&Resource| {
                !r.lifecycle.preconditions.is_empty() || !r.lifecycle.postconditions.is_empty()
            };
            search.add_places(path, data.filter(has_rules).flat_map(|r| list_places(&r.decl)));
        }
        search.run(false)
    }

    /// Returns true if what a use stands in is one of them.
    pub fn contain_use(&self, used: &Use) -> bool {
        let span = used.traversal.span;
        let before = self.places.range(..=(used.file, span.start)).next_back();
        self.everything || before.is_some_and(|((file, _), end)| *file == used.file && span.end <= *end)
    }
}

/// Returns true if the module of a call, or any that it calls, asks a data source within a `check`.
fn has_data_in_checks(config: &Config, path: &ModulePath, name: &str) -> bool {
    let leads = |p: &ModulePath| {
        let above = p.0.len() > path.0.len() && p.0.starts_with(&path.0);
        above && p.0.get(path.0.len()).is_some_and(|call| &*call.name == name)
    };
    let below = config.paths.iter().filter(|(p, _)| leads(p)).filter_map(|(_, id)| config.module(*id));
    below.into_iter().any(|module| module.checks.iter().any(|check| check.data.is_some()))
}

struct Search<'c> {
    config: &'c Config,
    /// The uses in each module by where they begin.
    uses: BTreeMap<ModulePath, BTreeMap<(SourceId, u32), Vec<Use>>>,
    seen: BTreeSet<(ModulePath, SourceId, Span)>,
    /// What isn't looked into yet.
    open: Vec<(ModulePath, Place)>,
    /// The arguments of the root's `import` blocks, by the names of the addresses that they import to: a resource waits for them.
    imports: BTreeMap<Vec<Arc<str>>, Vec<Place>>,
}

impl<'c> Search<'c> {
    fn new(config: &'c Config) -> Search<'c> {
        let imports = list_imports(config);
        Search { config, uses: BTreeMap::new(), seen: BTreeSet::new(), open: Vec::new(), imports }
    }

    /// Follows all that is open to its end.
    fn run(mut self, everything: bool) -> Waits {
        while let Some((path, place)) = self.open.pop() {
            for referent in self.collect_referents(&path, place) {
                self.add_referent(&path, &referent);
            }
        }
        let mut places: BTreeMap<(SourceId, u32), u32> = BTreeMap::new();
        let seen: BTreeSet<(SourceId, Span)> =
            self.seen.into_iter().map(|(_, file, span)| (file, span)).collect();
        for (file, span) in seen {
            let last = places.range(..=(file, span.start)).next_back();
            // Places lie beside or within each other.
            if last.is_none_or(|((other, _), end)| *other != file || *end <= span.start || *end < span.end) {
                places.insert((file, span.start), span.end);
            }
        }
        Waits { places, everything }
    }

    /// Returns what the uses within a place name.
    fn collect_referents(&mut self, path: &ModulePath, place: Place) -> Vec<Referent> {
        let Some(module) = self.config.at(path) else { return Vec::new() };
        let uses = self.uses.entry(path.clone()).or_insert_with(|| {
            let mut out: BTreeMap<(SourceId, u32), Vec<Use>> = BTreeMap::new();
            for used in graph::uses(module).into_iter().chain(graph::uses_in_json(module)) {
                out.entry((used.file, used.traversal.span.start)).or_default().push(used);
            }
            out
        });
        let (file, span) = (place.file, place.span);
        let inside = uses.range((file, span.start)..=(file, span.end)).flat_map(|(_, used)| used);
        inside.filter(|used| used.lies_in(place)).map(|used| used.referent.clone()).collect()
    }

    /// Adds the declarations that a name leads to.
    fn add_referent(&mut self, path: &ModulePath, referent: &Referent) {
        let Some(module) = self.config.at(path) else { return };
        match referent {
            Referent::Local(name) => {
                let local = module.locals.get(name);
                self.add_places(
                    path,
                    local.map(|local| Place { file: local.attr.file, span: local.attr.span }),
                );
            }
            Referent::Variable(name) => self.add_argument(path, name),
            Referent::Call(name, _) => self.add_call(path, name),
            Referent::Output { call, name, .. } => {
                self.add_call(path, call);
                let child = path.child(&**call);
                let output = self.config.at(&child).and_then(|module| module.outputs.get(name));
                self.add_places(&child, output.into_iter().flat_map(|output| list_places(&output.decl)));
            }
            other => {
                let unit = UnitName::of(other);
                let decl = unit.as_ref().and_then(|unit| unit.decl(module));
                self.add_places(path, decl.into_iter().flat_map(list_places));
                if let Some(UnitName::Resource(addr)) = unit {
                    self.add_imports(path, [addr.kind, addr.name]);
                }
            }
        }
    }

    fn add_call(&mut self, path: &ModulePath, name: &str) {
        let call = self.config.at(path).and_then(|module: &'c Module| module.calls.get(name));
        self.add_places(path, call.into_iter().flat_map(|call| list_places(&call.decl)));
        self.add_imports(path, ["module".into(), name.into()]);
    }

    /// Adds the arguments of `import` blocks for a resource, or for what is in the module of a call.
    fn add_imports(&mut self, path: &ModulePath, last: [Arc<str>; 2]) {
        let above = path.0.iter().flat_map(|call| ["module".into(), call.name.clone()]);
        let names: Vec<Arc<str>> = above.chain(last).collect();
        let within = self.imports.range(names.clone()..).take_while(|(to, _)| to.starts_with(&names));
        let places: Vec<Place> = within.flat_map(|(_, places)| places).copied().collect();
        self.add_places(&ModulePath::ROOT, places);
    }

    /// Adds the argument that gives a variable.
    fn add_argument(&mut self, path: &ModulePath, variable: &str) {
        let Some((parent, name)) = path.parent() else { return };
        let call = self.config.at(&parent).and_then(|module| module.calls.get(&name.name));
        let blocks = call.into_iter().flat_map(|call| call.decl.blocks());
        let given = blocks.filter_map(|block| {
            let attr = block.body.attribute(variable)?;
            Some(Place { file: block.file, span: attr.span })
        });
        self.add_places(&parent, given.collect::<Vec<_>>());
    }

    fn add_places(&mut self, path: &ModulePath, places: impl IntoIterator<Item = Place>) {
        for place in places {
            if self.seen.insert((path.clone(), place.file, place.span)) {
                self.open.push((path.clone(), place));
            }
        }
    }
}

/// The arguments of `import` blocks, without the addresses, by the names of these.
fn list_imports(config: &Config) -> BTreeMap<Vec<Arc<str>>, Vec<Place>> {
    let mut out: BTreeMap<Vec<Arc<str>>, Vec<Place>> = BTreeMap::new();
    for decl in config.root().into_iter().flat_map(|root| &root.imports) {
        let Some(to) = decl.block.body.attribute("to") else { continue };
        let others =
            decl.block.body.attributes().filter(|attr| !matches!(&*attr.name.text, "to" | "provider"));
        let places = others.map(|attr| Place { file: decl.block.file, span: attr.span });
        out.entry(traversal::address_names(&to.expr)).or_default().extend(places);
    }
    out
}

fn list_places(decl: &Decl) -> impl Iterator<Item = Place> + '_ {
    decl.blocks().map(|block| Place { file: block.file, span: block.span })
}
