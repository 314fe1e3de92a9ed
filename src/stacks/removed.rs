//! `removed` blocks: which instances of components and embedded Stacks are no more, and whether their objects are let go of.
//!
//! A root module destroys what it no longer declares. Only objects that are to stay need a block of their own.

use super::claims::Gone;
use super::unit::Unit;
use crate::addr::Target;
use crate::config::{FileEntry, In};
use crate::issue::{Code, Issue};
use crate::syntax::{Attribute, Block, Expr, ExprKind, TraversalStep, traversal};
use crate::text::Place;
use crate::trace::{Known, Standing};
use crate::value::Value;
use std::sync::Arc;

/// Notes the `removed` blocks of a Stack.
pub(super) fn declared(unit: &mut Unit<'_, '_, '_>) {
    let module = unit.module;
    for entry in &module.files {
        for block in entry.body.blocks_of("removed") {
            let found = one(unit, entry, block);
            match found {
                Ok(found) => unit.out.gone.extend(found),
                Err(issue) => unit.fault(issue),
            }
        }
    }
}

fn one(unit: &mut Unit<'_, '_, '_>, entry: &FileEntry, block: &Block) -> Result<Vec<Gone>, Issue> {
    let Some(from) = block.body.attribute("from") else { return Ok(Vec::new()) };
    let lifecycle = block.body.blocks_of("lifecycle").next();
    let destroys = lifecycle.and_then(|b| b.body.attribute("destroy"));
    let destroys = !destroys.is_some_and(|a| matches!(a.expr.kind, ExprKind::Bool(false)));
    let mut entries: Vec<Option<(Arc<str>, Value)>> = vec![None];
    if let Some(for_each) = block.body.attribute("for_each") {
        let standing = unit.spot.standing.clone();
        let value = value(unit, entry, for_each, &for_each.expr, &standing)?;
        let text = |v: &Value| v.as_str().map(Arc::<str>::from);
        entries = value
            .elements()
            .filter_map(|(k, v)| Some(Some((text(&k).or_else(|| text(v))?, v.clone()))))
            .collect();
    }
    let mut out = Vec::new();
    for each in &entries {
        let mut steps = Vec::new();
        follow(unit, entry, from, &from.expr, each.as_ref(), &mut steps)?;
        if !steps.is_empty() {
            out.push(Gone { above: unit.labels.clone(), steps, destroys });
        }
    }
    Ok(out)
}

/// Reads `stack.a["k"].component.b[each.key]`.
fn follow(
    unit: &mut Unit<'_, '_, '_>,
    entry: &FileEntry,
    attr: &Attribute,
    expr: &Expr,
    each: Option<&(Arc<str>, Value)>,
    steps: &mut Vec<(Arc<str>, Option<Arc<str>>)>,
) -> Result<(), Issue> {
    match &expr.kind {
        ExprKind::Index(base, key) => {
            follow(unit, entry, attr, base, each, steps)?;
            let key = key_of(unit, entry, attr, key, each)?;
            if let Some(last) = steps.last_mut() {
                last.1 = Some(key);
            }
        }
        ExprKind::GetAttr(base, name) => match &base.kind {
            ExprKind::Variable(word) => steps.push((format!("{word}.{}", name.text).into(), None)),
            ExprKind::GetAttr(inner, word) => {
                follow(unit, entry, attr, inner, each, steps)?;
                steps.push((format!("{}.{}", word.text, name.text).into(), None));
            }
            _ => {}
        },
        _ => {}
    }
    Ok(())
}

fn key_of(
    unit: &mut Unit<'_, '_, '_>,
    entry: &FileEntry,
    attr: &Attribute,
    key: &Expr,
    each: Option<&(Arc<str>, Value)>,
) -> Result<Arc<str>, Issue> {
    let named = traversal::absolute_traversal(key).filter(|t| &*t.root.text == "each");
    let step = named.as_ref().and_then(|t| t.steps.first());
    let own = match (step, each) {
        (Some(TraversalStep::Attr(name)), Some((key, _))) if &*name.text == "key" => Some(key.clone()),
        (Some(_), Some((_, value))) => value.as_str().map(Arc::from),
        _ => None,
    };
    if let Some(own) = own {
        return Ok(own);
    }
    let standing = unit.spot.standing.clone();
    let value = value(unit, entry, attr, key, &standing)?;
    let place = Place { file: entry.source, span: key.span };
    let fault = || Issue::error(Code::Invalid, "Invalid 'from' attribute", "A key is a string.").at(place);
    value.as_str().map(Arc::from).ok_or_else(fault)
}

fn value(
    unit: &mut Unit<'_, '_, '_>,
    entry: &FileEntry,
    attr: &Attribute,
    expr: &Expr,
    standing: &Standing,
) -> Result<Value, Issue> {
    let attr = In::new(entry.source, Attribute { expr: expr.clone(), ..attr.clone() });
    let place = attr.value_place();
    match unit.asking.value(&unit.spot.path, &Target::Local("removed".into()), standing, attr) {
        Known::Value(value) => Ok(value.unmark_deep().0),
        known => {
            let touched = Some(unit.asking.kept_back.touched);
            Err(super::instances::unknown(known, "what is removed", place, touched))
        }
    }
}
