//! Traces that don't share assumptions.
//!
//! In a plan all driven fields are traced together: a variable whose default one of them needs counts as its default
//! for all. In a report each field speaks for itself, so tracers are kept by what they take for pinned.

use super::session::Session;
use crate::addr::FieldAddr;
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
