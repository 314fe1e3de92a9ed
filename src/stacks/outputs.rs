//! Outputs, which have types in a Stack and none in a module.
//!
//! A value that already has the type stays as it is; another one is converted by the function of that type or, where there is none,
//! by a module with a variable of that type, so that Terraform itself converts it as a Stack would.

use super::items::From;
use super::names;
use super::unit::{Unit, line_end};
use crate::addr::Target;
use crate::config::{In, types};
use crate::syntax::{Attribute, Block, Expr, ExprKind, Item};
use crate::trace::Known;
use crate::value::{Type, hcl};
use std::sync::Arc;

/// The blocks for an output.
pub(super) fn written(unit: &mut Unit<'_, '_, '_>, from: From<'_>, block: &Block, name: &Arc<str>) -> String {
    let is_ephemeral = is_true(block, "ephemeral");
    if is_ephemeral && unit.labels.is_empty() {
        return format!("# The output {} is ephemeral, which a root module's can't be.", hcl::quote(name));
    }
    let Some(value) = block.body.attribute("value") else { return String::new() };
    let text = unit.words().text(&value.expr, (from.file, from.json), None);
    let ty = block.body.attribute("type").map(|attr| type_text(unit, from, &attr.expr));
    let wanted =
        ty.as_ref().and_then(|_| block.body.attribute("type")).and_then(|t| types::constraint(&t.expr).ok());
    let wanted: Option<Type> = wanted.map(|(ty, _)| ty);
    let mut before = String::new();
    let text = match (wanted, ty) {
        (Some(wanted), Some(ty)) if !has_type(unit, name, &wanted) => match function(&wanted) {
            Some(function) => format!("{function}{}", super::items::enclosed(&text)),
            None => {
                let label = names::output(name);
                let path = unit.path(&format!("{label}/main.tf"));
                unit.out.files.insert(path, converting(unit.head, name, &ty, is_ephemeral));
                before = format!(
                    "module {0} {{\nsource = \"./{label}\"\nvalue = {1}\n}}\n\n",
                    hcl::quote(&label),
                    text.trim_end()
                );
                format!("module.{label}.value")
            }
        },
        _ => text,
    };
    let body = from.block(block, |item| match item {
        Item::Attribute(attr) if &*attr.name.text == "type" => None,
        Item::Attribute(attr) if &*attr.name.text == "value" => Some(format!("value = {text}")),
        Item::Attribute(attr) => Some(unit.argument(from, attr, None)),
        Item::Block(block) => Some(unit.copied(from, block, None)),
    });
    format!("{before}output {} {{{}}}", hcl::quote(name), line_end(body))
}

fn is_true(block: &Block, name: &str) -> bool {
    block.body.attribute(name).is_some_and(|attr| matches!(attr.expr.kind, ExprKind::Bool(true)))
}

fn type_text(unit: &Unit<'_, '_, '_>, from: From<'_>, expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::String(text) => text.to_string(),
        _ => unit.words().text(expr, (from.file, from.json), None),
    }
}

/// Returns true if the value has the type before it is converted.
fn has_type(unit: &mut Unit<'_, '_, '_>, name: &Arc<str>, wanted: &Type) -> bool {
    let module = unit.module;
    let Some(value) = module.outputs.get(name).and_then(|o| o.value.as_ref()) else { return false };
    let ExprKind::Call(convert) = &value.expr.kind else { return false };
    let Some(own) = convert.args.first() else { return false };
    let attr = Attribute { expr: own.clone(), ..(*value.node).clone() };
    let target = Target::Output(name.clone());
    let known = unit.asking.value(&unit.spot.path, &target, &unit.spot.standing, In::new(value.file, attr));
    matches!(known, Known::Value(value) if value.ty == *wanted)
}

fn function(ty: &Type) -> Option<&'static str> {
    match ty {
        Type::String => Some("tostring"),
        Type::Number => Some("tonumber"),
        Type::Bool => Some("tobool"),
        _ => None,
    }
}

/// The module that gives a value its type.
fn converting(head: &str, name: &str, ty: &str, is_ephemeral: bool) -> String {
    let ephemeral = if is_ephemeral { "ephemeral = true\n" } else { "" };
    let text = format!(
        "# {head} its output {}, which has a type.\n\nvariable \"value\" {{\ntype = {ty}\n{ephemeral}}}\n\noutput \"value\" {{\nvalue = \
         var.value\n{ephemeral}}}\n",
        hcl::quote(name)
    );
    super::items::laid_out(&text)
}
