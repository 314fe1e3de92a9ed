//! Expressions by themselves, as `terraform console` evaluates them in an empty folder.

#![allow(dead_code)] // no test program needs all of it

use tf_phi::eval::concrete::Concrete;
use tf_phi::eval::standalone::Nothing;
use tf_phi::eval::{Asked, Bindings, EvalError, Outcome, eval};
use tf_phi::func::{Context, NoSurroundings, Surroundings, TerraformVersions, Work};
use tf_phi::syntax::{on_big_stack, parse_expr};
use tf_phi::text::SourceId;

/// Evaluates an expression that refers to nothing.
pub fn eval_text(text: &str) -> Outcome {
    eval_text_in(text, &NoSurroundings)
}

/// Evaluates an expression that refers to nothing but the files around it.
pub fn eval_text_in(text: &str, outside: &dyn Surroundings) -> Outcome {
    let expr = parse_expr(text).map_err(|e| EvalError::new(format!("Invalid expression: {e}.")))?;
    on_big_stack(|| {
        let context =
            Context { outside: &Asked { outside, version: TerraformVersions::ANY }, work: &Work::default() };
        eval(&mut Concrete { resolver: Nothing, context }, SourceId(0), &expr, &Bindings::default())
    })
}
