//! `review`: what the head's history says otherwise of names that a state may hold.
//!
//! In: both sides of a review. Out: a finding, and a declaration that may lose instances, for each line of the head's history that gives a
//! name of the base another meaning. Whoever plans follows these lines, and bare Terraform follows the moves that are made of them; nobody
//! reads them. Invariant: a name that the base knows nothing of is in no state, and may mean what the head says. Absent on purpose: lines
//! that are gone ([`super::review_leads`]).

use super::review_addresses::{Renames, add_unled, find_declared, find_own_moves, is_below_any};
use crate::host::Host;
use crate::issue::{Code, Issue};
use crate::matrix::review::Review;
use crate::pipeline::Session;
use crate::specialise::record::history::{self, Entry, Keys};
use crate::text::{one_line, shell_word};
use std::collections::{BTreeMap, BTreeSet};

/// So many names are told one by one.
const MOST_TOLD: usize = 12;

/// Adds the names that mean something else in the head.
pub(super) fn add_changed_names<H: Host + Clone, G: Host + Clone>(
    made: &mut Review,
    base: &Session<H>,
    head: &Session<G>,
) {
    let found = find_changed_names(base, head);
    for env in made.environments.iter_mut().filter(|env| env.before && env.after) {
        add_unled(env, found.iter().map(|(entry, _)| &entry.address));
    }
    let paste = format!("git checkout {} -- {}", shell_word(&made.base), history::FILE);
    made.unable.extend(found.iter().take(MOST_TOLD).map(|one| to_finding(one, &paste)));
    if let Some(more) = found.len().checked_sub(MOST_TOLD).filter(|more| *more > 0) {
        let why = "Each is named where the report says what may lose instances.";
        let summary = format!("the history says something else of {more} more names");
        made.unable.push(Issue::error(Code::Edited, summary, why));
    }
}

/// Finds the new lines about names that the base knows, each with what the base says of it.
fn find_changed_names<H: Host + Clone, G: Host + Clone>(
    base: &Session<H>,
    head: &Session<G>,
) -> Vec<(Entry, String)> {
    let known: BTreeSet<&Entry> = base.history.entries().collect();
    let by_address: BTreeMap<&str, &Entry> = known.iter().map(|entry| (&*entry.address, *entry)).collect();
    let (declared, declared_now) = (find_declared(&base.config), find_declared(&head.config));
    let mut moved = find_own_moves(&base.config);
    moved.extend(find_own_moves(&head.config));
    moved.retain(|from| !declared_now.contains(from));
    let renames = Renames::of(&head.config);
    let mut renamed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for entry in known.iter().filter(|entry| entry.address != entry.original) {
        for (copy, original) in renames.find_ends(&entry.address, &entry.original) {
            renamed.entry(copy).or_default().insert(original);
        }
    }
    let say = |entry: &Entry| {
        if let Some(originals) = renamed.get(&entry.address).filter(|all| !all.contains(&entry.original)) {
            let original = originals.iter().next().map_or("", String::as_str);
            return Some(format!("A `moved` block leads a copy of {} there.", one_line(original)));
        }
        if let Some(before) = by_address.get(&*entry.address) {
            return Some(format!("The base's history calls it {}.", describe_entry(before)));
        }
        if declared.contains(&entry.address) {
            return Some("The base declares it itself.".to_owned());
        }
        let is_moved = is_below_any(&entry.address, &moved);
        is_moved.then(|| "A `moved` block leads what a state holds there.".to_owned())
    };
    let new = head.history.entries().filter(|entry| !known.contains(entry));
    new.filter_map(|entry| Some((entry.clone(), say(entry)?))).collect()
}

/// What an entry says of its name.
fn describe_entry(entry: &Entry) -> String {
    if entry.address == entry.original {
        return "no copy".to_owned();
    }
    let keys = match entry.keys {
        Keys::Gate => "without keys of its own",
        Keys::Own => "with its keys",
    };
    format!("a copy of {} {keys}", one_line(&entry.original))
}

fn to_finding((entry, said): &(Entry, String), paste: &str) -> Issue {
    let summary = format!("the history says something else of {}", one_line(&entry.address));
    let why = format!(
        "{said} This change calls it {}. What a state holds under this name would be led there, and an object may be destroyed.",
        describe_entry(entry)
    );
    Issue::error(Code::Edited, summary, why)
        .in_path(history::FILE)
        .fix("Take the history of the base, and run `tf-phi check --fix` again:", paste)
}
