//! Expressions by themselves, as `terraform console` evaluates them in an empty folder.
//!
//! In: an expression. Out: a value, or the error Terraform would report. Deliberately absent: variables and everything else
//! that a reference could lead to; `path.*` and `terraform.*` too.

use super::concrete::{Concrete, Resolve};
use super::literal::literal;
use super::{At, Bindings, EvalError, Outcome, Step, eval};
use crate::func::{Context, NoSurroundings, Work};
use crate::syntax::{Expr, ExprKind, on_big_stack, traversal, walk};
use crate::text::{Place, SourceId};
use crate::value::Type;

/// Declines every reference to anything but names that the expression binds.
pub struct Nothing;

impl Resolve for Nothing {
    fn resolve(&mut self, root: &str, _: &[Step<'_>], _: At) -> (Outcome, usize) {
        // Terraform checks references before it evaluates, so neither `try` nor `can` sees this.
        (Err(EvalError::declined(format!("Invalid reference: there is nothing named {root:?} here."))), 0)
    }
}

/// The value of a constant: an expression that calls nothing and refers to nothing but the names of its own `for`s.
///
/// # Errors
/// Calls and references, as Terraform rejects them where it takes no more than a constant, with their place; and what
/// evaluation gives.
pub fn eval_constant(expr: &Expr, file: SourceId) -> Outcome {
    if let Ok(value) = literal(expr) {
        return Ok(value);
    }
    let place = |span| Place { file, span };
    let mut calls = None;
    walk::walk(expr, &mut |e| {
        if let ExprKind::Call(call) = &e.kind {
            calls.get_or_insert(call.name.span);
        }
        calls.is_none()
    });
    if let Some(span) = calls {
        let message = "Function calls not allowed: Functions may not be called here.";
        return Err(EvalError::new(message).at(place(span)));
    }
    if let Some(root) = traversal::variables(expr).first() {
        let message = "Variables not allowed: Variables may not be used here.";
        return Err(EvalError::new(message).at(place(root.span)));
    }
    eval_closed(expr, file)
}

/// Returns the value of an expression without references. Its functions can't read files, the environment or the clock.
///
/// # Errors
/// Returns the error that the evaluation ends with.
pub fn eval_closed(expr: &Expr, file: SourceId) -> Outcome {
    eval_with(expr, file, Nothing, &Bindings::default())
}

/// Returns the same of an expression with references, which lead to what `resolver` gives, unknown values among them.
///
/// # Errors
/// Returns the error that the evaluation ends with.
pub fn eval_with(
    expr: &Expr,
    file: SourceId,
    resolver: impl Resolve + Send,
    names: &Bindings<Outcome>,
) -> Outcome {
    on_big_stack(|| {
        let context = Context { outside: &NoSurroundings, work: &Work::default() };
        eval(&mut Concrete { resolver, context }, file, expr, names)
    })
}

/// The type of a value, or of what Terraform goes on with beside an error; `None` if a part of it is open.
pub fn closed_type(outcome: &Outcome) -> Option<Type> {
    let ty = match outcome {
        Ok(value) => &value.ty,
        Err(e) if e.limit || e.vague => return None,
        Err(e) => &e.ty,
    };
    (!ty.has_dynamic()).then(|| ty.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse_expr;
    use crate::value::{Value, hcl};

    /// Literals with types give the very value back, of what is empty or null too.
    #[test]
    fn typed_literals_come_back() {
        let text = Type::String;
        let object = Type::object([("a b", Type::list(Type::Number)), ("c", Type::Dynamic)]);
        let types = [
            Type::list(text.clone()),
            Type::set(Type::Bool),
            Type::map(Type::set(text.clone())),
            Type::list(object.clone()),
            Type::list(Type::tuple([text.clone(), Type::Number])),
            Type::map(Type::map(Type::list(object.clone()))),
            object,
            Type::tuple([text.clone(), Type::list(text.clone())]),
        ];
        let mut values = vec![
            Value::list(Type::list(text.clone()), vec![Value::list(text.clone(), Vec::new())]),
            Value::map(text.clone(), [("a", Value::null(text.clone()))]),
            Value::list(Type::Dynamic, Vec::new()),
            Value::map::<&str>(Type::Dynamic, []),
            Value::object([("x", Value::set(text.clone(), vec![Value::string("a")]))]),
            Value::tuple(vec![Value::null(Type::Dynamic), Value::null(text)]),
        ];
        for ty in &types {
            values.push(Value::null(ty.clone()));
            match ty {
                Type::List(of) => values.push(Value::list((**of).clone(), Vec::new())),
                Type::Set(of) => values.push(Value::set((**of).clone(), Vec::new())),
                Type::Map(of) => values.push(Value::map::<&str>((**of).clone(), [])),
                _ => {}
            }
        }
        for value in values {
            let text = hcl::to_typed_hcl(&value).unwrap();
            let back = eval_closed(&parse_expr(&text).unwrap(), SourceId(0)).unwrap();
            assert_eq!((&back.ty, back == value), (&value.ty, true), "{text}");
        }
    }
}
