//! Declarations that lead back to themselves.
//!
//! In: all modules. Out: one [`Refused`] for each circle, at a declaration of the module that is looked at. The nodes are those of
//! Terraform's graph as far as they can form a circle: variables, locals, outputs, resources, and what says how often a call is made.

use super::looked::{Looked, Refused};
use crate::addr::{ModulePath, Referent, ResourceAddr};
use crate::config::{Config, Module};
use crate::graph::{Use, uses_of};
use crate::syntax::traversal::as_keyword;
use crate::syntax::{Attribute, Body};
use crate::text::{Place, SourceId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// No more names are said of one circle.
const MOST_NAMES: usize = 8;

/// A node of the graph.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Node {
    Variable(Arc<str>),
    Local(Arc<str>),
    Output(Arc<str>),
    Resource(ResourceAddr),
    /// How often a call is made.
    Call(Arc<str>),
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Node::Variable(name) => write!(f, "var.{name}"),
            Node::Local(name) => write!(f, "local.{name}"),
            Node::Output(name) => write!(f, "output.{name}"),
            Node::Resource(addr) => write!(f, "{addr}"),
            Node::Call(name) => write!(f, "module.{name}"),
        }
    }
}

/// A node with its module.
type Placed = (ModulePath, Node);

pub(super) fn find_cycles(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    // All modules together are looked at once, with the root.
    if !looked.path.is_root() {
        return;
    }
    let mut walk = Walk { config: looked.config, state: FxHashMap::default(), said: BTreeSet::new() };
    for (path, id) in &looked.config.paths {
        let Some(module) = looked.config.module(*id) else { continue };
        for node in nodes_of(module) {
            walk.visit((path.clone(), node), found);
        }
    }
}

fn nodes_of(module: &Module) -> Vec<Node> {
    let locals = module.locals.keys().map(|name| Node::Local(name.clone()));
    let outputs = module.outputs.keys().map(|name| Node::Output(name.clone()));
    let resources = module.every_resource().map(|resource| Node::Resource(resource.addr.clone()));
    let calls = module.calls.keys().map(|name| Node::Call(name.clone()));
    let variables = module.variables.keys().map(|name| Node::Variable(name.clone()));
    locals.chain(outputs).chain(resources).chain(calls).chain(variables).collect()
}

struct Walk<'c> {
    config: &'c Config,
    /// The depth at which a node that is being visited stands; nothing once that is done.
    state: FxHashMap<Placed, Option<usize>>,
    said: BTreeSet<Placed>,
}

impl Walk<'_> {
    /// Visits everything that a node needs, without recursion: configurations may be deep.
    fn visit(&mut self, from: Placed, found: &mut Vec<Refused>) {
        if self.state.contains_key(&from) {
            return;
        }
        self.state.insert(from.clone(), Some(0));
        let needs = self.needs(&from);
        let mut open: Vec<(Placed, std::vec::IntoIter<Placed>)> = vec![(from, needs.into_iter())];
        while let Some((_, rest)) = open.last_mut() {
            let Some(next) = rest.next() else {
                if let Some((done, _)) = open.pop() {
                    self.state.insert(done, None);
                }
                continue;
            };
            match self.state.get(&next) {
                Some(Some(depth)) => {
                    let circle: Vec<Placed> =
                        open.iter().skip(*depth).map(|(placed, _)| placed.clone()).collect();
                    self.say(&circle, found);
                }
                Some(None) => {}
                None => {
                    self.state.insert(next.clone(), Some(open.len()));
                    let needs = self.needs(&next);
                    open.push((next, needs.into_iter()));
                }
            }
        }
    }

    fn say(&mut self, circle: &[Placed], found: &mut Vec<Refused>) {
        // One that holds itself alone is found by a rule of its own.
        let [first, _, ..] = circle else { return };
        if circle.iter().any(|placed| self.said.contains(placed)) {
            return;
        }
        self.said.extend(circle.iter().cloned());
        let names: Vec<String> =
            circle.iter().take(MOST_NAMES).map(|(path, node)| path.address_of(node)).collect();
        let Some(place) = self.place(first) else { return };
        found.push(Refused {
            at: first.0.address_of(&first.1),
            error: format!("Cycle: {}", names.join(", ")),
            place,
        });
    }

    fn place(&self, (path, node): &Placed) -> Option<Place> {
        let module = self.config.at(path)?;
        Some(match node {
            Node::Variable(name) => module.variables.get(name)?.decl.place(),
            Node::Local(name) => module.locals.get(name)?.attr.place(),
            Node::Output(name) => module.outputs.get(name)?.decl.place(),
            Node::Resource(addr) => module.resource_named(addr)?.decl.place(),
            Node::Call(name) => module.calls.get(name)?.decl.place(),
        })
    }

    /// The nodes that have to be done before one.
    fn needs(&self, (path, node): &Placed) -> Vec<Placed> {
        let Some(module) = self.config.at(path) else { return Vec::new() };
        let mut out = BTreeSet::new();
        // All that is in a module comes after what says how often that is called.
        if let Some((outer, call)) = path.parent() {
            out.insert((outer, Node::Call(call.name)));
        }
        let mut add = |uses: Vec<Use>| {
            uses.iter().for_each(|used| self.add_used(path, module, &used.referent, &mut out));
        };
        match node {
            Node::Local(name) => {
                if let Some(local) = module.locals.get(name) {
                    add(uses_of(&local.attr.expr, local.attr.file));
                }
            }
            Node::Output(name) => {
                for block in module.outputs.get(name).into_iter().flat_map(|output| output.decl.blocks()) {
                    add(uses_in_body(&block.body, block.file));
                }
            }
            Node::Resource(addr) => {
                for block in module.resource_named(addr).into_iter().flat_map(|r| r.decl.blocks()) {
                    add(uses_in_body(&block.body, block.file));
                }
                out.remove(&(path.clone(), node.clone()));
            }
            Node::Call(name) => {
                if let Some(call) = module.calls.get(name) {
                    let own = [&call.count, &call.for_each, &call.enabled, &call.depends_on];
                    own.into_iter().flatten().for_each(|attr| add(uses_of(&attr.expr, attr.file)));
                }
            }
            Node::Variable(name) => self.add_variable(path, module, name, &mut out),
        }
        out.into_iter().collect()
    }

    /// A variable needs what a call passes, and what its rules ask for besides itself.
    fn add_variable(&self, path: &ModulePath, module: &Module, name: &Arc<str>, out: &mut BTreeSet<Placed>) {
        for rule in module.variables.get(name).into_iter().flat_map(|variable| &variable.validations) {
            for used in uses_of(&rule.condition.node, rule.condition.file) {
                if !matches!(&used.referent, Referent::Variable(own) if own == name) {
                    self.add_used(path, module, &used.referent, out);
                }
            }
        }
        let Some((outer, call)) = path.parent() else { return };
        let Some(caller) = self.config.at(&outer) else { return };
        if let Some(passed) = caller.call(&call).and_then(|call| call.arg(name)) {
            for used in uses_of(&passed.expr, passed.file) {
                self.add_used(&outer, caller, &used.referent, out);
            }
        }
    }

    fn add_used(&self, path: &ModulePath, module: &Module, referent: &Referent, out: &mut BTreeSet<Placed>) {
        let here = |node: Node| (path.clone(), node);
        match referent {
            Referent::Variable(name) => drop(out.insert(here(Node::Variable(name.clone())))),
            Referent::Local(name) => drop(out.insert(here(Node::Local(name.clone())))),
            Referent::Resource(addr) if module.resource_named(addr).is_some() => {
                out.insert(here(Node::Resource(addr.clone())));
            }
            Referent::Output { call, name, .. } => {
                out.insert((path.child(call.clone()), Node::Output(name.clone())));
            }
            Referent::Call(call, _) => {
                let below = path.child(call.clone());
                let outputs = self.config.at(&below).into_iter().flat_map(|module| module.outputs.keys());
                out.extend(outputs.map(|name| (below.clone(), Node::Output(name.clone()))));
            }
            _ => {}
        }
    }
}

/// The uses in a body but for those that no value comes from: addresses that `ignore_changes` and `provider` hold.
fn uses_in_body(body: &Body, file: SourceId) -> Vec<Use> {
    let mut out = Vec::new();
    crate::syntax::walk::walk_body(body, &mut |blocks, attr: &Attribute| {
        let apart = matches!(&*attr.name.text, "ignore_changes" | "provider" | "providers");
        // What is done as an object is destroyed refers to that object alone.
        let at_destroy = blocks.iter().any(|block| {
            let when = block.body.attribute("when").filter(|_| &*block.kind.text == "provisioner");
            when.is_some_and(|when| as_keyword(&when.expr).is_some_and(|word| &*word.text == "destroy"))
        });
        if !apart && !at_destroy {
            out.extend(uses_of(&attr.expr, file));
        }
    });
    out
}
