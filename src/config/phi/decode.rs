//! From the body of `phi.hcl` to [`PhiConfig`].

use super::reader::Reader;
use super::{
    EnvironmentDecl, FieldDecl, PhiConfig, PinLabel, Settings, Specialize, SplitAt, UniverseDecl, field,
    services,
};
use crate::addr::{FieldAddr, Mode, ResourceAddr};
use crate::config::In;
use crate::config::nearest::nearest;
use crate::issue::Issue;
use crate::syntax::{Attribute, Block, Body};
use crate::text::SourceId;
use std::collections::BTreeSet;

const BLOCKS: [(&str, usize); 7] = [
    ("settings", 0),
    ("specialize", 1),
    ("environment", 1),
    ("variable", 1),
    ("form_factor", 1),
    ("service", 1),
    ("backend", 1),
];

pub(super) fn decode(file: SourceId, body: &Body) -> (PhiConfig, Vec<Issue>) {
    let mut r = Reader { file, issues: Vec::new() };
    let mut phi = PhiConfig { source: Some(file), ..PhiConfig::default() };
    r.allow_only("", body, &[], &BLOCKS);
    let mut all_settings = body.blocks_of("settings");
    if let Some(block) = all_settings.next() {
        phi.settings = settings(&mut r, block);
    }
    if let Some(second) = all_settings.next() {
        r.fail(second.kind.span, "Duplicate settings", "There can be one settings block only.");
    }
    phi.specialize = body.blocks_of("specialize").filter_map(|b| specialize(&mut r, b)).collect();
    let mut names = BTreeSet::new();
    for block in body.blocks_of("environment") {
        let Some(decl) = environment(&mut r, block) else { continue };
        match names.insert(decl.name.clone()) {
            true => phi.environments.push(decl),
            false => r.twice("environment", &decl.name, decl.place),
        }
    }
    for block in body.blocks_of("variable") {
        if let Some(decl) = universe(&mut r, block)
            && let Some(first) = phi.variables.insert(decl.name.clone(), decl)
            && let Some(label) = block.labels.first()
        {
            r.twice("variable", &label.text, r.at(label.span));
            phi.variables.insert(first.name.clone(), first);
        }
    }
    let mut backends = body.blocks().filter(|b| &*b.kind.text == "backend");
    phi.backend = backends.next().map(|block| In::new(file, block.clone()));
    if let Some(second) = backends.next() {
        r.fail(second.kind.span, "Duplicate backend", "The deployments of a Stack have one kind of backend.");
    }
    services::decode(&mut r, body, &mut phi);
    (phi, r.issues)
}

/// The arguments of `settings`.
const SETTINGS: [&str; 11] = [
    "branches",
    "common",
    "copies",
    "depth",
    "edit",
    "environments",
    "form_factor",
    "keep",
    "links",
    "strict",
    "terraform",
];

/// Returns true for an argument of `settings`, and for a slip in the name of one.
pub fn may_be_setting(name: &str) -> bool {
    nearest(name, SETTINGS).is_some()
}

fn settings(r: &mut Reader, block: &Block) -> Settings {
    r.allow_only("settings", &block.body, &SETTINGS, &[]);
    let mut out = Settings::default();
    for attr in block.body.attributes() {
        match &*attr.name.text {
            "branches" => out.branches = r.count(attr, 1).unwrap_or(out.branches),
            "depth" => out.depth = r.count(attr, 0).unwrap_or(out.depth),
            "environments" => out.environments = Some(r.texts(attr).unwrap_or_default()),
            "common" => out.common = r.texts(attr).unwrap_or_default(),
            "terraform" => out.terraform = r.text(attr).map(|(t, _)| t),
            "keep" => out.keep = r.truth(attr).unwrap_or(out.keep),
            "copies" => out.copies = r.truth(attr).unwrap_or(out.copies),
            "form_factor" => out.form_factor = r.text(attr),
            "strict" => out.strict = r.truth(attr).unwrap_or(out.strict),
            "links" => out.links = r.truth(attr).unwrap_or(out.links),
            "edit" => out.edit = r.texts(attr).unwrap_or_default(),
            _ => {}
        }
    }
    out
}

fn environment(r: &mut Reader, block: &Block) -> Option<EnvironmentDecl> {
    let [label] = block.labels.as_slice() else { return None };
    r.allow_only("environment", &block.body, &["workspace", "var_files", "variables"], &[]);
    if label.text.trim().is_empty() {
        r.fail(label.span, "An environment without a name", "The label of an environment block is its name.");
    }
    let attr = |name: &str| block.body.attribute(name);
    Some(EnvironmentDecl {
        name: label.text.clone(),
        place: r.at(label.span),
        workspace: attr("workspace").and_then(|a| r.text(a)),
        var_files: attr("var_files").and_then(|a| r.texts(a)).unwrap_or_default(),
        variables: attr("variables").and_then(|a| r.object(a)).unwrap_or_default(),
    })
}

fn specialize(r: &mut Reader, block: &Block) -> Option<Specialize> {
    let [label] = block.labels.as_slice() else { return None };
    r.allow_only("specialize", &block.body, &["fields", "at", "copies"], &[("field", 1)]);
    let parsed = pin_label(&label.text);
    if let Err(why) = &parsed {
        r.fail(label.span, format!("\"{}\" can't be specialised", label.text), why.clone());
    }
    let blocks: Vec<FieldDecl> = block.body.blocks_of("field").filter_map(|b| field::decode(r, b)).collect();
    let mut fields = match block.body.blocks_of("field").next() {
        Some(_) => block.body.attribute("fields").map(|a| names(r, a)).unwrap_or_default(),
        None => r.required(block, "fields").map(|a| names(r, a))?,
    };
    for field in blocks {
        match fields.iter().find(|f| f.field == field.field) {
            Some(_) => r.twice("field", &field.field.to_string(), field.place),
            None => fields.push(field),
        }
    }
    let at = block.body.attribute("at").and_then(|a| r.one_of(a, &SplitAt::NAMES));
    let copies = block.body.attribute("copies").and_then(|a| r.truth(a)).unwrap_or(false);
    Some(Specialize { label: parsed.ok()?, place: r.at(label.span), fields, at, copies })
}

/// The names in `fields`.
fn names(r: &mut Reader, attr: &Attribute) -> Vec<FieldDecl> {
    let Some(texts) = r.texts(attr) else { return Vec::new() };
    if texts.is_empty() {
        r.fail(attr.expr.span, "No fields", "\"fields\" needs at least one field.");
    }
    let mut out = Vec::new();
    for (text, place) in texts {
        match field::field_path(&text) {
            Some(field) => out.push(FieldDecl::plain(field, place)),
            None => field::no_path(r, &text, place.span),
        }
    }
    out
}

fn pin_label(text: &str) -> Result<PinLabel, String> {
    if ["module.", "component.", "stack."].iter().any(|word| text.starts_with(word)) {
        let addr: FieldAddr = text.parse().map_err(|e: crate::addr::AddrError| e.to_string())?;
        if !addr.path.is_empty() {
            return Err(format!("\"{text}\" names a field; fields are listed in \"fields\"."));
        }
        return Ok(PinLabel::Address(addr));
    }
    let parts: Vec<&str> = text.split('.').collect();
    let name = |p: &&str| !p.is_empty() && p.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    if !parts.iter().all(name) {
        return Err(
            "A label is a resource type, TYPE.NAME, or an address that begins with \"module.\" (in a Stack with \"component.\" or \"stack.\").".into()
        );
    }
    match parts.as_slice() {
        [kind] => Ok(PinLabel::Type((*kind).into())),
        ["data", kind, n] => {
            Ok(PinLabel::Resource(ResourceAddr { mode: Mode::Data, kind: (*kind).into(), name: (*n).into() }))
        }
        [kind, n] => Ok(PinLabel::Resource(ResourceAddr::managed(*kind, *n))),
        _ => Err("A label is a resource type, TYPE.NAME, or an address that begins with \"module.\" (in a Stack with \"component.\" or \"stack.\").".into()),
    }
}

fn universe(r: &mut Reader, block: &Block) -> Option<UniverseDecl> {
    let [label] = block.labels.as_slice() else { return None };
    let plain = !label.text.contains('.');
    let names: &[&str] = if plain { &["universe", "bins"] } else { &["universe"] };
    r.allow_only("variable", &block.body, names, &[]);
    if block.body.attribute("bins").is_none() {
        r.required(block, "universe")?;
    }
    let universe = block.body.attribute("universe").map(|a| r.values(a));
    let bins = block.body.attribute("bins").map(|a| r.ascending(a));
    if let (Some(_), Some(second)) = (&universe, block.body.attribute("bins")) {
        let why = "A universe lists the values, bins cut a range into pieces: give one of the two.";
        r.fail(second.name.span, "A universe and bins", why);
    }
    let (universe, bins) = (universe.flatten(), bins.flatten());
    (universe.is_some() || bins.is_some()).then(|| UniverseDecl {
        name: label.text.clone(),
        place: r.at(label.span),
        universe,
        bins,
    })
}
