//! Compares an object in state with the copies that the present sources would have, were a field pinned that isn't.
//!
//! A clone of a repository may lack both the pin and what was noted under it. A copy's name and its values say which fields were pinned; whether
//! the sources can give such a copy says the decision under these pins. In: an object with the name of a copy. Invariant: a name and a value
//! that the sources have no branch for decide nothing. Absent: what becomes of the object.

use crate::addr::{FieldAddr, FieldPath, Target};
use crate::config::phi::SplitAt;
use crate::ops::read::names::Names;
use crate::ops::state::State;
use crate::ops::state::copy_identity::{CopyIdentity, led_along};
use crate::pipeline;
use crate::specialise::record::history::Entry;
use crate::specialise::{Specialised, SplitUnit, naming};
use crate::trace::site::locate_all;
use crate::trace::{Driven, Driver};
use crate::value::json;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Values within an argument are looked for as deep as this.
const MOST_STEPS: usize = 3;

/// Decisions under pins that aren't there, each made once.
pub struct AsPinned<'a> {
    state: &'a State<'a>,
    decisions: BTreeMap<Vec<(FieldAddr, bool)>, Option<Specialised>>,
}

impl<'a> AsPinned<'a> {
    /// None is made yet.
    pub fn new(state: &'a State<'a>) -> AsPinned<'a> {
        AsPinned { state, decisions: BTreeMap::new() }
    }

    /// Returns true if the sources give copies these names and these values once the fields that say so are pinned.
    pub fn would_decide(
        &mut self,
        identity: &CopyIdentity<'_>,
        entries: &[Entry],
        names: &Names<'_>,
    ) -> bool {
        let Some(universes) = self.state.universes else { return false };
        let known = identity.driven;
        let mut driven: Vec<Driven> = known.to_vec();
        for entry in entries {
            let new = self.find_candidates(identity, entry, &names.now(&entry.original));
            driven.extend(new.into_iter().filter(|one| known.iter().all(|k| k.field != one.field)));
        }
        if driven.len() == known.len() {
            return false;
        }
        driven.sort_by(|a, b| a.field.cmp(&b.field));
        driven.dedup_by(|a, b| a.field == b.field);
        let at_resource = |one: &Driven| one.split_at() == SplitAt::Resource;
        let key = driven.iter().map(|one| (one.field.clone(), at_resource(one))).collect();
        let session = self.state.session;
        let decide = || pipeline::specialise_as_pinned(session, universes, &driven);
        let Some(decision) = self.decisions.entry(key).or_insert_with(decide) else { return false };
        let pinned = CopyIdentity {
            driven: &driven,
            splits: &decision.splits,
            written: &decision.record.specializations,
            led: led_along(&session.config, &driven, &decision.splits),
            resources: identity.resources.clone(),
        };
        pinned.is_written_now(identity, entries, names)
    }

    /// The fields whose values in state stand in an entry's name, as pins of theirs would drive them.
    fn find_candidates(&self, identity: &CopyIdentity<'_>, entry: &Entry, now: &str) -> Vec<Driven> {
        let Some(slug) = entry.address.strip_prefix(&entry.original) else { return Vec::new() };
        let is_resource =
            entry.original.parse::<FieldAddr>().is_ok_and(|a| matches!(a.target, Target::Resource(_)));
        let at = if is_resource { SplitAt::Resource } else { SplitAt::Call };
        let mut out = Vec::new();
        let config = &self.state.session.config;
        for (path, id) in &config.paths {
            let Some(module) = config.module(*id) else { continue };
            for resource in module.managed() {
                let target = Target::Resource(resource.addr.clone());
                let whole = FieldAddr { module: path.clone(), target, path: FieldPath::default() };
                if !SplitUnit::possible(&whole).iter().any(|unit| unit.original == now) {
                    continue;
                }
                for steps in
                    identity.attributes_of(&whole, now, &entry.address).flat_map(|held| find_said(held, slug))
                {
                    // What it's written as is what a pin would drive.
                    for (steps, site) in locate_all(module, &whole.target, &steps).unwrap_or_default() {
                        let field = FieldAddr { path: FieldPath(steps), ..whole.clone() };
                        out.push(Driven {
                            field,
                            site,
                            driver: Driver::Pin,
                            said: None,
                            at: Some(at),
                            copies: false,
                        });
                    }
                }
            }
        }
        out
    }
}

/// The paths of the values in an object's arguments that stand in a name.
fn find_said(held: &Json, slug: &str) -> Vec<Vec<Arc<str>>> {
    let mut out = Vec::new();
    let mut open: Vec<(Vec<Arc<str>>, &Json)> = vec![(Vec::new(), held)];
    while let Some((steps, value)) = open.pop() {
        if !steps.is_empty() && is_said(&steps, value, slug) {
            out.push(steps.clone());
        }
        if let Some(items) = value.as_object().filter(|_| steps.len() < MOST_STEPS) {
            for (name, value) in items {
                let steps = steps.iter().cloned().chain([name.as_str().into()]).collect();
                open.push((steps, crate::ops::state::copy_identity::opened(value)));
            }
        }
    }
    out
}

/// Returns true if a name says a value as a copy's does. An empty value says nothing without its field.
fn is_said(steps: &[Arc<str>], value: &Json, slug: &str) -> bool {
    let Ok(value) = json::decode(&value.to_string()) else { return false };
    let own = naming::joint(&[naming::Said::of(&FieldPath(steps.to_vec()), value)]);
    !own.is_empty() && format!("{slug}_").contains(&format!("_{own}_"))
}
