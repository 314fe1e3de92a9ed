//! Texts and numbers that stand in a tree where everybody may see them.
//!
//! In: expressions, and values of environments. Out: whether a constant in a condition is one of them. A condition that a secret has a part in may compare with
//! a text that was computed from it; with one that is written out beside something plain it tells nothing. Absent on purpose: what is secret.

use crate::syntax::walk::walk;
use crate::syntax::{BinaryOp, Expr, ExprKind, ObjectKey, TemplatePart};
use crate::text::Span;
use crate::value::{Data, Value};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Constants that anybody may see.
#[derive(Clone, Debug, Default)]
pub(super) struct PlainTexts(FxHashSet<Arc<str>>);

impl PlainTexts {
    /// Returns true if a value is one of them, or tells nothing.
    pub fn has(&self, value: &Value) -> bool {
        match &value.data {
            Data::String(text) => self.has_text(text),
            Data::Number(number) => self.0.contains(&*number.to_string()),
            Data::Seq(items) => items.iter().all(|item| self.has(item)),
            Data::Map(entries) => entries.iter().all(|(key, value)| self.has_text(key) && self.has(value)),
            _ => true,
        }
    }

    /// Returns true if a text is one of them, or tells nothing.
    pub fn has_text(&self, text: &str) -> bool {
        text.is_empty() || self.0.contains(text)
    }

    /// Returns true if all that is written out in an expression is among them.
    pub fn hold_all_of(&self, expr: &Expr) -> bool {
        PlainTexts::hold_all(&[self], expr)
    }

    /// Returns true if all that is written out in an expression is among one of several.
    pub fn hold_all(several: &[&PlainTexts], expr: &Expr) -> bool {
        let hold = |text: &str| text.is_empty() || several.iter().any(|one| one.0.contains(text));
        let mut all = true;
        walk(expr, &mut |inner| {
            all &= match &inner.kind {
                ExprKind::String(text) => hold(text),
                ExprKind::Number(number) => hold(&number.to_string()),
                ExprKind::Object(items) => items.iter().all(|item| match &item.key {
                    ObjectKey::Name(name) => hold(&name.text),
                    ObjectKey::Expr(_) => true,
                }),
                ExprKind::Template(template) => template.parts.iter().all(|part| match part {
                    TemplatePart::Literal(text, _) => hold(text),
                    TemplatePart::Interpolation(..) => true,
                    TemplatePart::If { .. } | TemplatePart::For { .. } => false,
                }),
                _ => true,
            };
            all
        });
        all
    }

    /// Adds all that is written out in an expression but what `is_secret` says is none to be shown.
    pub fn add_unless(&mut self, expr: &Expr, is_secret: &dyn Fn(&Expr) -> bool) {
        walk(expr, &mut |inner| {
            if is_secret(inner) {
                return false;
            }
            self.add_literal(inner);
            if let ExprKind::Object(items) = &inner.kind {
                self.add_keys(items.iter().map(|item| &item.key));
            }
            true
        });
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|text| &**text)
    }

    /// Adds a text.
    pub fn add_text(&mut self, text: &str) {
        if !self.0.contains(text) {
            self.0.insert(text.into());
        }
    }

    /// Adds the parts of a value.
    pub fn add_value(&mut self, value: &Value) {
        match &value.data {
            Data::String(text) => drop(self.0.insert(text.as_ref().into())),
            Data::Number(number) => drop(self.0.insert(number.to_string().into())),
            Data::Seq(items) => items.iter().for_each(|item| self.add_value(item)),
            Data::Map(entries) => entries.iter().for_each(|(key, value)| {
                self.0.insert(key.as_ref().into());
                self.add_value(value);
            }),
            _ => {}
        }
    }

    /// Adds all that is written out in an expression in which no secret has a part.
    pub fn add_all(&mut self, expr: &Expr) {
        self.add_unless(expr, &|_| false);
    }

    /// Adds what is compared with something plain, and keys that are written out: all that is known to be none in an expression in which a
    /// secret has a part.
    pub fn add_compared(
        &mut self,
        expr: &Expr,
        is_plain: &dyn Fn(&Expr) -> bool,
        is_written: &dyn Fn(Span) -> bool,
    ) {
        walk(expr, &mut |inner| {
            match &inner.kind {
                _ if is_written(inner.span) => return false,
                ExprKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, left, right) => {
                    for (own, other) in [(left, right), (right, left)] {
                        if is_plain(other) && !is_written(own.span) {
                            self.add_literal(own);
                        }
                    }
                }
                ExprKind::Object(items) => {
                    // One that a secret picks by may be the secret.
                    self.add_keys(items.iter().map(|item| &item.key).filter(|key| !is_written(key.span())));
                }
                ExprKind::Call(call) if &*call.name.text == "contains" => {
                    if let [Expr { kind: ExprKind::Tuple(items), .. }, other] = call.args.as_slice()
                        && is_plain(other)
                    {
                        items.iter().for_each(|item| self.add_literal(item));
                    }
                }
                _ => {}
            }
            true
        });
    }

    fn add_literal(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::String(text) => drop(self.0.insert(text.clone())),
            ExprKind::Number(number) => drop(self.0.insert(number.to_string().into())),
            ExprKind::Template(template) => {
                for part in &template.parts {
                    if let TemplatePart::Literal(text, _) = part {
                        self.0.insert(text.clone());
                    }
                }
            }
            _ => {}
        }
    }

    fn add_keys<'e>(&mut self, keys: impl Iterator<Item = &'e ObjectKey>) {
        for key in keys {
            match key {
                ObjectKey::Name(name) => drop(self.0.insert(name.text.clone())),
                ObjectKey::Expr(expr) => self.add_literal(expr),
            }
        }
    }
}
