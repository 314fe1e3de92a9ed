//! Objects in state that may be copies, where history is lost.
//!
//! In: objects for which the original has no place; one that it gives up without destroying it counts as a place. A name says that an object may be a copy; a copy has a key, since it has a
//! gate. Its name follows from the driven fields' values, and state holds these: where both agree it is taken for one.
//! Invariant: a name alone decides nothing. Where an object may be a copy or somebody's own, and either answer could destroy it,
//! the run stops and shows both. Absent: what becomes of a copy.

use crate::addr::{Held, Key, ModuleInstance, ObjectAddr, ResourceAddr};
use crate::config::Config;
use crate::issue::{Code, Issue};
use crate::moves;
use crate::ops::read::names::Names;
use crate::ops::state::State;
use crate::ops::state::as_pinned::AsPinned;
use crate::ops::state::by_hand::StateCommands;
use crate::ops::state::copy_identity::CopyIdentity;
use crate::simulate::{Side, covers};
use crate::specialise::SplitUnit;
use crate::specialise::record::history::{Entry, History, Keys};
use crate::text::shell_quoted;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The kind of an object without a place in the original.
pub enum Hint {
    /// It belongs to the user, and the original destroys it.
    Own,
    /// It is a copy of this object, by its name and its values. The entries are missing in the history.
    Copy(ObjectAddr, Vec<Entry>),
    /// It may be either; the issue says so.
    Doubt(Box<Issue>),
}

/// Returns the kind of each of these objects.
///
/// # Errors
/// Fails if the state can't be read.
pub fn of(
    state: &State<'_>,
    original: &Side<'_>,
    lost: &[ObjectAddr],
    claimed: &BTreeSet<ObjectAddr>,
) -> Result<Vec<(ObjectAddr, Hint)>, Vec<Issue>> {
    let names = Names::of(&state.session.config);
    let mut identity: Option<CopyIdentity<'_>> = None;
    let mut as_pinned = AsPinned::new(state);
    let mut out = Vec::new();
    for held in lost {
        // What lies in a copy of a module is in nobody's way.
        let is_partly_known = state.session.history.readings(held).len() > 1;
        let mut possible: Vec<(ObjectAddr, Vec<Entry>)> = Vec::new();
        let mut ends: BTreeSet<ObjectAddr> = BTreeSet::new();
        // Several may end in one: whoever reads them knows one by its name.
        let mut readings: Vec<ObjectAddr> = Vec::new();
        let mut all = guesses(&names, held);
        all.retain(|(_, entries)| !is_partly_known || is_new(&state.session.history, entries));
        let guessed: Vec<ObjectAddr> = all.iter().map(|(guess, _)| guess.clone()).collect();
        let is_declared = !guessed.is_empty() || !state.session.is_maker_known(held);
        let clash = in_the_way(state, held, is_declared).filter(|_| !is_partly_known);
        for (guess, entries) in all {
            let end = end(original, &guess);
            let counts = (original.has)(&end) != Some(false) || covers(original.forgotten, &end);
            let free = counts && !claimed.contains(&end);
            if free {
                readings.push(guess.clone());
            }
            if free && ends.insert(end) {
                possible.push((guess, entries));
            }
        }
        if possible.is_empty() && clash.is_none() {
            out.push((held.clone(), Hint::Own));
            continue;
        }
        if identity.is_none() {
            identity = Some(CopyIdentity::read(state).map_err(|issue| vec![issue])?);
        }
        let Some(identity) = &identity else { continue };
        let hint = judged((identity, &names), &mut as_pinned, held, (possible, &readings));
        out.push((
            held.clone(),
            match (hint, clash) {
                (Hint::Own, Some(unit)) => Hint::Doubt(Box::new(takes_its_name(state, held, unit, &guessed))),
                (hint, _) => hint,
            },
        ));
    }
    Ok(out)
}

/// Returns true if entries say something that the history doesn't tell, and nothing else than it does.
fn is_new(history: &History, entries: &[Entry]) -> bool {
    let is_said = |entry: &Entry| history.entries().any(|known| known == entry);
    let is_open = |entry: &Entry| !history.is_known(&entry.address);
    entries.iter().any(is_open) && entries.iter().all(|entry| is_open(entry) || is_said(entry))
}

/// Returns true if any address in state is named like a copy of something that is declared, and isn't declared
/// itself.
pub fn any(config: &Config, listed: &Held) -> bool {
    let names = Names::of(config);
    listed.objects.iter().any(|held| !guesses(&names, held).is_empty())
}

/// Tells whether entries are surely a copy's.
type Judge<'a> = &'a mut dyn FnMut(&[Entry]) -> bool;

fn judged(
    (identity, names): (&CopyIdentity<'_>, &Names<'_>),
    as_pinned: &mut AsPinned<'_>,
    held: &ObjectAddr,
    (possible, readings): (Vec<(ObjectAddr, Vec<Entry>)>, &[ObjectAddr]),
) -> Hint {
    let mut by_values =
        |entries: &[Entry]| entries.iter().all(|e| identity.is_copy(e, &names.now(&e.original)));
    let mut by_decision = |entries: &[Entry]| identity.is_decided(entries, names);
    let mut by_pins = |entries: &[Entry]| as_pinned.would_decide(identity, entries, names);
    let all: [Judge<'_>; 3] = [&mut by_values, &mut by_decision, &mut by_pins];
    for is_sure in all {
        let sure: Vec<&(ObjectAddr, Vec<Entry>)> =
            possible.iter().filter(|(_, entries)| is_sure(entries)).collect();
        if let [(original, entries)] = sure.as_slice() {
            return Hint::Copy(original.clone(), entries.clone());
        }
    }
    let Some((_, entries)) = possible.first() else { return Hint::Own };
    let values = entries.last().map(|e| identity.shown(e, &names.now(&e.original)));
    let readings: Vec<&ObjectAddr> = readings.iter().collect();
    Hint::Doubt(Box::new(two_readings(held, &readings, &values.unwrap_or_default())))
}

/// The unit one of whose copies would get the name of this object. Of what nothing declares and no copy of a call would hold either,
/// all readings are the same: it goes as the original lets it go.
fn in_the_way<'s>(state: &State<'s>, held: &ObjectAddr, is_declared: bool) -> Option<&'s str> {
    let address = held.module.path().address_of(&held.resource);
    let rest = |copy: &String| {
        address.strip_prefix(copy.as_str()).filter(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let takes = |split: &&SplitUnit| {
        let copy = split.addresses.iter().find(|copy| rest(copy).is_some());
        let key = held.module.0.get(split.scope.depth()).and_then(|(_, key)| key.as_ref());
        let stands = key.is_some_and(|key| split.repeated || *key == Key::Index(0));
        copy.is_some_and(|copy| is_declared || !stands || rest(copy) == Some(""))
    };
    let unit = state.splits.iter().find(|split| split.keeps_state() && takes(split))?;
    Some(&unit.original)
}

/// Returns the originals that an address may be a copy of, by names alone. A step that the configuration doesn't declare may be a
/// copy of one that it declares, or declared before a rename.
fn guesses(names: &Names<'_>, held: &ObjectAddr) -> Vec<(ObjectAddr, Vec<Entry>)> {
    let mut all: Vec<(ModuleInstance, Vec<Entry>)> = vec![<_>::default()];
    for (name, key) in &held.module.0 {
        let mut next = Vec::new();
        for (module, entries) in all {
            let path = module.path();
            let address = |name: &str| path.address_of(format_args!("module.{name}"));
            let calls = names.calls(&path);
            let mut all = steps((names, &calls), name, key.as_ref(), &address);
            // Of a module that is gone nothing tells what else it had.
            let is_own = !names.knows(&path) && !calls.contains(name);
            all.extend(is_own.then(|| (name.clone(), key.clone(), None)));
            for (name, key, entry) in all {
                let entries = entries.iter().cloned().chain(entry);
                next.push((module.child(name, key), entries.collect()));
            }
        }
        all = next;
    }
    let mut out = Vec::new();
    for (module, entries) in all {
        let path = module.path();
        let same = |addr: &&ResourceAddr| addr.mode == held.resource.mode && addr.kind == held.resource.kind;
        let all = names.resources(&path);
        let alike: BTreeSet<Arc<str>> = all.iter().filter(same).map(|addr| addr.name.clone()).collect();
        let named = |name: &str| ResourceAddr { name: name.into(), ..held.resource.clone() };
        let address = |name: &str| path.address_of(named(name));
        let own = &held.resource.name;
        let mut all = steps((names, &alike), own, held.key.as_ref(), &address);
        let is_own = !names.knows(&path) && !alike.contains(own);
        all.extend(is_own.then(|| (own.clone(), held.key.clone(), None)));
        for (name, key, entry) in all {
            let entries: Vec<Entry> = entries.iter().cloned().chain(entry).collect();
            let original = ObjectAddr { module: module.clone(), resource: named(&name), key };
            if !entries.is_empty() {
                out.push((original, entries));
            }
        }
    }
    out
}

/// A step as it is declared, or else as a copy of what is; first the reading that agrees with whether that is repeated.
fn steps(
    (names, declared): (&Names<'_>, &BTreeSet<Arc<str>>),
    name: &Arc<str>,
    key: Option<&Key>,
    address: &dyn Fn(&str) -> String,
) -> Vec<(Arc<str>, Option<Key>, Option<Entry>)> {
    if declared.contains(name) {
        return vec![(name.clone(), key.cloned(), None)];
    }
    let Some(key) = key else { return Vec::new() };
    let of = |unit: &&Arc<str>| name.strip_prefix(&***unit).is_some_and(|rest| rest.starts_with('_'));
    let mut out = Vec::new();
    for unit in declared.iter().filter(of) {
        let entry = |keys| Entry { address: address(name), original: address(unit), keys };
        out.push((unit.clone(), Some(key.clone()), Some(entry(Keys::Own))));
        if *key == Key::Index(0) {
            let at = out.len() - usize::from(!names.is_repeated(&address(unit)));
            out.insert(at, (unit.clone(), None, Some(entry(Keys::Gate))));
        }
    }
    out
}

/// An object may be one of several things of the original, or somebody's own.
pub fn two_readings(held: &ObjectAddr, originals: &[&ObjectAddr], values: &str) -> Issue {
    let names: Vec<String> = originals.iter().map(ToString::to_string).collect();
    let summary = format!("state holds {held}, which may be a copy of {}", names.join(" or of "));
    let values = if values.is_empty() { String::new() } else { format!(" State has {values} there.") };
    let why = format!(
        "It is named like a copy, and `.phi/history.jsonl` doesn't tell whose it is.{values} Were it taken for the wrong one, \
         Terraform would destroy it."
    );
    let mut issue = Issue::error(Code::Held, summary, why).about(held.to_string());
    for name in names {
        let title = format!("If tf-phi wrote it for {name}:");
        issue = issue.fix(title, copied(held, &name));
    }
    issue.fix("If it is your own, so that it is treated as without tf-phi:", own(held))
}

/// The command that says that an object is a unit's copy. Keys in addresses may hold anything.
fn copied(held: &ObjectAddr, unit: &str) -> String {
    format!("tf-phi history --copy {}", shell_quoted(&format!("{held}={unit}")))
}

/// The command that says that an object is the user's own.
pub fn own(held: &ObjectAddr) -> String {
    format!("tf-phi history --own {}", shell_quoted(&held.to_string()))
}

/// A copy would take the place of something else.
fn takes_its_name(state: &State<'_>, held: &ObjectAddr, unit: &str, originals: &[ObjectAddr]) -> Issue {
    let summary = format!("state holds {held}, where a copy of {unit} is to stand");
    let why = "`.phi/history.jsonl` doesn't tell whose it is, and its values are not the copy's. The copy would take it over, or \
               Terraform would destroy one of the two.";
    let mut issue = Issue::error(Code::Held, summary, why)
        .about(held.to_string())
        .fix("If it is your own, the copy gets another name:", own(held));
    for original in originals {
        let original = original.to_string();
        issue = issue.fix(format!("If tf-phi wrote it for {original}:"), copied(held, &original));
    }
    // The answer names an object. Where none can be named the configuration doesn't declare it.
    if originals.is_empty() {
        issue = issue.fix(
            "If tf-phi wrote it for something that isn't declared any more, have Terraform forget it without destroying it:",
            StateCommands::new(state.session, state.driven, state.read).write_removal([held.to_string().as_str()]),
        );
    }
    issue
}

/// Returns the address of an object after the original's own moves, if it were the only one.
pub fn end(original: &Side<'_>, object: &ObjectAddr) -> ObjectAddr {
    let ends =
        moves::run(&Held::objects([object.clone()]), original.statements, original.declared).outcome.ends;
    ends.get(object).unwrap_or(object).clone()
}
