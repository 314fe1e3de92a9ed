//! Whether what state holds under a copy's name is a copy.
//!
//! A name alone proves nothing: `module.db_backup` may be somebody's own, which its owner has just taken out of the
//! configuration. A copy has an instance key, since it has a gate, and its name follows from the values of the driven
//! fields, which state holds as well. In: the state as `terraform state pull` prints it. Invariant: what is not certain
//! stops the run, since either answer could destroy something. Absent: what becomes of a copy.

use super::decide::Decided;
use crate::addr::Target;
use crate::issue::{Code, Issue};
use crate::specialise::{SplitUnit, naming, originals, there};
use crate::trace::Driven;
use crate::value::{Value, json};
use serde::Deserialize;
use serde_json::Value as Json;

/// Fields beyond these don't count when a name is compared: every subset of them is tried.
const MOST_FIELDS: usize = 8;

#[derive(Deserialize, Default)]
struct State {
    #[serde(default)]
    resources: Vec<Resource>,
}

#[derive(Deserialize)]
struct Resource {
    #[serde(default)]
    module: String,
    mode: String,
    #[serde(rename = "type")]
    kind: String,
    name: String,
    #[serde(default)]
    instances: Vec<Instance>,
}

#[derive(Deserialize)]
struct Instance {
    #[serde(default)]
    attributes: Json,
}

/// The managed resources in state: address without keys, arguments.
pub(super) struct Likeness(Vec<(String, Json)>);

impl Likeness {
    /// Reads the state.
    ///
    /// # Errors
    /// Where Terraform can't be started. A state that can't be read holds nothing that is certain.
    pub fn read(state: &super::state::State<'_>) -> Result<Likeness, Issue> {
        let text = state.pull()?;
        let state: State = serde_json::from_slice(&text).unwrap_or_default();
        let managed = state.resources.into_iter().filter(|r| r.mode == "managed");
        let all = managed.flat_map(|r| {
            let module = originals::without_keys(&r.module);
            let own = format!("{}.{}", r.kind, r.name);
            let address = if module.is_empty() { own } else { format!("{module}.{own}") };
            r.instances.into_iter().map(move |i| (address.clone(), i.attributes))
        });
        Ok(Likeness(all.collect()))
    }

    /// Whether the values under `copy` are those that its name stands for; `original` is what it would be a copy of,
    /// under whatever name the unit goes there.
    pub fn is_copy(&self, driven: &[Driven], unit: &str, original: &str, copy: &str) -> bool {
        let mut values: Vec<Value> = Vec::new();
        for one in driven {
            if !SplitUnit::possible(&one.field).iter().any(|u| u.original == unit) {
                continue;
            }
            let whole = crate::addr::FieldAddr { path: Default::default(), ..one.field.plain() }.to_string();
            let Some(rest) = whole.strip_prefix(unit) else { continue };
            let wanted = format!("{copy}{rest}");
            let depth = originals::names(copy).len();
            let found = self.0.iter().filter(|(a, _)| alike(a, &wanted, depth));
            let found = found.filter_map(|(_, attributes)| part(attributes, &one.field.path.0));
            // Two fields may well have one value, and both stand in the name then.
            let own = values.len();
            for value in found.filter_map(|v| json::decode(&v.to_string()).ok()) {
                if !values.iter().skip(own).any(|v| *v == value) {
                    values.push(value);
                }
            }
        }
        values.truncate(MOST_FIELDS);
        let name = |address: &str| originals::names(address).pop().unwrap_or_default();
        naming::fits(&name(copy), &name(original), &values)
    }
}

/// Whether state shows the value of any field by which a unit is split. It holds arguments of resources; it does not hold
/// those of calls, nor what Terraform itself reads of a resource.
pub(super) fn can_tell(driven: &[Driven], unit: &str) -> bool {
    let own = |one: &&Driven| SplitUnit::possible(&one.field).iter().any(|u| u.original == unit);
    driven.iter().filter(own).any(|one| {
        let first = one.field.path.0.first().map_or("", |name| &**name);
        matches!(one.field.target, Target::Resource(_)) && !matches!(first, "lifecycle" | "provider")
    })
}

/// Whether an address is the wanted one: up to a depth by its very names, then under the name of any copy.
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
fn part<'j>(attributes: &'j Json, path: &[std::sync::Arc<str>]) -> Option<&'j Json> {
    path.iter().try_fold(attributes, |value, name| {
        let next = match value {
            Json::Array(items) => items.first()?.get(&**name),
            other => other.get(&**name),
        };
        next.map(opened)
    })
}

/// An argument of any type stands in state as a value with its type.
fn opened(value: &Json) -> &Json {
    match value.as_object() {
        Some(both) if both.len() == 2 && both.contains_key("type") => both.get("value").unwrap_or(value),
        _ => value,
    }
}

/// What state holds can't be told from a copy.
pub(super) fn unlike(instance: &str, original: &str) -> Issue {
    let summary = format!("state holds {instance}, which is named like a copy of {original}");
    let why = "No record tells of it, and its values are not those that the name stands for. If it belongs there, Terraform \
               would destroy it; if it is your own, it would be taken for something else.";
    Issue::error(Code::Environment, summary, why)
        .fix(
            "If it belongs there, say so:",
            format!("moved {{\n  from = {instance}\n  to   = {original}\n}}"),
        )
        .fix(
            "If it is your own and is to go, say that:",
            format!(
                "removed {{\n  from = {}\n  lifecycle {{\n    destroy = true\n  }}\n}}",
                originals::without_keys(instance)
            ),
        )
}

/// A copy would take the place of something else.
pub(super) fn in_the_way(instance: &str, original: &str) -> Issue {
    let summary = format!("state holds {instance}, where a copy of {original} is to stand");
    let why = "No record tells of it, and its values are not the copy's. If it is your own, the copy would take it over, or \
               Terraform would destroy one of the two.";
    Issue::error(Code::Environment, summary, why)
        .fix(
            "If it is your own and is to go, let the original configuration do that first:",
            "tf-phi restore && terraform apply",
        )
        .fix(
            "If it is to stay, give it another name in state:",
            format!("terraform state mv '{instance}' NEW_ADDRESS"),
        )
        .fix("If tf-phi wrote it, bring `.phi/provenance.json` back from version control.", "")
}

/// Objects of which Terraform would destroy all but one.
///
/// # Errors
/// Two objects in state that this run's moves bring to one address.
pub(super) fn collisions(decided: &Decided, held: &[String]) -> Result<(), Issue> {
    // What this run doesn't have goes either way.
    let chains = &decided.specialised.chains(&there(&decided.copies));
    let mut ends: std::collections::BTreeMap<String, &String> = std::collections::BTreeMap::new();
    for from in held.iter().filter(|a| !a.starts_with("data.") && !a.contains(".data.")) {
        let to = crate::specialise::moves::end(chains, from);
        let Some(other) = ends.insert(to.clone(), from) else { continue };
        let summary = format!("two objects in state would come to {to}");
        let why = format!("{other} and {from} are both led there, and Terraform would destroy one of them.");
        let issue = Issue::error(Code::Environment, summary, why);
        return Err(issue
            .fix(
                "If one of them is your own and is to go, let the original configuration do that first:",
                "tf-phi restore && terraform apply",
            )
            .fix(
                "If both are to stay, give one another name in state:",
                format!("terraform state mv '{from}' NEW_ADDRESS"),
            ));
    }
    Ok(())
}
