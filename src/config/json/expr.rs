//! JSON values as expressions.

use super::node::JsonError;
use super::places::Places;
use super::schema::Mode;
use crate::syntax::walk::PartMut;
use crate::syntax::{Expr, ExprKind, Ident, ObjectItem, ObjectKey, TemplatePart, parse_expr, parse_template};
use crate::text::Span;
use crate::value::Number;
use crate::value::json::scan::{Kind, Member, Node};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The expression that a JSON value stands for in a file with this text.
pub(super) fn expr(node: &Node, mode: Mode, file: &str) -> Result<Expr, JsonError> {
    if let Kind::String(text) = &node.kind {
        return string(text, node.span, mode, file);
    }
    let kind = match &node.kind {
        Kind::Null => ExprKind::Null,
        Kind::Bool(b) => ExprKind::Bool(*b),
        Kind::Number(digits) => ExprKind::Number(Arc::new(
            Number::parse(digits).map_err(|_| JsonError::new(node.span, "The number is out of range."))?,
        )),
        Kind::String(text) => ExprKind::String(text.clone()),
        Kind::Array(items) => {
            ExprKind::Tuple(items.iter().map(|i| expr(i, mode, file)).collect::<Result<_, _>>()?)
        }
        Kind::Object(members) => {
            let items: Vec<ObjectItem> =
                members.iter().map(|m| entry(m, mode, file)).collect::<Result<_, _>>()?;
            no_key_twice(&items)?;
            ExprKind::Object(items)
        }
    };
    Ok(Expr { span: node.span, kind })
}

/// Checks that no key occurs twice. In JSON that is an error, unlike in native syntax. Computed keys are compared
/// when they are evaluated.
fn no_key_twice(items: &[ObjectItem]) -> Result<(), JsonError> {
    let mut seen = BTreeSet::new();
    for item in items {
        let (key, span) = match &item.key {
            ObjectKey::Name(name) => (name.text.clone(), name.span),
            ObjectKey::Expr(Expr { kind: ExprKind::String(text), span, .. }) => (text.clone(), *span),
            ObjectKey::Expr(_) => continue,
        };
        if !seen.insert(key) {
            return Err(JsonError::new(span, "An attribute with this name is there already."));
        }
    }
    Ok(())
}

fn entry(member: &Member, mode: Mode, file: &str) -> Result<ObjectItem, JsonError> {
    let key = string(&member.key, member.key_span, mode, file)?;
    // A bare name is the key itself in native syntax.
    let key = match key.kind {
        ExprKind::Variable(text) => ObjectKey::Name(Ident { text, span: key.span }),
        _ => ObjectKey::Expr(key),
    };
    // What is written out is compared when it is read.
    let once = !matches!(&key, ObjectKey::Name(_) | ObjectKey::Expr(Expr { kind: ExprKind::String(_), .. }));
    Ok(ObjectItem { key, value: expr(&member.value, mode, file)?, once })
}

fn string(text: &str, span: Span, mode: Mode, file: &str) -> Result<Expr, JsonError> {
    let parsed = match mode {
        Mode::Literal => return Ok(Expr { span, kind: ExprKind::String(text.into()) }),
        Mode::Static if !has_expression(text) => {
            return Ok(Expr { span, kind: ExprKind::String(text.into()) });
        }
        // No reference, but one that is known by sight.
        Mode::Reference if text == "*" => return Ok(Expr { span, kind: ExprKind::String(text.into()) }),
        Mode::Reference if !has_expression(text) => parse_expr(text),
        Mode::Template | Mode::Static | Mode::Reference => parse_template(text),
        Mode::Native => parse_expr(text),
    };
    let mut parsed = parsed.map_err(|e| JsonError {
        code: e.code,
        ..JsonError::new(span, format!("The string can't be read as an expression: {}.", e.message))
    })?;
    if mode == Mode::Reference
        && let ExprKind::Template(template) = &parsed.kind
        && let [TemplatePart::Interpolation(only, _)] = template.parts.as_slice()
    {
        // Read as a reference it is what stands in it.
        parsed = Expr::clone(only);
    }
    stamp(&mut parsed, &Places::of(file, span));
    // What is a literal as a whole is the string with its quotes, so that it can be replaced as one.
    if matches!(parsed.kind, ExprKind::String(_)) {
        parsed.span = span;
    }
    Ok(parsed)
}

/// Returns true if a text has a part that is an expression to a template.
fn has_expression(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        // Doubled, it is text.
        if !rest.get(..at).is_some_and(|before| before.ends_with('$')) {
            return true;
        }
        rest = rest.get(at + 2..).unwrap_or_default();
    }
    false
}

/// Gives an expression parsed from a string its places in the file.
fn stamp(expr: &mut Expr, places: &Places) {
    expr.span = places.of_span(expr.span);
    expr.each_part_mut(&mut |part, _| match part {
        PartMut::Expr(inner) => stamp(inner, places),
        PartMut::Name(name) => name.span = places.of_span(name.span),
        PartMut::Place(span) => *span = places.of_span(*span),
    });
}
