//! Resources that are replaced together with a split one: `replace_triggered_by`.
//!
//! Terraform takes only addresses of instances that exist there ("no change found for …" otherwise, measured), and which
//! copy has instances differs from run to run. So who is triggered by a split resource is split in the same way: each of
//! its copies names the copy beside it, under the same gate. Absent on purpose: gates that ask for an instance's key, which
//! is another one here.

use crate::addr::{ModulePath, ResourceAddr};
use crate::config::{Config, In, Resource};
use crate::graph::{self, Use};
use crate::specialise::unit::{Joint, Unit, UnitName};
use crate::syntax::{Attribute, TraversalStep, traversal};
use crate::text::Edit;
use std::collections::{BTreeMap, BTreeSet};

/// The resources of a module that units trigger, by unit, in the order of the module.
type Triggered<'a> = BTreeMap<UnitName, Vec<&'a Resource>>;

/// Adds a unit for each resource that follows one.
pub fn add(config: &Config, units: &mut Vec<Unit<'_>>) {
    let mut known: BTreeSet<(ModulePath, UnitName)> =
        units.iter().map(|u| (u.scope.clone(), u.name.clone())).collect();
    let mut modules: BTreeMap<ModulePath, Triggered<'_>> = BTreeMap::new();
    let mut at = 0;
    while let Some(leader) = units.get(at) {
        if !modules.contains_key(&leader.scope) {
            modules.insert(leader.scope.clone(), triggered(config, &leader.scope));
        }
        let named = modules.get(&leader.scope).and_then(|m| m.get(&leader.name));
        let mut added = Vec::new();
        for resource in named.into_iter().flatten() {
            let name = (leader.scope.clone(), UnitName::Resource(resource.addr.clone()));
            if !known.contains(&name) && follows(resource, leader) {
                added.push(follower(leader, leader.follows.unwrap_or(at), name.1.clone()));
                known.insert(name);
            }
        }
        units.extend(added);
        at += 1;
    }
}

/// Returns which resource triggers which in the module at `scope`.
fn triggered<'a>(config: &'a Config, scope: &ModulePath) -> Triggered<'a> {
    let mut out = Triggered::new();
    for resource in config.at(scope).into_iter().flat_map(|m| m.managed()) {
        let uses = triggers(resource).map(|(_, uses)| uses).unwrap_or_default();
        let named: BTreeSet<UnitName> = uses.iter().filter_map(|u| UnitName::of(&u.referent)).collect();
        for unit in named {
            out.entry(unit).or_default().push(resource);
        }
    }
    out
}

/// Returns true if a resource that a unit triggers can be split along with it.
fn follows(resource: &Resource, leader: &Unit<'_>) -> bool {
    let decl = &resource.decl;
    let plain = !decl.json && decl.overrides.is_empty();
    let own = leader.gates.gates.iter().any(|g| asks_for_instance(&g.text));
    plain && !own && !leader.gates.late
}

fn asks_for_instance(gate: &str) -> bool {
    let Ok(expr) = crate::syntax::parse_expr(gate) else { return true };
    traversal::variables(&expr).iter().any(|v| matches!(&*v.root.text, "each" | "count" | "self"))
}

/// Returns the resources that are split together with a resource of the module at `scope`: all that it triggers,
/// directly or not.
pub fn followers(config: &Config, scope: &ModulePath, leader: &ResourceAddr) -> Vec<ResourceAddr> {
    let mut out = vec![leader.clone()];
    let mut at = 0;
    while let Some(own) = out.get(at).cloned().map(UnitName::Resource) {
        let all = config.at(scope).into_iter().flat_map(|m| m.managed());
        let named =
            |r: &&Resource| triggers(r).is_some_and(|(_, uses)| uses.iter().any(|u| own.holds(&u.referent)));
        for found in all.filter(named).map(|r| r.addr.clone()) {
            if !out.contains(&found) {
                out.push(found);
            }
        }
        at += 1;
    }
    out.remove(0);
    out
}

fn triggers(resource: &Resource) -> Option<(&In<Attribute>, Vec<Use>)> {
    let attr = resource.lifecycle.replace_triggered_by.as_ref()?;
    Some((attr, graph::uses_of(&attr.expr, attr.file)))
}

fn follower<'a>(leader: &Unit<'a>, at: usize, name: UnitName) -> Unit<'a> {
    let bare = |joint: &Joint| Joint { values: Vec::new(), ..joint.clone() };
    Unit {
        name,
        targets: Vec::new(),
        branches: leader.branches.iter().map(bare).collect(),
        follows: Some(at),
        ..leader.clone()
    }
}

/// The index of the unit by whose fields a unit is split.
pub fn root(units: &[Unit<'_>], unit: usize) -> usize {
    units.get(unit).and_then(|u| u.follows).unwrap_or(unit)
}

/// Returns true if a use is in the triggers of a unit that is split along with the one with this index.
pub fn is_followed(
    config: &Config,
    units: &[Unit<'_>],
    scope: &ModulePath,
    used: &Use,
    named: usize,
) -> bool {
    let root = root(units, named);
    let within = |unit: &Unit<'_>| {
        let block = config.at(&unit.scope).and_then(|m| unit.name.resource(m)).map(|r| &r.decl.block);
        block.is_some_and(|block| used.lies_in(block.place()))
    };
    &*used.context.attribute == "replace_triggered_by"
        && units.iter().any(|u| u.follows == Some(root) && u.scope == *scope && within(u))
}

/// The edits that make the triggers of a follower's copy name the leader's; `keyed`: the leader has keys of its own.
pub fn edits(resource: &Resource, leader: &UnitName, copy: &str, keyed: bool) -> Vec<Edit> {
    let Some((_, uses)) = triggers(resource) else { return Vec::new() };
    let edit = |used: &Use| {
        let at = if &*used.traversal.root.text == "resource" { 1 } else { 0 };
        let Some(TraversalStep::Attr(name)) = used.traversal.steps.get(at) else { return None };
        let whole = used.traversal.steps.len() == at + 1;
        let key = if keyed || whole { "" } else { "[0]" };
        Some(Edit { span: name.span, text: format!("{copy}{key}") })
    };
    uses.iter().filter(|u| leader.holds(&u.referent)).filter_map(edit).collect()
}
