//! Texts of many parts.

use crate::eval::{At, Op};
use crate::trace::{Alt, Excess, Frame, Guarded, Part};
use crate::value::{Type, Value};

impl Frame<'_, '_> {
    /// A text of many parts with choices, one of which isn't known whatever is chosen. The text isn't known either, and is an error
    /// where one of its parts by itself is one. No combination has to be looked at for that, and one term stands for all of them.
    pub fn text_of_many(&mut self, op: &Op<'_>, args: &[Guarded], at: At) -> Option<Result<Guarded, Excess>> {
        let choices = args.iter().fold(1usize, |all, arg| all.saturating_mul(arg.alts().len()));
        if !matches!(op, Op::Template)
            || choices <= self.tracer.inputs.limits.alternatives
            || at.bound
            || !self.iteration.is_none()
            || !args.iter().any(is_never_known)
        {
            return None;
        }
        let values = || args.iter().flat_map(Guarded::values);
        if values().any(|value| !value.marks_deep().without_origins().is_empty()) {
            return None;
        }
        let unknown: Vec<Value> = values().filter(|value| !value.is_known()).cloned().collect();
        let unnamed = self.tracer.unnamed(self.instance, at)?;
        let mut parts = Vec::with_capacity(args.len());
        for arg in args {
            match self.each_combination(op, std::slice::from_ref(arg), at) {
                Ok(alts) => parts.push(self.tracer.guarded(alts, Some(at.place()))),
                Err(excess) => return Some(Err(excess)),
            }
        }
        let whole =
            self.tracer.with_origin(Value::unknown_not_null(Type::String), &unknown, |tracer, result| {
                Some(tracer.unnamed_term(unnamed, result, &unknown, at))
            });
        Some(self.together(Part::Value(whole), &parts, "Template", at))
    }
}

/// Returns true if there is no alternative in which it is known.
fn is_never_known(operand: &Guarded) -> bool {
    let is_known = |alt: &Alt| alt.part.error().is_none() && alt.part.value().is_none_or(Value::is_known);
    !operand.alts().iter().any(is_known)
}
