//! `-target`, `-exclude` and `-replace`: addresses of the original, or of any copy, in the words of a run.
//!
//! In: the words as they were typed. Out: the same with addresses that the specialised tree has. Invariant: a target
//! takes in every copy, and the original's address, because Terraform refuses targets that leave a moved object out; a
//! replacement names the one active instance. For what a service replaces, all that it made stands in.
//!
//! Runs that are narrowed down while other state has to move.
//!
//! In: the words of a run in the specialised tree's addresses, and what state holds. Terraform plans nothing unless its
//! targets take in every object that moves, old address and new. To add those targets would plan changes that nobody asked
//! for, so the run stops here, before anything is written, and says how state moves by itself: `apply -refresh-only`
//! changes no object (measured on 1.11). The same where a target is destroyed: what depends on it would be left behind. Absent on purpose: what the user's own `moved` blocks need; Terraform says it.

use crate::addr::{FieldAddr, ModuleInstance, ModulePath, Target};
use crate::host::Machine;
use crate::issue::{Code, Issue};
use crate::moves::Endpoint;
use crate::ops::read::session::Session;
use crate::ops::run::decide::Decided;
use crate::pipeline::narrowed;
use crate::simulate::Object;
use crate::specialise::moves::originals;
use crate::specialise::{SplitUnit, moves as chain, there};
use crate::terraform::args;
use crate::terraform::args::RunArgs;
use std::collections::BTreeSet;

/// The words with addresses that the specialised tree has; `objects` are those that state holds.
pub fn translated(words: &[String], decided: &Decided, objects: &[Object]) -> Vec<String> {
    let splits = &decided.specialised.splits;
    let chains = decided.specialised.chains(&decided.copies);
    rewrite_addresses(words, &|flag, address| {
        let calls = find_stand_ins(decided, address);
        if flag == "replace" {
            let active = there(&decided.copies);
            let active = |address: &str| originals::expanded(splits, address, Some(&active));
            let made =
                objects.iter().filter(|o| calls.iter().any(|call| o.original.module.0.starts_with(&call.0)));
            let made: Vec<String> =
                made.flat_map(|o| active(&o.original.to_string()).unwrap_or_default()).collect();
            return match made.is_empty() {
                true => active(address).unwrap_or_else(|| vec![address.to_owned()]),
                false => made,
            };
        }
        let within =
            calls.iter().flat_map(|call| expand_address(&call.to_string(), decided, &chains, objects));
        let mut all: Vec<String> = within.collect();
        all.extend(expand_address(address, decided, &chains, objects));
        all.dedup();
        all
    })
}

/// Every address that stands for one in the specialised tree or in state, and the address itself.
fn expand_address(
    address: &str,
    decided: &Decided,
    chains: &[chain::Chain],
    objects: &[Object],
) -> Vec<String> {
    let splits = &decided.specialised.splits;
    let mut all = originals::expanded(splits, address, None).unwrap_or_default();
    let original = originals::original(splits, address);
    // What the tree no longer has, state may hold under the name of a copy that history alone knows.
    let within = objects.iter().filter(|o| originals::covers(&original, &o.original.to_string()));
    for held in within.map(|o| o.held.to_string()) {
        let end = chain::end(chains, &held);
        for moved in [held, end] {
            let named = all.iter().map(String::as_str).chain([address, &*original]);
            if !named.into_iter().any(|named| originals::covers(named, &moved)) {
                all.push(moved);
            }
        }
    }
    all.retain(|named| *named != address && *named != original);
    if all.is_empty() {
        return vec![address.to_owned()];
    }
    all.extend([original, address.to_owned()]);
    all.dedup();
    all
}

/// The calls of services that stand in for a resource or call of the original, or for what it lies in.
fn find_stand_ins(decided: &Decided, address: &str) -> Vec<ModuleInstance> {
    let Ok(Endpoint { module, resource }) = address.parse::<Endpoint>() else { return Vec::new() };
    let now = &decided.specialised.record.services;
    let now = now.iter().filter_map(|service| Some((service.module.as_ref()?, &service.resource)));
    // What isn't declared any more stood in once.
    let before = decided.made.iter().map(|made| (&made.address, &made.made_for));
    let all: BTreeSet<(&String, &String)> = now.chain(before).collect();
    let mut out = Vec::new();
    for (call, unit) in all {
        let call = call.parse::<ModulePath>().ok().and_then(|call| call.parent());
        let (Some((scope, call)), Ok(unit)) = (call, unit.parse::<FieldAddr>()) else { continue };
        let above = ModuleInstance(module.0.iter().take(scope.depth()).cloned().collect());
        let key = match (&unit.target, &resource) {
            (Target::Resource(own), Some((named, key))) if module.path() == scope && own == named => {
                key.clone()
            }
            (Target::Call(own), _) => match module.0.get(scope.depth()) {
                Some((named, key)) if *named == own.name => key.clone(),
                _ => continue,
            },
            _ => continue,
        };
        if above.path() == scope {
            out.push(above.child(call.name, key));
        }
    }
    out
}

/// Returns true if a run that is narrowed down takes in an instance of the original.
pub fn takes_in(splits: &[SplitUnit], read: &RunArgs, original: &str) -> bool {
    let named = |typed: &String| {
        let typed = originals::original(splits, typed);
        originals::covers(&typed, original) || originals::covers(original, &typed)
    };
    !read.excludes.iter().any(named) && (read.targets.is_empty() || read.targets.iter().any(named))
}

/// Returns true if `TF_CLI_ARGS` and its like name addresses that the specialised tree doesn't have.
///
/// # Errors
/// As [`args::words_of`].
pub fn in_environment(command: &str, decided: &Decided, objects: &[Object]) -> Result<bool, Issue> {
    let words = args::words_of(&Machine, command, &[])?;
    Ok(translated(&words, decided, objects) != words)
}

/// The words with addresses that the original has; those of the copies as well where state comes back from there.
pub fn original(words: &[String], decided: &Decided) -> Vec<String> {
    rewrite_addresses(words, &|flag, address| {
        let splits = &decided.specialised.splits;
        let mut all = vec![originals::original(splits, address)];
        if flag != "replace" {
            all.extend(originals::expanded(splits, address, None).unwrap_or_default());
        }
        all.dedup();
        all
    })
}

/// Returns the words with other addresses behind `-target`, `-exclude` and `-replace`. `new` takes the name of the flag and an address.
pub(in crate::ops) fn rewrite_addresses(
    words: &[String],
    new: &dyn Fn(&str, &str) -> Vec<String>,
) -> Vec<String> {
    let (flags, rest) = args::flags_of(words);
    let mut out = Vec::new();
    for flag in flags {
        match flag.value.filter(|_| matches!(flag.name, "target" | "exclude" | "replace")) {
            Some(value) => {
                let all = new(flag.name, value).into_iter();
                out.extend(all.map(|address| format!("-{}={address}", flag.name)));
            }
            None => out.extend_from_slice(flag.words),
        }
    }
    out.extend_from_slice(rest);
    out
}

/// The number of addresses named.
const MOST: usize = 5;

/// Returns what has to be said of the outputs of a run that targets narrow down; `None` where Terraform treats them as in the
/// original. `own` are the words as they were typed, `words` those of the specialised tree.
pub fn note(session: &Session, decided: &Decided, own: &[String], words: &[String]) -> Option<String> {
    let targets = |words: &[String]| -> Vec<String> {
        let flags = args::flags_of(words).0.into_iter();
        flags.filter(|f| f.name == "target").filter_map(|f| f.value.map(str::to_owned)).collect()
    };
    let (own, now) = (targets(own), targets(words));
    if now.is_empty() || decided.specialised.splits.is_empty() {
        return None;
    }
    let found = narrowed(session, decided, &original_addresses(&own, decided), &now);
    let names = |all: &[String]| {
        let shown: Vec<&str> = all.iter().take(MOST).map(String::as_str).collect();
        let more = all.len().saturating_sub(MOST);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}{more}", shown.join(", "))
    };
    let of = |all: &[String], what: &str| {
        (!all.is_empty()).then(|| format!("-target {what} without tf-phi: {}", names(all)))
    };
    let kept = of(&found.kept, "leaves outputs as they are that it would update");
    let updated = of(&found.updated, "updates outputs that it would leave as they are");
    let said: Vec<String> = [kept, updated].into_iter().flatten().collect();
    (!said.is_empty()).then(|| {
        format!(
            "{}. Terraform updates an output if the targets take in all that it refers to, and copies of a call are referred to as \
             a whole. A run without -target updates every output.",
            said.join("; ")
        )
    })
}

fn original_addresses(targets: &[String], decided: &Decided) -> Vec<String> {
    targets.iter().map(|target| originals::original(&decided.specialised.splits, target)).collect()
}

/// The command by which state moves and nothing else is done.
pub const MOVES: &str = "tf-phi apply -refresh-only";

/// Checks that the targets of a run include every object that has to move. `moves` is the command by which state moves with this run's
/// values.
///
/// # Errors
/// [`Code::Unsupported`], with the ways out.
pub fn check(
    decided: &Decided,
    words: &[String],
    read: &RunArgs,
    held: &[String],
    moves: &dyn Fn() -> String,
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
        let to = chain::end(&chains, from);
        // What goes with a target that is destroyed, Terraform reads from the addresses that state noted of dependencies.
        let unknown = read.destroy && originals::copies(&decided.specialised.splits, from).is_empty();
        if to != *from && (unknown || !(taken_in(from) && taken_in(&to))) {
            left_out.insert(originals::original(&decided.specialised.splits, from));
        }
    }
    if left_out.is_empty() {
        return Ok(());
    }
    Err(stopped(&left_out, excludes.is_empty() && !read.destroy, moves()))
}

fn stopped(left_out: &BTreeSet<String>, by_targets: bool, moves: String) -> Issue {
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
    let issue =
        issue.fix("Let the state move first, with this run's variables. No object is changed by it:", moves);
    if !by_targets {
        return issue;
    }
    let words: Vec<String> = left_out.iter().take(MOST).map(|a| format!("'-target={a}'")).collect();
    issue.fix("Or take them in; they are planned as well then:", words.join(" "))
}
