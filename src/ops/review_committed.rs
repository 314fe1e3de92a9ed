//! `review --plan`: what the committed file of moves would do otherwise.
//!
//! In: a decision and what its state holds; both sides' plans. Out: a finding for each object that the head's file of moves leads elsewhere than the
//! plan, and the base's doesn't. The plans are made with moves of their own, as `tf-phi plan` writes them; where a plain `terraform plan` runs a
//! specialised tree, the committed file decides. Invariant: it is asked of the model of Terraform's moves, and nothing is planned once more. Absent on
//! purpose: what Terraform refuses. The file is for one branch, and stops in the others.

use super::review_addresses::add_unled;
use super::review_side::{Side, Task};
use crate::host::Host as _;
use crate::issue::{Code, Issue};
use crate::matrix::review::Review;
use crate::ops::read::session::Session;
use crate::ops::run::decide::Decided;
use crate::pipeline::find_faults_with;
use crate::simulate::{Contents, Fault};
use crate::specialise::moves;
use crate::specialise::record::history;
use crate::text::{one_line, shell_word};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// So many objects are told one by one.
const MOST_TOLD: usize = 12;

/// Finds the objects that the committed file leads elsewhere. Where something is specialised for each run, nobody runs the tree as it stands.
pub(super) fn find_led_elsewhere(
    session: &Session,
    decided: &mut Decided,
    contents: &Contents,
) -> BTreeMap<String, String> {
    let is_written = session.record.as_ref().is_some_and(|record| !record.is_local);
    let is_run_as_it_stands =
        is_written || decided.specialised.splits.iter().all(|split| split.gates.is_empty());
    let text = session.host.own(Path::new(moves::FILE)).ok().flatten();
    let text = text.and_then(|bytes| String::from_utf8(bytes).ok()).filter(|_| is_run_as_it_stands);
    let Some(text) = text else { return BTreeMap::new() };
    let faults = find_faults_with(session, decided, contents, text);
    let led = faults.into_iter().filter_map(|fault| match fault {
        Fault::Lost { object, end, .. } => Some((
            object.held.to_string(),
            format!("to {end}, which has no instance, so that it is destroyed"),
        )),
        Fault::Astray { object, end, .. } => {
            Some((object.held.to_string(), format!("to {end}, whose object it would be taken for")))
        }
        _ => None,
    });
    led.collect()
}

/// Adds the findings about the head's file.
pub(super) fn add_committed(made: &mut Review, planned: &BTreeMap<Task, Result<Side, String>>) {
    let mut found: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for env in &mut made.environments {
        let side = |is_head| planned.get(&(env.name.clone(), is_head)).and_then(|side| side.as_ref().ok());
        let known: BTreeSet<&String> =
            side(false).into_iter().flat_map(|side| side.elsewhere.keys()).collect();
        let new = side(true).into_iter().flat_map(|side| &side.elsewhere);
        let new: Vec<(&String, &String)> = new.filter(|(held, _)| !known.contains(held)).collect();
        for (held, end) in &new {
            found.entry(((*held).clone(), (*end).clone())).or_default().push(env.name.to_string());
        }
        add_unled(env, new.into_iter().map(|(held, _)| held));
    }
    let paste = format!("git checkout {} -- {} {}", shell_word(&made.base), history::FILE, moves::FILE);
    made.unable.extend(found.iter().take(MOST_TOLD).map(|(one, names)| to_finding(one, names, &paste)));
    if let Some(more) = found.len().checked_sub(MOST_TOLD).filter(|more| *more > 0) {
        let summary = format!("{} leads {more} more objects elsewhere than the plan", moves::FILE);
        let why = "Each is named where the report says what may lose instances.";
        made.unable.push(Issue::error(Code::Edited, summary, why));
    }
}

fn to_finding((held, end): &(String, String), environments: &[String], paste: &str) -> Issue {
    let summary = format!("{} leads {} elsewhere than the plan", moves::FILE, one_line(held));
    let why = format!(
        "It leads it {}. The plan here has moves of its own, as `tf-phi plan` writes them. A plain `terraform plan` follows the file. \
         Environments: {}.",
        one_line(end),
        one_line(&environments.join(", "))
    );
    Issue::error(Code::Edited, summary, why)
        .in_path(moves::FILE)
        .fix("Take the files of the base, and run `tf-phi check --fix` again:", paste)
}
