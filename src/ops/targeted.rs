//! Runs that are narrowed down while other state has to move.
//!
//! In: the words of a run in the specialised tree's addresses, and what state holds. Terraform plans nothing unless its
//! targets take in every object that moves, old address and new. To add those targets would plan changes that nobody asked
//! for, so the run stops here, before anything is written, and says how state moves by itself: `apply -refresh-only`
//! changes no object (measured on 1.11). The same where a target is destroyed: what depends on it would be left behind. Absent on purpose: what the user's own `moved` blocks need; Terraform says it.

use super::decide::Decided;
use crate::issue::{Code, Issue};
use crate::specialise::{moves, originals};
use crate::terraform::args::RunArgs;
use std::collections::BTreeSet;

/// The number of addresses named.
const MOST: usize = 5;

/// Checks that the targets of a run include every object that has to move.
///
/// # Errors
/// [`Code::Unsupported`], with the ways out.
pub(super) fn check(
    decided: &Decided,
    words: &[String],
    read: &RunArgs,
    held: &[String],
) -> Result<(), Issue> {
    if read.targets.is_empty() && read.excludes.is_empty() {
        return Ok(());
    }
    let named = |flag: &str| -> Vec<&str> {
        words.iter().filter_map(|w| w.strip_prefix('-')?.strip_prefix(flag)?.strip_prefix('=')).collect()
    };
    let (targets, excludes) = (named("target"), named("exclude"));
    let within = |all: &[&str], address: &str| all.iter().any(|named| originals::covers(named, address));
    let taken_in =
        |address: &str| (targets.is_empty() || within(&targets, address)) && !within(&excludes, address);
    let chains = decided.specialised.chains(&decided.copies);
    let mut left_out: BTreeSet<String> = BTreeSet::new();
    for from in held {
        let to = moves::end(&chains, from);
        // What goes with a target that is destroyed, Terraform reads from the addresses that state noted of dependencies.
        let unknown = read.destroy && originals::copies(&decided.specialised.splits, from).is_empty();
        if to != *from && (unknown || !(taken_in(from) && taken_in(&to))) {
            left_out.insert(originals::original(&decided.specialised.splits, from));
        }
    }
    if left_out.is_empty() { Ok(()) } else { Err(stopped(&left_out, excludes.is_empty() && !read.destroy)) }
}

fn stopped(left_out: &BTreeSet<String>, by_targets: bool) -> Issue {
    let mut shown: Vec<&str> = left_out.iter().take(MOST).map(String::as_str).collect();
    let more = format!("{} more", left_out.len().saturating_sub(MOST));
    if left_out.len() > MOST {
        shown.push(&more);
    }
    let why = format!(
        "State holds {} under other addresses than this run's. Terraform plans nothing unless all that moves is part of the \
         plan, and finds what depends on a target that it destroys by the addresses in state.",
        shown.join(", ")
    );
    let issue = Issue::error(Code::Unsupported, "state has to move before a narrowed run", why);
    let issue = issue.fix(
        "Let the state move first, with this run's variables. No object is changed by it:",
        "tf-phi apply -refresh-only",
    );
    if !by_targets {
        return issue;
    }
    let words: Vec<String> = left_out.iter().take(MOST).map(|a| format!("'-target={a}'")).collect();
    issue.fix("Or take them in; they are planned as well then:", words.join(" "))
}
