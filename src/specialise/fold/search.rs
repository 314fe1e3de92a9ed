//! The search for blocks of which a copy has no instance.
//!
//! In: a module, and what is known of the copy. Out: the blocks that go. Invariants: nothing that stays names
//! what goes, and an object in state has the same end. So a block stays that Terraform reads where an object is destroyed (`prevent_destroy`,
//! a provisioner), that others wait for (`depends_on`) or are counted by, or whose address is written down (`moved`). Absent on purpose:
//! blocks that are split, and declarations that an override file changes.

use super::absent::Absent;
use super::counted::is_counted;
use super::named::{Facts, Folder};
use super::walk::folded;
use crate::addr::{Mode, ModulePath};
use crate::config::{Call, Config, Decl, In, Resource};
use crate::graph::Use;
use crate::specialise::unit::UnitName;
use crate::syntax::{Attribute, ExprKind, traversal};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Finds the blocks that go from a copy. `facts.absent` is not looked at. `is_split` says what is split, or holds
/// what is.
pub fn absent(facts: &Facts<'_>, is_split: &dyn Fn(&UnitName) -> bool) -> Absent {
    let mut may: BTreeMap<UnitName, Repeated<'_>> = candidates(facts, is_split);
    loop {
        let mut out = Absent::default();
        // One that goes may leave another one without instances.
        while grow(facts, &may, &mut out) {}
        if out.is_empty() {
            return out;
        }
        let counted = |declared: &&UnitName| is_counted(facts.config, facts.path, declared);
        let mut held: BTreeSet<UnitName> = out.0.keys().filter(counted).cloned().collect();
        let now = Facts { absent: &out, ..*facts };
        held.extend(folded(&now).held);
        held.extend(out.0.keys().filter(|declared| is_imported(facts, declared)).cloned());
        held.extend(facts.uses.iter().filter(|used| used.is_static()).filter_map(|used| outside(&now, used)));
        if held.is_empty() {
            return out;
        }
        may.retain(|declared, _| !held.contains(declared));
    }
}

/// The argument that repeats a block, and whether it is `for_each`.
type Repeated<'m> = (&'m In<Attribute>, bool);

fn candidates<'m>(
    facts: &Facts<'m>,
    is_split: &dyn Fn(&UnitName) -> bool,
) -> BTreeMap<UnitName, Repeated<'m>> {
    let module = facts.module;
    let resources =
        module.resources.values().filter(|r| is_plain(&r.decl) && leaves_silently(r)).filter_map(|r| {
            Some((UnitName::Resource(r.addr.clone()), repeated(r.count.as_ref(), r.for_each.as_ref())?))
        });
    let whole = |call: &Call| {
        is_plain(&call.decl)
            && call.source_text().is_some()
            && leaves_all_silently(facts.config, &facts.path.child(call.name.clone()))
    };
    let calls = module.calls.values().filter(|call| whole(call)).filter_map(|call| {
        Some((UnitName::Call(call.name.clone()), repeated(call.count.as_ref(), call.for_each.as_ref())?))
    });
    resources.chain(calls).filter(|(declared, _)| !is_split(declared)).collect()
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

fn grow(facts: &Facts<'_>, may: &BTreeMap<UnitName, Repeated<'_>>, out: &mut Absent) -> bool {
    let now = Facts { absent: out, ..*facts };
    let Some(folder) = Folder::of(&now) else { return false };
    let none = |(attr, each): &Repeated<'_>| {
        folder.driven(|f| match each {
            true => f.is_empty(&attr.expr, attr.file),
            false => f.is_zero(&attr.expr, attr.file),
        })
    };
    let open = may.iter().filter(|(declared, _)| out.get(declared).is_none());
    let new: Vec<(UnitName, bool)> =
        open.filter(|(_, by)| none(by)).map(|(declared, (_, each))| (declared.clone(), *each)).collect();
    let any = !new.is_empty();
    out.0.extend(new);
    any
}

/// Returns true if an `import` block of the root names what lies in a block. Terraform asks for the configuration of its target, whether
/// something is imported or not.
fn is_imported(facts: &Facts<'_>, declared: &UnitName) -> bool {
    let Some(root) = facts.config.root() else { return false };
    let calls = facts.path.0.iter().flat_map(|call| ["module".into(), call.name.clone()]);
    let own: Vec<Arc<str>> = match declared {
        UnitName::Call(name) => calls.chain(["module".into(), name.clone()]).collect(),
        UnitName::Resource(addr) => calls.chain([addr.kind.clone(), addr.name.clone()]).collect(),
    };
    let to = root.imports.iter().filter_map(|decl| decl.block.body.attribute("to"));
    to.into_iter().any(|to| traversal::address_names(&to.expr).starts_with(&own))
}

/// Returns the block that goes and that a use names from a block that stays.
fn outside(facts: &Facts<'_>, used: &Use) -> Option<UnitName> {
    let declared = UnitName::of(&used.referent)?;
    facts.absent.get(&declared)?;
    let within =
        facts.absent.decls(facts.module).any(|decl| decl.blocks().any(|block| used.lies_in(block.place())));
    (!within).then_some(declared)
}
