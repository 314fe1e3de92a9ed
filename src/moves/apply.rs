//! The address at which each object of a state ends.

use super::chance;
use super::order::Order;
use super::pattern;
use super::tree::Tree;
use super::{Named, Statement, Subject};
use crate::addr::{Held, ObjectAddr};
use std::collections::{BTreeMap, BTreeSet};

/// A move that Terraform passes over with a warning, since something stands where it leads.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Blocked {
    /// The address that the statement asks for.
    pub wanted: Subject,
    /// The address at which the object stayed.
    pub actual: Subject,
}

/// The effect of the statements on a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Every object of the state: from before to after.
    pub ends: BTreeMap<ObjectAddr, ObjectAddr>,
    /// The moves that were passed over, by what stayed.
    pub blocked: Vec<Blocked>,
    /// True if the outcome is the same for all orders in which Terraform may apply the statements. If false, `ends`
    /// and `blocked` are those of one order.
    pub certain: bool,
}

/// Moves the objects of a state as `ApplyMoves` does (`internal/refactoring`, Terraform 1.11). Statements that are wrong are
/// carried out too; [`refusals`](super::refusals) tells of them.
pub fn apply(state: &Held, statements: &[Statement]) -> Outcome {
    let mut first: Option<Outcome> = None;
    each(state, statements, &mut |other| match &mut first {
        None => {
            let certain = other.certain;
            first = Some(other);
            certain
        }
        Some(first) => {
            first.certain &= *first == other;
            first.certain
        }
    });
    first.unwrap_or_else(|| Outcome { ends: BTreeMap::new(), blocked: Vec::new(), certain: true })
}

/// The outcomes of several possible orders, the first of which is that of the order in which the statements are given. One
/// is all there is where no order matters. `certain` speaks of each alone.
pub fn outcomes(state: &Held, statements: &[Statement]) -> Vec<Outcome> {
    let mut all = Vec::new();
    each(state, statements, &mut |outcome| {
        all.push(outcome);
        true
    });
    all
}

/// Gives one outcome after another, as long as `give` wants more.
fn each(state: &Held, statements: &[Statement], give: &mut dyn FnMut(Outcome) -> bool) {
    let objects: BTreeSet<&ObjectAddr> = state.objects.iter().collect();
    let tree = Tree::of(objects.iter().copied(), &state.husks);
    let order = Order::of(statements);
    let run = |order: &[usize]| outcome(&objects, tree.clone(), statements, order);
    if !order.cycles().is_empty() {
        give(run(&[]));
        return;
    }
    let given: Vec<usize> = (0..statements.len()).collect();
    let sorted = order.sorted(given.iter().copied());
    let mut open = order.open.clone();
    if !open.is_empty()
        && let Some(active) = chance::active(tree.clone(), statements, &sorted)
    {
        open.retain(|(a, b)| active.contains(a) && active.contains(b));
    }
    let mut first = run(&sorted);
    first.certain &= open.len() <= chance::PAIRS;
    let mut wanted = give(first);
    for starts in chance::starts(&open, &given) {
        if !wanted {
            return;
        }
        wanted = give(run(&order.sorted(starts)));
    }
}

fn outcome(
    objects: &BTreeSet<&ObjectAddr>,
    mut tree: Tree,
    statements: &[Statement],
    order: &[usize],
) -> Outcome {
    let mut blocked = BTreeMap::new();
    let mut certain = true;
    for statement in order.iter().filter_map(|at| statements.get(*at)) {
        for (from, to) in tree.matches(statement) {
            // What arrives where the statement itself finds it may be found again or not; so may what it makes room for.
            certain &= from == to || !selects(statement, &to);
            if tree.has(&to) {
                blocked.insert(from, to);
            } else {
                tree.shift(&from, &to);
            }
        }
    }
    let after: BTreeMap<usize, ObjectAddr> = tree.objects().into_iter().collect();
    let ends = objects.iter().enumerate().map(|(number, before)| {
        let after = after.get(&number).unwrap_or(before);
        ((*before).clone(), after.clone())
    });
    Outcome {
        ends: ends.collect(),
        blocked: blocked.into_iter().map(|(actual, wanted)| Blocked { wanted, actual }).collect(),
        certain,
    }
}

/// Returns true if a statement moves what is at an address.
fn selects(statement: &Statement, at: &Subject) -> bool {
    let path = pattern::path(statement, &statement.from);
    if !pattern::begins(&path, &at.module) {
        return false;
    }
    let exact = at.module.0.len() == path.len();
    match (&statement.from.named, &at.named) {
        (Named::Call(_) | Named::Module, Named::Module) => true,
        (Named::Resource(_) | Named::Instance(..), own) => exact && statement.from.named == *own,
        _ => false,
    }
}
