//! Finds the address in the original of each object in state.
//!
//! In: the addresses in state, the history, the original's instances in this run. The history knows most objects. An object that it
//! doesn't know, and that the original has no place for, may be a copy whose history is lost: `hints` looks at those. Invariant: if
//! two readings are possible, the run stops and shows both.

use crate::addr::{Held, Mode, ObjectAddr};
use crate::issue::Issue;
use crate::ops::Start;
use crate::ops::read::session::Session;
use crate::ops::run::decide::Decided;
use crate::ops::run::terraformed;
use crate::ops::state::State;
use crate::ops::state::hints::{self, Hint, end};
use crate::pipeline;
use crate::simulate::{Contents, Object, Side};
use crate::specialise::record::history::{Entry, History};
use crate::terraform::args::RunArgs;
use crate::trace::Driven;
use std::collections::{BTreeMap, BTreeSet};

/// The managed objects in state.
#[derive(Debug, Default)]
pub struct Whose {
    /// Each with its address in the original.
    pub objects: Vec<Object>,
    /// Everything else in state.
    pub beside: Held,
    /// Entries missing in the history, concluded from names and values.
    pub concluded: Vec<Entry>,
}

impl Whose {
    /// Reads what stood for itself again, now that the history tells more of the modules around it.
    pub fn read_again(&mut self, history: &History) {
        let unread = |object: &&mut Object| object.held == object.original && !history.is_own(&object.held);
        for object in self.objects.iter_mut().filter(unread) {
            let first = history.readings(&object.held).into_iter().next();
            object.original = first.unwrap_or_else(|| object.held.clone());
        }
    }

    /// The same for a simulation; history is the one that what was concluded has been added to.
    pub fn contents(self, history: &History) -> Contents {
        Contents::new(self.objects, self.beside, history)
    }
}

/// Returns whose the objects are that the state of a root module holds.
///
/// # Errors
/// As [`objects`]; also fails if there is no Terraform, or the state can't be read.
pub fn of_root(
    start: &Start,
    session: &Session,
    decided: &Decided,
    driven: &[Driven],
) -> Result<Whose, Vec<Issue>> {
    let terraform = terraformed::find(start, session).map_err(|issue| vec![issue])?;
    let read = RunArgs::default();
    let state = State::of(session, decided, driven, &read, &terraform);
    let listed = state.held().map_err(|issue| vec![issue])?;
    pipeline::original(session, decided, |side| objects(&state, side, &listed))
}

/// Tells of each managed object in state what it is in the original.
///
/// # Errors
/// Objects of which two readings are possible; a state that can't be read.
pub fn objects(state: &State<'_>, original: &Side<'_>, listed: &Held) -> Result<Whose, Vec<Issue>> {
    let managed = listed.objects.iter().filter(|a| a.resource.mode == Mode::Managed);
    let read: Vec<(ObjectAddr, Vec<ObjectAddr>)> =
        managed.map(|h| (h.clone(), state.session.history.readings(h))).collect();
    let single = read.iter().filter_map(|(_, readings)| match readings.as_slice() {
        [one] => Some(end(original, one)),
        _ => None,
    });
    let claimed: BTreeSet<ObjectAddr> = single.filter(|end| (original.has)(end) != Some(false)).collect();
    let mut issues = Vec::new();
    let data = listed.objects.iter().filter(|a| a.resource.mode != Mode::Managed).cloned();
    let beside = Held { objects: data.collect(), husks: listed.husks.clone() };
    let mut whose = Whose { beside, ..Whose::default() };
    let mut lost = Vec::new();
    let mut partly = BTreeMap::new();
    for (held, readings) in read {
        if state.session.history.is_own(&held) {
            whose.objects.push(Object { original: held.clone(), held });
            continue;
        }
        let is_partly_known = is_partly_known(original, &held, &readings);
        match chosen(original, &held, readings, &claimed) {
            Ok(Some(reading))
                if is_partly_known && (original.has)(&end(original, &reading)) == Some(false) =>
            {
                lost.push(held.clone());
                partly.insert(held, reading);
            }
            Ok(Some(original)) => whose.objects.push(Object { held, original }),
            Ok(None) => lost.push(held),
            Err(issue) => issues.push(*issue),
        }
    }
    let mut claimed = claimed;
    claimed.extend(whose.objects.iter().map(|o| end(original, &o.original)));
    for (held, hint) in hints::of(state, original, &lost, &claimed)? {
        match hint {
            Hint::Own => {
                let original = partly.remove(&held).unwrap_or_else(|| held.clone());
                whose.objects.push(Object { original, held });
            }
            Hint::Copy(original, entries) => {
                whose.objects.push(Object { held, original });
                whose.concluded.extend(entries);
            }
            Hint::Doubt(issue) => issues.push(*issue),
        }
    }
    if issues.is_empty() { Ok(whose) } else { Err(issues) }
}

/// Returns true if the history knows a module on the way to an object as a copy, and not the object, whose name the original doesn't
/// declare: it may be a copy within that module.
fn is_partly_known(original: &Side<'_>, held: &ObjectAddr, readings: &[ObjectAddr]) -> bool {
    let [first, _, ..] = readings else { return false };
    let is_declared = original.declared.repetition(&first.module.path(), &first.resource).is_some();
    first.module != held.module && first.resource == held.resource && first.key == held.key && !is_declared
}

/// The reading for which the original has a place that nothing else takes; nothing where history doesn't know the object, and the
/// original has no instance for it.
fn chosen(
    original: &Side<'_>,
    held: &ObjectAddr,
    readings: Vec<ObjectAddr>,
    claimed: &BTreeSet<ObjectAddr>,
) -> Result<Option<ObjectAddr>, Box<Issue>> {
    if let [own] = readings.as_slice() {
        let end = end(original, own);
        let gone = own == held && (original.has)(&end) == Some(false);
        return Ok((!gone).then(|| own.clone()));
    }
    let mut kept: Vec<(ObjectAddr, ObjectAddr)> = Vec::new();
    let mut first = None;
    for reading in readings {
        let end = end(original, &reading);
        let free = (original.has)(&end) != Some(false) && !claimed.contains(&end);
        if free && !kept.iter().any(|(_, known)| *known == end) {
            kept.push((reading.clone(), end));
        }
        first = first.or(Some(reading));
    }
    match kept.as_slice() {
        [] => Ok(Some(first.unwrap_or_else(|| held.clone()))),
        [(only, _)] => Ok(Some(only.clone())),
        [(one, _), (other, _), ..] => Err(Box::new(hints::two_readings(held, &[one, other], ""))),
    }
}
