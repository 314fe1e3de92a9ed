//! Traces that don't share assumptions.
//!
//! In a plan all driven fields are traced together: a variable whose default one of them needs counts as its default
//! for all. In a report each field speaks for itself, so tracers are kept by what they take for pinned.

use super::session::Session;
use crate::addr::FieldAddr;
use crate::host::threads;
use crate::trace::field::FieldSite;
use crate::trace::{Trace, Tracer, Universe, Universes};
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Universes where what the run gives is the only value.
pub(super) fn narrowed(mut universes: Universes, values: &BTreeMap<Arc<str>, Value>) -> Universes {
    for (name, value) in values {
        universes.insert(name.clone(), Universe { values: vec![value.clone()], enforced: true });
    }
    universes
}

/// Traces fields, each by itself, and gives what `read` makes of them, in order.
///
/// Several threads take a part of the fields each, with tables of its own. How many parts there are depends on the
/// fields alone: the order in which terms are met shows in how conditions are said, and that must not depend on the
/// machine.
pub(super) fn each<F: Sync, T: Send>(
    session: &Session,
    universes: &Universes,
    fields: &[F],
    read: impl Fn(&mut Tracers<'_>, &F) -> T + Sync,
) -> Vec<T> {
    let size = fields.len().div_ceil(PARTS).max(SMALLEST_PART);
    let parts: Vec<&[F]> = fields.chunks(size).collect();
    let done = threads::map(parts, |part| {
        let mut tracers = Tracers::new(session, universes);
        part.iter().map(|field| read(&mut tracers, field)).collect::<Vec<T>>()
    });
    done.into_iter().flatten().collect()
}

/// Into how many parts many fields are divided. What several parts need is computed in each.
const PARTS: usize = 8;

/// Fields that are not worth another part.
const SMALLEST_PART: usize = 128;

/// Tracers by the variables that count as their default.
pub(super) struct Tracers<'a> {
    session: &'a Session,
    universes: &'a Universes,
    tracers: BTreeMap<BTreeSet<Arc<str>>, Tracer<'a>>,
}

impl<'a> Tracers<'a> {
    /// None yet.
    pub fn new(session: &'a Session, universes: &'a Universes) -> Tracers<'a> {
        Tracers { session, universes, tracers: BTreeMap::new() }
    }

    /// Traces one field by itself, and hands the tracer to `read`.
    pub fn trace<T>(
        &mut self,
        field: &FieldAddr,
        site: &FieldSite,
        read: impl FnOnce(&mut Tracer<'a>, &Trace) -> T,
    ) -> T {
        let mut pinned: BTreeSet<Arc<str>> = BTreeSet::new();
        loop {
            let session = self.session;
            let universes = self.universes;
            let tracer = self.tracers.entry(pinned.clone()).or_insert_with(|| {
                Tracer::new(&session.config, session.limits(), universes, pinned.clone(), session.outside())
            });
            let (trace, more) = tracer.trace(field, site);
            if more.is_subset(&pinned) {
                return read(tracer, &trace);
            }
            pinned.extend(more);
        }
    }
}
