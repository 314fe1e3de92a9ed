//! JSON values as expressions.

use super::places::Places;
use super::scan::{Kind, Member, Node, ScanError};
use super::schema::Mode;
use crate::syntax::{
    Call, Expr, ExprId, ExprKind, For, Ident, ObjectItem, ObjectKey, Splat, SplatStep, Template,
    TemplatePart, parse_expr, parse_template,
};
use crate::text::Span;
use crate::value::Number;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The text of a file, and the expression ids given out in it, in pre-order.
pub(super) struct Ids<'t> {
    text: &'t str,
    next: u32,
}

impl<'t> Ids<'t> {
    pub(super) fn of(text: &'t str) -> Ids<'t> {
        Ids { text, next: 0 }
    }

    fn next(&mut self) -> ExprId {
        let id = ExprId(self.next);
        self.next = self.next.saturating_add(1);
        id
    }
}

/// The expression that a JSON value stands for.
pub(super) fn expr(node: &Node, mode: Mode, ids: &mut Ids<'_>) -> Result<Expr, ScanError> {
    if let Kind::String(text) = &node.kind {
        return string(text, node.span, mode, ids);
    }
    let id = ids.next();
    let kind = match &node.kind {
        Kind::Null => ExprKind::Null,
        Kind::Bool(b) => ExprKind::Bool(*b),
        Kind::Number(digits) => ExprKind::Number(Arc::new(
            Number::parse(digits).map_err(|_| ScanError::new(node.span, "The number is out of range."))?,
        )),
        Kind::String(text) => ExprKind::String(text.clone()),
        Kind::Array(items) => {
            ExprKind::Tuple(items.iter().map(|i| expr(i, mode, ids)).collect::<Result<_, _>>()?)
        }
        Kind::Object(members) => {
            let items: Vec<ObjectItem> =
                members.iter().map(|m| entry(m, mode, ids)).collect::<Result<_, _>>()?;
            no_key_twice(&items)?;
            ExprKind::Object(items)
        }
    };
    Ok(Expr { id, span: node.span, kind })
}

/// Checks that no key occurs twice. In JSON that is an error, unlike in native syntax. Computed keys are compared
/// when they are evaluated.
fn no_key_twice(items: &[ObjectItem]) -> Result<(), ScanError> {
    let mut seen = BTreeSet::new();
    for item in items {
        let (key, span) = match &item.key {
            ObjectKey::Name(name) => (name.text.clone(), name.span),
            ObjectKey::Expr(Expr { kind: ExprKind::String(text), span, .. }) => (text.clone(), *span),
            ObjectKey::Expr(_) => continue,
        };
        if !seen.insert(key) {
            return Err(ScanError::new(span, "An attribute with this name is there already."));
        }
    }
    Ok(())
}

fn entry(member: &Member, mode: Mode, ids: &mut Ids<'_>) -> Result<ObjectItem, ScanError> {
    let key = string(&member.key, member.key_span, mode, ids)?;
    // A bare name is the key itself in native syntax.
    let key = match key.kind {
        ExprKind::Variable(text) => ObjectKey::Name(Ident { text, span: key.span }),
        _ => ObjectKey::Expr(key),
    };
    // What is written out is compared when it is read.
    let once = !matches!(&key, ObjectKey::Name(_) | ObjectKey::Expr(Expr { kind: ExprKind::String(_), .. }));
    Ok(ObjectItem { key, value: expr(&member.value, mode, ids)?, once })
}

fn string(text: &str, span: Span, mode: Mode, ids: &mut Ids<'_>) -> Result<Expr, ScanError> {
    let parsed = match mode {
        Mode::Literal => return Ok(Expr { id: ids.next(), span, kind: ExprKind::String(text.into()) }),
        Mode::Template => parse_template(text),
        Mode::Native => parse_expr(text),
    };
    let mut parsed = parsed.map_err(|e| ScanError {
        span,
        code: e.code,
        message: format!("The string can't be read as an expression: {}.", e.message),
    })?;
    let places = Places::of(ids.text, span);
    Stamp { places, ids }.expr(&mut parsed);
    // What is a literal as a whole is the string with its quotes, so that it can be replaced as one.
    if matches!(parsed.kind, ExprKind::String(_)) {
        parsed.span = span;
    }
    Ok(parsed)
}

/// Gives an expression parsed from a string its places in the file, and ids of the file.
struct Stamp<'a, 't> {
    places: Places,
    ids: &'a mut Ids<'t>,
}

impl Stamp<'_, '_> {
    fn place(&self, span: &mut Span) {
        *span = self.places.of_span(*span);
    }

    fn name(&self, name: &mut Ident) {
        self.place(&mut name.span);
    }

    fn each<'e>(&mut self, exprs: impl IntoIterator<Item = &'e mut Expr>) {
        for e in exprs {
            self.expr(e);
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        e.id = self.ids.next();
        self.place(&mut e.span);
        match &mut e.kind {
            ExprKind::Null
            | ExprKind::Bool(_)
            | ExprKind::Number(_)
            | ExprKind::String(_)
            | ExprKind::Variable(_) => {}
            ExprKind::Template(Template { parts, .. }) => self.parts(parts),
            ExprKind::Tuple(items) => self.each(items),
            ExprKind::Object(items) => items.iter_mut().for_each(|i| self.item(i)),
            ExprKind::GetAttr(source, name) => {
                self.name(name);
                self.expr(source);
            }
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => self.each([&mut **a, &mut **b]),
            ExprKind::LegacyIndex(inner, _) | ExprKind::Paren(inner) | ExprKind::Unary(_, inner) => {
                self.expr(inner);
            }
            ExprKind::Conditional(c, a, b) => self.each([&mut **c, &mut **a, &mut **b]),
            ExprKind::Call(call) => {
                let Call { name, args, .. } = &mut **call;
                self.name(name);
                self.each(args);
            }
            ExprKind::Splat(splat) => self.splat(splat),
            ExprKind::For(f) => self.for_expr(f),
        }
    }

    fn item(&mut self, item: &mut ObjectItem) {
        match &mut item.key {
            ObjectKey::Name(name) => self.name(name),
            ObjectKey::Expr(key) => self.expr(key),
        }
        self.expr(&mut item.value);
    }

    fn splat(&mut self, splat: &mut Splat) {
        self.place(&mut splat.marker);
        self.expr(&mut splat.source);
        self.steps(&mut splat.each);
    }

    fn steps(&mut self, steps: &mut [SplatStep]) {
        for step in steps {
            match step {
                SplatStep::Splat(inner) => {
                    self.place(&mut inner.marker);
                    self.steps(&mut inner.each);
                }
                SplatStep::Attr(name) => self.name(name),
                SplatStep::Index(key) => self.expr(key),
                SplatStep::LegacyIndex(_, span) => self.place(span),
            }
        }
    }

    fn for_expr(&mut self, f: &mut For) {
        f.key.iter_mut().for_each(|k| self.name(k));
        self.name(&mut f.value);
        self.expr(&mut f.collection);
        self.each(&mut f.result_key);
        self.expr(&mut f.result);
        self.each(&mut f.condition);
    }

    fn parts(&mut self, parts: &mut [TemplatePart]) {
        for part in parts {
            match part {
                TemplatePart::Literal(_, span) => self.place(span),
                TemplatePart::Interpolation(inner, span) => {
                    self.place(span);
                    self.expr(inner);
                }
                TemplatePart::If { condition, then, otherwise, span } => {
                    self.place(span);
                    self.expr(condition);
                    self.parts(then);
                    self.parts(otherwise);
                }
                TemplatePart::For { key, value, collection, body, span } => {
                    self.place(span);
                    key.iter_mut().for_each(|k| self.name(k));
                    self.name(value);
                    self.expr(collection);
                    self.parts(body);
                }
            }
        }
    }
}
