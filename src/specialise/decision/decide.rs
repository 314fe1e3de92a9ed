//! The decision tree of a whole configuration: units and resolved fields in their instances, the variables that carry
//! driven values, and what nothing uses any more then.

use crate::addr::ModulePath;
use crate::cond::FormulaId;
use crate::config::Config;
use crate::gate::Prover;
use crate::graph;
use crate::specialise::decision::{Child, Known, Literal, Node};
use crate::specialise::unit::carried;
use crate::specialise::unit::siblings;
use crate::specialise::unit::{Tracked, Unit, UnitName};
use crate::specialise::unused::{self, outputs};
use crate::specialise::written::comment::Told;
use crate::specialise::{fold, residual};
use crate::trace::Traced;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How often what nothing uses any more is looked for again after outputs have gone.
const ROUNDS: usize = 8;

/// Decides what changes in which instance. `told` is what a comment says of a field that has one value.
pub(in crate::specialise) fn tree(
    config: &Config,
    prover: &mut Prover<'_, '_>,
    (targets, units): (&[Tracked<'_>], &[Unit<'_>]),
    told: &dyn Fn(Tracked<'_>) -> Told,
) -> Node {
    let mut tree = Node::default();
    let mut carrying = Carrying::default();
    let mut within: BTreeSet<ModulePath> = BTreeSet::new();
    let resolved = resolved_arguments(targets);
    let mut enter = |prover: &mut Prover<'_, '_>, (module, names, conditions): carried::Handed| {
        let both = |when, own: FormulaId| prover.formulas().and(when, own).ok();
        let when = conditions.into_iter().try_fold(FormulaId::TRUE, both)?;
        within.insert(module.clone());
        Some((module, names.into_iter().map(move |name| (name, when))))
    };
    for (index, unit) in units.iter().enumerate() {
        for handed in carried::into_templates(config, unit, &resolved) {
            let Some((module, names)) = enter(prover, handed) else { continue };
            carrying.of_unit.entry((module, index)).or_default().extend(names);
        }
        let targets = unit.targets.iter();
        for (module, name) in targets.flat_map(|t| carried::variables(config, t.driven, unit.scope.depth())) {
            carrying.of_unit.entry((module, index)).or_default().push((name, FormulaId::TRUE));
        }
    }
    for handed in carried::into_residuals(config, &resolved) {
        let Some((module, names)) = enter(prover, handed) else { continue };
        carrying.always.entry(module).or_default().extend(names);
    }
    let decided = siblings::decided(units);
    // Outer ones first: what lies within is then decided in each of the copies, and for the source that is taken there.
    let deepest =
        units.iter().map(|u| u.scope.depth()).chain(targets.iter().map(|t| t.driven.field.module.depth()));
    for depth in 0..=deepest.max().unwrap_or(0) {
        for (index, unit) in units.iter().enumerate().filter(|(_, u)| u.scope.depth() == depth) {
            tree.split(config, index, unit);
        }
        for (index, unit) in units.iter().enumerate().filter(|(_, u)| u.scope.depth() < depth) {
            tree.decide_in_copies(config, (index, unit), depth);
        }
        for target in targets.iter().filter(|t| t.driven.field.module.depth() == depth) {
            let Traced::Resolved(branch) = &target.trace.result else { continue };
            let mut literal = Literal::of(config, *target, &branch.value, false);
            if !residual::is_literal(&literal) && !decided.contains(&target.driven.field) {
                literal.told = Some(told(*target));
                tree.resolved(&literal, target.driven);
                for (module, name) in carried::variables(config, target.driven, 0) {
                    carrying.always.entry(module).or_default().push((name, branch.when));
                }
            }
        }
    }
    // What is decided in a module within a template may be nothing but what it is handed.
    for path in &within {
        tree.at(&path.0, &mut |_| {});
    }
    let mut settle = Settle { config, prover, units, carrying, entered: Vec::new() };
    settle.node(&mut tree, &ModulePath::ROOT, FormulaId::TRUE);
    // Without an output a variable may have no use; without the argument for it the caller may use less.
    for _ in 0..ROUNDS {
        if !outputs::add(config, units, &ModulePath::ROOT, &mut tree) {
            break;
        }
        settle.unused(&mut tree, &ModulePath::ROOT);
    }
    tree
}

/// The arguments of services' calls that have one value, by template, and when they have it.
fn resolved_arguments(targets: &[Tracked<'_>]) -> carried::Resolved {
    let mut out = carried::Resolved::new();
    for target in targets {
        let Traced::Resolved(branch) = &target.trace.result else { continue };
        if let Some((template, argument)) = carried::argument(target.driven) {
            out.entry(template).or_default().push((argument, branch.when));
        }
    }
    out
}

/// Variables, and the condition under which each carries its value.
type Carried = Vec<(Arc<str>, FormulaId)>;

/// The variables that carry a driven value, by their module.
#[derive(Default)]
struct Carrying {
    /// The variables in the copies of a unit, and when something beside its branch is what it was resolved to.
    of_unit: BTreeMap<(ModulePath, usize), Carried>,
    /// Everywhere, and when the value is the one that it was resolved to.
    always: BTreeMap<ModulePath, Carried>,
}

/// Finds what goes from each instance.
struct Settle<'s, 't, 'a, 'u> {
    config: &'s Config,
    prover: &'s mut Prover<'t, 'a>,
    units: &'s [Unit<'u>],
    carrying: Carrying,
    /// The units in whose copies the instance lies.
    entered: Vec<usize>,
}

impl Settle<'_, '_, '_, '_> {
    fn node(&mut self, node: &mut Node, path: &ModulePath, when: FormulaId) {
        let carrying = self.carrying_at(path, when);
        if !carrying.is_empty() {
            let known = self.prover.tracer().carried_values(path, &carrying);
            let known =
                known.into_iter().map(|(name, (value, sensitive))| (name, Known { value, sensitive }));
            node.variables = known.collect();
        }
        self.take_absent(node, path);
        let mut calls = std::mem::take(&mut node.calls);
        for (name, child) in &mut calls {
            match child {
                Child::Through(inner) => {
                    let path = node.path_of(path, name, None);
                    self.node(inner, &path, when);
                }
                Child::Split(split) => {
                    let Some(unit) = self.units.get(split.unit) else { continue };
                    self.entered.push(split.unit);
                    for (copy, branch) in split.copies.iter_mut().zip(&unit.branches) {
                        if copy.source.is_some() && copy.inner.is_empty() {
                            // The chosen module as it is.
                            continue;
                        }
                        let path = node.path_of(path, name, copy.source.as_ref());
                        let both = self.prover.formulas().and(when, branch.when).unwrap_or(branch.when);
                        self.node(&mut copy.inner, &path, both);
                    }
                    self.entered.pop();
                }
            }
        }
        calls.retain(|_, child| !matches!(child, Child::Through(inner) if inner.is_empty()));
        node.calls = calls;
        if let Some(module) = self.config.at(path).filter(|_| !path.is_root()) {
            *node.unused = unused::find((self.config, path), self.units, module, node);
        }
    }

    /// Finds again what nothing uses any more, from the inside out.
    fn unused(&self, node: &mut Node, path: &ModulePath) {
        node.each_below(path, &mut |_, path, inner| self.unused(inner, path));
        if let Some(module) = self.config.at(path).filter(|_| !path.is_root() && !node.is_empty()) {
            *node.unused = unused::find((self.config, path), self.units, module, node);
        }
    }

    /// Finds the blocks of which a copy has no instance, and enters no module behind them.
    fn take_absent(&self, node: &mut Node, path: &ModulePath) {
        let Some(module) = self.config.at(path).filter(|_| !path.is_root()) else { return };
        if node.gone().next().is_none() {
            return;
        }
        let uses = graph::uses(module);
        let value = |name: &str| node.known(name).cloned();
        let facts = fold::Facts {
            config: self.config,
            path,
            module,
            uses: &uses,
            value: &value,
            absent: &fold::Absent::default(),
        };
        let is_split = |unit: &UnitName| match unit {
            UnitName::Resource(addr) => node.resources.contains_key(addr),
            UnitName::Call(name) => node.calls.get(name).is_some_and(Child::is_split),
        };
        let absent = fold::absent(&facts, &is_split);
        node.calls.retain(|name, _| !absent.has_call(name));
        node.absent = absent;
    }

    /// The variables of an instance that carry driven values, and when these are what they are.
    fn carrying_at(&mut self, path: &ModulePath, when: FormulaId) -> BTreeMap<Arc<str>, FormulaId> {
        let mut out = BTreeMap::new();
        for (name, own) in self.carrying.always.get(path).into_iter().flatten() {
            let both = self.prover.formulas().and(when, *own).unwrap_or(when);
            out.insert(name.clone(), both);
        }
        for unit in &self.entered {
            let names = self.carrying.of_unit.get(&(path.clone(), *unit));
            for (name, own) in names.into_iter().flatten() {
                let both = self.prover.formulas().and(when, *own).unwrap_or(when);
                out.insert(name.clone(), both);
            }
        }
        out
    }
}
