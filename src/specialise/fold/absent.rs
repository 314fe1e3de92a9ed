//! Blocks of which a copy has no instance, as a driven value makes their `count` 0 or their `for_each` empty.
//!
//! In: a module, what is known of the copy, and what is decided in it. Out: the blocks that go. Invariants: nothing that stays names
//! what goes, and an object in state has the same end. So a block stays that Terraform reads where an object is destroyed (`prevent_destroy`,
//! a provisioner), that others wait for (`depends_on`) or are counted by, or whose address is written down (`moved`). Absent on purpose: blocks that are
//! split, and declarations that an override file changes.

use super::counted::is_counted;
use super::named::{Facts, Folder};
use crate::addr::{Mode, ModulePath, Referent, ResourceAddr};
use crate::config::{Call, Config, Decl, In, Module, Resource};
use crate::graph::Use;
use crate::specialise::decision::{Child, Node};
use crate::syntax::{Attribute, Block, ExprKind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A resource, data source or module call.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Declared {
    Resource(ResourceAddr),
    Call(Arc<str>),
}

impl Declared {
    /// Returns what a name is of.
    pub fn of(referent: &Referent) -> Option<Declared> {
        match referent {
            Referent::Resource(addr) => Some(Declared::Resource(addr.clone())),
            Referent::Call(call, _) | Referent::Output { call, .. } => Some(Declared::Call(call.clone())),
            _ => None,
        }
    }
}

/// The blocks that go, each with whether it has `for_each`.
#[derive(Clone, Debug, Default)]
pub struct Absent(BTreeMap<Declared, bool>);

impl Absent {
    /// Returns true if nothing goes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a call that nothing names and in whose module nothing is left.
    pub fn add_call(&mut self, name: &Arc<str>) {
        self.0.insert(Declared::Call(name.clone()), false);
    }

    /// Returns true if a resource goes.
    pub fn has_resource(&self, addr: &ResourceAddr) -> bool {
        self.0.contains_key(&Declared::Resource(addr.clone()))
    }

    /// Returns true if a call goes.
    pub fn has_call(&self, name: &Arc<str>) -> bool {
        self.0.contains_key(&Declared::Call(name.clone()))
    }

    /// Returns the declarations that go.
    pub fn decls<'m>(&'m self, module: &'m Module) -> impl Iterator<Item = &'m Decl> {
        self.0.keys().filter_map(|declared| match declared {
            Declared::Resource(addr) => module.resources.get(addr).map(|r| &r.decl),
            Declared::Call(name) => module.calls.get(name).map(|c| &c.decl),
        })
    }

    pub(super) fn get(&self, declared: &Declared) -> Option<bool> {
        self.0.get(declared).copied()
    }

    /// Returns true if a block of a module's file declares something that goes.
    pub(super) fn declares(&self, block: &Block) -> bool {
        let label = |at: usize| block.label(at).map(Arc::from);
        let mode = match &*block.kind.text {
            "module" => return label(0).is_some_and(|name| self.has_call(&name)),
            "resource" => Mode::Managed,
            "data" => Mode::Data,
            "ephemeral" => Mode::Ephemeral,
            _ => return false,
        };
        let addr = label(0).zip(label(1)).map(|(kind, name)| ResourceAddr { mode, kind, name });
        addr.is_some_and(|addr| self.has_resource(&addr))
    }
}

/// Finds the blocks that go from a copy. `facts.absent` is not looked at.
pub fn absent(facts: &Facts<'_>, node: &Node) -> Absent {
    let mut may: BTreeMap<Declared, Repeated<'_>> = candidates(facts, node);
    loop {
        let mut out = Absent::default();
        // One that goes may leave another one without instances.
        while grow(facts, &may, &mut out) {}
        if out.is_empty() {
            return out;
        }
        let counted = |declared: &&Declared| is_counted(facts.config, facts.path, declared);
        let mut held: BTreeSet<Declared> = out.0.keys().filter(counted).cloned().collect();
        let now = Facts { absent: &out, ..*facts };
        held.extend(super::folded(&now).held);
        held.extend(facts.uses.iter().filter(|used| used.is_static()).filter_map(|used| outside(&now, used)));
        if held.is_empty() {
            return out;
        }
        may.retain(|declared, _| !held.contains(declared));
    }
}

/// The argument that repeats a block, and whether it is `for_each`.
type Repeated<'m> = (&'m In<Attribute>, bool);

fn candidates<'m>(facts: &Facts<'m>, node: &Node) -> BTreeMap<Declared, Repeated<'m>> {
    let module = facts.module;
    let resources = module.resources.values().filter(|r| !node.resources.contains_key(&r.addr));
    let resources = resources.filter(|r| is_plain(&r.decl) && leaves_silently(r)).filter_map(|r| {
        Some((Declared::Resource(r.addr.clone()), repeated(r.count.as_ref(), r.for_each.as_ref())?))
    });
    let whole = |call: &Call| {
        node.calls.get(&call.name).is_none_or(|child| !is_split(child))
            && is_plain(&call.decl)
            && call.source_text().is_some()
            && leaves_all_silently(facts.config, &facts.path.child(call.name.clone()))
    };
    let calls = module.calls.values().filter(|call| whole(call)).filter_map(|call| {
        Some((Declared::Call(call.name.clone()), repeated(call.count.as_ref(), call.for_each.as_ref())?))
    });
    resources.chain(calls).collect()
}

fn repeated<'m>(count: Option<&'m In<Attribute>>, each: Option<&'m In<Attribute>>) -> Option<Repeated<'m>> {
    match (count, each) {
        (Some(count), None) => Some((count, false)),
        (None, Some(each)) => Some((each, true)),
        _ => None,
    }
}

fn is_plain(decl: &Decl) -> bool {
    !decl.json && decl.overrides.is_empty()
}

fn is_split(child: &Child) -> bool {
    match child {
        Child::Split(_) => true,
        Child::Through(inner) => !inner.resources.is_empty() || inner.calls.values().any(is_split),
    }
}

/// Returns true if Terraform reads nothing of a resource's block where an object of it is destroyed.
fn leaves_silently(resource: &Resource) -> bool {
    const KNOWN: [&str; 6] = [
        "create_before_destroy",
        "ignore_changes",
        "postcondition",
        "precondition",
        "prevent_destroy",
        "replace_triggered_by",
    ];
    if resource.addr.mode != Mode::Managed {
        return true;
    }
    let bodies = || resource.lifecycle.blocks.iter().map(|block| &block.body);
    let names = bodies().flat_map(|body| {
        let attributes = body.attributes().map(|a| &*a.name.text);
        attributes.chain(body.blocks().map(|b| &*b.kind.text))
    });
    let known = names.into_iter().all(|name| KNOWN.contains(&name));
    let prevents = resource.lifecycle.prevent_destroy.as_ref();
    let prevents = prevents.is_some_and(|attr| !matches!(attr.expr.kind, ExprKind::Bool(false)));
    known && !prevents && resource.provisioners.is_empty()
}

/// Returns true if that holds of everything in a module and below it.
fn leaves_all_silently(config: &Config, path: &ModulePath) -> bool {
    let Some(module) = config.at(path) else { return false };
    module.removed.is_empty()
        && module.others.is_empty()
        && !module.configures_providers()
        && module.resources.values().all(leaves_silently)
        && module.calls.keys().all(|name| leaves_all_silently(config, &path.child(name.clone())))
}

fn grow(facts: &Facts<'_>, may: &BTreeMap<Declared, Repeated<'_>>, out: &mut Absent) -> bool {
    let now = Facts { absent: out, ..*facts };
    let Some(folder) = Folder::of(&now) else { return false };
    let none = |(attr, each): &Repeated<'_>| {
        folder.driven(|f| match each {
            true => f.is_empty(&attr.expr, attr.file),
            false => f.is_zero(&attr.expr, attr.file),
        })
    };
    let open = may.iter().filter(|(declared, _)| out.get(declared).is_none());
    let new: Vec<(Declared, bool)> =
        open.filter(|(_, by)| none(by)).map(|(declared, (_, each))| (declared.clone(), *each)).collect();
    let any = !new.is_empty();
    out.0.extend(new);
    any
}

/// Returns the block that goes and that a use names from a block that stays.
fn outside(facts: &Facts<'_>, used: &Use) -> Option<Declared> {
    let declared = Declared::of(&used.referent)?;
    facts.absent.get(&declared)?;
    let within = facts.absent.decls(facts.module).any(|decl| {
        decl.blocks().any(|b| b.file == used.file && b.place().span.contains(used.traversal.span))
    });
    (!within).then_some(declared)
}
