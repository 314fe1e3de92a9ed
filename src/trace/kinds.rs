//! Collections whose kind isn't known.
//!
//! The arms of a conditional are converted to one type: `[]` beside a list becomes a list. Beside an error it stays the
//! tuple that it was, and whether there is an error may depend on what isn't known. Elements are the same in any case, so
//! that iterating, counting and taking a part out don't mind; where the kind makes a difference (`==`, finding a common
//! type), no answer is given.
//!
//! In: operands of an operation. Out: the same, with an unknown in place of those of which the operation could tell the
//! kind. Invariant: [`Mark::Kind`] stands on everything that may be a list here and a tuple in Terraform, or a map here and
//! an object there; [`Tracer::kinds`](super::Tracer) says whether there is any at all.

use super::domain::Frame;
use super::{Alt, Guarded, Part, Reason};
use crate::eval::{At, EvalError, Op};
use crate::func::Function;
use crate::issue::Code;
use crate::syntax::BinaryOp;
use crate::text::Place;
use crate::value::{Mark, Type, Value};
use std::sync::Arc;

/// Functions of any type that give the same for a list and a tuple, and for a map and an object, up to the kind of their
/// own result. Those that look for a common type of several arguments or compare elements don't.
const BLIND: &[&str] = &[
    "can",
    "element",
    "flatten",
    "jsonencode",
    "keys",
    "length",
    "merge",
    "nonsensitive",
    "one",
    "reverse",
    "sensitive",
    "slice",
    "tolist",
    "tomap",
    "toset",
    "values",
    "yamlencode",
];

impl Frame<'_, '_> {
    /// Operands, of which the operation sees no more than what is sure.
    pub(super) fn with_sure_kinds(&mut self, op: &Op<'_>, args: Vec<Guarded>, at: At) -> Vec<Guarded> {
        if !self.tracer.kinds || !args.iter().any(of_open_kind) {
            return args;
        }
        let with_null = args.iter().any(|arg| arg.single_value().is_some_and(Value::is_null));
        let sure = |(i, arg): (usize, Guarded)| match is_blind(op, i, with_null) || !of_open_kind(&arg) {
            true => arg,
            false => {
                let unknown = Part::Value(self.of_some_kind(at));
                let hidden = |alt: &Alt| match part_of_open_kind(&alt.part) {
                    true => Alt { part: unknown.clone(), ..alt.clone() },
                    false => alt.clone(),
                };
                Guarded::new(arg.alts().iter().map(hidden).collect())
            }
        };
        args.into_iter().enumerate().map(sure).collect()
    }

    /// What an operation made of operands of which the kind isn't sure (`open`). To a conversion it may matter: some types
    /// take the one kind only; and the elements of a splat's list, though not of its tuple, are of one type.
    pub(super) fn if_of_any_kind(&mut self, op: &Op<'_>, open: bool, made: Part, at: At) -> Part {
        match (op, made) {
            (Op::SplatFinish(shape), Part::Failed(e)) if shape.of_open_kind() && !e.limit => {
                Part::Value(self.of_some_kind(at))
            }
            (_, Part::Failed(e)) if open => match op {
                Op::Custom(_) | Op::Convert(_) => Part::Value(self.of_some_kind(at)),
                _ => Part::Failed(EvalError { vague: true, ..e }),
            },
            (Op::Custom(_) | Op::Convert(_), Part::Value(value)) if open => match has_tuple(&value.ty) {
                true => Part::Value(self.of_some_kind(at)),
                false => Part::Value(value.with_mark(Mark::Kind)),
            },
            (_, made) => made,
        }
    }

    /// The unknown in place of what has one kind or another.
    pub(super) fn of_some_kind(&mut self, at: At) -> Value {
        self.tracer.opaque_of(Type::Dynamic, Arc::new(reason(Some(at.place()))))
    }
}

/// Why nothing is said of a value whose kind isn't sure.
pub(super) fn reason(place: Option<Place>) -> Reason {
    let why = "whether it is a list or a tuple (a map or an object) depends on whether an arm of a conditional fails, \
               which isn't known.";
    Reason::new(Code::NoUniverse, why, place)
        .fix("Convert both arms of the conditional to one type, as with `tolist(...)` or `tomap(...)`.", "")
}

/// Whether an operation does the same with either kind in the operand at `i`.
fn is_blind(op: &Op<'_>, i: usize, with_null: bool) -> bool {
    match op {
        // Nothing but null is null.
        Op::Binary(BinaryOp::Equal | BinaryOp::NotEqual) => with_null,
        Op::Call(function, expand) => !expand && takes_any_kind(function, i),
        _ => true,
    }
}

fn takes_any_kind(function: &Function, i: usize) -> bool {
    let param = function.params.get(i).or(function.variadic.as_ref());
    BLIND.contains(&function.name) || param.is_some_and(|p| !p.want.ty().has_dynamic())
}

/// Whether there is anything in it whose kind isn't sure.
pub(super) fn of_open_kind(of: &Guarded) -> bool {
    of.alts().iter().any(|alt| part_of_open_kind(&alt.part))
}

fn part_of_open_kind(part: &Part) -> bool {
    match part {
        Part::Value(value) => value.has_mark_deep(Mark::Kind),
        Part::Object(attrs) => attrs.values().any(of_open_kind),
        Part::Tuple(items) => items.iter().any(of_open_kind),
        Part::Failed(_) => false,
    }
}

fn has_tuple(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(_)) || ty.children().any(has_tuple)
}
