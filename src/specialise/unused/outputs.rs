//! Outputs of a module within a copy that nothing in the copy uses any more.
//!
//! In: the node of the calling module, whose own changes are settled. Out: the outputs of each call that had uses there, and have none
//! in the copy. What was unused before stays, as do outputs with preconditions, which are the user's checks, and all outputs that the
//! root module may name: it is nobody's copy. A file that would be a link but for an output stays a link.

use crate::addr::{ModulePath, Referent};
use crate::config::{Config, Module, Output};
use crate::graph;
use crate::specialise::decision::{Child, Node};
use crate::specialise::links;
use crate::specialise::unit::Unit;
use crate::specialise::unused::{self, Spans};
use crate::text::{SourceId, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Adds them to the nodes of the calls. Returns true if there were any.
pub(in crate::specialise) fn add(
    config: &Config,
    units: &[Unit<'_>],
    path: &ModulePath,
    node: &mut Node,
) -> bool {
    let lost = match config.at(path).filter(|_| !path.is_root() && !node.calls.is_empty()) {
        Some(module) if module.files.iter().all(|f| !f.json) => lost(config, units, path, module, node),
        _ => BTreeMap::new(),
    };
    let mut added = false;
    for name in bare(config, path, node, lost.keys()) {
        node.calls.remove(&name);
        node.absent.add_call(&name);
        added = true;
    }
    node.each_below(path, &mut |name, path, inner| {
        if let (Some(own), Some(module)) = (lost.get(name), config.at(path)) {
            let go = own.iter().filter_map(|name| module.outputs.get(name));
            let go: Vec<Arc<str>> =
                go.filter(|o| may_go(config, path, module, inner, o)).map(|o| o.name.clone()).collect();
            for name in go {
                added |= inner.unused.outputs.insert(name);
            }
        }
        added |= add(config, units, path, inner);
    });
    added
}

/// Returns the outputs of each call whose uses have all gone.
fn lost(
    config: &Config,
    units: &[Unit<'_>],
    path: &ModulePath,
    module: &Module,
    node: &Node,
) -> BTreeMap<Arc<str>, BTreeSet<Arc<str>>> {
    let uses = graph::uses(module);
    let mut removed = unused::removed_with(config, path, module, &uses, node);
    removed.extend(declarations(module, node));
    let removed = Spans::of(removed);
    let (mut went, mut stay): (BTreeSet<_>, BTreeSet<_>) = Default::default();
    let mut whole: BTreeSet<Arc<str>> = BTreeSet::new();
    for used in &uses {
        let gone = removed.contain(used.file, used.traversal.span);
        match &used.referent {
            Referent::Output { call, name, .. } => {
                let to = if gone { &mut went } else { &mut stay };
                to.insert((call.clone(), name.clone()));
            }
            Referent::Call(call, _) if !gone && !used.is_static() => {
                whole.insert(call.clone());
            }
            _ => {}
        }
    }
    for referent in unused::gates(units, node) {
        if let Referent::Output { call, .. } | Referent::Call(call, _) = referent {
            whole.insert(call);
        }
    }
    let mut out: BTreeMap<Arc<str>, BTreeSet<Arc<str>>> = BTreeMap::new();
    for (call, name) in went.difference(&stay).filter(|(call, _)| !whole.contains(call)) {
        out.entry(call.clone()).or_default().insert(name.clone());
    }
    out
}

/// Returns the calls of which nothing is left: what used their outputs has gone, and there is nothing else in their modules.
fn bare<'c>(
    config: &Config,
    path: &ModulePath,
    node: &Node,
    lost: impl Iterator<Item = &'c Arc<str>>,
) -> Vec<Arc<str>> {
    let Some(module) = config.at(path) else { return Vec::new() };
    let statics: BTreeSet<Arc<str>> = graph::uses(module)
        .into_iter()
        .filter(graph::Use::is_static)
        .filter_map(|used| match used.referent {
            Referent::Output { call, .. } | Referent::Call(call, _) => Some(call),
            _ => None,
        })
        .collect();
    let is_bare = |name: &Arc<str>| {
        let Some(Child::Through(inner)) = node.calls.get(name) else { return false };
        let (Some(call), Some(below)) = (module.calls.get(name), config.at(&node.path_of(path, name, None)))
        else {
            return false;
        };
        let plain = !call.decl.json && call.decl.overrides.is_empty() && !statics.contains(name);
        plain && is_nothing(below, inner)
    };
    lost.filter(|name| is_bare(name)).cloned().collect()
}

/// Returns true if the copy of a module declares nothing but variables and locals.
fn is_nothing(module: &Module, node: &Node) -> bool {
    let others = [&module.moved, &module.removed, &module.imports, &module.others];
    module.files.iter().all(|f| !f.json)
        && module.providers.is_empty()
        && module.checks.is_empty()
        && others.iter().all(|all| all.is_empty())
        && node.calls.is_empty()
        && node.resources.is_empty()
        && node.guards.is_empty()
        && module.resources.keys().all(|addr| node.absent.has_resource(addr))
        && module.calls.keys().all(|name| node.absent.has_call(name))
        && module.outputs.keys().all(|name| node.unused.outputs.contains(name))
        && module.variables.values().all(|v| v.validations.is_empty())
}

/// Returns the places of variables and locals that go.
fn declarations(module: &Module, node: &Node) -> Vec<(SourceId, Span)> {
    let gone = node.gone().map(|(name, _)| name).chain(&node.unused.variables);
    let variables = gone.filter_map(|name| module.variables.get(name));
    let variables = variables.flat_map(|v| v.decl.blocks().map(|b| (b.file, b.place().span)));
    let locals = node.unused.locals.iter().filter_map(|name| module.locals.get(name));
    variables.chain(locals.map(|l| (l.attr.file, l.attr.span))).collect()
}

/// Returns true if an output can be taken out, and its file differs from the module's own in any case.
fn may_go(config: &Config, path: &ModulePath, module: &Module, node: &Node, output: &Output) -> bool {
    let decl = &output.decl;
    let plain = !decl.json && decl.overrides.is_empty();
    let checks = !output.preconditions.is_empty() || output.depends_on.is_some();
    let Some(entry) = module.file(decl.block.file) else { return false };
    let differs = || {
        let uses = graph::uses(module);
        let gone = |name: &str| node.known(name).is_some();
        let named = uses.iter().any(|used| {
            used.file == entry.source && matches!(&used.referent, Referent::Variable(name) if gone(name))
        });
        let places = unused::removed_with(config, path, module, &uses, node);
        named || places.iter().any(|(file, _)| *file == entry.source)
    };
    plain && !checks && (!links::declares_no_object(entry) || differs())
}
