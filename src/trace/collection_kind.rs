//! Collections whose kind isn't known.
//!
//! The arms of a conditional are converted to one type: `[]` beside a list becomes a list. Beside an error it stays the
//! tuple that it was, and whether there is an error may depend on what isn't known. Elements are the same in any case, so
//! that iterating, counting and taking a part out don't mind; where the kind makes a difference (`==`, finding a common
//! type), no answer is given.
//!
//! In: operands of an operation. Out: the same, with an unknown in place of those of which the operation could tell the
//! kind. Invariant: [`Mark::Kind`] stands on everything that may be a list here and a tuple in Terraform, or a map here and
//! an object there, and names the variables on which that depends.

use super::domain::Frame;
use super::{Alt, Guarded, Part, Reason, Tracer};
use crate::eval::{At, EvalError, Op};
use crate::func::{Blind, Function};
use crate::issue::Code;
use crate::syntax::BinaryOp;
use crate::text::Place;
use crate::value::{Mark, Marks, Type, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Frame<'_, '_> {
    /// Operands, of which the operation sees no more than what is sure.
    pub(super) fn with_sure_kinds(&mut self, op: &Op<'_>, args: Vec<Guarded>, at: At) -> Vec<Guarded> {
        if !self.tracer.any_kinds() || !args.iter().any(of_open_kind) {
            return args;
        }
        let blind: Vec<bool> = (0..args.len()).map(|i| is_blind(op, i, &args)).collect();
        let sure = |(i, arg): (usize, Guarded)| match blind.get(i) == Some(&true) || !of_open_kind(&arg) {
            true => arg,
            false => {
                let hidden = |alt: &Alt| match kinds_of(&alt.part) {
                    kinds if kinds.is_empty() => alt.clone(),
                    kinds => Alt { part: Part::Value(self.of_some_kind(&kinds, at)), ..alt.clone() },
                };
                Guarded::new(arg.alts().iter().map(hidden).collect())
            }
        };
        args.into_iter().enumerate().map(sure).collect()
    }

    /// Returns the result of an operation on operands whose kind isn't sure (`open`). It may matter to a conversion,
    /// because some types accept only one kind, and to a splat, because the elements of its list have one type and
    /// those of its tuple don't.
    pub(super) fn if_of_any_kind(&mut self, op: &Op<'_>, kinds: &Marks, made: Part, at: At) -> Part {
        let open = !kinds.is_empty();
        match (op, made) {
            (Op::SplatFinish(shape), Part::Failed(e)) if shape.of_open_kind() && !e.limit => {
                Part::Value(self.of_some_kind(&shape.kinds(), at))
            }
            (_, Part::Failed(e)) if open => match op {
                Op::Custom(_) | Op::Convert(_) => Part::Value(self.of_some_kind(kinds, at)),
                _ => Part::Failed(EvalError { vague: true, ..e }),
            },
            (Op::Custom(_) | Op::Convert(_), Part::Value(value)) if open => match has_tuple(&value.ty) {
                true => Part::Value(self.of_some_kind(kinds, at)),
                false => Part::Value(value.with_marks(kinds)),
            },
            (_, made) => made,
        }
    }

    /// The unknown in place of what has one kind or another.
    pub(super) fn of_some_kind(&mut self, kinds: &Marks, at: At) -> Value {
        let reason = self.tracer.reason_of_kinds(kinds, Some(at.place()));
        self.tracer.opaque_of(Type::Dynamic, Arc::new(reason))
    }
}

impl Tracer<'_> {
    /// Returns true if there is any value whose kind of collection isn't sure.
    pub(super) fn any_kinds(&self) -> bool {
        !self.terms.kinds.is_empty()
    }

    /// The mark of a value whose kind depends on these variables.
    pub(super) fn kind_over(&mut self, variables: &BTreeSet<Arc<str>>) -> Mark {
        let known = self.terms.kinds.iter().position(|of| of == variables).unwrap_or_else(|| {
            self.terms.kinds.push(variables.clone());
            self.terms.kinds.len() - 1
        });
        Mark::Kind(u32::try_from(known).unwrap_or(u32::MAX))
    }

    /// Why nothing is said of a value whose kind isn't sure.
    pub(super) fn reason_of_kinds(&self, kinds: &Marks, place: Option<Place>) -> Reason {
        let why = "whether it is a list or a tuple (a map or an object) depends on whether an arm of a conditional \
                   fails, which isn't known.";
        let over =
            kinds.kinds().filter_map(|at| self.terms.kinds.get(at as usize)).flatten().cloned().collect();
        Reason::new(Code::NoUniverse, why, place)
            .fix(
                "Convert both arms of the conditional to one type, as with `tolist(...)` or `tomap(...)`.",
                "",
            )
            .over(over)
    }
}

/// Returns true if an operation does the same with either kind in the operand at `i`.
fn is_blind(op: &Op<'_>, i: usize, args: &[Guarded]) -> bool {
    match op {
        // Nothing but null is null.
        Op::Binary(BinaryOp::Equal | BinaryOp::NotEqual) => {
            args.iter().any(|arg| arg.single_value().is_some_and(Value::is_null))
        }
        Op::Call(function, expand) => !expand && takes_any_kind(function, i, args),
        _ => true,
    }
}

fn takes_any_kind(function: &Function, i: usize, args: &[Guarded]) -> bool {
    let param = function.params.get(i).or(function.variadic.as_ref());
    let blind = match function.blind {
        Blind::No => false,
        Blind::InObjects => args.first().is_some_and(is_object),
        Blind::Yes => true,
    };
    blind || param.is_some_and(|p| !p.want.ty().has_dynamic())
}

/// Returns true if it is an object for certain, whatever the kinds of what is in it.
fn is_object(of: &Guarded) -> bool {
    of.alts().iter().all(|alt| match &alt.part {
        Part::Value(value) => matches!(value.ty, Type::Object(_)) && !value.marks.has_kind(),
        Part::Object(_) | Part::Failed(_) => true,
        Part::Tuple(_) => false,
    })
}

/// Returns true if there is anything in it whose kind isn't sure.
pub(super) fn of_open_kind(of: &Guarded) -> bool {
    of.alts().iter().any(|alt| match &alt.part {
        Part::Value(value) => value.has_kind_deep(),
        Part::Object(attrs) => attrs.values().any(of_open_kind),
        Part::Tuple(items) => items.iter().any(of_open_kind),
        Part::Failed(_) => false,
    })
}

/// The marks of values in it whose kind isn't sure.
pub(super) fn kinds_in(value: &Value) -> Marks {
    if value.has_kind_deep() { value.marks_deep().only_kinds() } else { Marks::NONE }
}

fn kinds_of(part: &Part) -> Marks {
    let of = |of: &Guarded| of.alts().iter().fold(Marks::NONE, |all, alt| all.union(&kinds_of(&alt.part)));
    match part {
        Part::Value(value) => kinds_in(value),
        Part::Object(attrs) => attrs.values().fold(Marks::NONE, |all, attr| all.union(&of(attr))),
        Part::Tuple(items) => items.iter().fold(Marks::NONE, |all, item| all.union(&of(item))),
        Part::Failed(_) => Marks::NONE,
    }
}

fn has_tuple(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(_)) || ty.children().any(has_tuple)
}
