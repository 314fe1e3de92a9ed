//! Comparisons, conditionals and indexes that a driven value decides: their only part that isn't a literal is a variable that
//! carries it, through locals, too; and the arm of a conditional that is left.
//!
//! Invariant: an expression is replaced as a whole, by the value that Terraform computes for it, or by one of its arms where both
//! have the same primitive type whatever they are. Absent on purpose: functions but for a few that make text, and any other name.

use crate::addr::Referent;
use crate::config::{Local, Module};
use crate::eval::standalone::eval_closed;
use crate::graph::Use;
use crate::syntax::walk::walk_body;
use crate::syntax::{
    Attribute, BinaryOp, Block, Expr, ExprKind, ObjectItem, ObjectKey, TemplatePart, UnaryOp,
};
use crate::text::{Edit, SourceId, Span};
use crate::value::{Data, Type, Value, hcl};
use std::cell::Cell;
use std::collections::BTreeMap;

/// Functions that give the same result for the same arguments in every version of Terraform.
const FUNCTIONS: [&str; 11] = [
    "contains",
    "format",
    "join",
    "length",
    "lower",
    "lookup",
    "replace",
    "split",
    "substr",
    "trimprefix",
    "upper",
];

/// The most expressions that are looked at for one that is replaced. Locals may name locals.
const BUDGET: usize = 2_000;

/// The meaning of one reference to a variable or a local. References are told apart by their place, as `var` may be another
/// name within a `for`.
enum Named<'m> {
    Value(Value),
    Local(&'m Local),
    Typed(Type),
}

/// The references of a module, by file and first byte, with the number of expressions that may still be looked at.
struct Folder<'m> {
    named: BTreeMap<(SourceId, u32), Named<'m>>,
    budget: Cell<usize>,
}

/// Returns the edits that replace expressions by the values that variables give them.
pub fn edits(module: &Module, uses: &[Use], value: &dyn Fn(&str) -> Option<Value>) -> Vec<(SourceId, Edit)> {
    let mut out = Vec::new();
    let named = named(module, uses, value);
    if !named.values().any(|n| matches!(n, Named::Value(_))) {
        return out;
    }
    let folder = Folder { named, budget: Cell::new(0) };
    for file in module.files.iter().filter(|f| !f.json) {
        walk_body(&file.body, &mut |_: &[&Block], attr: &Attribute| {
            folder.fold(&attr.expr, file.source, &mut out);
        });
    }
    out
}

fn named<'m>(
    module: &'m Module,
    uses: &[Use],
    value: &dyn Fn(&str) -> Option<Value>,
) -> BTreeMap<(SourceId, u32), Named<'m>> {
    let one = |used: &Use| {
        let named = match &used.referent {
            Referent::Variable(name) => match value(name) {
                Some(value) => Named::Value(value),
                None => Named::Typed(module.variables.get(name)?.ty.clone()),
            },
            Referent::Local(name) => {
                let written = module.files.iter().flat_map(|f| f.body.blocks_of("locals"));
                let once = written.filter(|b| b.body.attribute(name).is_some()).count() == 1;
                Named::Local(module.locals.get(name).filter(|l| once && !l.decl.json)?)
            }
            _ => return None,
        };
        Some(((used.file, used.traversal.span.start), named))
    };
    uses.iter().filter_map(one).collect()
}

impl Folder<'_> {
    fn fold(&self, expr: &Expr, file: SourceId, out: &mut Vec<(SourceId, Edit)>) {
        let decides = matches!(
            expr.kind,
            ExprKind::Binary(..) | ExprKind::Unary(..) | ExprKind::Conditional(..) | ExprKind::Index(..)
        );
        if decides && let Some(text) = self.decided(expr, file) {
            out.push((file, Edit { span: expr.span, text }));
            return;
        }
        if let ExprKind::Conditional(test, yes, no) = &expr.kind
            && let Some(left) = self.left(test, yes, no, file)
        {
            let front = Span { start: expr.span.start, end: left.span.start };
            let back = Span { start: left.span.end, end: expr.span.end };
            let gone = [front, back].into_iter().filter(|s| !s.is_empty());
            out.extend(gone.map(|span| (file, Edit { span, text: String::new() })));
            self.fold(left, file, out);
            return;
        }
        expr.each_child(&mut |child| self.fold(child, file, out));
    }

    fn decided(&self, expr: &Expr, file: SourceId) -> Option<String> {
        let value = self.value(expr, file)?;
        let primitive = matches!(value.data, Data::String(_) | Data::Number(_) | Data::Bool(_));
        hcl::to_hcl(&value).filter(|_| primitive && value.marks.is_empty())
    }

    /// Returns the value of an expression that is constant once the variables have their values, and that names one of them.
    fn value(&self, expr: &Expr, file: SourceId) -> Option<Value> {
        let mut used = false;
        self.budget.set(BUDGET);
        let constant = self.constant(expr, file, &mut used).filter(|_| used)?;
        eval_closed(&constant, file).ok()
    }

    /// Returns the arm that a conditional takes, if both arms have the same primitive type.
    fn left<'e>(&self, test: &Expr, yes: &'e Expr, no: &'e Expr, file: SourceId) -> Option<&'e Expr> {
        let truth = match self.value(test, file)?.data {
            Data::Bool(truth) => truth,
            _ => return None,
        };
        self.budget.set(BUDGET);
        let (one, other) = (self.primitive(yes, file)?, self.primitive(no, file)?);
        (one == other).then_some(if truth { yes } else { no })
    }

    /// Returns the type of an expression if it is primitive and doesn't depend on the expression's value.
    fn primitive(&self, expr: &Expr, file: SourceId) -> Option<Type> {
        self.spend()?;
        match &expr.kind {
            ExprKind::Bool(_) => Some(Type::Bool),
            ExprKind::Number(_) => Some(Type::Number),
            ExprKind::String(_) => Some(Type::String),
            // One interpolation alone has the type of what stands in it.
            ExprKind::Template(template) => {
                let text = template.parts.len() > 1
                    || !matches!(template.parts[..], [TemplatePart::Interpolation(..)]);
                text.then_some(Type::String)
            }
            ExprKind::Paren(inner) => self.primitive(inner, file),
            ExprKind::Unary(UnaryOp::Not, _) => Some(Type::Bool),
            ExprKind::Unary(..) => Some(Type::Number),
            ExprKind::Binary(op, ..) => Some(match op {
                BinaryOp::Add
                | BinaryOp::Subtract
                | BinaryOp::Multiply
                | BinaryOp::Divide
                | BinaryOp::Modulo => Type::Number,
                _ => Type::Bool,
            }),
            ExprKind::Conditional(_, yes, no) => {
                let own = self.primitive(yes, file)?;
                (self.primitive(no, file)? == own).then_some(own)
            }
            ExprKind::GetAttr(base, _) if matches!(base.kind, ExprKind::Variable(_)) => {
                match self.named.get(&(file, expr.span.start))? {
                    Named::Value(value) => is_primitive(&value.ty),
                    Named::Typed(ty) => is_primitive(ty),
                    Named::Local(local) => self.primitive(&local.attr.expr, local.attr.file),
                }
            }
            _ => None,
        }
    }

    fn spend(&self) -> Option<()> {
        self.budget.set(self.budget.get().checked_sub(1)?);
        Some(())
    }

    /// Returns an expression with its variables replaced by their values. Returns `None` if it names or calls anything else.
    fn constant(&self, expr: &Expr, file: SourceId, used: &mut bool) -> Option<Expr> {
        self.spend()?;
        let mut part = |e: &Expr| self.constant(e, file, used).map(Box::new);
        let kind = match &expr.kind {
            ExprKind::Null | ExprKind::Bool(_) | ExprKind::Number(_) | ExprKind::String(_) => {
                expr.kind.clone()
            }
            ExprKind::GetAttr(base, _) if matches!(base.kind, ExprKind::Variable(_)) => {
                match self.named.get(&(file, expr.span.start))? {
                    Named::Value(value) => {
                        *used = true;
                        literal(value)?
                    }
                    Named::Local(local) => {
                        let inner = self.constant(&local.attr.expr, local.attr.file, used)?;
                        ExprKind::Paren(Box::new(inner))
                    }
                    Named::Typed(_) => return None,
                }
            }
            ExprKind::Paren(inner) => ExprKind::Paren(part(inner)?),
            ExprKind::Unary(op, inner) => ExprKind::Unary(*op, part(inner)?),
            ExprKind::Binary(op, left, right) => ExprKind::Binary(*op, part(left)?, part(right)?),
            ExprKind::Conditional(test, yes, no) => ExprKind::Conditional(part(test)?, part(yes)?, part(no)?),
            ExprKind::Index(base, key) => ExprKind::Index(part(base)?, part(key)?),
            ExprKind::Call(call) if FUNCTIONS.contains(&&*call.name.text) && !call.expand_final => {
                let args = call.args.iter().map(|a| self.constant(a, file, used)).collect::<Option<_>>()?;
                let mut call = call.clone();
                call.args = args;
                ExprKind::Call(call)
            }
            ExprKind::Tuple(items) => {
                ExprKind::Tuple(items.iter().map(|i| self.constant(i, file, used)).collect::<Option<_>>()?)
            }
            ExprKind::Object(items) => {
                let mut item = |item: &ObjectItem| {
                    let plain = match &item.key {
                        ObjectKey::Name(_) => true,
                        ObjectKey::Expr(key) => matches!(key.kind, ExprKind::String(_) | ExprKind::Number(_)),
                    };
                    let value = self.constant(&item.value, file, used).filter(|_| plain)?;
                    Some(ObjectItem { value, ..item.clone() })
                };
                ExprKind::Object(items.iter().map(&mut item).collect::<Option<_>>()?)
            }
            _ => return None,
        };
        Some(Expr { kind, ..expr.clone() })
    }
}

fn is_primitive(ty: &Type) -> Option<Type> {
    matches!(ty, Type::String | Type::Number | Type::Bool).then(|| ty.clone())
}

fn literal(value: &Value) -> Option<ExprKind> {
    match &value.data {
        Data::String(text) => Some(ExprKind::String(text.clone())),
        Data::Number(number) => Some(ExprKind::Number(number.clone())),
        Data::Bool(truth) => Some(ExprKind::Bool(*truth)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse_expr;

    fn folded(text: &str) -> String {
        let expr = parse_expr(text).unwrap();
        let uses = crate::graph::uses_of(&expr, SourceId(0));
        let one = |used: &Use| {
            let Referent::Variable(name) = &used.referent else { return None };
            let named = match &**name {
                "v" => Named::Value(Value::string("15.4")),
                "n" => Named::Value(Value::number(2)),
                "a" | "b" => Named::Typed(Type::String),
                "c" => Named::Typed(Type::Number),
                _ => Named::Typed(Type::Dynamic),
            };
            Some(((used.file, used.traversal.span.start), named))
        };
        let named = uses.iter().filter_map(one).collect();
        let mut out = Vec::new();
        Folder { named, budget: Cell::new(0) }.fold(&expr, SourceId(0), &mut out);
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
            ("split(\".\", var.v)[0]", "\"15\""),
            ("{ \"15\" = \"b\" }[split(\".\", var.v)[0]]", "\"b\""),
        ] {
            assert_eq!(folded(text), want, "{text}");
        }
    }

    #[test]
    fn the_arm_that_is_left_stands_alone() {
        for (text, want) in [
            ("var.v == \"15.4\" ? var.a : var.b", "var.a"),
            ("var.v != \"15.4\" ? var.a : \"${var.x}-b\"", "\"${var.x}-b\""),
            ("[var.n == 2 ? (var.c) : 1 + var.x]", "[(var.c)]"),
            ("var.n == 3 ? var.a : var.n == 2 ? var.b : \"x\"", "var.b"),
            // The other arm decides on the type.
            ("var.v == \"15.4\" ? var.a : var.c", "true ? var.a : var.c"),
            ("var.v == \"15.4\" ? var.a : null", "true ? var.a : null"),
            ("var.v == \"15.4\" ? var.a : \"${var.x}\"", "true ? var.a : \"${var.x}\""),
            ("var.v == \"15.4\" ? [var.a] : []", "true ? [var.a] : []"),
            ("var.v == \"15.4\" ? var.x : var.x", "true ? var.x : var.x"),
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
            "timestamp() == var.v",
            "split(\".\", var.v...)[0]",
            "{ a = 1 }[var.v]",
            "local.m[var.v]",
            "[for v in [1] : v][0]",
            "[for var in [{ n = 1 }] : var.n == 2]",
        ] {
            assert_eq!(folded(text), text, "{text}");
        }
        assert_eq!(folded("var.x && var.n == 2"), "var.x && true");
    }
}
