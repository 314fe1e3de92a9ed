//! Why a copy is there, for people and as JSON.

use super::excerpt::source_line;
use super::outcome::{HIDDEN, concealed};
use super::way;
use super::{Console, Style};
use crate::text::{Place, Sources};
use crate::trace::{HopText, Hops};
use crate::value::Value;
use serde_json::{Value as Json, json as object};

/// An address of the specialised tree, and the copies that it passes through.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The address as the user wrote it.
    pub address: String,
    /// The address in the original tree.
    pub original: String,
    /// The copies that it goes through, outermost first.
    pub copies: Vec<Copy>,
    /// In a Stack: the deployments that have it, and what it is in the other tree of each, the Stack or its root module.
    pub deployments: Vec<(String, String)>,
}

/// One copy.
#[derive(Clone, Debug)]
pub struct Copy {
    /// Its address, without keys.
    pub address: String,
    /// The address of the original, without keys.
    pub original: String,
    /// The condition under which it is there; nothing where it always is.
    pub gate: Option<String>,
    /// The module in which the gate is written; empty for the root.
    pub scope: String,
    /// True if the copy is active under this run's values; `None` if that isn't known.
    pub active: Option<bool>,
    /// The reason why `active` isn't known.
    pub unknown: Option<String>,
    /// The version of tf-phi that wrote the copy.
    pub version: String,
    /// The fields that the copy pins.
    pub fields: Vec<FieldWhy>,
}

/// One field in a copy.
#[derive(Clone, Debug)]
pub struct FieldWhy {
    /// Its address in the original.
    pub field: String,
    /// Its value in the copy, as HCL.
    pub text: String,
    /// The value as JSON.
    pub value: Json,
    /// From the field to where the value stands.
    pub hops: Hops,
}

impl FieldWhy {
    /// Takes the value out of everything that is said.
    pub fn conceal(&mut self, value: &Value) {
        HIDDEN.clone_into(&mut self.text);
        self.value = object!({ "sensitive": true });
        self.hops = concealed(&self.hops, std::slice::from_ref(value));
    }
}

/// Prints it for people, or for programs.
pub fn print(console: Console, explained: &Explained, sources: &Sources, as_json: bool) {
    match as_json {
        true => console.json(&json(explained, sources)),
        false => console.report(&text(explained, sources, console.out)),
    };
}

/// For people.
fn text(explained: &Explained, sources: &Sources, style: Style) -> String {
    let mut out = format!("{}\n", style.strong(&explained.address));
    if explained.original != explained.address {
        out.push_str(&format!("  was {} before it was specialised\n", explained.original));
    }
    for copy in &explained.copies {
        out.push_str(&format!("\n{}\n", style.strong(&copy.address)));
        if let Some(gate) = &copy.gate {
            let scope = if copy.scope.is_empty() { String::new() } else { format!(" (in {})", copy.scope) };
            let gate = way::condition(gate);
            out.push_str(&format!("  stands for {} where {gate}{scope}\n", copy.original));
            out.push_str(&match (copy.active, &copy.unknown) {
                (Some(true), _) => "  active with this run's values\n".to_owned(),
                (Some(false), _) => "  not active with this run's values\n".to_owned(),
                (None, Some(why)) => format!("  whether it is active isn't known: {}\n", why.trim()),
                (None, None) => "  active for some of its instances only\n".to_owned(),
            });
        }
        out.push_str(&format!("  decided by {}\n", copy.version));
        for field in &copy.fields {
            out.push_str(&format!("\n  {} = {}\n", field.field, style.strong(&field.text)));
            super::trace_text::way(&way::lines(field.hops.iter(), sources), style, &mut out);
        }
    }
    for (name, other) in &explained.deployments {
        out.push_str(&format!("  {other} in the deployment \"{name}\"\n"));
    }
    out
}

/// `{"format_version", "address", "original", "copies": [{"address", "original", "gate", "scope", "active", "compiler_version",
/// "fields": [{"field", "value", "trace": [{"hop", "source_span", "line"}]}]}], "deployments": [{"deployment", "address"}]}`; `active` is
/// null where it isn't known.
fn json(explained: &Explained, sources: &Sources) -> Json {
    let copies: Vec<Json> = explained.copies.iter().map(|c| copy(c, sources)).collect();
    let deployment = |(name, other): &(String, String)| object!({ "deployment": name, "address": other });
    let deployments: Vec<Json> = explained.deployments.iter().map(deployment).collect();
    object!({
        "format_version": "1.0",
        "address": explained.address,
        "original": explained.original,
        "copies": copies,
        "deployments": deployments,
    })
}

fn copy(copy: &Copy, sources: &Sources) -> Json {
    let shown = |hop: &HopText, place| match hop {
        HopText::Concealed(_) => None,
        _ => source_line(sources, place),
    };
    let hop = |(hop, place): (&HopText, Option<Place>)| {
        let span = place.map(|p| sources.span_text(p));
        object!({ "hop": hop.to_string(), "source_span": span, "line": place.and_then(|p| shown(hop, p)) })
    };
    let field = |f: &FieldWhy| {
        let trace: Vec<Json> = f.hops.iter().map(hop).collect();
        object!({ "field": f.field, "value": f.value, "trace": trace })
    };
    let fields: Vec<Json> = copy.fields.iter().map(field).collect();
    object!({
        "address": copy.address,
        "original": copy.original,
        "gate": copy.gate,
        "scope": copy.scope,
        "active": copy.active,
        "compiler_version": copy.version,
        "fields": fields,
    })
}
