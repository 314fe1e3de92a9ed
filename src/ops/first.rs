//! Finds the active copies by a plan, where data sources decide.
//!
//! In: a decision without move chains, since a gate has no value before a plan. The specialised tree is planned in a copy of the
//! working directory, without chains; the copies that have instances there are active. It only plans: data sources are read before
//! anything is changed, and the real plan reads them again. Invariant: if they give other values then, the chain is stale and
//! Terraform stops. Absent: guessing where a variable has no value.

use super::decide::Decided;
use super::scratch_plan::{ScratchPlan, Words};
use super::session::Session;
use crate::addr::ObjectAddr;
use crate::issue::{Code, Issue};
use crate::specialise::{Active, moves, originals};
use crate::terraform::Terraform;
use crate::terraform::args::RunArgs;
use crate::terraform::plan_json::Plan;
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Makes a decided one of an undecided one. Gives the instances that the first plan shows, where there was one.
///
/// # Errors
/// Returns an error if a variable lacks its value, or the first plan fails.
pub(super) fn settle(
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
    let mut out = Vec::new();
    let prior = plan.prior_state.pointer("/values/root_module");
    let read = |r: &Json| r.get("mode").and_then(Json::as_str) == Some("data");
    addresses(plan.planned_values.get("root_module"), &|_| true, &mut out);
    // What was read already stands in the state before alone.
    addresses(prior, &read, &mut out);
    out
}

fn addresses(module: Option<&Json>, wanted: &dyn Fn(&Json) -> bool, out: &mut Vec<String>) {
    let Some(module) = module else { return };
    let list = |name: &str| module.get(name).and_then(Json::as_array).into_iter().flatten();
    let text = |r: &Json| r.get("address").and_then(Json::as_str).map(str::to_owned);
    out.extend(list("resources").filter(|r| wanted(r)).filter_map(text));
    for child in list("child_modules") {
        addresses(Some(child), wanted, out);
    }
}
