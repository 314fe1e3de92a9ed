//! Calling a registered function: what go-cty and HCL do around a function's body, done once.
//!
//! In order: the number of arguments, conversion to the parameters' types, null, unknown type, result type, unknown,
//! marks, body. Source of the semantics: go-cty's `function` package and HCL's `FunctionCallExpr`.

use super::hidden;
use super::{Body, Context, EvalError, FuncError, Function, Obstacle, Param, Returns, Want};
use crate::value::{Mark, Marks, Type, Value, ValueError, convert};

/// Calls a function on plain values.
///
/// # Errors
/// Wrong number of arguments, an argument that can't be converted or must not be null, and the body's own errors, in
/// the words' kind that Terraform uses.
pub fn call(function: &'static Function, args: &[Value], context: &Context<'_>) -> Result<Value, EvalError> {
    if let Body::Lazy(body) = function.body {
        let args: Vec<_> = args.iter().cloned().map(Ok).collect();
        return body(&args).map_err(|e| error(function, &e));
    }
    if !context.outside.has(function.since) {
        return Err(EvalError::new(format!(
            "Call to unknown function: There is no function named {:?}.",
            function.name
        )));
    }
    check_count(function, args.len())?;
    context.work.call(function.cost())?;
    if function.bytes_at_once > 0 {
        args.iter().try_for_each(|arg| context.work.bytes(arg, function.bytes_at_once))?;
    }
    for (_, arg) in args.iter().enumerate().filter(|(at, _)| function.writes(*at)) {
        context.work.digits(arg)?;
    }
    let run = || {
        let args = converted(function, args, context)?;
        prepared(function, &args, context).map_err(|e| {
            let again = |args: &[Value]| prepared(function, args, context);
            error(function, &hidden::without_values(e, &args, &again))
        })
    };
    if !args.iter().any(|arg| function.joins.left_open_by(arg)) {
        return run();
    }
    match run() {
        Err(e) if e.limit => Err(e),
        // Nothing goes together with a text but what becomes one, unless something without a type stands beside: null.
        Ok(joined)
            if joined.ty.is_text() && args.iter().filter(|arg| arg.ty == Type::Dynamic).count() < 2 =>
        {
            Ok(joined)
        }
        // The type is found from all arguments, and one of them may be of any.
        _ => {
            let marks = args.iter().fold(Marks::NONE, |marks, arg| marks.union(&arg.marks_deep()));
            Ok(Value::unknown(Type::Dynamic).with_marks(&marks))
        }
    }
}

/// A function's error as an evaluation error.
pub fn error(function: &Function, e: &FuncError) -> EvalError {
    let name = function.name;
    let message = match e.arg {
        Some(at) => {
            let param = param(function, at).map_or("argument", |p| p.name);
            format!("Invalid function argument: Invalid value for {param:?} parameter: {}.", e.message)
        }
        None => format!("Error in function call: Call to function {name:?} failed: {}.", e.message),
    };
    EvalError { limit: e.limit, obstacle: e.obstacle, ..EvalError::new(message) }
}

fn param(function: &Function, at: usize) -> Option<&Param> {
    function.params.get(at).or(function.variadic.as_ref())
}

fn check_count(function: &Function, given: usize) -> Result<(), EvalError> {
    let name = function.name;
    let least = function.params.len();
    if given < least {
        let missing = param(function, given).map_or("", |p| p.name);
        let plus = if function.variadic.is_some() { "at least " } else { "" };
        return Err(EvalError::new(format!(
            "Not enough function arguments: Function {name:?} expects {plus}{least} argument(s). Missing value for \
             {missing:?}."
        )));
    }
    if given > least && function.variadic.is_none() {
        return Err(EvalError::new(format!(
            "Too many function arguments: Function {name:?} expects only {least} argument(s)."
        )));
    }
    Ok(())
}

fn converted(function: &Function, args: &[Value], context: &Context<'_>) -> Result<Vec<Value>, EvalError> {
    args.iter()
        .enumerate()
        .map(|(i, arg)| match param(function, i) {
            Some(Param { want: Want::Any, .. }) | None => Ok(arg.clone()),
            Some(p) => {
                let located = |e: ValueError| FuncError { arg: Some(i), ..FuncError::from(e) };
                let want = p.want.ty();
                let arg = convert::convert(arg, &want).map_err(|e| error(function, &located(e)))?;
                // Each may be a new one, however many there are.
                context.work.count_new(&arg)?;
                // go-cty looks at the types once more after HCL has converted. A conversion that gives another type than
                // the wanted one is the one of a set of unknown length to a list.
                match arg.has_mark(Mark::Sample) && !arg.ty.conforms_to(&want) {
                    true => Err(error(function, &FuncError::arg(i, "another type is required"))),
                    false => Ok(arg),
                }
            }
        })
        .collect()
}

/// The cost of a result type that is declined, in expressions: a pattern may have been compiled up to the limit.
const DECLINED_TYPE: u64 = 10_000;

fn count_failure(context: &Context<'_>, failure: FuncError) -> Result<Type, FuncError> {
    if failure.obstacle == Obstacle::Unsupported {
        context.work.call(DECLINED_TYPE).map_err(|e| FuncError::from(&e))?;
    }
    Err(failure)
}

fn prepared(function: &'static Function, args: &[Value], context: &Context<'_>) -> Result<Value, FuncError> {
    let mut marks = Marks::NONE;
    let mut plain = Vec::with_capacity(args.len());
    let mut unknown = false;
    let mut dynamic = false;
    for (i, arg) in args.iter().enumerate() {
        let Some(p) = param(function, i) else { continue };
        let arg = if p.marked {
            arg.clone()
        } else {
            let (arg, own) = arg.clone().unmark_deep();
            marks = marks.union(&own);
            arg
        };
        // Behind an argument of no known type, go-cty looks at no more nulls.
        if arg.is_null() && !p.null && !dynamic {
            return Err(FuncError::arg(i, "argument must not be null"));
        }
        dynamic |= arg.ty == Type::Dynamic && !arg.is_null() && !p.dynamic;
        unknown |= !arg.is_known() && !p.unknown;
        plain.push(arg);
    }
    let result = if dynamic {
        Value::unknown(Type::Dynamic)
    } else {
        let ty = match function.returns {
            Returns::Fixed(want) => want.ty(),
            Returns::Computed(work_out) => work_out(&plain).or_else(|e| count_failure(context, e))?,
        };
        match function.body {
            Body::Plain(body) if !unknown => body(context, &plain, &ty)?,
            Body::Typed => return Err(FuncError::arg(1, "a type specification is required")),
            _ => Value::unknown(ty),
        }
    };
    let unrefined = !result.is_known() && result.refinements().is_none() && result.ty != Type::Dynamic;
    let result = if function.not_null && unrefined { Value::unknown_not_null(result.ty) } else { result };
    Ok(result.with_marks(&marks))
}
