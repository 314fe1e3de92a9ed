//! The root module's variables in the Stack, and in the modules of the components that are added.
//!
//! A Stack treats null as no value. If an environment sets a variable to null although it has a default, the variable's default in
//! the Stack is null, and every deployment with another value sets it.

use super::read::{Root, beyond};
use super::types;
use crate::addr::Referent;
use crate::config::{In, Variable};
use crate::graph::uses_of;
use crate::issue::{Code, Issue};
use crate::matrix::Assigned;
use crate::stacks::items::From;
use crate::syntax::{Block, ExprKind, Item};
use crate::trace::Universe;
use crate::value::{Type, Value, hcl};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// An environment of the root module, which becomes a deployment of the proposed Stack.
#[derive(Clone, Debug)]
pub struct Environment {
    /// The value of each root variable, defaults included.
    pub assigned: Assigned,
    /// The values that the environment sets itself.
    pub given: BTreeMap<Arc<str>, Value>,
    /// Its workspace.
    pub workspace: String,
}

/// The types and defaults of variables that differ in the Stack.
#[derive(Default)]
pub(super) struct Declared {
    /// Types that a Stack can't have as the root module writes them, by variable.
    pub types: BTreeMap<Arc<str>, String>,
    /// The variables whose default is null in the Stack.
    pub nulls: BTreeSet<Arc<str>>,
    pub issues: Vec<Issue>,
}

/// Returns the types and defaults that differ in the Stack.
pub(super) fn declared(root: &Root<'_>, environments: &[Environment]) -> Declared {
    let mut out = Declared::default();
    for variable in root.module.variables.values() {
        let null = environments.iter().any(|env| env.given.get(&variable.name).is_some_and(Value::is_null));
        let default_is_null =
            variable.default.as_ref().is_some_and(|d| matches!(d.expr.kind, ExprKind::Null));
        if null && variable.nullable && !default_is_null {
            out.nulls.insert(variable.name.clone());
        }
        let written = variable.type_attr.as_ref().is_some_and(|t| types::constraint(&t.expr).is_some());
        if !written {
            match type_of(variable, environments) {
                Ok(ty) => drop(out.types.insert(variable.name.clone(), ty)),
                Err(issue) => out.issues.push(issue),
            }
        }
    }
    out
}

/// Returns the type of a variable. If the variable doesn't fix it, it is the type of the values in all environments.
fn type_of(variable: &Variable, environments: &[Environment]) -> Result<String, Issue> {
    if !variable.ty.has_dynamic() {
        return Ok(types::text(&variable.ty));
    }
    let mut found: Vec<Type> = Vec::new();
    for env in environments {
        let Some(Universe { values, .. }) = env.assigned.universes.get(&variable.name) else { continue };
        found.extend(values.iter().filter(|v| !v.is_null()).map(|v| v.ty.clone()));
    }
    let open = |why: &str| {
        let summary = format!("var.{} has no type", variable.name);
        Issue::error(
            Code::Unsupported,
            summary,
            format!("A Stack's variables have types without \"any\". {why}"),
        )
        .at(variable.decl.place())
        .fix("Say which one it is:", format!("variable \"{}\" {{\n  type = string\n}}", variable.name))
    };
    match found.split_first() {
        None => Err(open("No environment gives it a value that would say which one it is.")),
        Some((first, rest))
            if rest.iter().all(|ty| ty == first) && types::writable(first).as_ref() == Some(first) =>
        {
            Ok(types::text(first))
        }
        Some(_) => {
            Err(open("Environments give it values of different types, or of one that can't be written."))
        }
    }
}

/// Returns the variable's block in the Stack.
pub(super) fn in_stack(from: From<'_>, block: &Block, name: &Arc<str>, declared: &Declared) -> String {
    let has_type = block.body.attribute("type").is_some();
    let items = from.block(block, |item| match item {
        Item::Attribute(attr) => {
            let text = from.raw(attr.expr.span);
            match &*attr.name.text {
                "type" => Some(format!("type = {}", declared.types.get(name).map_or(text, String::as_str))),
                "default" if declared.nulls.contains(name) => Some("default = null".to_owned()),
                "default" | "description" | "sensitive" | "ephemeral" => {
                    Some(format!("{} = {text}", attr.name.text))
                }
                _ => None,
            }
        }
        Item::Block(inner) => is_own(inner, from, name).then(|| from.raw(inner.span).to_owned()),
    });
    let ty =
        declared.types.get(name).filter(|_| !has_type).map(|ty| format!("type = {ty}\n")).unwrap_or_default();
    let has_default = block.body.attribute("default").is_some();
    let default = if declared.nulls.contains(name) && !has_default { "default = null\n" } else { "" };
    let body = format!("{ty}{default}{}", items.trim());
    format!("variable {} {{\n{}\n}}", hcl::quote(name), body.trim_end())
}

/// Returns the variable's block in a component's module. It has no default, as the Stack's applies. `checks` are the validations that
/// the Stack can't have.
pub(super) fn in_module(from: From<'_>, block: &Block, name: &Arc<str>, checks: &[String]) -> String {
    let items = from.block(block, |item| match item {
        Item::Attribute(attr) if &*attr.name.text == "default" => None,
        Item::Attribute(attr) => Some(from.raw(attr.span).to_owned()),
        Item::Block(_) => None,
    });
    let body = format!("{}\n{}", items.trim(), checks.join("\n"));
    match body.trim() {
        "" => format!("variable {} {{}}", hcl::quote(name)),
        body => format!("variable {} {{\n{body}\n}}", hcl::quote(name)),
    }
}

/// Returns the validations that refer to more than the variable.
pub(super) fn further<'b>(from: From<'_>, block: &'b Block, name: &str) -> Vec<&'b Block> {
    block.body.blocks_of("validation").map(|b| &**b).filter(|inner| !is_own(inner, from, name)).collect()
}

/// Returns true if a validation refers only to its variable.
fn is_own(block: &Block, from: From<'_>, name: &str) -> bool {
    let own = In::new(from.file, block.clone());
    super::read::arguments(&own).iter().all(|attr| {
        beyond(&attr.expr, attr.file).is_none()
            && uses_of(&attr.expr, attr.file)
                .iter()
                .all(|used| matches!(&used.referent, Referent::Variable(n) if **n == *name))
    })
}
