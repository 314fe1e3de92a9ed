//! The walk itself.

use super::convert::TypeArg;
use super::{At, Bindings, Domain, EvalError, Op, Step};
use crate::func::{self, Body};
use crate::syntax::{BinaryOp, Call, Expr, ExprKind, For, ObjectKey, Splat, SplatStep, TemplatePart};
use crate::text::{Place, SourceId};
use crate::value::{Type, Value};
use std::sync::Arc;

/// Evaluates an expression of `file` in a domain, under the names bound around it.
pub fn eval<D: Domain>(domain: &mut D, file: SourceId, expr: &Expr, names: &Bindings<D::V>) -> D::V {
    Walk { domain, file }.expr(expr, names)
}

/// Evaluates template parts to a string.
fn eval_parts<D: Domain>(
    domain: &mut D,
    file: SourceId,
    parts: &[TemplatePart],
    at: At,
    names: &Bindings<D::V>,
) -> D::V {
    Walk { domain, file }.parts(parts, at, names)
}

struct Walk<'d, D> {
    domain: &'d mut D,
    file: SourceId,
}

/// Returns true if an expression has the same type whatever fails in it. `is_known` says of a name or a call that it has.
pub fn is_fixed(expr: &Expr, is_known: &dyn Fn(&Expr) -> bool) -> bool {
    let fixed = |part: &Expr| is_fixed(part, is_known);
    let plain = |key: &ObjectKey| match key {
        ObjectKey::Name(_) => true,
        ObjectKey::Expr(key) => matches!(key.kind, ExprKind::String(_)),
    };
    match &expr.kind {
        ExprKind::Null | ExprKind::Bool(_) | ExprKind::Number(_) | ExprKind::String(_) => true,
        ExprKind::Unary(..) | ExprKind::Binary(..) => true,
        ExprKind::Template(t) => match t.parts.as_slice() {
            [TemplatePart::Interpolation(inner, _)] if !t.heredoc => fixed(inner),
            _ => true,
        },
        ExprKind::Paren(inner) => fixed(inner),
        ExprKind::Conditional(_, then, otherwise) => fixed(then) && fixed(otherwise),
        ExprKind::Tuple(items) => items.iter().all(fixed),
        ExprKind::Object(items) => items.iter().all(|item| plain(&item.key) && fixed(&item.value)),
        _ => is_known(expr),
    }
}

impl<D: Domain> Walk<'_, D> {
    fn at(&self, expr: &Expr, names: &Bindings<D::V>) -> At {
        At { bound: !names.is_empty(), ..At::new(Place { file: self.file, span: expr.span }) }
    }

    fn expr(&mut self, expr: &Expr, names: &Bindings<D::V>) -> D::V {
        let at = self.at(expr, names);
        if let Some(spent) = self.domain.spend(at) {
            return spent;
        }
        match &expr.kind {
            ExprKind::Null => self.domain.known(Value::null(Type::Dynamic), at),
            ExprKind::Bool(b) => self.domain.known(Value::bool(*b), at),
            ExprKind::Number(n) => self.domain.known(Value::shared_number(n.clone()), at),
            ExprKind::String(s) => self.domain.known(Value::shared_string(s), at),
            ExprKind::Template(t) => match t.parts.as_slice() {
                [TemplatePart::Interpolation(inner, _)] if !t.heredoc => {
                    let value = self.expr(inner, names);
                    self.domain.apply(&Op::Unwrap, vec![value], at)
                }
                parts => self.parts(parts, at, names),
            },
            ExprKind::Tuple(items) => {
                let args = items.iter().map(|e| self.expr(e, names)).collect();
                self.domain.apply(&Op::Tuple, args, at)
            }
            ExprKind::Object(items) => {
                let mut args = Vec::with_capacity(items.len() * 2);
                for item in items {
                    args.push(match &item.key {
                        ObjectKey::Name(name) => self.domain.name(&name.text, at),
                        ObjectKey::Expr(key) => self.expr(key, names),
                    });
                    args.push(self.expr(&item.value, names));
                }
                let once = items.iter().any(|item| item.once);
                self.domain.apply(&Op::Object { once }, args, at)
            }
            ExprKind::Variable(_)
            | ExprKind::GetAttr(..)
            | ExprKind::Index(..)
            | ExprKind::LegacyIndex(..) => self.traversal(expr, names),
            ExprKind::Splat(splat) => self.splat(splat, at, names),
            ExprKind::Paren(inner) => self.expr(inner, names),
            ExprKind::Unary(op, inner) => {
                let value = self.expr(inner, names);
                self.domain.apply(&Op::Unary(*op), vec![value], at)
            }
            ExprKind::Binary(op, a, b) => {
                let file = self.file;
                let mut operand = |e: &Expr| match op {
                    BinaryOp::And | BinaryOp::Or => self.domain.operand(&mut |d| eval(d, file, e, names), at),
                    _ => self.expr(e, names),
                };
                let args = vec![operand(a), operand(b)];
                self.domain.apply(&Op::Binary(*op), args, at)
            }
            ExprKind::Conditional(cond, then, otherwise) => {
                let cond_at = self.at(cond, names);
                let cond = self.expr(cond, names);
                let file = self.file;
                self.domain.conditional(
                    cond,
                    cond_at,
                    &mut |d| eval(d, file, then, names),
                    &mut |d| eval(d, file, otherwise, names),
                    [then, otherwise].map(|arm| is_fixed(arm, &|_| false)),
                    at,
                )
            }
            ExprKind::Call(call) => self.call(call, at, names),
            ExprKind::For(f) => self.for_expr(f, at, names),
        }
    }

    /// A root name with everything that follows it.
    fn traversal(&mut self, expr: &Expr, names: &Bindings<D::V>) -> D::V {
        if let ExprKind::GetAttr(of, name) = &expr.kind
            && let ExprKind::Variable(root) = &of.kind
            && names.get(root).is_none()
        {
            // Most have one step.
            let (at, step) = (self.at(expr, names), Step::Attr(name));
            let (value, used) = self.domain.reference(root, &[step], at);
            return if used > 0 { value } else { self.step(value, step, at, names) };
        }
        let mut links: Vec<(&Expr, Step<'_>)> = Vec::new();
        let mut root = expr;
        loop {
            match &root.kind {
                ExprKind::GetAttr(of, name) => {
                    links.push((root, Step::Attr(name)));
                    root = of;
                }
                ExprKind::Index(of, key) => {
                    links.push((root, Step::Index(key)));
                    root = of;
                }
                ExprKind::LegacyIndex(of, key) => {
                    links.push((root, Step::Legacy(key)));
                    root = of;
                }
                _ => break,
            }
        }
        links.reverse();
        let (mut value, used) = match &root.kind {
            ExprKind::Variable(name) => match names.get(name) {
                Some(bound) => (bound.clone(), 0),
                None => {
                    let steps: Vec<Step<'_>> = links.iter().map(|(_, s)| *s).collect();
                    self.domain.reference(name, &steps, self.at(expr, names))
                }
            },
            _ => (self.expr(root, names), 0),
        };
        for (link, step) in links.into_iter().skip(used) {
            value = self.step(value, step, self.at(link, names), names);
        }
        value
    }

    fn step(&mut self, value: D::V, step: Step<'_>, at: At, names: &Bindings<D::V>) -> D::V {
        match step {
            Step::Attr(name) => self.domain.apply(&Op::GetAttr(&name.text), vec![value], at),
            Step::Index(key) => {
                let key = self.expr(key, names);
                self.domain.apply(&Op::Index, vec![value, key], at)
            }
            Step::Legacy(key) => {
                let key = self.domain.known(Value::number(key.clone()), at);
                self.domain.apply(&Op::Index, vec![value, key], at)
            }
        }
    }

    fn splat(&mut self, splat: &Splat, at: At, names: &Bindings<D::V>) -> D::V {
        let source = self.expr(&splat.source, names);
        self.splat_steps(source, &splat.each, at, names)
    }

    fn splat_steps(&mut self, source: D::V, steps: &[SplatStep], at: At, names: &Bindings<D::V>) -> D::V {
        let file = self.file;
        self.domain.splat(
            source,
            &mut |d, item| {
                let mut walk = Walk { domain: d, file };
                steps.iter().fold(item, |value, step| match step {
                    SplatStep::Attr(name) => walk.step(value, Step::Attr(name), at, names),
                    SplatStep::Index(key) => walk.step(value, Step::Index(key), at, names),
                    SplatStep::LegacyIndex(key, _) => walk.step(value, Step::Legacy(key), at, names),
                    SplatStep::Splat(inner) => walk.splat_steps(value, &inner.each, at, names),
                })
            },
            at,
        )
    }

    fn call(&mut self, call: &Call, at: At, names: &Bindings<D::V>) -> D::V {
        let Some(function) = func::lookup(&call.name.text) else {
            let args = call.args.iter().map(|a| self.expr(a, names)).collect();
            return self.domain.unknown_call(&call.name.text, args, at);
        };
        if let (Body::Typed, [value, ty], false) = (function.body, call.args.as_slice(), call.expand_final) {
            let value = self.expr(value, names);
            return self.domain.apply(&Op::Convert(&TypeArg::read(ty)), vec![value], at);
        }
        if function.name == "templatestring" && !call.args.first().is_some_and(is_reference) {
            return self.domain.fail(
                EvalError::new(
                    "Invalid function argument: Invalid value for \"template\" parameter: invalid template expression: \
                     must be a direct reference to a single string from elsewhere, containing valid Terraform template \
                     syntax.",
                )
                .at(at.place()),
            );
        }
        let file = self.file;
        let catches = matches!(function.body, Body::Lazy(_));
        let args = call.args.iter().map(|a| match catches {
            true => self.domain.attempt(&mut |d| eval(d, file, a, names), at),
            false => self.expr(a, names),
        });
        let args = args.collect();
        self.domain.apply(&Op::Call(function, call.expand_final), args, at)
    }

    fn for_expr(&mut self, f: &For, at: At, names: &Bindings<D::V>) -> D::V {
        let mut collection = self.expr(&f.collection, names);
        let file = self.file;
        if let Some(cond) = &f.condition {
            let early = |d: &mut D| {
                let unknown = d.unbound(at);
                let mut names = names.clone();
                if let Some(key) = &f.key {
                    names = names.with(key.text.clone(), unknown.clone());
                }
                eval(d, file, cond, &names.with(f.value.text.clone(), unknown))
            };
            collection = self.domain.checked(collection, &mut { early }, at);
        }
        let op = match &f.result_key {
            Some(_) => Op::ForObject { group: f.group },
            None => Op::ForTuple,
        };
        self.domain.iterate(
            collection,
            &mut |d, element| {
                let Some(mut names) = names.iterated(element.count) else { return too_often(d) };
                if let Some(key) = &f.key {
                    names = names.with(key.text.clone(), element.key.clone());
                }
                names = names.with(f.value.text.clone(), element.value);
                let mut walk = Walk { domain: d, file };
                let cond = match &f.condition {
                    Some(cond) => walk.expr(cond, &names),
                    None => walk.domain.known(Value::bool(true), at),
                };
                let (key, value) = (&f.result_key, &f.result);
                let guard = cond.clone();
                let key = match key {
                    Some(key) => walk.guarded(guard.clone(), key, at, &names),
                    None => element.key,
                };
                let value = walk.guarded(guard, value, at, &names);
                [cond, key, value]
            },
            &op,
            at,
        )
    }

    /// A part of a `for` that counts only where its `if` clause holds.
    fn guarded(&mut self, cond: D::V, expr: &Expr, at: At, names: &Bindings<D::V>) -> D::V {
        let file = self.file;
        self.domain.only_if(cond, &mut |d| eval(d, file, expr, names), at)
    }

    fn parts(&mut self, parts: &[TemplatePart], at: At, names: &Bindings<D::V>) -> D::V {
        let args = parts.iter().map(|p| self.part(p, at, names)).collect();
        self.domain.apply(&Op::Template, args, at)
    }

    fn part(&mut self, part: &TemplatePart, at: At, names: &Bindings<D::V>) -> D::V {
        let file = self.file;
        match part {
            TemplatePart::Literal(text, _) => self.domain.known(Value::shared_string(text), at),
            TemplatePart::Interpolation(expr, _) => self.expr(expr, names),
            TemplatePart::If { condition, then, otherwise, .. } => {
                let cond_at = self.at(condition, names);
                let cond = self.expr(condition, names);
                self.domain.conditional(
                    cond,
                    cond_at,
                    &mut |d| eval_parts(d, file, then, at, names),
                    &mut |d| eval_parts(d, file, otherwise, at, names),
                    [true; 2],
                    at,
                )
            }
            TemplatePart::For { key, value, collection, body, .. } => {
                let source = self.expr(collection, names);
                self.domain.iterate(
                    source,
                    &mut |d, element| {
                        let Some(mut names) = names.iterated(element.count) else { return too_often(d) };
                        if let Some(key) = key {
                            names = names.with(key.text.clone(), element.key.clone());
                        }
                        names = names.with(value.text.clone(), element.value);
                        let text = eval_parts(d, file, body, at, &names);
                        let yes = d.known(Value::bool(true), at);
                        [yes, element.key, text]
                    },
                    &Op::ForTemplate,
                    at,
                )
            }
        }
    }
}

/// Returns true if an expression is a reference, as `templatestring` needs for its template.
fn is_reference(expr: &Expr) -> bool {
    let mut at = expr;
    loop {
        at = match &at.kind {
            ExprKind::Variable(_) => return true,
            ExprKind::GetAttr(of, _) | ExprKind::LegacyIndex(of, _) | ExprKind::Index(of, _) => of,
            ExprKind::Splat(splat) => &splat.source,
            _ => return false,
        };
    }
}

/// The answer of iterations that hold too many others.
fn too_often<D: Domain>(domain: &mut D) -> [D::V; 3] {
    let error = EvalError::declined("The iterations within one another have too many elements.");
    let failed = domain.fail(error);
    [failed.clone(), failed.clone(), failed]
}

/// The error for a function that does not exist.
pub fn no_such_function(name: &str) -> EvalError {
    EvalError::new(Arc::from(format!("There is no function named {name:?}.")))
}
