//! Comparison of many values with a constant: those that differ from it are one alternative.
//!
//! A gate asks for one of n values, so that n gates would meet n times n alternatives, each with a condition of its own.

use super::domain::Frame;
use super::{Alt, Guarded, Part};
use crate::cond::Condition;
use crate::eval::Op;
use crate::syntax::BinaryOp;
use crate::value::{Type, Value};

/// So many alternatives are compared one by one; their conditions are listed in the order of the values then.
const FEW: usize = 16;

impl Frame<'_, '_> {
    /// The operands of `==` and `!=`, of which one may have many values: of those that differ from the constant, one stands
    /// for all. Whatever may be an error, carries a mark or is converted stays as it is.
    pub(super) fn alike(&mut self, op: &Op<'_>, mut args: Vec<Guarded>) -> Vec<Guarded> {
        if !matches!(op, Op::Binary(BinaryOp::Equal | BinaryOp::NotEqual)) {
            return args;
        }
        let [a, b] = args.as_mut_slice() else { return args };
        let (many, constant) = if a.alts().len() > FEW { (a, &*b) } else { (b, &*a) };
        if let Some(constant) = constant.single_value().filter(|v| is_plain(v))
            && let Some(fewer) = self.fewer(many, constant)
        {
            *many = fewer;
        }
        args
    }

    fn fewer(&mut self, many: &Guarded, constant: &Value) -> Option<Guarded> {
        if many.alts().len() <= FEW {
            return None;
        }
        let differs = |alt: &&Alt| match &alt.part {
            Part::Value(v) => is_plain(v) && v.ty == constant.ty && v != constant,
            Part::Object(_) | Part::Tuple(_) | Part::Failed(_) => false,
        };
        let (other, mut kept): (Vec<&Alt>, Vec<&Alt>) = many.alts().iter().partition(differs);
        let first = other.first().filter(|_| other.len() > FEW)?;
        // Alternatives leave nothing out: what isn't kept is the others.
        let when = self.tracer.formulas.or_all(kept.iter().map(|alt| alt.when)).ok()?;
        let when = self.tracer.formulas.not(when).ok()?;
        let shown = Condition::negate(&Condition::any(kept.iter().map(|alt| alt.shown.clone())));
        let rest = Alt { when, shown, part: first.part.clone(), hops: first.hops.clone() };
        kept.push(&rest);
        Some(Guarded::new(kept.into_iter().cloned().collect()))
    }
}

/// Whether it is a known text, number or bool without marks, of which equality says no more than whether it is the same.
fn is_plain(value: &Value) -> bool {
    value.is_known()
        && !value.is_null()
        && value.marks.is_empty()
        && matches!(value.ty, Type::String | Type::Number | Type::Bool)
}
