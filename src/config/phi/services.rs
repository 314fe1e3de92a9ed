//! `form_factor` and `service` blocks.

use super::reader::Reader;
use super::{FormFactor, PhiConfig, Service, field};
use crate::config::nearest::nearest;
use crate::syntax::{Block, Body};
use crate::value::Data;
use std::collections::BTreeMap;

/// Reads both kinds; services first, since form factors name them.
pub(super) fn decode(r: &mut Reader, body: &Body, phi: &mut PhiConfig) {
    // A service that is in error is declared all the same, so that naming it is not reported as well.
    let mut declared: Vec<&str> = Vec::new();
    for block in body.blocks_of("service") {
        let Some(label) = block.labels.first() else { continue };
        if declared.contains(&&*label.text) {
            r.twice("service", &label.text, r.at(label.span));
            continue;
        }
        declared.push(&label.text);
        if let Some(service) = service(r, block) {
            phi.services.insert(service.name.clone(), service);
        }
    }
    for block in body.blocks_of("form_factor") {
        let Some(factor) = form_factor(r, block, &declared) else { continue };
        if phi.form_factors.contains_key(&factor.name) {
            if let Some(label) = block.labels.first() {
                r.twice("form_factor", &label.text, r.at(label.span));
            }
        } else {
            phi.form_factors.insert(factor.name.clone(), factor);
        }
    }
}

fn form_factor(r: &mut Reader, block: &Block, declared: &[&str]) -> Option<FormFactor> {
    let [label] = block.labels.as_slice() else { return None };
    let names = ["environment", "connectivity", "services"];
    r.allow_only("form_factor", &block.body, &names, &[]);
    let mut text = |name: &str| block.body.attribute(name).and_then(|a| r.text(a)).map(|(t, _)| t);
    let (environment, connectivity) = (text("environment"), text("connectivity"));
    let mut services = Vec::new();
    for (name, place) in block.body.attribute("services").and_then(|a| r.texts(a)).unwrap_or_default() {
        if declared.contains(&name.as_str()) {
            services.push((name.into(), place));
            continue;
        }
        let mut why = format!("No service block is named \"{name}\".");
        if let Some(near) = nearest(&name, declared.iter().copied()) {
            why.push_str(&format!(" Did you mean \"{near}\"?"));
        }
        r.fail(place.span, format!("Unknown service \"{name}\""), why);
    }
    let place = r.at(label.span);
    Some(FormFactor { name: label.text.clone(), place, environment, connectivity, services })
}

fn service(r: &mut Reader, block: &Block) -> Option<Service> {
    let [label] = block.labels.as_slice() else { return None };
    let body = &block.body;
    r.allow_only("service", body, &["replaces", "when", "module", "outputs", "ignores"], &[("field", 1)]);
    let replaces = r.required(block, "replaces").and_then(|a| r.text(a));
    let module = r.required(block, "module").and_then(|a| r.text(a));
    let when = body.attribute("when").and_then(|a| r.object(a)).unwrap_or_default();
    let outputs = outputs(r, body);
    let ignores = body.attribute("ignores").and_then(|a| r.texts(a)).unwrap_or_default();
    let fields = body.blocks_of("field").filter_map(|b| field::decode(r, b)).collect();
    let (kind, kind_place) = replaces?;
    Some(Service {
        name: label.text.clone(),
        place: r.at(label.span),
        replaces: (kind.into(), kind_place),
        when,
        module: module?,
        fields,
        outputs,
        ignores: ignores.into_iter().map(|(name, _)| name).collect(),
    })
}

fn outputs(r: &mut Reader, body: &Body) -> BTreeMap<std::sync::Arc<str>, super::Placed<std::sync::Arc<str>>> {
    let Some(attr) = body.attribute("outputs") else { return BTreeMap::new() };
    let mut out = BTreeMap::new();
    for (name, (value, place)) in r.object(attr).unwrap_or_default() {
        match value.data {
            Data::String(text) => {
                out.insert(name, (text, place));
            }
            _ => r.fail(
                place.span,
                "Wrong type of \"outputs\"",
                "\"outputs\" takes names of outputs in quotes.",
            ),
        }
    }
    out
}
