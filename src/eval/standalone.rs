//! Expressions by themselves, as `terraform console` evaluates them in an empty folder.
//!
//! In: text. Out: a value, or the error Terraform would report. Deliberately absent: variables and everything else
//! that a reference could lead to; `path.*` and `terraform.*` too.

use super::concrete::{Concrete, Resolve};
use super::literal::literal;
use super::template::Rendering;
use super::{At, Bindings, EvalError, Outcome, Step, eval};
use crate::func::{Context, NoSurroundings, Surroundings, Work};
use crate::syntax::{Expr, ExprKind, on_big_stack, parse_expr, traversal, walk};
use crate::text::{Place, SourceId};

/// References lead nowhere.
struct Nothing;

impl Resolve for Nothing {
    fn resolve(&mut self, root: &str, _: &[Step<'_>], _: At) -> (Outcome, usize) {
        // Terraform checks references before it evaluates, so neither `try` nor `can` sees this.
        (Err(EvalError::declined(format!("Invalid reference: there is nothing named {root:?} here."))), 0)
    }
}

/// Evaluates an expression that refers to nothing.
///
/// # Errors
/// What is no expression, and what Terraform itself would report.
pub fn eval_text(text: &str) -> Outcome {
    eval_text_in(text, &NoSurroundings)
}

/// Evaluates an expression that refers to nothing but the files around it.
///
/// # Errors
/// As [`eval_text`].
pub fn eval_text_in(text: &str, outside: &(dyn Surroundings + Sync)) -> Outcome {
    let expr = parse_expr(text).map_err(|e| EvalError::new(format!("Invalid expression: {e}.")))?;
    on_big_stack(|| {
        let outside = Rendering(outside);
        let mut domain =
            Concrete { resolver: Nothing, context: Context { outside: &outside, work: &Work::default() } };
        eval(&mut domain, SourceId(0), &expr, &Bindings::default())
    })
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
    on_big_stack(|| {
        let outside = Rendering(&NoSurroundings);
        let mut domain =
            Concrete { resolver: Nothing, context: Context { outside: &outside, work: &Work::default() } };
        eval(&mut domain, file, expr, &Bindings::default())
    })
}
