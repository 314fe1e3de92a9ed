//! `review`: what leads objects on that a state may hold under names of copies.
//!
//! In: both sides of a review. Out: a finding, and a declaration that may lose instances, for each such address that the base leads to its original, or
//! knows as a copy of it, and the head doesn't any more; a row for what the head's file of moves leads, and nobody knows. Neither file is configuration
//! that anybody reads otherwise. Invariant: what goes with its original is told elsewhere. Absent on purpose: states.

use super::review_addresses::{Renames, add_unled, find_declared, find_own_moves, is_below_any};
use super::review_history::add_changed_names;
use crate::config::Config;
use crate::host::Host;
use crate::issue::{Code, Issue};
use crate::matrix::Cell;
use crate::matrix::review::{Review, Values};
use crate::ops::state::home::names_backend;
use crate::pipeline::Session;
use crate::specialise::moves;
use crate::specialise::record::history;
use crate::text::{one_line, shell_word};
use crate::trace::Term;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// So many addresses are told one by one.
const MOST_TOLD: usize = 12;

/// What one side leads.
struct Leads {
    /// The addresses of copies that may be in a state, each with its original.
    copies: BTreeMap<String, String>,
    /// The same of the file of moves alone: what is led on or given up, and where to.
    led: BTreeMap<String, Option<String>>,
    /// Where the blocks of a way home lead each instance in the end.
    ends: BTreeMap<String, String>,
    /// The copies that the record says are declared, each with its original.
    declared: BTreeSet<(String, String)>,
    /// True if the tree is specialised.
    is_specialised: bool,
    /// True if the file of moves is a way home.
    leads_home: bool,
    /// True if some state may hold what was written.
    may_be_applied: bool,
}

impl Leads {
    fn read<H: Host + Clone>(session: &Session<H>) -> Leads {
        let all = session.history.entries().filter(|entry| entry.address != entry.original);
        let copies = all.map(|entry| (entry.address.clone(), entry.original.clone())).collect();
        let text = session.host.own(Path::new(moves::FILE)).ok().flatten();
        let text = String::from_utf8(text.unwrap_or_default()).unwrap_or_default();
        let leads_home = moves::is_way_home(&text);
        let units = session.record.iter().flat_map(|record| &record.units);
        let declared =
            units.flat_map(|unit| unit.addresses.iter().map(|own| (own.clone(), unit.original.clone())));
        Leads {
            copies,
            led: moves::read_led(&text),
            ends: if leads_home { moves::find_ends(&text) } else { BTreeMap::new() },
            declared: declared.collect(),
            is_specialised: session.record.is_some(),
            leads_home,
            // What is committed may be applied by others than tf-phi.
            may_be_applied: session.history.is_anything_applied()
                || session.record.is_some()
                || names_backend(&session.config, &session.host),
        }
    }

    /// Returns true if an object under the address of a copy finds its way.
    fn is_led_or_declared(&self, (address, original): (&String, &String), own: &BTreeSet<String>) -> bool {
        let is_declared = self.declared.contains(&(address.clone(), original.clone()));
        is_declared || self.led.contains_key(address) || own.contains(address)
    }
}

/// Adds what the head leads no longer, and what it leads that nobody knows.
pub(super) fn add_leads<H: Host + Clone, G: Host + Clone>(
    made: &mut Review,
    base: &Session<H>,
    head: &Session<G>,
) {
    let (old, new) = (Leads::read(base), Leads::read(head));
    let lost = find_lost(&old, &new, &head.config);
    let rows = find_unknown(&old, &new);
    add_changed_names(made, base, head);
    for env in made.environments.iter_mut().filter(|env| env.before && env.after) {
        add_unled(env, lost.iter().map(|(address, _)| address));
        env.values.extend(rows.iter().cloned());
    }
    let files =
        [moves::FILE, history::FILE].into_iter().filter(|file| base.host.kind(Path::new(file)).is_some());
    let files: Vec<&str> = files.collect();
    let paste = format!("git checkout {} -- {}", shell_word(&made.base), files.join(" "));
    made.unable.extend(lost.iter().take(MOST_TOLD).map(|one| to_finding(one, &paste)));
    if let Some(more) = lost.len().checked_sub(MOST_TOLD).filter(|more| *more > 0) {
        let why = "Each is named where the report says what may lose instances.";
        let summary = format!("nothing leads {more} more addresses of copies home");
        made.unable.push(Issue::error(Code::Edited, summary, why));
    }
}

/// The addresses that the head leads no longer, with the originals that it declares all the same.
fn find_lost(old: &Leads, new: &Leads, head: &Config) -> Vec<(String, String)> {
    let own = find_own_moves(head);
    let declared = find_declared(head);
    let renames = Renames::of(head);
    // Where a module got another name, its own moves lead what it holds, and no copy in it.
    let is_declared = |original: &str| declared.contains(original) || is_below_any(original, &own);
    let may_be_in_state = old.may_be_applied || old.leads_home;
    let is_kept = |(address, original): &(&String, &String)| {
        let mut ends = renames.find_ends(address, original).into_iter();
        may_be_in_state && (is_declared(original) || ends.any(|(_, end)| declared.contains(&end)))
    };
    let copies = old.copies.iter().filter(is_kept);
    // What is given up leads nowhere, and has an original nowhere.
    let given_up =
        old.led.iter().filter(|(_, to)| to.is_none() && !new.is_specialised).map(|(from, _)| (from, from));
    // It may be led under the name that it has once its module got another one.
    let is_led = |both: (&String, &String)| {
        let ends = renames.find_ends(both.0, both.1);
        new.is_led_or_declared(both, &own)
            || !ends.is_empty() && ends.iter().all(|(copy, end)| new.is_led_or_declared((copy, end), &own))
    };
    let all = copies.chain(given_up).filter(|both| !is_led(*both));
    let all = all.map(|(address, original)| (address.clone(), original.clone()));
    let elsewhere = find_led_elsewhere(old, new).filter(|(_, end)| is_declared(&moves::without_keys(end)));
    let lost: BTreeSet<(String, String)> = all.chain(elsewhere).collect();
    lost.into_iter().collect()
}

/// The instances that both sides' ways home lead, and to other ends.
fn find_led_elsewhere<'l>(old: &'l Leads, new: &'l Leads) -> impl Iterator<Item = (String, String)> + 'l {
    let is_same = |from: &str, end: &str| {
        new.ends.get(from).is_some_and(|now| now == end || moves::is_recount(now, end))
    };
    let both = old.ends.iter().filter(|_| new.leads_home);
    both.filter(move |(from, end)| !is_same(from, end)).map(|(from, end)| (from.clone(), end.clone()))
}

/// What the head's file of moves leads or gives up, though the base's doesn't and no history knows it.
fn find_unknown(old: &Leads, new: &Leads) -> Values {
    if new.is_specialised {
        // It is compared with what would be written.
        return Values::new();
    }
    let is_known = |from: &str| old.led.contains_key(from) || old.copies.contains_key(from);
    let unknown = new.led.iter().filter(|(from, _)| !is_known(from));
    let row = |(from, to): (&String, &Option<String>)| {
        let text = match to {
            Some(to) => format!("(moved to {})", one_line(to)),
            None => "(given up)".to_owned(),
        };
        let cell = Cell::Written(Arc::new(Term::written(&text, text.clone())));
        (format!("{} {}", moves::FILE, one_line(from)), Arc::new(Cell::Absent), Arc::new(cell))
    };
    unknown.map(row).collect()
}

fn to_finding((address, original): &(String, String), paste: &str) -> Issue {
    let summary = format!("nothing leads {} home any more", one_line(address));
    let why = match address == original {
        true => "The base gives it up, so that no state loses it. This change doesn't: a plain `terraform plan` would destroy what a state holds \
                 there."
            .to_owned(),
        false => format!(
            "A state may hold an object of {} under this name of a copy. The base leads it home, and this change doesn't: a plain \
             `terraform plan` would destroy it and create it anew.",
            one_line(original)
        ),
    };
    Issue::error(Code::Edited, summary, why)
        .in_path(moves::FILE)
        .fix("If every state has been applied since, this is right. Else take back what leads home:", paste)
}
