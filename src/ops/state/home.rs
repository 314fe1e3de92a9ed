//! The way home: the `moved` blocks for those who go on without tf-phi.
//!
//! In: the state, the original configuration. Out: blocks that bring every object in state to its address in the original,
//! beside the user's own `moved` blocks. Invariant: what is printed has been simulated: each object ends where the original
//! with its own moves would have it, in whatever order Terraform carries them out. Absent: writing anything.

use crate::addr::{ModuleInstance, ModulePath, ObjectAddr};
use crate::issue::Issue;
use crate::moves::{self, Endpoint, Statement};
use crate::ops::Start;
use crate::ops::read::session::Session;
use crate::ops::run::decide::{Decided, decide};
use crate::ops::state::whose;
use crate::pipeline::{begins, original};
use crate::simulate::{self, Contents, Object, Side};
use crate::specialise::moves::{Chain, blocks};
use std::collections::{BTreeMap, BTreeSet};

/// The way of the state's objects back to the original's addresses.
pub enum Home {
    /// No object has to be moved.
    There,
    /// These `moved` blocks are needed.
    Blocks(String),
    /// It can't be found out.
    Unknown(Vec<Issue>),
}

/// Finds the way home of what state holds.
pub fn find(start: &Start) -> Home {
    let (mut session, driven) = match Session::unblocked(start) {
        Ok(found) => found,
        Err(stop) => return Home::Unknown(stop.issues),
    };
    let decided = match decide(&mut session, &driven, &[]) {
        Ok(decided) => decided,
        Err(issues) => return Home::Unknown(issues),
    };
    match whose::of_root(start, &session, &decided, &driven) {
        Ok(whose) => way(&session, &decided, &whose.contents(&session.history)),
        Err(issues) => Home::Unknown(issues),
    }
}

fn way(session: &Session, decided: &Decided, contents: &Contents) -> Home {
    let objects = contents.objects.as_slice();
    original(session, decided, |side| {
        let ends = simulate::ends(side, contents);
        let end = |o: &Object| ends.get(&o.original).unwrap_or(&o.original).clone();
        let mut away: Vec<(ObjectAddr, ObjectAddr)> = Vec::new();
        for object in objects.iter().filter(|o| o.held != o.original) {
            away.push((object.held.clone(), begins(side.statements, &object.original, &end(object))));
        }
        if away.is_empty() {
            return Home::There;
        }
        let wanted: BTreeMap<&ObjectAddr, ObjectAddr> = objects.iter().map(|o| (&o.held, end(o))).collect();
        for chains in [by_module(&away, objects), one_by_one(&away)] {
            if arrive(side, contents, &chains, &wanted) {
                return blocks(&chains).map_or(Home::There, Home::Blocks);
            }
        }
        Home::Unknown(Vec::new())
    })
}

fn one_by_one(away: &[(ObjectAddr, ObjectAddr)]) -> Vec<Chain> {
    away.iter().map(|(from, to)| Chain::new([from.to_string(), to.to_string()])).collect()
}

/// The same with one move for all of a module instance, where all in it goes to another.
fn by_module(away: &[(ObjectAddr, ObjectAddr)], objects: &[Object]) -> Vec<Chain> {
    let mut out: Vec<Chain> = Vec::new();
    let mut led: BTreeSet<&ObjectAddr> = BTreeSet::new();
    let goes: BTreeMap<&ObjectAddr, &ObjectAddr> = away.iter().map(|(from, to)| (from, to)).collect();
    for (from, to) in away {
        if led.contains(from) {
            continue;
        }
        let whole = modules(from, to).filter(|(old, new)| {
            let within = objects.iter().filter(|o| o.held.module.0.starts_with(&old.0));
            let same = |o: &Object| {
                goes.get(&o.held)
                    .is_some_and(|to| modules(&o.held, to).is_some_and(|(a, b)| a == *old && b == *new))
            };
            within.clone().all(same) && !objects.iter().any(|o| o.held.module.0.starts_with(&new.0))
        });
        match whole {
            Some((old, new)) => {
                led.extend(objects.iter().map(|o| &o.held).filter(|held| held.module.0.starts_with(&old.0)));
                out.push(Chain::new([old.to_string(), new.to_string()]));
            }
            None => out.push(Chain::new([from.to_string(), to.to_string()])),
        }
    }
    out
}

/// The outermost module instances that differ, where all within them has the same address in both.
fn modules(from: &ObjectAddr, to: &ObjectAddr) -> Option<(ModuleInstance, ModuleInstance)> {
    let (a, b) = (&from.module.0, &to.module.0);
    let at = a.iter().zip(b).position(|(a, b)| a != b)?;
    let same = a.len() == b.len() && a.get(at + 1..) == b.get(at + 1..);
    let rest = from.resource == to.resource && from.key == to.key;
    let until = |steps: &[_]| steps.get(..=at).map(|s: &[_]| ModuleInstance(s.to_vec()));
    if same && rest { until(a).zip(until(b)) } else { None }
}

/// Returns true if each object ends where the original has it.
fn arrive(
    side: &Side<'_>,
    contents: &Contents,
    chains: &[Chain],
    wanted: &BTreeMap<&ObjectAddr, ObjectAddr>,
) -> bool {
    let endpoint = |text: Option<&String>| text.and_then(|t| t.parse::<Endpoint>().ok());
    let statement = |chain: &Chain| {
        let (from, to) = endpoint(chain.addresses.first()).zip(endpoint(chain.addresses.last()))?;
        Statement::new(ModulePath::ROOT, from, to)
    };
    let Some(own) = chains.iter().map(statement).collect::<Option<Vec<_>>>() else { return false };
    let all: Vec<Statement> = side.statements.iter().cloned().chain(own).collect();
    let done = moves::run(&contents.held(), &all, side.declared);
    let refused = moves::refusals(side.statements, side.declared);
    done.refusals.iter().all(|r| refused.contains(r))
        && done.outcome.certain
        && wanted.iter().all(|(held, end)| done.outcome.ends.get(*held).unwrap_or(held) == end)
}
