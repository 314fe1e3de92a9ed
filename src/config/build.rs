//! From the declarations of its files to a module: names are unique, overrides are merged.

use super::decode::{Ctx, FileDecls};
use super::{FileEntry, Module, decode, overrides};
use crate::addr::ResourceAddr;
use crate::issue::{Code, Issue};
use crate::text::{Place, Sources};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Fills the module with what its files declare. `module.files` has the primary files first, then the overrides. `tofu`: as OpenTofu
/// takes them.
pub(super) fn build(module: &mut Module, sources: &Sources, tofu: bool) -> Vec<Issue> {
    let mut issues = Vec::new();
    let mut is_scoped = false;
    for file in module.files.clone() {
        let FileEntry { source, body, json, is_override } = file;
        // Override files come last, and merge into what is in a scope of its own as well.
        if is_override && !std::mem::replace(&mut is_scoped, true) {
            scope(module, sources, &mut issues);
        }
        let mut ctx = Ctx { file: source, json, is_override, tofu, issues: Vec::new() };
        let decls = decode::file(&mut ctx, &body);
        issues.append(&mut ctx.issues);
        if is_override {
            overrides::merge(module, decls, &mut issues);
        } else {
            append(module, decls, sources, &mut issues);
        }
    }
    if !is_scoped {
        scope(module, sources, &mut issues);
    }
    issues
}

/// Notes the data sources of `check` blocks. Their addresses are unique among all resources of the module.
fn scope(module: &mut Module, sources: &Sources, issues: &mut Vec<Issue>) {
    let mut report = Report { sources, issues };
    let mut scoped: BTreeMap<ResourceAddr, usize> = BTreeMap::new();
    for (at, check) in module.checks.iter().enumerate() {
        let Some(data) = &check.data else { continue };
        let in_check = || module.checks.get(*scoped.get(&data.addr)?)?.data.as_deref();
        match module.resources.get(&data.addr).or_else(in_check) {
            Some(first) => {
                let rule =
                    "Resource names must be unique per type in each module, including within check blocks.";
                let what = format!("resource {}", data.addr);
                report.twice(&what, rule, first.decl.place(), data.decl.place());
            }
            None => drop(scoped.insert(data.addr.clone(), at)),
        }
    }
    module.scoped = scoped;
}

/// Adds what a file declares.
pub(super) fn append(module: &mut Module, decls: FileDecls, sources: &Sources, issues: &mut Vec<Issue>) {
    let mut report = Report { sources, issues };
    report.once(&mut module.variables, decls.variables, |v| {
        let rule = "Variable names must be unique within a module.";
        (v.name.clone(), format!("variable \"{}\"", v.name), rule, v.decl.place())
    });
    report.once(&mut module.locals, decls.locals, |l| {
        let rule = "Local value names must be unique within a module.";
        (l.name.clone(), format!("local value \"{}\"", l.name), rule, l.attr.at(l.attr.name.span))
    });
    report.once(&mut module.outputs, decls.outputs, |o| {
        let rule = "Output names must be unique within a module.";
        (o.name.clone(), format!("output \"{}\"", o.name), rule, o.decl.place())
    });
    report.once(&mut module.calls, decls.calls, |c| {
        let rule = "Module calls must have unique names within a module.";
        (c.name.clone(), format!("module call \"{}\"", c.name), rule, c.decl.place())
    });
    report.once(&mut module.resources, decls.resources, |r| {
        let rule = "Resource names must be unique per type in each module.";
        (r.addr.clone(), format!("resource {}", r.addr), rule, r.decl.place())
    });
    report.listed_once(&mut module.providers, decls.providers, |p| {
        let rule = "Each configuration for the same provider must have a distinct alias.";
        ((p.name.clone(), p.alias.clone()), format!("provider \"{}\"", p.name), rule, p.decl.place())
    });
    report.listed_once(&mut module.checks, decls.checks, |c| {
        let rule = "Check blocks must be unique within each module.";
        (c.name.clone(), format!("check \"{}\"", c.name), rule, c.decl.place())
    });
    module.moved.extend(decls.moved);
    module.removed.extend(decls.removed);
    module.imports.extend(decls.imports);
    module.terraform.extend(decls.terraform);
    module.others.extend(decls.others);
}

struct Report<'a> {
    sources: &'a Sources,
    issues: &'a mut Vec<Issue>,
}

/// What tells a declaration apart, what it is called, the rule that no other may be called so, and its place.
type Told<K> = (K, String, &'static str, Place);

impl Report<'_> {
    /// Adds declarations. Where the key is taken the first one stays, and both places are told.
    fn once<K: Ord, V>(&mut self, map: &mut BTreeMap<K, V>, all: Vec<V>, tell: fn(&V) -> Told<K>) {
        for one in all {
            let (key, what, rule, place) = tell(&one);
            match map.entry(key) {
                Entry::Occupied(first) => self.twice(&what, rule, tell(first.get()).3, place),
                Entry::Vacant(slot) => {
                    slot.insert(one);
                }
            }
        }
    }

    /// The same where they stay in the order of the source.
    fn listed_once<K: Ord, V>(&mut self, list: &mut Vec<V>, all: Vec<V>, tell: fn(&V) -> Told<K>) {
        let mut known: BTreeMap<K, Place> = BTreeMap::new();
        for one in list.iter() {
            let (key, .., place) = tell(one);
            known.entry(key).or_insert(place);
        }
        for one in all {
            let (key, what, rule, place) = tell(&one);
            match known.entry(key) {
                Entry::Occupied(first) => self.twice(&what, rule, *first.get(), place),
                Entry::Vacant(slot) => {
                    slot.insert(place);
                    list.push(one);
                }
            }
        }
    }

    fn twice(&mut self, what: &str, rule: &str, first: Place, second: Place) {
        let why = format!("The {what} was already declared at {}. {rule}", self.sources.span_text(first));
        self.issues.push(Issue::error(Code::Invalid, format!("Duplicate {what}"), why).at(second));
    }
}
