//! The decision tree: what changes in which instance, before any text is made.
//!
//! A node stands for one instance of a module as it will be. A node without decisions is the module as it is.

pub(super) mod decide;

use super::fold::Absent;
use super::naming::Said;
use super::unit::{Chosen, Tracked, Unit, UnitName};
use super::unused::Unused;
use crate::addr::{CallName, FieldAddr, ModulePath, Referent, ResourceAddr, Target};
use crate::config::Config;
use crate::specialise::written::comment::Told;
use crate::trace::site::FieldSite;
use crate::trace::{Driven, Guard};
use crate::value::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A call, and the source that is chosen for it.
type Source = (Arc<str>, Arc<str>);

/// A driven field becomes a literal.
#[derive(Clone, Debug)]
pub struct Literal {
    /// The place of its definition.
    pub site: FieldSite,
    /// The value that it becomes.
    pub value: Value,
    /// True if Terraform counts it as sensitive.
    pub sensitive: bool,
    /// True if Terraform keeps whatever type it gets there.
    pub any_type: bool,
    /// The indices that stand behind the value, from the outside in, where that is a list of what it is in each instance or entry.
    pub by: Vec<Arc<str>>,
    /// The comment's text on it, if it has one value.
    pub told: Option<Told>,
}

impl Literal {
    /// Builds the literal for a driven field.
    pub fn of(config: &Config, tracked: Tracked<'_>, value: &Value, sensitive: bool) -> Literal {
        let Tracked { driven, trace } = tracked;
        let any_type = crate::trace::takes_any_type(config, &driven.field);
        let by = trace.by.clone();
        Literal { site: driven.site.clone(), value: value.clone(), sensitive, any_type, by, told: None }
    }

    /// Returns what a name says of it.
    pub fn said(&self) -> Said {
        let field = self.site.rest.last().unwrap_or(&self.site.attr.name.text);
        Said { field: field.clone(), value: self.value.clone() }
    }
}

/// The driven value that a variable carries in a copy.
#[derive(Clone, Debug)]
pub struct Known {
    /// The value.
    pub value: Value,
    /// True if Terraform counts it as sensitive.
    pub sensitive: bool,
}

/// The changes in one instance.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Fields decided for the whole instance.
    pub literals: Vec<Literal>,
    /// Variables that carry a driven value, which is the same for the whole instance.
    pub variables: BTreeMap<Arc<str>, Known>,
    /// Declarations that nothing uses any more.
    pub unused: Box<Unused>,
    /// Resources, data sources and calls of which this copy has no instance.
    pub absent: Absent,
    /// The sources of calls for which an expression chose one, where it is the same for the whole instance.
    pub sources: BTreeMap<Arc<str>, Arc<str>>,
    /// Calls that lead to a changed instance, or are split.
    pub calls: BTreeMap<Arc<str>, Child>,
    /// Resources that are split.
    pub resources: BTreeMap<ResourceAddr, Split>,
    /// The guards of this module's data sources. Those of variables are in the root module.
    pub guards: Vec<Guard>,
}

/// A call of a changed instance.
#[derive(Clone, Debug)]
pub enum Child {
    /// Under its own name.
    Through(Node),
    /// It is split into a copy per branch.
    Split(Split),
}

impl Child {
    /// Returns true if the call is split, or anything below it.
    pub fn is_split(&self) -> bool {
        match self {
            Child::Split(_) => true,
            Child::Through(inner) => !inner.resources.is_empty() || inner.calls.values().any(Child::is_split),
        }
    }
}

/// A unit that becomes one copy per branch.
#[derive(Clone, Debug)]
pub struct Split {
    /// Index among the units.
    pub unit: usize,
    /// The copies, in the order of the unit's branches.
    pub copies: Vec<Copied>,
}

/// A copy of a split unit.
#[derive(Clone, Debug, Default)]
pub struct Copied {
    /// Driven fields of the unit's own block.
    pub own: Vec<Literal>,
    /// The source, where the copies of a call differ in it.
    pub source: Option<Arc<str>>,
    /// The changes in the called module.
    pub inner: Node,
}

impl Node {
    /// Returns true if the module stays as it is.
    pub fn is_empty(&self) -> bool {
        self.literals.is_empty()
            && self.gone().next().is_none()
            && self.calls.is_empty()
            && self.resources.is_empty()
            && self.guards.is_empty()
    }

    /// The variables that go, and what becomes of their uses. One that is a secret under some conditions stays: Terraform
    /// itself has to say whether it is one here. Written out it would be one even in a copy that isn't there, and a `for_each`
    /// over it an error.
    pub fn gone(&self) -> impl Iterator<Item = (&Arc<str>, &Value)> {
        self.variables.iter().filter(|(_, known)| !known.sensitive).map(|(name, known)| (name, &known.value))
    }

    /// Returns the value of a variable that goes.
    pub fn known(&self, name: &str) -> Option<&Value> {
        self.variables.get(name).filter(|known| !known.sensitive).map(|known| &known.value)
    }

    /// Returns true if a caller's argument has nothing left that it could be passed to.
    pub fn drops(&self, argument: &str) -> bool {
        self.unused.variables.contains(argument) || self.known(argument).is_some()
    }

    /// The split units of the module itself.
    pub fn splits(&self) -> impl Iterator<Item = (UnitName, &Split)> {
        let calls = self.calls.iter().filter_map(|(name, child)| match child {
            Child::Split(split) => Some((UnitName::Call(name.clone()), split)),
            Child::Through(_) => None,
        });
        let resources = self.resources.iter();
        calls.chain(resources.map(|(addr, split)| (UnitName::Resource(addr.clone()), split)))
    }

    /// Gives every node right below this one, with its call and the path of its module.
    pub fn each_below(&mut self, above: &ModulePath, act: &mut dyn FnMut(&Arc<str>, &ModulePath, &mut Node)) {
        let mut calls = std::mem::take(&mut self.calls);
        for (name, child) in &mut calls {
            match child {
                Child::Through(inner) => act(name, &self.path_of(above, name, None), inner),
                Child::Split(split) => {
                    for copy in &mut split.copies {
                        act(name, &self.path_of(above, name, copy.source.as_ref()), &mut copy.inner);
                    }
                }
            }
        }
        self.calls = calls;
    }

    /// The node at the end of a path of calls; splits on the way are entered in every copy. Where the path stands for one
    /// of a call's sources, only what has that source is entered.
    pub fn at(&mut self, path: &[CallName], act: &mut dyn FnMut(&mut Node)) {
        let Some((name, rest)) = path.split_first() else { return act(self) };
        let CallName { name: call, source } = name;
        let own = self.sources.get(call).cloned();
        let fits = |copy: Option<&Arc<str>>| source.is_none() || copy.or(own.as_ref()) == source.as_ref();
        if !self.calls.contains_key(call) && fits(None) {
            self.calls.insert(call.clone(), Child::Through(Node::default()));
        }
        match self.calls.get_mut(call) {
            Some(Child::Split(split)) => {
                let copies = split.copies.iter_mut().filter(|c| fits(c.source.as_ref()));
                copies.for_each(|c| c.inner.at(rest, act));
            }
            Some(Child::Through(node)) if fits(None) => node.at(rest, act),
            Some(Child::Through(_)) | None => {}
        }
    }

    /// The split unit that a name is of, or that holds what it is of.
    pub fn split_of(&self, referent: &Referent) -> Option<(UnitName, &Split)> {
        let unit = UnitName::of(referent)?;
        let split = match &unit {
            UnitName::Call(name) => match self.calls.get(name)? {
                Child::Split(split) => split,
                Child::Through(_) => return None,
            },
            UnitName::Resource(addr) => self.resources.get(addr)?,
        };
        Some((unit, split))
    }

    /// The path of a call's module, below the path of the module that calls it; `copy` is the source of a copy.
    pub fn path_of(&self, above: &ModulePath, call: &Arc<str>, copy: Option<&Arc<str>>) -> ModulePath {
        match copy.or_else(|| self.sources.get(call)) {
            Some(source) => above.child(CallName::by_source(call.clone(), source.clone())),
            None => above.child(call.clone()),
        }
    }

    fn decided(&mut self, literal: &Literal, source: Option<&Source>) {
        self.literals.push(literal.clone());
        self.sources.extend(source.cloned());
    }

    /// Adds a split unit, with the fields of its own block.
    pub fn split(&mut self, config: &Config, index: usize, unit: &Unit<'_>) {
        let copies: Vec<Copied> = unit.branches.iter().map(|b| copy(config, unit, b)).collect();
        let split = Split { unit: index, copies };
        let name = unit.name.clone();
        self.at(&unit.scope.0.clone(), &mut |node| match &name {
            UnitName::Resource(addr) => {
                node.resources.insert(addr.clone(), split.clone());
            }
            UnitName::Call(call) => {
                node.calls.insert(call.clone(), Child::Split(split.clone()));
            }
        });
    }

    /// Adds the driven fields of a unit that lie in modules at this depth, in each copy of the unit: what is split on the way to them
    /// has been split by then.
    pub fn decide_in_copies(&mut self, config: &Config, (index, unit): (usize, &Unit<'_>), depth: usize) {
        let UnitName::Call(call) = &unit.name else { return };
        for (at, branch) in unit.branches.iter().enumerate() {
            for (target, value) in unit.targets.iter().zip(&branch.values) {
                let field = &target.driven.field;
                let rest = field.module.0.get(unit.scope.depth() + 1..);
                let Some(rest) = rest.filter(|_| field.module.depth() == depth) else { continue };
                let (literal, source) = decided_field(config, *target, value);
                self.at(&unit.scope.0, &mut |node| {
                    let Some(Child::Split(split)) = node.calls.get_mut(call) else { return };
                    let copy = split.copies.get_mut(at).filter(|_| split.unit == index);
                    if let Some(copy) = copy {
                        copy.inner.at(rest, &mut |node| node.decided(&literal, source.as_ref()));
                    }
                });
            }
        }
    }

    /// Adds what a data source is held to, in every copy of its module.
    pub fn guard(&mut self, module: &ModulePath, guard: &Guard) {
        self.at(&module.0, &mut |node| node.guards.push(guard.clone()));
    }

    /// Adds a field that is the same whatever happens.
    pub fn resolved(&mut self, literal: &Literal, driven: &Driven) {
        let source = source(&driven.field, &literal.value);
        self.at(&driven.field.module.0.clone(), &mut |node| node.decided(literal, source.as_ref()));
    }
}

/// The call whose source a field is, and the source.
fn source(field: &FieldAddr, value: &Value) -> Option<Source> {
    let Target::Call(call) = &field.target else { return None };
    let is_source = matches!(field.path.0.as_slice(), [name] if &**name == "source");
    value.as_str().filter(|_| is_source).map(|source| (call.name.clone(), source.into()))
}

/// A field as a branch decides it, and the source that it chooses.
fn decided_field(config: &Config, target: Tracked<'_>, value: &Chosen) -> (Literal, Option<Source>) {
    let sensitive = value.sensitive && crate::specialise::written::subst::takes_expression(target.driven);
    let literal = Literal::of(config, target, &value.branch.value, sensitive);
    let source = source(&target.driven.field, &literal.value);
    (literal, source)
}

/// A copy with the driven fields of its own block.
fn copy(config: &Config, unit: &Unit<'_>, branch: &super::unit::Joint) -> Copied {
    let mut copy = Copied::default();
    for (target, value) in unit.targets.iter().zip(&branch.values) {
        if target.driven.field.module.depth() > unit.scope.depth() {
            continue;
        }
        let (literal, source) = decided_field(config, *target, value);
        copy.own.push(literal);
        copy.source = source.map(|(_, source)| source).or(copy.source);
    }
    copy
}
