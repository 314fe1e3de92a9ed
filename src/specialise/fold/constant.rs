//! Expressions that are constant once driven variables have their values and blocks without instances are empty.

use super::absent::Declared;
use super::named::{By, Folder, Named};
use crate::eval::standalone::eval_closed;
use crate::syntax::{Expr, ExprKind, ObjectItem, ObjectKey, Splat, SplatStep, walk};
use crate::text::SourceId;
use crate::value::{Data, Value};
use std::collections::BTreeSet;

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
        let constant = self.constant(expr, file, by).filter(|_| by.driven)?;
        self.seen.set(true);
        eval_closed(&constant, file).ok()
    }

    /// Returns an expression with its names replaced by their values. Returns `None` if it names or calls anything else.
    fn constant(&self, expr: &Expr, file: SourceId, by: &mut By) -> Option<Expr> {
        self.spend()?;
        if let Some(named) = self.name_of(expr, file) {
            let kind = match named {
                Named::Value(value) => {
                    by.driven = true;
                    literal(value)?
                }
                Named::Local(local) => {
                    let inner = self.constant(&local.attr.expr, local.attr.file, by)?;
                    ExprKind::Paren(Box::new(inner))
                }
                Named::Absent(_, each) => {
                    *by = By { driven: true, absent: true };
                    if *each { ExprKind::Object(Vec::new()) } else { ExprKind::Tuple(Vec::new()) }
                }
                Named::Typed(_) => return None,
            };
            return Some(Expr { kind, ..expr.clone() });
        }
        let mut part = |e: &Expr| self.constant(e, file, by).map(Box::new);
        let kind = match &expr.kind {
            ExprKind::Null | ExprKind::Bool(_) | ExprKind::Number(_) | ExprKind::String(_) => {
                expr.kind.clone()
            }
            ExprKind::Paren(inner) => ExprKind::Paren(part(inner)?),
            ExprKind::Unary(op, inner) => ExprKind::Unary(*op, part(inner)?),
            ExprKind::Binary(op, left, right) => ExprKind::Binary(*op, part(left)?, part(right)?),
            ExprKind::Conditional(test, yes, no) => ExprKind::Conditional(part(test)?, part(yes)?, part(no)?),
            ExprKind::Index(base, key) => ExprKind::Index(part(base)?, part(key)?),
            ExprKind::Splat(splat) => {
                let plain = splat.each.iter().all(|step| matches!(step, SplatStep::Attr(_)));
                let source = self.constant(&splat.source, file, by).filter(|_| plain)?;
                ExprKind::Splat(Box::new(Splat { source, ..(**splat).clone() }))
            }
            ExprKind::Call(call) if FUNCTIONS.contains(&&*call.name.text) && !call.expand_final => {
                let args = call.args.iter().map(|a| self.constant(a, file, by)).collect::<Option<_>>()?;
                let mut call = call.clone();
                call.args = args;
                ExprKind::Call(call)
            }
            ExprKind::Tuple(items) => {
                ExprKind::Tuple(items.iter().map(|i| self.constant(i, file, by)).collect::<Option<_>>()?)
            }
            ExprKind::Object(items) => {
                let mut item = |item: &ObjectItem| {
                    let plain = match &item.key {
                        ObjectKey::Name(_) => true,
                        ObjectKey::Expr(key) => matches!(key.kind, ExprKind::String(_) | ExprKind::Number(_)),
                    };
                    let value = self.constant(&item.value, file, by).filter(|_| plain)?;
                    Some(ObjectItem { value, ..item.clone() })
                };
                ExprKind::Object(items.iter().map(&mut item).collect::<Option<_>>()?)
            }
            _ => return None,
        };
        Some(Expr { kind, ..expr.clone() })
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
    pub(super) fn absent_in(&self, expr: &Expr, file: SourceId) -> BTreeSet<Declared> {
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

fn literal(value: &Value) -> Option<ExprKind> {
    match &value.data {
        Data::String(text) => Some(ExprKind::String(text.clone())),
        Data::Number(number) => Some(ExprKind::Number(number.clone())),
        Data::Bool(truth) => Some(ExprKind::Bool(*truth)),
        _ => None,
    }
}
