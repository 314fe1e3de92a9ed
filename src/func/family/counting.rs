//! `range`.

use crate::func::{Context, FuncError, Function, Param, Returns, Want};
use crate::value::{Number, Type, Value};

pub(super) const FUNCTIONS: &[Function] = &[Function::new(
    "range",
    &[],
    Returns::Fixed(Want::List(&Want::Number)),
    range,
    "Numbers from a start, in steps, before an end; at most 1024 (Terraform docs: range; go-cty stdlib).",
)
.variadic(Param::new("params", Want::Number))];

/// Terraform's own limit.
const MAX_NUMBERS: usize = 1024;

fn range(_: &Context<'_>, args: &[Value], _: &Type) -> Result<Value, FuncError> {
    let numbers: Vec<Number> = args.iter().filter_map(|v| v.as_number().cloned()).collect();
    let towards = |down: bool| Number::from(if down { -1i64 } else { 1 });
    let (start, end, step) = match numbers.as_slice() {
        [end] => (Number::ZERO, end.clone(), towards(*end < Number::ZERO)),
        [start, end] => (start.clone(), end.clone(), towards(end < start)),
        [start, end, step] => (start.clone(), end.clone(), step.clone()),
        _ => return Err(FuncError::new("must have one, two, or three arguments")),
    };
    // A step of zero is no error of its own in go-cty: either nothing is to be counted, or too much.
    let down = step < Number::ZERO;
    if down && end > start {
        return Err(FuncError::arg(1, "end must be less than start when step is negative"));
    }
    if !down && end < start {
        return Err(FuncError::arg(1, "end must be greater than start when step is positive"));
    }
    let mut out = Vec::new();
    let mut at = start;
    while if down { at > end } else { at < end } {
        if out.len() >= MAX_NUMBERS {
            return Err(FuncError::new(
                "more than 1024 values were generated; either decrease the difference between start and end or use \
                 a smaller step",
            ));
        }
        let next = at.add(&step)?;
        out.push(Value::number(std::mem::replace(&mut at, next)));
    }
    Ok(Value::list(Type::Number, out))
}
