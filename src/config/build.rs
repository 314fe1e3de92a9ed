//! From the declarations of its files to a module: names are unique, overrides are merged.

use super::decode::{Ctx, FileDecls};
use super::{CheckBlock, FileEntry, Local, Module, Provider, decode, overrides};
use crate::addr::ResourceAddr;
use crate::issue::{Code, Issue};
use crate::text::{Place, Sources};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Fills the module with what its files declare. `module.files` has the primary files first, then the overrides.
pub(super) fn build(module: &mut Module, sources: &Sources) -> Vec<Issue> {
    let mut issues = Vec::new();
    for file in module.files.clone() {
        let FileEntry { source, body, json, is_override } = file;
        let mut ctx = Ctx { file: source, json, is_override, issues: Vec::new() };
        let decls = decode::file(&mut ctx, &body);
        issues.append(&mut ctx.issues);
        if is_override {
            overrides::merge(module, decls, &mut issues);
        } else {
            append(module, decls, sources, &mut issues);
        }
    }
    issues
}

/// Adds what a file declares.
pub(super) fn append(module: &mut Module, decls: FileDecls, sources: &Sources, issues: &mut Vec<Issue>) {
    let mut report = Report { sources, issues };
    for v in decls.variables {
        let what = |name: &Arc<str>| format!("variable \"{}\"", name);
        let rule = "Variable names must be unique within a module.";
        unique(
            &mut module.variables,
            v.name.clone(),
            v,
            |v| v.decl.place(),
            |key, a, b| report.twice(&what(key), rule, a, b),
        );
    }
    for l in decls.locals {
        let what = |name: &Arc<str>| format!("local value \"{}\"", name);
        let rule = "Local value names must be unique within a module.";
        let place = |l: &Local| l.attr.at(l.attr.name.span);
        unique(&mut module.locals, l.name.clone(), l, place, |key, a, b| {
            report.twice(&what(key), rule, a, b)
        });
    }
    for o in decls.outputs {
        let what = |name: &Arc<str>| format!("output \"{}\"", name);
        let rule = "Output names must be unique within a module.";
        unique(
            &mut module.outputs,
            o.name.clone(),
            o,
            |o| o.decl.place(),
            |key, a, b| report.twice(&what(key), rule, a, b),
        );
    }
    for c in decls.calls {
        let what = |name: &Arc<str>| format!("module call \"{}\"", name);
        let rule = "Module calls must have unique names within a module.";
        unique(
            &mut module.calls,
            c.name.clone(),
            c,
            |c| c.decl.place(),
            |key, a, b| report.twice(&what(key), rule, a, b),
        );
    }
    for r in decls.resources {
        let what = |addr: &ResourceAddr| format!("resource {addr}");
        let rule = "Resource names must be unique per type in each module.";
        unique(
            &mut module.resources,
            r.addr.clone(),
            r,
            |r| r.decl.place(),
            |key, a, b| report.twice(&what(key), rule, a, b),
        );
    }
    append_listed(module, decls.providers, decls.checks, &mut report);
    module.moved.extend(decls.moved);
    module.removed.extend(decls.removed);
    module.imports.extend(decls.imports);
    module.terraform.extend(decls.terraform);
    module.others.extend(decls.others);
}

fn append_listed(
    module: &mut Module,
    providers: Vec<Provider>,
    checks: Vec<CheckBlock>,
    report: &mut Report<'_>,
) {
    for p in providers {
        match module.providers.iter().find(|q| q.name == p.name && q.alias == p.alias) {
            Some(first) => {
                let rule = "Each configuration for the same provider must have a distinct alias.";
                report.twice(&format!("provider \"{}\"", p.name), rule, first.decl.place(), p.decl.place());
            }
            None => module.providers.push(p),
        }
    }
    for c in checks {
        match module.checks.iter().find(|d| d.name == c.name) {
            Some(first) => {
                let rule = "Check blocks must be unique within each module.";
                report.twice(&format!("check \"{}\"", c.name), rule, first.decl.place(), c.decl.place());
            }
            None => module.checks.push(c),
        }
    }
}

/// Inserts, or tells both places where the key is taken; the first one stays.
fn unique<K: Ord, V>(
    map: &mut BTreeMap<K, V>,
    key: K,
    value: V,
    place: impl Fn(&V) -> Place,
    report: impl FnOnce(&K, Place, Place),
) {
    match map.get(&key) {
        Some(first) => report(&key, place(first), place(&value)),
        None => {
            map.insert(key, value);
        }
    }
}

struct Report<'a> {
    sources: &'a Sources,
    issues: &'a mut Vec<Issue>,
}

impl Report<'_> {
    fn twice(&mut self, what: &str, rule: &str, first: Place, second: Place) {
        let why = format!("The {what} was already declared at {}. {rule}", self.sources.span_text(first));
        self.issues.push(Issue::error(Code::Invalid, format!("Duplicate {what}"), why).at(second));
    }
}
