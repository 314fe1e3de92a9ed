//! Services that come with the program: as a table, as JSON, and each on a page that is Markdown and readable as it is.

use super::table::{Entry, Table};
use super::way;
use crate::config::Variable;
use crate::config::phi::{Embedded, FieldDecl, FormFactor, Operator, PhiConfig, Service, Template};
use crate::specialise::service::{Replaced, Rewrite, Without};
use crate::syntax::ExprKind;
use crate::value::{Data, hcl};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A service, and what its template declares.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The service.
    pub service: Service,
    /// Its template.
    pub template: Template,
}

/// One row for each service.
pub fn table(all: &[Shown]) -> Table {
    let row = |shown: &Shown| {
        let service = &shown.service;
        let cells = [
            service.group.to_string(),
            format!("{}{}", service.replaces.0, when(service)),
            service
                .fields
                .iter()
                .map(|f| format!("{}: {}", f.field, universe(f)))
                .collect::<Vec<_>>()
                .join("; "),
            attributes(shown).join(", "),
            service.charts.iter().map(|c| c.rsplit('/').next().unwrap_or(c)).collect::<Vec<_>>().join(", "),
        ];
        cells.map(Entry::plain).to_vec()
    };
    let head = ["name", "replaces", "universe", "outputs", "charts"].map(str::to_owned).to_vec();
    Table { head, rows: all.iter().map(row).collect() }
}

/// The document.
pub fn json(all: &[Shown]) -> String {
    let reasons = |map: &BTreeMap<Arc<str>, Arc<str>>| -> Vec<Json> {
        map.iter().map(|(name, why)| json!({ "name": **name, "reason": **why })).collect()
    };
    let field = |f: &FieldDecl| {
        let listed: Vec<String> = f.universe.iter().flatten().filter_map(|(v, _)| hcl::to_hcl(v)).collect();
        let accepts = f.accepts.as_ref().map(|pattern| pattern.as_str().to_owned());
        json!({ "field": f.field.to_string(), "universe": listed, "accepts": accepts })
    };
    let one = |shown: &Shown| {
        let service = &shown.service;
        let ignores =
            service.ignores.iter().map(|(k, v)| (k.clone(), v.clone().unwrap_or_default())).collect();
        let when = service.when.iter().filter_map(|(k, (v, _))| Some((k, hcl::to_hcl(v)?)));
        let when: Vec<Json> = when.map(|(k, v)| json!({ "field": **k, "equals": v })).collect();
        json!({
            "name": *service.group,
            "service": *service.name,
            "replaces": *service.replaces.0,
            "when": when,
            "arguments": inputs(shown).map(|v| v.name.to_string()).collect::<Vec<_>>(),
            "fields": service.fields.iter().map(field).collect::<Vec<_>>(),
            "outputs": attributes(shown),
            "drops": reasons(&service.drops),
            "merges": merges(service),
            "ignores": reasons(&ignores),
            "refuses": reasons(&service.refuses),
            "charts": service.charts,
            "images": service.images,
        })
    };
    let document = json!({ "format_version": "1.0", "services": all.iter().map(one).collect::<Vec<_>>() });
    format!("{document:#}\n")
}

fn merges(service: &Service) -> serde_json::Map<String, serde_json::Value> {
    service.merges.iter().map(|(kind, merge)| (kind.to_string(), json!(*merge.into))).collect()
}

/// Returns the page of a service: what it maps, drops and refuses.
pub fn page(name: &str, all: &[Shown]) -> String {
    let mut out = format!("### {name}\n");
    for shown in all {
        let service = &shown.service;
        out.push_str(&format!("\n#### {}{}\n\n", service.replaces.0, when(service)));
        out.push_str("| argument, or input of the form factor | what becomes of it |\n|---|---|\n");
        for variable in inputs(shown) {
            let said = description(variable);
            let known = service.fields.iter().find(|f| f.field.0.first() == Some(&variable.name));
            let values = known.map(|f| format!(" One of {}.", universe(f))).unwrap_or_default();
            let needed = if variable.default.is_none() { " Needed." } else { "" };
            out.push_str(&format!("| `{}` | {said}{values}{needed} |\n", variable.name));
        }
        for (name, why) in &service.refuses {
            out.push_str(&format!("| `{name}` | **refused.** {why} |\n"));
        }
        for (name, why) in &service.ignores {
            out.push_str(&format!("| `{name}` | left out. {} |\n", why.as_deref().unwrap_or_default()));
        }
        if !service.merges.is_empty() || !service.drops.is_empty() {
            out.push_str("\n| what goes with it | why |\n|---|---|\n");
        }
        for (kind, merge) in &service.merges {
            out.push_str(&format!("| `{kind}` | It becomes `{}`. |\n", merge.into));
        }
        for (kind, why) in &service.drops {
            out.push_str(&format!("| `{kind}` | {why} |\n"));
        }
        let names: Vec<String> = attributes(shown).iter().map(|a| format!("`{a}`")).collect();
        let what = if service.replaced_module().is_some() { "Outputs" } else { "Attributes" };
        out.push_str(&format!("\n{what}: {}. A reference to any other is an error.\n", names.join(", ")));
    }
    let mut pins: Vec<&String> =
        all.iter().flat_map(|s| s.service.charts.iter().chain(&s.service.images)).collect();
    pins.sort();
    pins.dedup();
    if pins.is_empty() {
        return out;
    }
    out.push_str("\nCharts and images:\n\n");
    pins.iter().for_each(|pin| out.push_str(&format!("    {pin}\n")));
    out
}

/// Returns the charts and images that the services of a form factor install, with their names in the mirror, one a line.
pub fn images(phi: &PhiConfig, factor: &FormFactor) -> String {
    let services: Vec<&Service> = factor.services.iter().filter_map(|(n, _)| phi.services.get(n)).collect();
    let mirror = factor.mirror.as_ref().and_then(|(_, (value, _))| match &value.data {
        Data::String(text) => Some(text.to_string()),
        _ => None,
    });
    let named =
        |front: &str, path: &str| mirror.as_ref().map_or(String::new(), |m| format!("  {m}/{front}{path}"));
    let mut lines = BTreeSet::new();
    for service in services {
        for chart in &service.charts {
            let name = chart.rsplit('/').next().unwrap_or(chart);
            lines.insert(format!("{chart}{}\n", named("charts/", name)));
        }
        for image in &service.images {
            let path = image.split_once('/').map_or(&**image, |(_, path)| path);
            lines.insert(format!("{image}{}\n", named("", path)));
        }
    }
    lines.into_iter().collect()
}

/// The `service` blocks, for a tree in which the modules stand in a folder.
pub fn blocks(embedded: &Embedded, dir: &str) -> String {
    let mut out = String::new();
    for line in embedded.blocks().split_inclusive('\n') {
        let named = ["  module ", "  operator "].iter().any(|n| line.starts_with(n));
        out.push_str(&if named { line.replacen("\"./", &format!("\"./{dir}/"), 1) } else { line.to_owned() });
    }
    out
}

/// Returns notes on what a form factor makes of each resource.
pub fn notes(rewrite: &Rewrite) -> String {
    let mut out = String::new();
    for replaced in &rewrite.replaced {
        let address = replaced.original();
        let declared = replaced.declared();
        let own: Vec<_> = rewrite.without.iter().filter(|w| w.address == declared).collect();
        out.push_str(&format!("  {address} becomes {}\n", replaced.address()));
        let widest = own.iter().map(|w| w.argument.len()).max().unwrap_or(0);
        for Without { argument, reason, .. } in own {
            out.push_str(&format!("    without {argument:widest$}  {reason}\n"));
        }
    }
    for dropped in &rewrite.dropped {
        out.push_str(&format!("  {} goes: {}\n", dropped.original(), dropped.reason));
    }
    out
}

/// Returns a line for each call that stands in for a resource or call, with its condition if there are several.
pub fn stand_ins(all: &[&Replaced], factor: &str) -> String {
    let line = |replaced: &&Replaced| {
        let (original, call, service) = (replaced.original(), replaced.address(), &replaced.service);
        let when = replaced.when.as_ref().map(|gate| {
            let scope = &replaced.scope;
            let within = if scope.is_root() { String::new() } else { format!(" (in {scope})") };
            format!(" where {}{within}", way::condition(gate))
        });
        let when = when.unwrap_or_default();
        format!(
            "{original} is replaced by {call}{when}: the service \"{service}\" of the form factor \"{factor}\".\n"
        )
    };
    all.iter().map(line).collect()
}

fn when(service: &Service) -> String {
    let all = service.when.iter().filter_map(|(k, (v, _))| Some(format!("{k} = {}", hcl::to_hcl(v)?)));
    let all: Vec<String> = all.collect();
    if all.is_empty() { String::new() } else { format!(" with {}", all.join(", ")) }
}

fn universe(field: &FieldDecl) -> String {
    let all: Vec<String> = field.universe.iter().flatten().filter_map(|(v, _)| hcl::to_hcl(v)).collect();
    let pattern =
        field.accepts.as_ref().map(|p| p.as_str().trim_start_matches("^(?:").trim_end_matches(")$"));
    let more = pattern.map(|p| format!(", or what matches `{}`", p.replace('|', "\\|")));
    format!("{}{}", all.join(", "), more.unwrap_or_default())
}

/// The template's variables but for what the program hands in.
fn inputs(shown: &Shown) -> impl Iterator<Item = &Variable> {
    let own = Operator::VARIABLE;
    shown.template.module.variables.values().filter(move |v| &*v.name != own)
}

fn description(variable: &Variable) -> &str {
    let said = variable.decl.block.body.attribute("description");
    match said.map(|a| &a.expr.kind) {
        Some(ExprKind::String(text)) => text,
        _ => "",
    }
}

/// The attributes that can be referred to.
fn attributes(shown: &Shown) -> Vec<String> {
    let outputs = shown.template.module.outputs.keys().chain(shown.service.outputs.keys());
    let mut all: Vec<String> = outputs.map(ToString::to_string).collect();
    all.sort();
    all.dedup();
    all
}
