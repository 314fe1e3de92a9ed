//! The things that templates of an air-gapped form factor take from outside: images, charts, repositories, module sources.
//!
//! In: the configuration with everything replaced. Out: an issue for each text that names a place other than the mirror. A value is
//! looked at as it will be, where it can be known before a plan; else the texts that its expression and the module's locals are
//! made of count. Absent on purpose: the origin's own resources, which have no place there anyway.

use super::field::Field;
use super::fields;
use super::narrowing::each;
use super::session::Session;
use crate::addr::ModulePath;
use crate::config::module_source::is_local;
use crate::config::phi::{Connectivity, FormFactor};
use crate::host::Host;
use crate::issue::{Code, Issue};
use crate::syntax::{Expr, ExprKind, TemplatePart, walk};
use crate::value::{Data, Value};
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// An address with a scheme, up to its end.
static ADDRESS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?:https?|oci|docker|ssh|s3|gcs)://[^\s"'<>,]+|git::[^\s"'<>,]+"#).ok());

/// An image of a registry, with a tag or a digest.
static IMAGE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(?:^|[\s"'=])((?:[a-z0-9-]+\.)+[a-z]{2,}(?::[0-9]+)?/[\w./-]+(?::[\w.-]+|@sha256:[0-9a-f]+)[\w@:.-]*)"#).ok()
});

/// Matches images and registries in a chart's values; an image without a registry is Docker Hub's.
static NAMED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(?m)^[\s-]*"?(?:image|imageName|imageRepository|imageRegistry|repository|registry)"?:\s*"?([\w./:@-]+)"?\s*$"#).ok()
});

/// Returns the things outside of the mirror that a form factor without internet access would need.
pub(super) fn outside<H: Host + Clone>(session: &mut Session<H>, factor: &FormFactor) -> Vec<Issue> {
    if factor.connectivity != Some(Connectivity::AirGapped) {
        return Vec::new();
    }
    let universes = session.universes();
    let session = &*session;
    let Some(rewrite) = &session.rewrite else { return Vec::new() };
    let templates: Vec<ModulePath> = rewrite.templates().collect();
    let ours = |path: &ModulePath| templates.iter().any(|t| t.contains(path));
    let mirror = factor.mirror.as_ref().and_then(|(_, (value, _))| match &value.data {
        Data::String(text) => Some(text.to_string()),
        _ => None,
    });
    let judge = Judge { factor, mirror: mirror.as_deref() };
    let mut issues = Vec::new();
    for (path, id) in &session.config.paths {
        let Some(module) = session.config.module(*id).filter(|_| ours(path)) else { continue };
        for call in module.calls.values() {
            let source = call.source_text().filter(|s| !is_local(s));
            let found = source.map(|s| judge.issue(&format!("{path}.module.{}", call.name), "module", s));
            issues.extend(found.map(|issue| issue.at(call.decl.place())));
        }
    }
    let fields: Vec<Field> = fields::all(&session.config)
        .into_iter()
        .filter(|f| ours(&f.addr.module) && f.site.rest.is_empty())
        .collect();
    let found = each(session, &universes, &fields, |tracers, field| {
        tracers.trace(&field.addr, &field.site, None, |_, trace| {
            let mut texts = Vec::new();
            match trace.branches() {
                [] => literals(session, field, &mut texts),
                branches => {
                    let name = field.addr.path.0.last().map_or("", |n| &**n);
                    branches.iter().for_each(|b| of_value(name, &b.value, &mut texts));
                }
            }
            judge.texts(&texts)
        })
    });
    for (field, all) in fields.iter().zip(found) {
        for (what, text) in all {
            let issue = judge.issue(&field.addr.to_string(), what, &text);
            issues.push(issue.at(field.site.attr.place()));
        }
    }
    issues
}

/// The texts that an expression is made of, and those of the module's locals.
fn literals<H>(session: &Session<H>, field: &Field, out: &mut Vec<String>) {
    let mut take = |expr: &Expr| {
        walk::walk(expr, &mut |e: &Expr| {
            match &e.kind {
                ExprKind::String(text) => out.push(text.to_string()),
                ExprKind::Template(template) => {
                    out.extend(template.parts.iter().filter_map(|part| match part {
                        TemplatePart::Literal(text, _) => Some(text.to_string()),
                        _ => None,
                    }));
                }
                _ => {}
            }
            true
        });
    };
    take(&field.site.attr.expr);
    let module = session.config.at(&field.addr.module);
    module.into_iter().flat_map(|m| m.locals.values()).for_each(|local| take(&local.attr.expr));
}

/// The texts of a value; one that is called an image is written as charts have it in their values.
fn of_value(name: &str, value: &Value, out: &mut Vec<String>) {
    match &value.data {
        Data::String(text) if matches!(name, "image" | "imageName" | "registry") => {
            out.push(format!("{name}: {text}"))
        }
        Data::String(text) => out.push(text.to_string()),
        Data::Seq(items) => items.iter().for_each(|inner| of_value(name, inner, out)),
        Data::Map(members) => members.iter().for_each(|(name, inner)| of_value(name, inner, out)),
        Data::Null | Data::Unknown(_) | Data::Bool(_) | Data::Number(_) => {}
    }
}

/// Returns true if an address is that of a service of Kubernetes: `http://NAME.NAMESPACE.svc:80`.
fn is_in_cluster(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://")) else {
        return false;
    };
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = authority.split(':').next().unwrap_or_default();
    !authority.contains('@') && [".svc", ".svc.cluster.local"].iter().any(|end| host.ends_with(end))
}

struct Judge<'a> {
    factor: &'a FormFactor,
    mirror: Option<&'a str>,
}

impl Judge<'_> {
    /// Returns what some texts name outside of the mirror.
    fn texts(&self, texts: &[String]) -> BTreeSet<(&'static str, String)> {
        let mut found = BTreeSet::new();
        for text in texts {
            let all = |pattern: &'static LazyLock<Option<Regex>>| {
                pattern.iter().flat_map(|p| p.captures_iter(text))
            };
            let addresses = all(&ADDRESS).filter_map(|c| c.get(0)).map(|m| ("address", m.as_str()));
            let images =
                all(&IMAGE).chain(all(&NAMED)).filter_map(|c| c.get(1)).map(|m| ("image", m.as_str()));
            let outside = |own: &str| !self.is_mirrored(own) && !is_in_cluster(own);
            for (what, own) in addresses.chain(images).filter(|(_, own)| outside(own)) {
                found.insert((what, own.to_owned()));
            }
        }
        found
    }

    fn is_mirrored(&self, text: &str) -> bool {
        let bare = text.split_once("://").map_or(text, |(_, rest)| rest).trim_start_matches("git::");
        self.mirror.is_some_and(|m| {
            bare.strip_prefix(m).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', ':']))
        })
    }

    fn issue(&self, field: &str, what: &str, text: &str) -> Issue {
        let factor = &self.factor.name;
        let why = match self.mirror {
            Some(mirror) => format!(
                "The form factor \"{factor}\" is air-gapped, and everything comes from its mirror {mirror} there. The template \
                 names {text}."
            ),
            None => format!(
                "The form factor \"{factor}\" is air-gapped and has no mirror. The template names {text}."
            ),
        };
        let issue = Issue::error(
            Code::Service,
            format!("a template names {what} {text}, which can't be reached"),
            why,
        )
        .about(field);
        let issue = match self.mirror {
            Some(_) => issue,
            None => issue.fix(
                format!("Name the registry that has it, in the form factor \"{factor}\" in `phi.hcl`:"),
                "mirror = \"registry.example\"",
            ),
        };
        issue.fix(
            "Let the template take its registry from a variable \"mirror\", which gets the form factor's.",
            "",
        )
    }
}
