//! Expressions that are constant once driven variables have their values and blocks without instances are empty.

use super::named::{By, Folder, Named};
use crate::specialise::unit::UnitName;
use crate::syntax::{Expr, ExprKind, ObjectItem, ObjectKey, SplatStep, walk};
use crate::text::SourceId;
use crate::value::Value;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering::Relaxed;

/// Functions that give the same result for the same arguments in every version of Terraform.
const FUNCTIONS: [&str; 21] = [
    "coalesce",
    "compact",
    "concat",
    "contains",
    "element",
    "flatten",
    "format",
    "join",
    "keys",
    "length",
    "lower",
    "lookup",
    "one",
    "replace",
    "slice",
    "split",
    "substr",
    "trimprefix",
    "trimsuffix",
    "upper",
    "values",
];

impl Folder<'_> {
    /// Returns the value of an expression that is constant once driven names have their values, and that names one of them.
    pub(super) fn value(&self, expr: &Expr, file: SourceId, by: &mut By) -> Option<Value> {
        self.refill();
        self.constant_value(expr, file, by)
    }

    /// The same with what is left of the budget.
    pub(super) fn constant_value(&self, expr: &Expr, file: SourceId, by: &mut By) -> Option<Value> {
        if !self.is_constant(expr, file, by) || !by.driven {
            return None;
        }
        self.seen.store(true, Relaxed);
        self.evaluated(expr, file, 0).ok().filter(Value::is_wholly_known)
    }

    /// Returns true if an expression names and calls nothing but what is constant.
    fn is_constant(&self, expr: &Expr, file: SourceId, by: &mut By) -> bool {
        let mut all = true;
        walk::walk(expr, &mut |e| {
            all = all && self.spend().is_some();
            match self.name_of(e, file).filter(|_| all) {
                None => {
                    all = all && is_folded(e);
                    return all;
                }
                Some(Named::Local(local)) => all = self.is_constant(&local.attr.expr, local.attr.file, by),
                Some(Named::Value(value)) => {
                    by.driven = true;
                    all = value.ty.is_primitive() && value.is_known() && !value.is_null();
                }
                Some(Named::Absent(..)) => *by = By { driven: true, absent: true },
                Some(Named::Typed(_)) => all = false,
            }
            false
        });
        all
    }

    /// Returns true if an expression fails for sure because it takes a part of a block without instances.
    pub(super) fn fails(&self, expr: &Expr, file: SourceId) -> bool {
        if !self.any_absent {
            return false;
        }
        let fails = |e: &Expr| self.fails(e, file);
        match &expr.kind {
            ExprKind::GetAttr(base, _) | ExprKind::LegacyIndex(base, _) => {
                self.is_nothing(base, file) || fails(base)
            }
            ExprKind::Index(base, key) => {
                // A key that is not known yet would fail in the apply alone.
                let known = matches!(key.kind, ExprKind::Number(_) | ExprKind::String(_)) || is_own_key(key);
                (known && self.is_nothing(base, file)) || fails(base) || fails(key)
            }
            ExprKind::Splat(splat) => fails(&splat.source),
            ExprKind::Paren(inner) | ExprKind::Unary(_, inner) => fails(inner),
            ExprKind::Binary(_, left, _) => fails(left),
            ExprKind::Conditional(test, ..) => fails(test),
            ExprKind::Call(call) => match &*call.name.text {
                "can" => false,
                "try" => !call.args.is_empty() && call.args.iter().all(fails),
                _ => call.args.iter().any(fails),
            },
            ExprKind::Template(_) | ExprKind::Tuple(_) | ExprKind::Object(_) => {
                let mut any = false;
                if let ExprKind::Template(template) = &expr.kind
                    && template.parts.iter().any(|p| !is_plain(p))
                {
                    return false;
                }
                expr.each_child(&mut |child| any |= fails(child));
                any
            }
            ExprKind::For(each) => fails(&each.collection),
            _ => false,
        }
    }

    /// Returns true if an expression is a block without instances as a whole.
    fn is_nothing(&self, expr: &Expr, file: SourceId) -> bool {
        match &expr.kind {
            ExprKind::Paren(inner) => self.is_nothing(inner, file),
            _ => matches!(self.name_of(expr, file), Some(Named::Absent(..))),
        }
    }

    /// Returns the blocks without instances that an expression names.
    pub(super) fn absent_in(&self, expr: &Expr, file: SourceId) -> BTreeSet<UnitName> {
        let mut out = BTreeSet::new();
        walk::walk(expr, &mut |e| {
            if let Some(Named::Absent(declared, _)) = self.name_of(e, file) {
                out.insert(declared.clone());
            }
            true
        });
        out
    }
}

/// Returns true if a key is that of the instance at hand, which is always known.
fn is_own_key(key: &Expr) -> bool {
    let ExprKind::GetAttr(base, name) = &key.kind else { return false };
    let ExprKind::Variable(root) = &base.kind else { return false };
    matches!((&**root, &*name.text), ("count", "index") | ("each", "key"))
}

fn is_plain(part: &crate::syntax::TemplatePart) -> bool {
    use crate::syntax::TemplatePart;
    matches!(part, TemplatePart::Literal(..) | TemplatePart::Interpolation(..))
}

/// Returns true if an expression of this form is constant where its parts are.
fn is_folded(expr: &Expr) -> bool {
    let is_plain = |item: &ObjectItem| match &item.key {
        ObjectKey::Name(_) => true,
        ObjectKey::Expr(key) => matches!(key.kind, ExprKind::String(_) | ExprKind::Number(_)),
    };
    match &expr.kind {
        ExprKind::Null | ExprKind::Bool(_) | ExprKind::Number(_) | ExprKind::String(_) => true,
        ExprKind::Paren(_) | ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Conditional(..) => true,
        ExprKind::Index(..) | ExprKind::Tuple(_) => true,
        ExprKind::Splat(splat) => splat.each.iter().all(|step| matches!(step, SplatStep::Attr(_))),
        ExprKind::Call(call) => FUNCTIONS.contains(&&*call.name.text) && !call.expand_final,
        ExprKind::Object(items) => items.iter().all(is_plain),
        _ => false,
    }
}
