//! Finds expressions that fail under every input once variables have become literals.
//!
//! Terraform evaluates each expression of a module before it expands anything, with variables unknown. An index that is wrong in
//! any case is an error even in a module whose `count` is 0 (measured on 1.11; arguments of a module are not checked, its locals
//! are). A copy exists beside the others under every input, so it may hold no such expression.

use super::expansion::Expansion;
use super::first_pass::{Known, evaluate};
use crate::addr::{ModulePath, Referent};
use crate::config::{Config, Module};
use crate::func::Context;
use crate::graph::uses_of;
use crate::syntax::walk::walk_body;
use crate::syntax::{Attribute, Block, Expr};
use crate::text::SourceId;
use crate::value::Data;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Takes those variables out whose values, in their places, Terraform would reject in a copy that doesn't even exist.
pub(in crate::trace) fn keep_valid(
    (config, path): (&Config, &ModulePath),
    known: &mut Known,
    context: Context<'_>,
) {
    while !known.is_empty() {
        let failing = failing(config, path, known, context);
        if failing.is_empty() {
            return;
        }
        known.retain(|name, _| !failing.contains(name));
    }
}

/// Returns the variables that an expression which fails looks at, here or in a module that is called with them.
fn failing(config: &Config, path: &ModulePath, known: &Known, context: Context<'_>) -> BTreeSet<Arc<str>> {
    let mut out: BTreeSet<Arc<str>> = BTreeSet::new();
    let Some(module) = config.at(path) else { return out };
    let depending = depending_locals(module, known);
    let mut locals = BTreeMap::new();
    for file in module.files.iter().filter(|f| !f.json) {
        walk_body(&file.body, &mut |around: &[&Block], attr: &Attribute| {
            if !depends(&attr.expr, file.source, known, &depending) {
                return;
            }
            let (outcome, reached) = evaluate(module, known, &mut locals, context, (file.source, &attr.expr));
            // What is declined here, Terraform may reject.
            let fails = match &outcome {
                Err(_) => true,
                // What isn't known here may be: a variable that nobody passes has its default.
                Ok(value) => is_early(around, attr) && !matches!(value.data, Data::Bool(true)),
            };
            if fails {
                out.extend(reached);
            }
        });
        let blocks = file.body.blocks();
        let mut expansion = Expansion { module, known, locals: &mut locals, context, file: file.source };
        blocks.for_each(|block| expansion.look_at_block(block, &mut out));
    }
    for call in module.calls.values().filter(|call| !call.decl.json) {
        let mut handed = Known::new();
        let mut by: BTreeMap<Arc<str>, BTreeSet<Arc<str>>> = BTreeMap::new();
        for arg in call.args.iter().filter(|arg| depends(&arg.expr, arg.file, known, &depending)) {
            let (outcome, reached) = evaluate(module, known, &mut locals, context, (arg.file, &arg.expr));
            if let Ok(value) = outcome
                && value.is_wholly_known()
            {
                handed.insert(arg.name.text.clone(), (value, false));
                by.insert(arg.name.text.clone(), reached);
            }
        }
        if !handed.is_empty() {
            let inner = failing(config, &path.child(call.name.clone()), &handed, context);
            out.extend(inner.iter().filter_map(|name| by.get(name)).flatten().cloned());
        }
    }
    out
}

/// Returns true if an argument is a condition that Terraform asks before it expands modules: of an output, where an instance isn't
/// even planned, and of a variable. Those of resources and of checks wait for the plan (measured on 1.11).
fn is_early(around: &[&Block], attr: &Attribute) -> bool {
    let [outer, inner] = around else { return false };
    let kinds = (&*outer.kind.text, &*inner.kind.text);
    &*attr.name.text == "condition"
        && matches!(kinds, ("output", "precondition") | ("variable", "validation"))
}

/// Returns true if an expression names any of the variables, or of the locals that depend on them.
fn depends(expr: &Expr, file: SourceId, known: &Known, locals: &BTreeSet<Arc<str>>) -> bool {
    uses_of(expr, file).into_iter().any(|used| match used.referent {
        Referent::Variable(name) => known.contains_key(&name),
        Referent::Local(name) => locals.contains(&name),
        _ => false,
    })
}

/// The locals that depend on any of the variables.
fn depending_locals(module: &Module, known: &Known) -> BTreeSet<Arc<str>> {
    let mut out = BTreeSet::new();
    loop {
        let before = out.len();
        for (name, local) in &module.locals {
            if depends(&local.attr.expr, local.attr.file, known, &out) {
                out.insert(name.clone());
            }
        }
        if out.len() == before {
            return out;
        }
    }
}
