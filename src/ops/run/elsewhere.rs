//! Targets whose object a source took elsewhere that this run doesn't choose.
//!
//! The copy of a source stands in the tree while another source is chosen, and with it the `moved` blocks in it. They take what is led
//! out of that copy to addresses that only that source has. In: the targets as they were typed, what state holds. Out: an issue that
//! says where the object is. Invariant: nothing is said of a target whose object is where the original has it. Absent on purpose:
//! taking the other address in by itself, as another object may have been there before.

use crate::addr::{Held, ObjectAddr};
use crate::issue::{Code, Issue};
use crate::moves::{self, Statement};
use crate::ops::read::session::Session;
use crate::ops::run::decide::Decided;
use crate::ops::state::place::Placed;
use crate::simulate::{self, Census};
use crate::specialise::moves::originals;
use crate::terraform::args::RunArgs;
use crate::text::shell_quoted;

/// Checks that no target is an address that an unchosen source has led its object away from.
///
/// # Errors
/// [`Code::Unsupported`], with the address at which the object is.
pub fn check(session: &Session, decided: &Decided, read: &RunArgs, placed: &Placed) -> Result<(), Issue> {
    if session.config.chosen.is_empty() || read.targets.is_empty() {
        return Ok(());
    }
    let census = Census::new(&session.config, decided.run.tracer(session, &session.config));
    let taken = census.statements();
    let all = simulate::statements(&session.config);
    let others: Vec<Statement> = all.into_iter().filter(|statement| !taken.contains(statement)).collect();
    let objects = &placed.contents.objects;
    let named: Vec<String> =
        read.targets.iter().map(|typed| originals::original(&decided.specialised.splits, typed)).collect();
    for address in &named {
        let Ok(target) = address.parse::<ObjectAddr>() else { continue };
        if others.is_empty() || objects.iter().any(|object| object.original == target) {
            continue;
        }
        let end = moves::run(&Held::objects([target.clone()]), &others, &census).outcome.ends.remove(&target);
        let is_there = |end: &ObjectAddr| {
            objects.iter().any(|object| object.original == *end && !placed.kept.contains(&object.held))
        };
        let is_named = |end: &ObjectAddr| named.iter().any(|one| originals::covers(one, &end.to_string()));
        if let Some(end) = end.filter(|end| !is_named(end) && is_there(end)) {
            return Err(write_issue(&target, &end));
        }
    }
    Ok(())
}

fn write_issue(target: &ObjectAddr, end: &ObjectAddr) -> Issue {
    let why = format!(
        "A `moved` block of a source that this run doesn't choose has taken it to {end}, as it was led out of that source's copy. At \
         the address that is named there is nothing."
    );
    let summary = format!("{target} is at another address");
    Issue::error(Code::Unsupported, summary, why)
        .about(target.to_string())
        .fix("Name that address as well:", shell_quoted(&format!("-target={end}")))
}
