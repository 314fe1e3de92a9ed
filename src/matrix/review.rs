//! The effect of a change: two matrices compared, environment by environment.
//!
//! In: the fields and instances of a base and of a head. Out: what differs. Invariant: what is the same in both is not in it.
//! Absent on purpose: how either was read.

use super::behind::Doubts;
use super::concealed::withhold_secrets;
use super::presence::{self, Presence};
use super::{Cell, Comparison, Instance, Matrix, Origin, Whole};
use crate::issue::Issue;
use crate::value::Value;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The differences between a base and a head.
#[derive(Clone, Debug, Default)]
pub struct Review {
    /// The name of the base's revision.
    pub base: String,
    /// Issues for fields that could be specialised in the base and can't in the head.
    pub unable: Vec<Issue>,
    /// Fields that are specialised otherwise.
    pub specializations: Vec<Specialization>,
    /// The environments of either.
    pub environments: Vec<Environment>,
    /// Fields and declarations that aren't compared, since all of them together are too much.
    pub left_out: BTreeSet<String>,
    /// Where the values of the fields that differ come from.
    pub origins: BTreeMap<String, Arc<Origin>>,
}

/// A driven field.
#[derive(Clone, PartialEq, Debug)]
pub struct Specialization {
    /// Its address.
    pub unit: String,
    /// The values of its branches in the base.
    pub before: Vec<Value>,
    /// The same in the head.
    pub after: Vec<Value>,
}

/// Fields with what they were and what they are.
pub type Values = Vec<(String, Arc<Cell>, Arc<Cell>)>;

/// An environment.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// Its name.
    pub name: Arc<str>,
    /// True if the base has it.
    pub before: bool,
    /// True if the head has it.
    pub after: bool,
    /// Fields with another value.
    pub values: Values,
    /// Fields of which nobody can say whether they differ. What plans say is none of it.
    pub uncompared: Vec<String>,
    /// Instances, each with whether it is there before and after. One of which nobody knows the keys stands without them, where its declaration
    /// comes or goes.
    pub instances: Vec<(String, bool, bool)>,
    /// Declarations of which instances may go: how many there are isn't known, and isn't shown to be the same.
    pub may_go: Vec<String>,
    /// Those among them that are names of copies under which a state may hold objects. A plan settles one only where its state holds nothing there.
    pub unled: Vec<String>,
    /// The differences between the two plans.
    pub plan: Option<Planned>,
    /// The declarations and modules that are there on one side only, outermost ones alone.
    pub wholes: Vec<Whole>,
    /// The root variables that have another value, with the place that gives it to them.
    pub variables: BTreeMap<Arc<str>, Option<String>>,
}

/// The difference between two plans, or the reason why they could not be made.
#[derive(Clone, Debug)]
pub enum Planned {
    /// They were made.
    Made(Box<PlanDifference>),
    /// At least one plan could not be made, for this reason.
    Failed(String),
}

/// The changes in two plans.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct PlanDifference {
    /// The base's.
    pub before: Counts,
    /// The head's.
    pub after: Counts,
    /// The resources with different changes, destroys first.
    pub resources: Vec<ResourceDifference>,
    /// The outputs that end otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<String>,
    /// Terraform's own text of the head's plan.
    pub text: String,
}

/// The numbers of resources that a plan changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Counts {
    /// Made.
    pub add: usize,
    /// Changed in place.
    pub change: usize,
    /// Destroyed.
    pub destroy: usize,
    /// Destroyed and made anew.
    pub replace: usize,
}

/// A resource.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ResourceDifference {
    /// Its address in the original.
    pub address: String,
    /// Its action in the base's plan.
    pub before: Action,
    /// Its action in the head's plan.
    pub after: Action,
    /// The paths of attributes that end otherwise.
    pub attributes: Vec<String>,
}

/// The action of a plan on a resource.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// It is destroyed.
    Delete,
    /// It is destroyed and made anew.
    Replace,
    /// It leaves the state, and stays as it is.
    Forget,
    /// It is changed in place.
    Update,
    /// It is made.
    Create,
    /// It is read.
    Read,
    /// No change.
    NoOp,
    /// The plan doesn't know it.
    Absent,
}

impl Environment {
    /// Returns what differs between its plans, if they were made.
    pub fn made(&self) -> Option<&PlanDifference> {
        match &self.plan {
            Some(Planned::Made(made)) => Some(made),
            _ => None,
        }
    }

    /// Returns true if a plan was asked for and could not be made.
    pub fn is_unplanned(&self) -> bool {
        matches!(self.plan, Some(Planned::Failed(_)))
    }

    /// The declarations of which instances may go: where both plans were made, they say which do, but for names of copies that nothing leads home.
    pub fn may_go(&self) -> &[String] {
        if self.made().is_some() { &self.unled } else { &self.may_go }
    }
}

impl PlanDifference {
    /// Returns true if the plans do the same.
    pub fn is_none(&self) -> bool {
        self.resources.is_empty() && self.outputs.is_empty()
    }

    /// Returns the number of resources on which the head's plan acts like this.
    pub fn count(&self, action: Action) -> usize {
        self.resources.iter().filter(|r| r.after == action).count()
    }
}

impl Action {
    /// The public name.
    pub fn name(self) -> &'static str {
        match self {
            Action::Delete => "delete",
            Action::Replace => "replace",
            Action::Forget => "forget",
            Action::Update => "update",
            Action::Create => "create",
            Action::Read => "read",
            Action::NoOp => "no-op",
            Action::Absent => "absent",
        }
    }
}

/// Returns the differences in the environments of either side, without plans. `doubts` says what is not shown to be equal though it reads alike.
pub fn environments(
    base: &Matrix,
    head: &Matrix,
    mut doubts: Option<&mut Doubts<'_, '_>>,
) -> Vec<Environment> {
    let sides = [Side::of(base), Side::of(head)];
    let [before, after] = &sides;
    let more = base.environments.iter().filter(|name| !after.environments.contains_key(&***name));
    let at = |side: &Side<'_>, name: &Arc<str>| side.environments.get(&**name).copied();
    let mut out = Vec::new();
    for name in head.environments.iter().chain(more) {
        let at = [at(before, name), at(after, name)];
        out.push(Compared { name, at, sides: &sides }.environment(doubts.as_deref_mut()));
    }
    out
}

/// A side by address.
struct Side<'m> {
    environments: BTreeMap<&'m str, usize>,
    rows: BTreeMap<&'m str, &'m [Arc<Cell>]>,
    instances: BTreeMap<&'m str, &'m [Option<Vec<Instance>>]>,
    order: Vec<&'m str>,
    left_out: &'m BTreeSet<String>,
}

impl<'m> Side<'m> {
    fn of(matrix: &'m Matrix) -> Side<'m> {
        Side {
            environments: matrix.environments.iter().enumerate().map(|(at, name)| (&**name, at)).collect(),
            rows: matrix.rows.iter().map(|r| (r.field.as_str(), r.cells.as_slice())).collect(),
            instances: matrix.instances.iter().map(|i| (i.address.as_str(), i.cells.as_slice())).collect(),
            order: matrix.rows.iter().map(|r| r.field.as_str()).collect(),
            left_out: &matrix.left_out,
        }
    }

    fn cell(&self, field: &str, at: Option<usize>) -> Arc<Cell> {
        let found = at.and_then(|at| self.rows.get(field)?.get(at));
        found.cloned().unwrap_or_else(|| Arc::new(Cell::Absent))
    }

    /// Tells of everything that is there.
    fn fill(&self, at: Option<usize>, is_head: bool, presence: &mut Presence) {
        let there = |field: &str, cells: &[Arc<Cell>]| {
            let cell = at.and_then(|at| cells.get(at)).map(|cell| &**cell);
            cell.is_some_and(|cell| *cell != Cell::Absent)
                && ![".count", ".for_each", ".lifecycle.enabled"].iter().any(|end| field.ends_with(end))
        };
        let fields = self.rows.iter().filter(|(field, cells)| there(field, cells));
        fields.for_each(|(field, _)| presence.note(field, is_head));
        for (address, cells) in &self.instances {
            match at.and_then(|at| cells.get(at)) {
                Some(Some(all)) => all.iter().for_each(|one| presence.note(&one.address, is_head)),
                // Nobody knows whether it is there.
                Some(None) => presence.note(address, is_head),
                None => {}
            }
        }
        self.left_out.iter().for_each(|name| presence.note(name, is_head));
    }

    /// The instances of an address.
    fn addresses(&self, address: &str, at: Option<usize>) -> Found<'m> {
        match at.and_then(|at| self.instances.get(address)?.get(at)) {
            None => Found::Undeclared,
            Some(None) => Found::Unknown,
            Some(Some(all)) => Found::These(all.iter().map(|one| one.address.as_str()).collect()),
        }
    }
}

/// The instances of an address in an environment.
enum Found<'m> {
    /// There is no such declaration or environment.
    Undeclared,
    /// Nobody knows them.
    Unknown,
    /// These.
    These(BTreeSet<&'m str>),
}

/// Two readings of one environment.
struct Compared<'s, 'm> {
    name: &'s Arc<str>,
    at: [Option<usize>; 2],
    sides: &'s [Side<'m>; 2],
}

impl Compared<'_, '_> {
    fn environment(&self, mut doubts: Option<&mut Doubts<'_, '_>>) -> Environment {
        let [before, after] = self.at;
        let (values, uncompared) = self.fields(doubts.as_deref_mut());
        let unlike: BTreeSet<&str> = values
            .iter()
            .map(|(field, ..)| field.as_str())
            .chain(uncompared.iter().map(String::as_str))
            .collect();
        let (instances, may_go) = self.instances(&unlike, doubts);
        let mut presence =
            Presence::new(values.iter().map(|(f, ..)| &**f), instances.iter().map(|(a, ..)| &**a));
        for (side, (at, is_head)) in self.sides.iter().zip([(before, false), (after, true)]) {
            side.fill(at, is_head, &mut presence);
        }
        let wholes = presence.wholes();
        Environment {
            name: self.name.clone(),
            before: before.is_some(),
            after: after.is_some(),
            values,
            uncompared,
            instances,
            may_go,
            unled: Vec::new(),
            plan: None,
            wholes,
            variables: BTreeMap::new(),
        }
    }

    /// What one side leaves out, nobody compares.
    fn is_told(&self, name: &str) -> bool {
        !self.sides.iter().any(|side| side.left_out.contains(name))
    }

    /// The fields that differ, and those that can't be compared.
    fn fields(&self, mut doubts: Option<&mut Doubts<'_, '_>>) -> (Values, Vec<String>) {
        let ([base, head], [before, after]) = (self.sides, self.at);
        let gone = base.order.iter().filter(|f| !head.rows.contains_key(**f));
        let (mut values, mut uncompared) = (Vec::new(), Vec::new());
        for field in head.order.iter().chain(gone).filter(|field| self.is_told(field)) {
            let (old, new) = (base.cell(field, before), head.cell(field, after));
            let has_error = old.error().is_some() && new.error().is_some();
            match old.compare(&new) {
                found @ (Comparison::Equal | Comparison::Open) => {
                    let is_untold = found == Comparison::Open;
                    // What is made of the same is the same, though nobody can say what it is.
                    let has_none = *old == Cell::Absent && *new == Cell::Absent;
                    let is_open = match doubts.as_deref_mut() {
                        Some(doubts) => {
                            doubts.is_open(self.name, field, has_error)
                                || (is_untold && doubts.is_open_untold(self.name, field))
                                || (has_none && doubts.is_unseen(self.name, field))
                        }
                        None => is_untold,
                    };
                    if is_open {
                        uncompared.push((*field).to_owned());
                    }
                }
                Comparison::Different => {
                    let (before, after) = match old.is_secret() || new.is_secret() {
                        true => {
                            let (before, after) = withhold_secrets(&old, &new);
                            (Arc::new(before), Arc::new(after))
                        }
                        false => (old, new),
                    };
                    values.push(((*field).to_owned(), before, after));
                }
            }
        }
        (values, uncompared)
    }

    /// The instances that come or go, and the declarations of which instances may go. `unlike`: the fields that aren't shown to be equal.
    fn instances(
        &self,
        unlike: &BTreeSet<&str>,
        mut doubts: Option<&mut Doubts<'_, '_>>,
    ) -> (Vec<(String, bool, bool)>, Vec<String>) {
        let ([base, head], [before, after]) = (self.sides, self.at);
        let all = base.instances.keys().chain(head.instances.keys()).copied();
        let addresses: BTreeSet<&str> = all.filter(|address| self.is_told(address)).collect();
        let (mut instances, mut may_go) = (Vec::new(), Vec::new());
        for address in addresses {
            let repeated = presence::repetitions(address);
            let is_unlike = || repeated.iter().any(|field| unlike.contains(field.as_str()));
            let may_differ = match (base.addresses(address, before), head.addresses(address, after)) {
                (Found::Undeclared, Found::Unknown) => {
                    instances.push((address.to_owned(), false, true));
                    false
                }
                (Found::Unknown, Found::Undeclared) => {
                    instances.push((address.to_owned(), true, false));
                    false
                }
                (Found::Undeclared, Found::Undeclared) => false,
                (Found::Unknown, Found::Unknown) => is_unlike(),
                (Found::Unknown, Found::These(_)) => true,
                (Found::These(old), Found::Unknown) => !old.is_empty(),
                (old, new) => {
                    let these = |found| match found {
                        Found::These(all) => all,
                        Found::Undeclared | Found::Unknown => BTreeSet::new(),
                    };
                    let is_gone = matches!(new, Found::Undeclared);
                    let (old, new) = (these(old), these(new));
                    for one in old.symmetric_difference(&new) {
                        instances.push(((*one).to_owned(), old.contains(one), new.contains(one)));
                    }
                    // In another workspace there may be others.
                    let hangs = |doubts: &mut Doubts<'_, '_>| {
                        repeated.iter().any(|field| doubts.hangs_on_workspace(self.name, field))
                    };
                    let is_new = !base.instances.contains_key(address);
                    !is_new && (is_gone || is_unlike()) && doubts.as_deref_mut().is_some_and(hangs)
                }
            };
            if may_differ {
                may_go.push(address.to_owned());
            }
        }
        // What goes is said first.
        instances.sort_by_key(|(_, before, _)| !before);
        (instances, may_go)
    }
}
