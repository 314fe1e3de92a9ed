//! The address at which each object in state arrives, before Terraform starts.
//!
//! In: the objects in state, each with its address in the original; the original and the specialised configuration, each with
//! its `moved` blocks as they will stand and its instances in this run. Both are run through the same model of Terraform's moves
//! ([`crate::moves`]). Out: what the specialised configuration would do to an object that the original would not.
//! Invariant: it shares no code with what writes moves, other than that model, so that it catches their faults. It reads the
//! blocks from the text that is to be written, and asks the gates as they are written there. Absent on purpose: mending anything.

mod census;
mod contents;
mod planned;
mod statements;
#[cfg(test)]
mod tests;

pub use census::Census;
pub use contents::{Contents, Object};
pub use planned::Planned;
pub use statements::{forgotten, place, statements};

use crate::addr::{Held, ObjectAddr};
use crate::moves::{self, Declared, Moves, Refusal, Statement};
use crate::specialise::record::history::History;
use std::collections::{BTreeMap, BTreeSet};

/// One of the two configurations in this run: the original, or the specialised one.
pub struct Side<'a> {
    /// Its `moved` blocks.
    pub statements: &'a [Statement],
    /// Its declarations.
    pub declared: &'a dyn Declared,
    /// Those among them that this run plans.
    pub planned: &'a dyn Declared,
    /// Returns true if it has an instance; `None` if that isn't known before a plan.
    pub has: &'a dyn Fn(&ObjectAddr) -> Option<bool>,
    /// The addresses that it gives up without destroying the object.
    pub forgotten: &'a [String],
    /// Returns true if Terraform refuses to destroy an object of this resource; `None` if that isn't known.
    pub is_protected: &'a dyn Fn(&ObjectAddr) -> Option<bool>,
}

/// Something that the specialised configuration would do and the original would not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The object would be destroyed at `end`; the original keeps it at `kept`.
    Lost {
        /// The object.
        object: Object,
        /// Its address in the original.
        kept: ObjectAddr,
        /// The address at which it ends.
        end: ObjectAddr,
    },
    /// The object would be taken for another one, that at `end`; in the original it is that at `kept`.
    Astray {
        /// The object.
        object: Object,
        /// Its address in the original.
        kept: ObjectAddr,
        /// The address at which it ends.
        end: ObjectAddr,
    },
    /// The original gives the object up, and here it would be destroyed.
    NotGivenUp {
        /// The object.
        object: Object,
        /// The address at which it ends.
        end: ObjectAddr,
    },
    /// The original destroys the object, and here it would only be forgotten.
    NotDestroyed {
        /// The object.
        object: Object,
        /// Its address in the original.
        kept: ObjectAddr,
        /// The address at which it ends.
        end: ObjectAddr,
    },
    /// The object is given up, and only one of the two configurations protects it from that.
    Unprotected {
        /// The object.
        object: Object,
        /// The address at which it ends.
        end: ObjectAddr,
        /// True if it is the original that protects it.
        wanted: bool,
    },
    /// State holds two objects for one address of the original.
    Together {
        /// One of them.
        one: Object,
        /// The other.
        other: Object,
    },
    /// The end of the object depends on an order that Terraform doesn't promise.
    Unclear {
        /// The object.
        object: Object,
    },
    /// Terraform would refuse the moves, and not those of the original.
    Refused(Refusal),
    /// Terraform would refuse the original's own moves. Under the names of copies it might not see that.
    Invalid(Refusal),
}

impl Fault {
    /// The objects that it is about.
    pub fn objects(&self) -> Vec<&Object> {
        match self {
            Fault::Lost { object, .. }
            | Fault::Astray { object, .. }
            | Fault::NotGivenUp { object, .. }
            | Fault::NotDestroyed { object, .. }
            | Fault::Unprotected { object, .. }
            | Fault::Unclear { object } => vec![object],
            Fault::Together { one, other } => vec![one, other],
            Fault::Refused(_) | Fault::Invalid(_) => Vec::new(),
        }
    }
}

/// Returns the address of each object in the original after its own moves.
pub fn ends(original: &Side<'_>, contents: &Contents) -> BTreeMap<ObjectAddr, ObjectAddr> {
    moves::run(&contents.original(), original.statements, original.declared).outcome.ends
}

/// Compares what becomes of each object.
pub fn faults(
    original: &Side<'_>,
    specialised: &Side<'_>,
    contents: &Contents,
    history: &History,
) -> Vec<Fault> {
    let wanted = moves::run(&contents.original(), original.statements, original.planned);
    if !wanted.refusals.is_empty() {
        return wanted.refusals.into_iter().map(Fault::Invalid).collect();
    }
    let objects = &contents.objects;
    let mut out = together(objects);
    let found = moves::run(&contents.held(), specialised.statements, specialised.planned);
    let unclear = if wanted.outcome.certain { open(&contents.held(), &found) } else { BTreeSet::new() };
    out.extend(found.refusals.into_iter().map(Fault::Refused));
    let alike: BTreeSet<ObjectAddr> =
        out.iter().flat_map(Fault::objects).map(|o| o.original.clone()).collect();
    for object in objects.iter().filter(|o| !alike.contains(&o.original)) {
        let kept = wanted.outcome.ends.get(&object.original).unwrap_or(&object.original).clone();
        let end = found.outcome.ends.get(&object.held).unwrap_or(&object.held).clone();
        let fault = compared((original, specialised), history, object.clone(), (kept, end));
        let left = || unclear.contains(&object.held).then(|| Fault::Unclear { object: object.clone() });
        out.extend(fault.or_else(left));
    }
    out
}

/// The objects that end in one place or another, depending on an order that is open.
fn open(state: &Held, found: &Moves) -> BTreeSet<ObjectAddr> {
    if found.outcome.certain {
        return BTreeSet::new();
    }
    let all = moves::outcomes(state, &found.statements);
    // One that isn't certain in itself says nothing of any object.
    let certain = all.iter().all(|one| one.certain);
    let differs =
        |(held, end): &(&ObjectAddr, &ObjectAddr)| all.iter().any(|one| one.ends.get(*held) != Some(*end));
    found.outcome.ends.iter().filter(|both| !certain || differs(both)).map(|(held, _)| held.clone()).collect()
}

fn compared(
    (original, specialised): (&Side<'_>, &Side<'_>),
    history: &History,
    object: Object,
    (kept, end): (ObjectAddr, ObjectAddr),
) -> Option<Fault> {
    match ((original.has)(&kept), (specialised.has)(&end)) {
        (Some(false), Some(false)) => {
            if covers(original.forgotten, &kept) {
                let destroyed = !covers(specialised.forgotten, &end);
                return destroyed.then_some(Fault::NotGivenUp { object, end });
            }
            if covers(specialised.forgotten, &end) {
                return Some(Fault::NotDestroyed { object, kept, end });
            }
            let wanted = (original.is_protected)(&kept)?;
            let found = (specialised.is_protected)(&end)?;
            (wanted != found).then_some(Fault::Unprotected { object, end, wanted })
        }
        (Some(false), None) => None,
        (_, Some(false)) => Some(Fault::Lost { object, kept, end }),
        // Where neither is known, or a module isn't installed yet, its content is the original's.
        _ => (!history.readings(&end).contains(&kept)).then_some(Fault::Astray { object, kept, end }),
    }
}

/// Returns true if these, given up without being destroyed, take in an object.
pub fn covers(forgotten: &[String], object: &ObjectAddr) -> bool {
    let whole = object.module.path().address_of(&object.resource);
    let within =
        |from: &String| whole.strip_prefix(from.as_str()).is_some_and(|r| r.is_empty() || r.starts_with('.'));
    forgotten.iter().any(within)
}

/// Objects of which the original could hold only one.
fn together(objects: &[Object]) -> Vec<Fault> {
    let mut seen: BTreeMap<&ObjectAddr, &Object> = BTreeMap::new();
    let mut out = Vec::new();
    for object in objects {
        if let Some(one) = seen.insert(&object.original, object) {
            out.push(Fault::Together { one: one.clone(), other: object.clone() });
        }
    }
    out
}
