//! `form_factor` and `service` blocks.

use super::reader::Reader;
use super::{
    Connectivity, EMBEDDED, Environment, FormFactor, Merge, PhiConfig, Placed, Posture, Service, embedded,
    field,
};
use crate::config::nearest::question;
use crate::syntax::{Block, Body, ExprKind, Ident, is_name};
use crate::text::Place;
use crate::value::{Data, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

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
        if !is_named(r, "service", label) {
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

/// Returns true if a block has a name that can stand in names of folders, and on a line of what is printed.
fn is_named(r: &mut Reader, what: &str, label: &Ident) -> bool {
    let is_named = is_name(&label.text);
    if !is_named {
        let why = "Its name may hold letters, digits, `-` and `_`, and begins with a letter or `_`.";
        r.fail(label.span, format!("Wrong name of a {what}"), why);
    }
    is_named
}

fn form_factor(r: &mut Reader, block: &Block, declared: &[&str]) -> Option<FormFactor> {
    let [label] = block.labels.as_slice() else { return None };
    if !is_named(r, "form factor", label) {
        return None;
    }
    let names = ["environment", "connectivity", "posture", "providers", "drops", "mirror", "services"];
    r.allow_only("form_factor", &block.body, &names, &[("inputs", 1)]);
    let attr = |name: &str| block.body.attribute(name);
    let environment = attr("environment").and_then(|a| r.one_of(a, &Environment::NAMES));
    let connectivity = attr("connectivity").and_then(|a| r.one_of(a, &Connectivity::NAMES));
    let posture = attr("posture").and_then(|a| Some((r.one_of(a, &Posture::NAMES)?, r.at(a.expr.span))));
    let providers = attr("providers").and_then(|a| r.texts(a));
    let drops = attr("drops").and_then(|a| r.texts(a)).unwrap_or_default();
    let drops: Vec<Placed<Arc<str>>> = drops.into_iter().map(|(kind, place)| (kind.into(), place)).collect();
    drops.iter().for_each(|(kind, place)| {
        sourced(r, "drops", "form factor", (kind, *place));
    });
    let mirror = attr("mirror").and_then(|a| {
        let (text, place) = r.text(a)?;
        if text.contains("://") || text.ends_with('/') || text.is_empty() {
            let why = "A mirror is the name of a registry, with a path perhaps: \"registry.example/mirror\".";
            r.fail(place.span, "Wrong \"mirror\" of a form factor", why);
            return None;
        }
        Some(("mirror".into(), (Value::string(&text), place)))
    });
    let mut services = Vec::new();
    for (name, place) in block.body.attribute("services").and_then(|a| r.texts(a)).unwrap_or_default() {
        if declared.contains(&name.as_str()) || embedded(&name).is_some() {
            services.push((name.into(), place));
            continue;
        }
        let question = question(&name, declared.iter().copied().chain(EMBEDDED.iter().map(|e| e.name)));
        let why = format!(
            "No service block is named \"{name}\", and no service of this name comes with tf-phi.{question}"
        );
        r.fail(place.span, format!("Unknown service \"{name}\""), why);
    }
    let inputs = inputs(r, &block.body, &services);
    Some(FormFactor {
        name: label.text.clone(),
        environment,
        connectivity,
        posture,
        providers,
        drops,
        mirror,
        services,
        inputs,
    })
}

/// `inputs "SERVICE" { NAME = LITERAL }`
fn inputs(
    r: &mut Reader,
    body: &Body,
    services: &[Placed<Arc<str>>],
) -> BTreeMap<Arc<str>, BTreeMap<Arc<str>, Placed<Value>>> {
    let mut out = BTreeMap::new();
    for block in body.blocks_of("inputs") {
        let [label] = block.labels.as_slice() else { continue };
        if !services.iter().any(|(name, _)| *name == label.text) {
            let question = question(&label.text, services.iter().map(|(n, _)| &**n));
            let why = format!("\"{}\" is not in the form factor's `services`.{question}", label.text);
            r.fail(label.span, format!("Unknown service \"{}\"", label.text), why);
            continue;
        }
        for nested in block.body.blocks() {
            let why = "An inputs block has arguments only; write an object with `=`.";
            r.fail(nested.kind.span, format!("Unknown block \"{}\"", nested.kind.text), why);
        }
        let mut own = BTreeMap::new();
        for attr in block.body.attributes() {
            if let Some(value) = r.value(attr) {
                own.insert(attr.name.text.clone(), value);
            }
        }
        if out.insert(label.text.clone(), own).is_some() {
            r.twice("inputs", &label.text, r.at(label.span));
        }
    }
    out
}

pub(super) fn service(r: &mut Reader, block: &Block) -> Option<Service> {
    let [label] = block.labels.as_slice() else { return None };
    let body = &block.body;
    let names = [
        "replaces", "when", "module", "operator", "outputs", "ignores", "refuses", "drops", "posture",
        "charts", "images",
    ];
    r.allow_only("service", body, &names, &[("field", 1), ("merge", 1)]);
    let merges = merges(r, body);
    let replaces = r.required(block, "replaces").and_then(|a| r.text(a));
    let module = r.required(block, "module").and_then(|a| r.text(a));
    let when = body.attribute("when").and_then(|a| r.object(a)).unwrap_or_default();
    let posture = body.attribute("posture").and_then(|a| r.one_of(a, &Posture::NAMES));
    let operator = body.attribute("operator").and_then(|a| r.text(a));
    let mut list = |name: &str| -> Vec<String> {
        let texts = body.attribute(name).and_then(|a| r.texts(a)).unwrap_or_default();
        texts.into_iter().map(|(text, _)| text).collect()
    };
    let (charts, images) = (list("charts"), list("images"));
    let outputs = names_of(r, body, "outputs", "names of outputs in quotes");
    let mut reasons = |name: &str| -> BTreeMap<Arc<str>, Arc<str>> {
        let all = names_of(r, body, name, "a reason in quotes for each name");
        all.into_iter().map(|(name, (reason, _))| (name, reason)).collect()
    };
    let refuses = reasons("refuses");
    let ignores = match body.attribute("ignores").map(|a| &a.expr.kind) {
        Some(ExprKind::Object(_)) => reasons("ignores").into_iter().map(|(n, why)| (n, Some(why))).collect(),
        _ => {
            let names = body.attribute("ignores").and_then(|a| r.texts(a)).unwrap_or_default();
            names.into_iter().map(|(name, _)| (name.into(), None)).collect()
        }
    };
    let drops = names_of(r, body, "drops", "a reason in quotes for each name");
    drops.iter().for_each(|(name, (_, place))| {
        sourced(r, "drops", "service", (name, *place));
    });
    let drops = drops.into_iter().map(|(name, (reason, _))| (name, reason)).collect();
    let fields = body.blocks_of("field").filter_map(|b| field::decode(r, b)).collect();
    let (kind, kind_place) = replaces?;
    if !sourced(r, "replaces", "service", (&kind, kind_place)) {
        return None;
    }
    Some(Service {
        name: label.text.clone(),
        place: r.at(label.span),
        replaces: (kind.into(), kind_place),
        when,
        module: module?,
        fields,
        outputs,
        ignores,
        refuses,
        drops,
        merges,
        charts,
        images,
        operator,
        posture,
        group: label.text.clone(),
        embedded: None,
    })
}

/// Returns false, with an issue, if no source stands behind `module:`.
fn sourced(r: &mut Reader, name: &str, of: &str, (kind, place): (&str, Place)) -> bool {
    let empty = kind.strip_prefix(Service::MODULE).is_some_and(str::is_empty);
    if empty {
        let why =
            "Behind \"module:\" stands the source of the calls: \"module:terraform-aws-modules/rds/aws\".";
        r.fail(place.span, format!("Wrong \"{name}\" of a {of}"), why);
    }
    !empty
}

/// `merge "TYPE" { by = …, into = … }`, or `from` in the place of `by`
fn merges(r: &mut Reader, body: &Body) -> BTreeMap<Arc<str>, Merge> {
    let mut out = BTreeMap::new();
    for block in body.blocks_of("merge") {
        let [label] = block.labels.as_slice() else { continue };
        r.allow_only("merge", &block.body, &["by", "from", "into"], &[]);
        let named = block.body.attribute("from").is_some();
        if named && block.body.attribute("by").is_some() {
            let why = "Either the resource names its owner (`by`), or the owner names the resource (`from`).";
            r.fail(block.kind.span, "A \"merge\" has \"by\" and \"from\"", why);
        }
        let mut text = |name: &str| r.required(block, name).and_then(|a| r.text(a)).map(|(text, _)| text);
        let (by, into) = (text(if named { "from" } else { "by" }), text("into"));
        let (Some(by), Some(into)) = (by, into) else { continue };
        let merge = Merge { by: by.into(), named, into: into.into(), place: r.at(label.span) };
        if out.insert(label.text.clone(), merge).is_some() {
            r.twice("merge", &label.text, r.at(label.span));
        }
    }
    out
}

/// An object whose values are texts.
fn names_of(r: &mut Reader, body: &Body, name: &str, takes: &str) -> BTreeMap<Arc<str>, Placed<Arc<str>>> {
    let Some(attr) = body.attribute(name) else { return BTreeMap::new() };
    let mut out = BTreeMap::new();
    for (key, (value, place)) in r.object(attr).unwrap_or_default() {
        match value.data {
            Data::String(text) => {
                out.insert(key, (text, place));
            }
            _ => {
                r.fail(place.span, format!("Wrong type of \"{name}\""), format!("\"{name}\" takes {takes}."))
            }
        }
    }
    out
}
