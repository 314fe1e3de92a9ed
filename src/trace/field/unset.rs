//! Fields of `phi.hcl` that nothing sets: a slip of the pen, or something that is left to its default.
//!
//! In: the pins, and a configuration of which all modules are read. Out: a warning for each field that no resource or call of
//! its pin sets, with the nearest name that one sets. A field that some of them set is no mistake. Absent: what a provider's
//! schema knows.

use super::drive::targets;
use crate::addr::Target;
use crate::config::nearest::nearest;
use crate::config::phi::{FieldDecl, PhiConfig, PinLabel};
use crate::config::{Config, In, Module};
use crate::issue::{Code, Issue};
use crate::syntax::{Block, Expr, ExprKind, ObjectKey};
use crate::trace::site::{blocks_in, inside, locate_all, makes};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The number of names listed.
const MOST: usize = 12;

/// A warning for each field of a pin that nothing sets.
pub fn unset(config: &Config, phi: &PhiConfig) -> Vec<Issue> {
    let mut issues = Vec::new();
    for pin in &phi.specialize {
        let hit: Vec<(&Module, Target)> = config
            .paths
            .iter()
            .filter_map(|(path, id)| Some((path, config.module(*id)?)))
            .flat_map(|(path, module)| {
                targets(path, module, &pin.label).into_iter().map(move |t| (module, t))
            })
            .collect();
        let is_set = |decl: &&FieldDecl| {
            hit.iter().any(|(module, target)| {
                locate_all(module, target, &decl.field.0).is_ok_and(|sites| !sites.is_empty())
            })
        };
        if !hit.is_empty() {
            let open = pin.fields.iter().filter(|decl| !is_set(decl));
            issues.extend(open.map(|decl| warning(&pin.label, decl, &hit)));
        }
    }
    issues
}

/// Arguments that say which instances there are, and which order they come in: every copy keeps them.
const KEPT: [&str; 3] = ["count", "for_each", "depends_on"];

fn warning(label: &PinLabel, decl: &FieldDecl, hit: &[(&Module, Target)]) -> Issue {
    if let Some(kept) = decl.field.0.first().filter(|name| KEPT.contains(&&***name)) {
        let why = format!(
            "`{kept}` belongs to Terraform, which evaluates it in every run; each copy keeps it, so there is nothing to specialise. \
             Pin what differs from copy to copy."
        );
        let issue = Issue::warning(Code::Config, format!("`{kept}` can't be pinned"), why).at(decl.place);
        return issue.fix(format!("Take \"{}\" out of `fields`.", decl.field), "");
    }
    let (what, subject) = match label {
        PinLabel::Type(kind) => (format!("no {kind}"), "None of them"),
        PinLabel::Resource(addr) => (format!("no {addr}"), "None of them"),
        PinLabel::Address(addr) => (addr.to_string(), "It"),
    };
    // The part of the path that something sets, and what could go on from there.
    let path = &decl.field.0;
    let mut names = BTreeSet::new();
    let mut depth = 0;
    for at in (0..path.len()).rev() {
        names = hit.iter().flat_map(|(m, t)| below(m, t, path.get(..at).unwrap_or_default())).collect();
        depth = at;
        if !names.is_empty() {
            break;
        }
    }
    let whole = |name: &str| {
        let before = path.iter().take(depth).map(ToString::to_string);
        before.chain([name.to_owned()]).collect::<Vec<_>>().join(".")
    };
    let wrong = path.get(depth).map_or("", |n| &**n);
    let mut why = format!("{subject} sets it, so there is nothing to specialise.");
    match nearest(wrong, names.iter().map(String::as_str)).filter(|near| *near != wrong) {
        Some(near) => why.push_str(&format!(" Did you mean \"{}\"?", whole(near))),
        None if names.is_empty() || names.len() > MOST => {}
        None => {
            let all: Vec<String> = names.iter().map(|n| whole(n)).collect();
            why.push_str(&format!(" What is set: {}.", all.join(", ")));
        }
    }
    let no = if what.starts_with("no ") { "sets" } else { "doesn't set" };
    Issue::warning(Code::Config, format!("{what} {no} {}", decl.field), why).at(decl.place)
}

/// The names that a declaration sets below a path.
fn below(module: &Module, target: &Target, path: &[Arc<str>]) -> Vec<String> {
    if path.is_empty() {
        return match target {
            Target::Call(name) => {
                let args = module.call(name).into_iter().flat_map(|c| &c.args);
                args.map(|a| a.name.text.to_string()).collect()
            }
            Target::Resource(addr) => {
                let body = module.resources.get(addr).map(|r| &r.body);
                let args = body.into_iter().flat_map(|b| &b.attributes).map(|a| a.name.text.to_string());
                let blocks = body.into_iter().flat_map(|b| &b.blocks);
                let blocks = blocks.filter_map(|b| makes(b)).map(ToString::to_string);
                args.chain(blocks).filter(|n| !KEPT.contains(&n.as_str())).collect()
            }
            _ => Vec::new(),
        };
    }
    let sites = locate_all(module, target, path).unwrap_or_default();
    let mut names: Vec<String> =
        sites.iter().flat_map(|(_, site)| within(&site.attr.expr, &site.rest)).collect();
    if let Target::Resource(addr) = target {
        let blocks = module.resources.get(addr).map_or(&[][..], |r| &r.body.blocks);
        names.extend(in_blocks(blocks, path));
    }
    names
}

/// The names in nested blocks.
fn in_blocks(blocks: &[In<Block>], path: &[Arc<str>]) -> Vec<String> {
    let Some((kind, rest)) = path.split_first() else { return Vec::new() };
    let mut names = Vec::new();
    for block in blocks.iter().filter(|b| makes(b) == Some(kind)) {
        let Some(body) = inside(block, &mut Vec::new()) else { continue };
        let inner = blocks_in(body, block.file);
        if rest.is_empty() {
            names.extend(body.attributes().map(|a| a.name.text.to_string()));
            names.extend(inner.iter().filter_map(|b| makes(b)).map(ToString::to_string));
        } else {
            names.extend(in_blocks(&inner, rest));
        }
    }
    names
}

/// The names in an object that is written out.
fn within(expr: &Expr, path: &[Arc<str>]) -> Vec<String> {
    let ExprKind::Object(items) = &expr.kind else { return Vec::new() };
    let name = |key: &ObjectKey| match key {
        ObjectKey::Name(name) => Some(name.text.clone()),
        ObjectKey::Expr(key) => match &key.kind {
            ExprKind::String(text) => Some(text.clone()),
            _ => None,
        },
    };
    match path.split_first() {
        None => items.iter().filter_map(|i| name(&i.key)).map(|n| n.to_string()).collect(),
        Some((first, rest)) => {
            let own = items.iter().filter(|i| name(&i.key).as_ref() == Some(first));
            own.flat_map(|i| within(&i.value, rest)).collect()
        }
    }
}
