//! From the declarations of its files to a module: names are unique, overrides are merged.

use super::decode::{Ctx, FileDecls};
use super::{Decl, FileEntry, Module, decode, overrides};
use crate::issue::{Code, Issue};
use crate::text::Sources;
use std::collections::BTreeMap;

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

fn append(module: &mut Module, decls: FileDecls, sources: &Sources, issues: &mut Vec<Issue>) {
    let mut twice = |what: String, rule: &str, first: &Decl, second: &Decl| {
        issues.push(duplicate(sources, &what, rule, first, second));
    };
    for v in decls.variables {
        let label = format!("variable \"{}\"", v.name);
        unique(
            &mut module.variables,
            v.name.clone(),
            v,
            |v| &v.decl,
            |a, b| {
                twice(label, "Variable names must be unique within a module.", a, b);
            },
        );
    }
    for l in decls.locals {
        if let Some(first) = module.locals.get(&l.name) {
            let label = format!("local value \"{}\"", l.name);
            let place = |l: &super::Local| l.attr.at(l.attr.name.span);
            let (first, second) = (place(first), place(&l));
            issues.push(duplicate_at(
                sources,
                &label,
                "Local value names must be unique within a module.",
                first,
                second,
            ));
        } else {
            module.locals.insert(l.name.clone(), l);
        }
    }
    let mut twice = |what: String, rule: &str, first: &Decl, second: &Decl| {
        issues.push(duplicate(sources, &what, rule, first, second));
    };
    for o in decls.outputs {
        let label = format!("output \"{}\"", o.name);
        unique(
            &mut module.outputs,
            o.name.clone(),
            o,
            |o| &o.decl,
            |a, b| {
                twice(label, "Output names must be unique within a module.", a, b);
            },
        );
    }
    for c in decls.calls {
        let label = format!("module call \"{}\"", c.name);
        unique(
            &mut module.calls,
            c.name.clone(),
            c,
            |c| &c.decl,
            |a, b| {
                twice(label, "Module calls must have unique names within a module.", a, b);
            },
        );
    }
    for r in decls.resources {
        let label = format!("resource {}", r.addr);
        unique(
            &mut module.resources,
            r.addr.clone(),
            r,
            |r| &r.decl,
            |a, b| {
                twice(label, "Resource names must be unique per type in each module.", a, b);
            },
        );
    }
    for p in decls.providers {
        match module.providers.iter().find(|q| q.name == p.name && q.alias == p.alias) {
            Some(first) => {
                let rule = "Each configuration for the same provider must have a distinct alias.";
                twice(format!("provider \"{}\"", p.name), rule, &first.decl, &p.decl);
            }
            None => module.providers.push(p),
        }
    }
    for c in decls.checks {
        match module.checks.iter().find(|d| d.name == c.name) {
            Some(first) => {
                let rule = "Check blocks must be unique within each module.";
                twice(format!("check \"{}\"", c.name), rule, &first.decl, &c.decl);
            }
            None => module.checks.push(c),
        }
    }
    module.moved.extend(decls.moved);
    module.removed.extend(decls.removed);
    module.imports.extend(decls.imports);
    module.terraform.extend(decls.terraform);
    module.others.extend(decls.others);
}

/// Inserts, or tells both declarations where the key is taken; the first one stays.
fn unique<K: Ord, V>(
    map: &mut BTreeMap<K, V>,
    key: K,
    value: V,
    decl: impl Fn(&V) -> &Decl,
    report: impl FnOnce(&Decl, &Decl),
) {
    match map.get(&key) {
        Some(first) => report(decl(first), decl(&value)),
        None => {
            map.insert(key, value);
        }
    }
}

fn duplicate(sources: &Sources, what: &str, rule: &str, first: &Decl, second: &Decl) -> Issue {
    duplicate_at(sources, what, rule, first.place(), second.place())
}

fn duplicate_at(
    sources: &Sources,
    what: &str,
    rule: &str,
    first: crate::text::Place,
    second: crate::text::Place,
) -> Issue {
    let why = format!("The {what} was already declared at {}. {rule}", sources.span_text(first));
    Issue::error(Code::Invalid, format!("Duplicate {what}"), why).at(second)
}
