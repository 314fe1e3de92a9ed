//! What a driven value itself decides: comparisons, conditionals and indexes of which a variable that carries it is all that
//! isn't a literal.
//!
//! Invariant: an expression is replaced as a whole, by the value that Terraform computes for it. Absent on purpose: functions,
//! other names, and arms of conditionals that aren't literals, since the type of the other arm counts, too.

use crate::addr::Referent;
use crate::config::Module;
use crate::eval::standalone::eval_constant;
use crate::graph::Use;
use crate::syntax::walk::walk_body;
use crate::syntax::{Attribute, Block, Expr, ExprKind, ObjectItem, ObjectKey};
use crate::text::{Edit, SourceId};
use crate::value::{Data, Value, hcl};
use std::collections::BTreeMap;

/// The values of variables by the places where these are named: within a `for`, `var` may be another name.
type Known = BTreeMap<(SourceId, u32), Value>;

/// The edits that put values in place of what variables decide.
pub fn edits(module: &Module, uses: &[Use], value: &dyn Fn(&str) -> Option<Value>) -> Vec<(SourceId, Edit)> {
    let known = known(uses, value);
    let mut out = Vec::new();
    if known.is_empty() {
        return out;
    }
    for file in module.files.iter().filter(|f| !f.json) {
        walk_body(&file.body, &mut |_: &[&Block], attr: &Attribute| {
            fold(&attr.expr, file.source, &known, &mut out);
        });
    }
    out
}

fn known(uses: &[Use], value: &dyn Fn(&str) -> Option<Value>) -> Known {
    let one = |used: &Use| match &used.referent {
        Referent::Variable(name) => Some(((used.file, used.traversal.span.start), value(name)?)),
        _ => None,
    };
    uses.iter().filter_map(one).collect()
}

fn fold(expr: &Expr, file: SourceId, known: &Known, out: &mut Vec<(SourceId, Edit)>) {
    let decides = matches!(
        expr.kind,
        ExprKind::Binary(..) | ExprKind::Unary(..) | ExprKind::Conditional(..) | ExprKind::Index(..)
    );
    if decides && let Some(text) = decided(expr, file, known) {
        out.push((file, Edit { span: expr.span, text }));
        return;
    }
    expr.each_child(&mut |child| fold(child, file, known, out));
}

fn decided(expr: &Expr, file: SourceId, known: &Known) -> Option<String> {
    let mut used = false;
    let constant = constant(expr, file, known, &mut used).filter(|_| used)?;
    let value = eval_constant(&constant, file).ok()?;
    let primitive = matches!(value.data, Data::String(_) | Data::Number(_) | Data::Bool(_));
    hcl::to_hcl(&value).filter(|_| primitive && value.marks.is_empty())
}

/// An expression with values for the variables; nothing where anything else is named or called in it.
fn constant(expr: &Expr, file: SourceId, known: &Known, used: &mut bool) -> Option<Expr> {
    let mut part = |e: &Expr| constant(e, file, known, used).map(Box::new);
    let kind = match &expr.kind {
        ExprKind::Null | ExprKind::Bool(_) | ExprKind::Number(_) | ExprKind::String(_) => expr.kind.clone(),
        ExprKind::GetAttr(base, _) if matches!(base.kind, ExprKind::Variable(_)) => {
            let kind = match &known.get(&(file, expr.span.start))?.data {
                Data::String(text) => ExprKind::String(text.clone()),
                Data::Number(number) => ExprKind::Number(number.clone()),
                Data::Bool(truth) => ExprKind::Bool(*truth),
                _ => return None,
            };
            *used = true;
            kind
        }
        ExprKind::Paren(inner) => ExprKind::Paren(part(inner)?),
        ExprKind::Unary(op, inner) => ExprKind::Unary(*op, part(inner)?),
        ExprKind::Binary(op, left, right) => ExprKind::Binary(*op, part(left)?, part(right)?),
        ExprKind::Conditional(test, yes, no) => ExprKind::Conditional(part(test)?, part(yes)?, part(no)?),
        ExprKind::Index(base, key) => ExprKind::Index(part(base)?, part(key)?),
        ExprKind::Tuple(items) => {
            ExprKind::Tuple(items.iter().map(|i| constant(i, file, known, used)).collect::<Option<_>>()?)
        }
        ExprKind::Object(items) => {
            let mut item = |item: &ObjectItem| {
                let plain = match &item.key {
                    ObjectKey::Name(_) => true,
                    ObjectKey::Expr(key) => matches!(key.kind, ExprKind::String(_) | ExprKind::Number(_)),
                };
                let value = constant(&item.value, file, known, used).filter(|_| plain)?;
                Some(ObjectItem { value, ..item.clone() })
            };
            ExprKind::Object(items.iter().map(&mut item).collect::<Option<_>>()?)
        }
        _ => return None,
    };
    Some(Expr { kind, ..expr.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse_expr;

    fn folded(text: &str) -> String {
        let expr = parse_expr(text).unwrap();
        let value = |name: &str| match name {
            "v" => Some(Value::string("15.4")),
            "n" => Some(Value::number(2)),
            _ => None,
        };
        let known = known(&crate::graph::uses_of(&expr, SourceId(0)), &value);
        let mut out = Vec::new();
        fold(&expr, SourceId(0), &known, &mut out);
        let edits: Vec<Edit> = out.into_iter().map(|(_, edit)| edit).collect();
        crate::specialise::variant::apply(text, &edits).unwrap()
    }

    #[test]
    fn what_the_value_decides_is_a_literal() {
        for (text, want) in [
            ("var.v == \"15.4\" ? 1 : 0", "1"),
            ("var.v != \"15.4\"", "false"),
            ("!(var.v == \"15.4\")", "false"),
            ("{ \"14.9\" = \"a\", \"15.4\" = \"b\" }[var.v]", "\"b\""),
            ("[1, 2, 3][var.n]", "3"),
            ("var.n > 1 && var.n < 3", "true"),
            ("var.v == \"15.4\" ? 1 : \"a\"", "\"1\""),
        ] {
            assert_eq!(folded(text), want, "{text}");
        }
    }

    #[test]
    fn what_anything_else_decides_stays() {
        for text in [
            "var.x == \"15.4\"",
            "1 == 1",
            "var.v",
            "\"${var.v}-a\"",
            "split(\".\", var.v)[0]",
            "{ a = 1 }[var.v]",
            "local.m[var.v]",
            "[for v in [1] : v][0]",
            "[for var in [{ n = 1 }] : var.n == 2]",
        ] {
            assert_eq!(folded(text), text, "{text}");
        }
        assert_eq!(folded("var.v == \"15.4\" ? var.a : var.b"), "true ? var.a : var.b");
        assert_eq!(folded("var.x && var.n == 2"), "var.x && true");
    }
}
