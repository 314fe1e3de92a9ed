//! The attributes that a `for` takes of each instance of what it iterates over.
//!
//! In: the expression around a collection of instances. Out: each attribute with its place. Invariant: the variable of the `for`
//! stands nowhere but before an attribute, so that nothing else of an instance is used. Absent on purpose: what the attributes become.

use crate::syntax::walk::{self, Part};
use crate::syntax::{Expr, ExprKind, Ident, TemplatePart};
use crate::text::Span;
use std::collections::BTreeSet;
use std::sync::Arc;

/// An attribute that is taken of the variable of a `for`.
pub(super) struct Taken {
    /// Its name.
    pub name: Arc<str>,
    /// The place of its name; that of the brackets if it is a quoted key.
    pub span: Span,
    /// True if it is a quoted key.
    pub quoted: bool,
}

impl Taken {
    /// Returns the attribute of a name behind a dot.
    pub fn of(name: &Ident) -> Taken {
        Taken { name: name.text.clone(), span: name.span, quoted: false }
    }
}

/// Returns the names of the attributes, each once.
pub(super) fn names(all: &[Taken]) -> Vec<Arc<str>> {
    all.iter().map(|taken| taken.name.clone()).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Returns the attributes that a `for` takes of each element, if `outer` is a `for` over `collection`, or a template with one. Returns
/// `None` if it uses an element in any other way.
pub(super) fn taken(outer: &Expr, collection: &Expr) -> Option<Vec<Taken>> {
    match &outer.kind {
        ExprKind::For(own) if std::ptr::eq(&own.collection, collection) => {
            let mut walk = Walk { variable: &own.value.text, out: Vec::new() };
            let parts = own.result_key.iter().chain([&own.result]).chain(&own.condition);
            { parts }.all(|part| walk.expr(part)).then_some(walk.out)
        }
        ExprKind::Template(template) => in_template(&template.parts, collection),
        _ => None,
    }
}

fn in_template(parts: &[TemplatePart], collection: &Expr) -> Option<Vec<Taken>> {
    parts.iter().find_map(|part| match part {
        TemplatePart::For { value, collection: own, body, .. } if std::ptr::eq(own, collection) => {
            let mut walk = Walk { variable: &value.text, out: Vec::new() };
            let mut plain = true;
            walk::in_template(body, &mut Vec::new(), &mut |part, bound| plain &= walk.part(part, bound));
            plain.then_some(walk.out)
        }
        TemplatePart::For { body, .. } => in_template(body, collection),
        TemplatePart::If { then, otherwise, .. } => {
            in_template(then, collection).or_else(|| in_template(otherwise, collection))
        }
        TemplatePart::Literal(..) | TemplatePart::Interpolation(..) => None,
    })
}

/// The uses of a variable. Each method returns false for one that isn't an attribute.
struct Walk<'v> {
    variable: &'v str,
    out: Vec<Taken>,
}

impl Walk<'_> {
    fn is_variable(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Variable(name) if **name == *self.variable)
    }

    fn expr(&mut self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::GetAttr(base, attr) if self.is_variable(base) => {
                self.out.push(Taken::of(attr));
                true
            }
            ExprKind::Index(base, key) if self.is_variable(base) => match &key.kind {
                ExprKind::String(name) => {
                    let span = Span { start: base.span.end, end: expr.span.end };
                    self.out.push(Taken { name: name.clone(), span, quoted: true });
                    true
                }
                _ => false,
            },
            _ if self.is_variable(expr) => false,
            _ => {
                let mut plain = true;
                expr.each_part(&mut |part, bound| plain &= self.part(part, bound));
                plain
            }
        }
    }

    /// Looks at a part. Where the name is bound again it is another variable's.
    fn part(&mut self, part: Part<'_>, bound: &[Arc<str>]) -> bool {
        match part {
            Part::Expr(expr) if !bound.iter().any(|name| **name == *self.variable) => self.expr(expr),
            _ => true,
        }
    }
}
