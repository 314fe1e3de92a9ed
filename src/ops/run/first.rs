//! Finds the active copies by a plan, where data sources decide.
//!
//! In: a decision without move chains, since a gate has no value before a plan. The specialised tree is planned in a copy of the
//! working directory, without chains; the copies that have instances there are active. It only plans: data sources are read before
//! anything is changed, and the real plan reads them again. Invariant: if they give other values then, the chain is stale and
//! Terraform stops. Absent: guessing where a variable has no value.

use crate::addr::ObjectAddr;
use crate::issue::{Code, Issue};
use crate::ops::read::session::Session;
use crate::ops::run::decide::Decided;
use crate::ops::run::scratch_plan::{ScratchPlan, Words};
use crate::specialise::moves::originals;
use crate::specialise::{Active, moves};
use crate::terraform::Terraform;
use crate::terraform::args::RunArgs;
use crate::terraform::plan_json::{Plan, resources};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Makes a decided one of an undecided one. Gives the instances that the first plan shows, where there was one.
///
/// # Errors
/// Returns an error if a variable lacks its value, or the first plan fails.
pub fn settle(
    session: &Session,
    decided: &mut Decided,
    read: &RunArgs,
    terraform: &Terraform,
) -> Result<Option<BTreeSet<ObjectAddr>>, Issue> {
    let Some(issue) = decided.undecided.take() else { return Ok(None) };
    if issue.code == Code::MissingValue {
        return Err(issue);
    }
    let scratch = ScratchPlan::new(session, terraform)?;
    let mut sources = session.overlay.clone();
    sources.extend(decided.tree.clone());
    sources.insert(PathBuf::from(moves::FILE), None);
    let plan = scratch.plan(&sources, &Words::Whole(read.clone()), "first").map_err(|failed| Issue {
        why: format!("{} A first plan would say it, and that failed:\n\n{}", issue.why, failed.why),
        ..issue
    })?;
    let planned = planned(&plan);
    let seen = originals::seen(&decided.specialised.splits, planned.iter().map(String::as_str));
    let units = decided.specialised.splits.iter_mut().zip(&decided.known).zip(&decided.others);
    for ((copies, seen), ((unit, known), others)) in decided.copies.iter_mut().zip(seen).zip(units) {
        if known.is_none() {
            let is_new = |a: &&Active| !seen.iter().any(|s| s.module == a.module && s.key == a.key);
            *copies = others.iter().filter(is_new).cloned().collect();
            copies.splice(0..0, seen);
            // What has no object in it has no address in a plan.
            unit.counted = None;
        }
    }
    decided.finish(session);
    Ok(Some(planned.iter().filter_map(|address| address.parse().ok()).collect()))
}

/// Every address that has an instance once the plan is carried out.
fn planned(plan: &Plan) -> Vec<String> {
    let is_data = |r: &&Json| r.get("mode").and_then(Json::as_str) == Some("data");
    let address = |r: &Json| Some(r.get("address")?.as_str()?.to_owned());
    let all = resources(plan.planned_values.get("root_module")).into_iter();
    // What was read already stands in the state before alone.
    let prior = resources(plan.prior_state.pointer("/values/root_module"));
    all.chain(prior.into_iter().filter(is_data)).filter_map(address).collect()
}
