//! The texts and numbers that are written out in secrets, by which words are known to quote one.
//!
//! In: a configuration, its secrets, and where values are written out that are none to be shown. Out: constants of these that stand nowhere else, beside something plain.
//! Absent on purpose: the words.

use super::super::every_field;
use super::found::Secrets;
use super::places::Places;
use super::plain::PlainTexts;
use super::route::Route;
use crate::addr::Target;
use crate::config::Config;
use crate::syntax::{BinaryOp, Expr, ExprKind, ObjectKey, TemplatePart, parse_expr};
use crate::text::{Place, SecretTexts, SourceId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Finds them. `written`: where secrets are written out.
pub fn told_texts(config: &Config, secrets: &Secrets, written: &[Place]) -> SecretTexts {
    let fields = every_field::all(config);
    let mut found = BTreeSet::new();
    for place in written {
        let text = config.sources.slice(*place);
        match parse_expr(text).or_else(|_| parse_expr(&format!("{text}\n"))) {
            Ok(expr) => add_constants(&expr, &mut found),
            Err(_) => drop(found.insert(Arc::from(text))),
        }
    }
    let unlisted = every_field::unlisted(config);
    let is_named =
        |field: &&crate::pipeline::field::Field| crate::config::is_secret_field(config, &field.addr);
    for field in fields.iter().chain(&unlisted).filter(is_named) {
        add_constants(&field.site.attr.expr, &mut found);
    }
    if found.is_empty() {
        return SecretTexts::default();
    }
    let places: Places = written.iter().copied().collect();
    let mut plain = PlainTexts::default();
    let mut add = |file: SourceId, expr: &Expr| {
        plain.add_unless(expr, &|inner| places.hold(Place { file, span: inner.span }));
    };
    for field in fields.iter().filter(|field| !secrets.hides(config, &field.addr)) {
        add(field.site.attr.file, &field.site.attr.expr);
    }
    for (path, id) in &config.paths {
        let Some(module) = config.module(*id) else { continue };
        for local in module.locals.values() {
            if !secrets.holds(path, &Target::Local(local.name.clone()), &Route::new()) {
                add(local.attr.file, &local.attr.expr);
            }
        }
        for variable in module.variables.values().filter(|variable| !variable.is_hidden()) {
            if let Some(default) = &variable.default
                && !secrets.has_variable(path, &variable.name)
            {
                add(default.file, &default.expr);
            }
        }
    }
    found.iter().filter(|text| !plain.has_text(text)).map(|text| &**text).collect()
}

/// Adds what an expression makes a value of: not what it only compares or picks by.
fn add_constants(expr: &Expr, found: &mut BTreeSet<Arc<str>>) {
    match &expr.kind {
        ExprKind::String(text) => drop(found.insert(text.clone())),
        ExprKind::Number(number) => drop(found.insert(number.to_string().into())),
        ExprKind::Template(template) => {
            for part in &template.parts {
                if let TemplatePart::Literal(text, _) = part {
                    found.insert(text.clone());
                }
            }
        }
        ExprKind::Binary(op, ..)
            if !matches!(
                op,
                BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo
            ) =>
        {
            return;
        }
        ExprKind::Index(source, _) => return add_constants(source, found),
        ExprKind::Object(items) => {
            for item in items {
                if let ObjectKey::Expr(key) = &item.key {
                    add_constants(key, found);
                }
                add_constants(&item.value, found);
            }
            return;
        }
        _ => {}
    }
    expr.each_child(&mut |inner| add_constants(inner, found));
}
