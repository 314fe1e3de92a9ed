//! A field's value as a condition, in the words of the expression that gives it: of `var.protect ? [tags] : []` the list with
//! `tags` is `var.protect`. For gates that stand in the field's own module.
//!
//! Absent on purpose: proofs. What doesn't mean what it should is found where gates are proved.

use crate::addr::Referent;
use crate::cond::{Condition, FormulaId, Site};
use crate::config::{Config, literal::literal};
use crate::gate::{Prover, own_site};
use crate::graph;
use crate::specialise::written::subst;
use crate::syntax::{Expr, ExprKind};
use crate::trace::Driven;
use crate::trace::reading::Reading;
use crate::value::{Value, json};
use std::sync::Arc;

/// The number of arms of conditionals that are looked at.
const ARMS: usize = 16;

/// A branch in the ways in which its fields' own expressions say it: by the one variable that each depends on, and by their arms.
pub fn ways(
    config: &Config,
    prover: &mut Prover<'_, '_>,
    targets: &[(&Driven, &Value)],
    when: FormulaId,
) -> Vec<Option<Arc<Condition>>> {
    let by_variable = targets.iter().map(|(driven, _)| variable(prover, driven, when));
    let by_variable: Option<Vec<_>> = by_variable.collect();
    let by_arms = targets.iter().map(|(driven, value)| condition(config, driven, value, when));
    let by_arms: Option<Vec<_>> = by_arms.collect();
    vec![by_variable.map(Condition::all), by_arms.map(Condition::all)]
}

/// The value of the one variable that a field depends on.
fn variable(prover: &mut Prover<'_, '_>, driven: &Driven, when: FormulaId) -> Option<Arc<Condition>> {
    let site = &driven.site;
    let mut names = graph::uses_of(&site.attr.expr, site.attr.file).into_iter().filter_map(|used| {
        match used.referent {
            Referent::Variable(name) => Some(Some(name)),
            // A name that stands for itself, in `ignore_changes` and the like.
            Referent::Resource(_) if site.reading == Reading::References => None,
            _ => Some(None),
        }
    });
    let only = names.next()??;
    if names.any(|other| other.as_ref() != Some(&only)) {
        return None;
    }
    let module = &driven.field.module;
    let value = prover.tracer().variable_under(module, &only, when)?;
    Some(said(own_site(module, format!("var.{only}"), when), &value))
}

/// Returns the condition that an expression has a value. A bool is a condition by itself.
fn said(site: Site, value: &Value) -> Arc<Condition> {
    match value.as_bool() {
        Some(true) => Arc::new(Condition::Existing(site)),
        Some(false) => Condition::negate(&Arc::new(Condition::Existing(site))),
        None => Arc::new(Condition::Eq(site, value.clone())),
    }
}

/// When a field has a value; `when` is the same as a formula. Nothing where its expression doesn't say.
fn condition(config: &Config, driven: &Driven, value: &Value, when: FormulaId) -> Option<Arc<Condition>> {
    let site = &driven.site;
    let expr = subst::value_part(&site.attr.expr, &site.rest)?;
    let text = |part: &Expr| config.sources.slice(site.attr.at(part.span)).to_owned();
    let own = |part: &Expr| own_site(&driven.field.module, text(part), when);
    let mut arms = Vec::new();
    arms_of(expr, &mut Vec::new(), &mut arms)?;
    let mut any = Vec::new();
    for (tests, arm) in arms {
        let Some(last) = leaf(arm, value, site.reading, &own)? else { continue };
        let tests = tests.into_iter().map(|(test, holds)| {
            let test = Arc::new(Condition::Existing(own(test)));
            if holds { test } else { Condition::negate(&test) }
        });
        any.push(Condition::all(tests.chain([last])));
    }
    (!any.is_empty()).then(|| Condition::any(any))
}

/// An arm, and the tests that lead to it with their outcomes.
type Arm<'e> = (Vec<(&'e Expr, bool)>, &'e Expr);

fn arms_of<'e>(expr: &'e Expr, tests: &mut Vec<(&'e Expr, bool)>, out: &mut Vec<Arm<'e>>) -> Option<()> {
    match &expr.kind {
        ExprKind::Paren(inner) => arms_of(inner, tests, out)?,
        ExprKind::Conditional(test, yes, no) => {
            for (arm, holds) in [(yes, true), (no, false)] {
                tests.push((test, holds));
                arms_of(arm, tests, out)?;
                tests.pop();
            }
        }
        _ => out.push((tests.clone(), expr)),
    }
    (out.len() <= ARMS).then_some(())
}

/// When an arm has the value, if it can have it. The outer option is empty where that can't be said.
fn leaf(
    arm: &Expr,
    value: &Value,
    reading: Reading,
    site: &dyn Fn(&Expr) -> Site,
) -> Option<Option<Arc<Condition>>> {
    let texts = reading.expression(arm);
    if let Ok(constant) = literal(texts.as_ref().unwrap_or(arm)) {
        let same = json::to_json(&constant).ok()? == json::to_json(value).ok()?;
        return Some(same.then(Condition::always));
    }
    if reading == Reading::References {
        return None;
    }
    Some(Some(said(site(arm), value)))
}
