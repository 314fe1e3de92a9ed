//! Compares an object in state with the copy whose name it has.
//!
//! In: the state as `terraform state pull` prints it. A copy's name follows from the values of the driven fields, and state holds
//! these too. Invariant: sensitive values are neither compared nor shown. Absent: what follows from the answer.

use crate::addr::{FieldAddr, Mode};
use crate::config::Config;
use crate::issue::Issue;
use crate::ops::state::State;
use crate::specialise::SplitUnit;
use crate::specialise::moves::originals;
use crate::specialise::naming::{self, Said};
use crate::specialise::record::Specialization;
use crate::specialise::record::history::Entry;
use crate::terraform::state_json::{Document, keyless};
use crate::trace::Driven;
use crate::value::json;
use serde::Deserialize;
use serde_json::Value as Json;
use std::sync::Arc;

/// Fields beyond these don't count when a name is compared: every subset of them is tried.
const MOST_FIELDS: usize = 8;

#[derive(Deserialize)]
struct Instance {
    #[serde(default)]
    attributes: Json,
    #[serde(default)]
    sensitive_attributes: Vec<Json>,
}

/// The values in state by which copies are known.
pub struct CopyIdentity<'a> {
    pub(super) driven: &'a [Driven],
    /// The units that are split.
    pub(super) splits: &'a [SplitUnit],
    /// The values that their copies are decided to have.
    pub(super) written: &'a [Specialization],
    /// Units without driven fields of their own, each with the one that it is split along with.
    pub(super) led: Vec<(String, String)>,
    /// The managed resources: address without keys, arguments without those that are sensitive.
    pub(super) resources: Arc<Vec<(String, Json)>>,
}

impl<'a> CopyIdentity<'a> {
    /// Reads the state.
    ///
    /// # Errors
    /// Returns an error if Terraform can't be started. A state that can't be read says nothing.
    pub fn read(state: &State<'a>) -> Result<CopyIdentity<'a>, Issue> {
        let text = state.pull()?;
        let document: Option<Document<Instance>> = serde_json::from_slice(text).ok();
        let mut all = Vec::new();
        for resource in document.into_iter().flat_map(|document| document.resources) {
            let Some(own) = resource.address().filter(|a| a.resource.mode == Mode::Managed) else { continue };
            all.extend(resource.instances.into_iter().map(|instance| (keyless(&own), public(instance))));
        }
        let led = led_along(&state.session.config, state.driven, state.splits);
        let State { driven, splits, written, .. } = *state;
        Ok(CopyIdentity { driven, splits, written, led, resources: Arc::new(all) })
    }

    /// Returns true if the values under an entry's address are those that its name stands for; `now` is what the
    /// original is called now. What is split along with another unit has that one's values.
    pub fn is_copy(&self, entry: &Entry, now: &str) -> bool {
        if self.fits(entry, now) {
            return true;
        }
        let Some(slug) = entry.address.strip_prefix(&entry.original) else { return false };
        let mut leaders = self.led.iter().filter(|(own, _)| own == now).map(|(_, leader)| leader);
        leaders.any(|leader| {
            let (address, original) = (format!("{leader}{slug}"), leader.clone());
            self.fits(&Entry { address, original, ..entry.clone() }, leader)
        })
    }

    fn fits(&self, entry: &Entry, now: &str) -> bool {
        let mut values: Vec<Said> = Vec::new();
        for one in self.driven {
            // Two fields may well have one value, and both stand in the name then.
            let own = values.len();
            let held = self.values(one, now, &entry.address);
            for value in held.filter_map(|v| json::decode(&v.to_string()).ok()) {
                let value = Said::of(&one.field.path, value);
                if !values.iter().skip(own).any(|v| *v == value) {
                    values.push(value);
                }
            }
        }
        values.truncate(MOST_FIELDS);
        let name = |address: &str| originals::names(address).pop().unwrap_or_default();
        naming::fits(&name(&entry.address), &name(&entry.original), &values)
    }

    /// The values of a driven field within a copy of a unit.
    pub(super) fn values<'s>(
        &'s self,
        one: &'s Driven,
        original: &str,
        copy: &str,
    ) -> impl Iterator<Item = &'s Json> {
        let found = self.attributes_of(&one.field, original, copy);
        found.filter_map(|attributes| part(attributes, &one.field.path.0))
    }

    /// The arguments of the instances of a field's declaration within a copy of a unit.
    pub(super) fn attributes_of<'s>(
        &'s self,
        field: &FieldAddr,
        original: &str,
        copy: &str,
    ) -> impl Iterator<Item = &'s Json> + use<'s> {
        let possible = SplitUnit::possible(field).iter().any(|u| u.original == original);
        let whole = FieldAddr { path: Default::default(), ..field.plain() }.to_string();
        let wanted = whole.strip_prefix(original).filter(|_| possible).map(|rest| format!("{copy}{rest}"));
        let depth = originals::names(copy).len();
        let found =
            self.resources.iter().filter(move |(a, _)| wanted.as_ref().is_some_and(|w| alike(a, w, depth)));
        found.map(|(_, attributes)| attributes)
    }

    /// The values of the driven fields in an object, for a person.
    pub fn shown(&self, entry: &Entry, now: &str) -> String {
        let mut out: Vec<String> = Vec::new();
        for one in self.driven {
            for value in self.values(one, now, &entry.address) {
                let text = format!("{} = {value}", one.field.path);
                if !out.contains(&text) {
                    out.push(text);
                }
            }
        }
        out.join(", ")
    }
}

/// Units that have no driven fields of their own, each with one that it is split along with.
pub(super) fn led_along(config: &Config, driven: &[Driven], splits: &[SplitUnit]) -> Vec<(String, String)> {
    let mut leaders = splits.to_vec();
    for unit in driven.iter().flat_map(|d| SplitUnit::possible(&d.field)) {
        if !leaders.iter().any(|u| u.original == unit.original) {
            leaders.push(unit);
        }
    }
    let of = |leader: &SplitUnit| {
        let own = leader.original.clone();
        leader.followers(config).into_iter().map(move |unit| (unit.original, own.clone()))
    };
    leaders.iter().flat_map(of).collect()
}

/// An object's arguments without those that state calls sensitive.
fn public(instance: Instance) -> Json {
    let mut attributes = instance.attributes;
    for path in instance.sensitive_attributes {
        let steps: Vec<&str> = path
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|step| step.pointer("/value/value").or_else(|| step.get("value"))?.as_str())
            .collect();
        // What a path that can't be followed hides isn't known, so all of its first argument goes.
        if let (Some(first), Some(map)) = (steps.first(), attributes.as_object_mut()) {
            map.remove(*first);
        }
    }
    attributes
}

/// Returns true if an address is the wanted one: up to a depth by its very names, then under the name of any copy.
fn alike(address: &str, wanted: &str, depth: usize) -> bool {
    let (own, wanted) = (originals::names(address), originals::names(wanted));
    let copy =
        |own: &str, name: &str| own.strip_prefix(name).is_some_and(|r| r.is_empty() || r.starts_with('_'));
    own.len() == wanted.len()
        && own.iter().zip(&wanted).enumerate().all(|(at, (own, name))| match at + 1 == depth {
            true => own == name,
            false => copy(own, name),
        })
}

/// A part of a resource's attributes; of nested blocks the first.
fn part<'j>(attributes: &'j Json, path: &[Arc<str>]) -> Option<&'j Json> {
    path.iter().try_fold(attributes, |value, name| {
        let next = match value {
            Json::Array(items) => items.first()?.get(&**name),
            other => other.get(&**name),
        };
        next.map(opened)
    })
}

/// An argument of any type stands in state as a value with its type.
pub(super) fn opened(value: &Json) -> &Json {
    match value.as_object() {
        Some(both) if both.len() == 2 && both.contains_key("type") => both.get("value").unwrap_or(value),
        _ => value,
    }
}
