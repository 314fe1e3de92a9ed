//! Comparison of many values with a constant, or with a list: those of which it says the same are one alternative.
//!
//! A gate asks for one of n values, so that n gates would meet n times n alternatives, each with a condition of its own. The values
//! are put in order once, and each gate finds its own among them. A validation asks of each of n values whether it is among n.

use crate::cond::Condition;
use crate::eval::Op;
use crate::syntax::BinaryOp;
use crate::trace::{Alt, Frame, Guarded, Part, tracer::compared::is_plain};
use crate::value::{Data, Distinct, Type, Value};

/// Up to this number, alternatives are compared one by one, and their conditions are listed in the order of the values.
const FEW: usize = 16;

impl Frame<'_, '_> {
    /// The operands of `==`, `!=` and `contains`, of which one may have many values: of those that differ from the constant, or are
    /// in the list, or aren't, one stands for all. Whatever may be an error, carries a mark or is converted stays as it is.
    pub fn alike(&mut self, op: &Op<'_>, mut args: Vec<Guarded>) -> Vec<Guarded> {
        let equal = matches!(op, Op::Binary(BinaryOp::Equal | BinaryOp::NotEqual));
        let [a, b] = args.as_mut_slice() else { return args };
        if matches!(op, Op::Call(function, false) if function.name == "contains")
            && b.alts().len() > FEW
            && let Some((ty, members)) = a.single_value().and_then(members)
            && let Some(fewer) = self.sided(b, &ty, &members)
        {
            *b = fewer;
        }
        if !equal {
            return args;
        }
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
        let tracer = &mut *self.tracer;
        let places = tracer.terms.compared.places(many, &constant.ty, &tracer.origins)?;
        let kept = places.kept(constant, &tracer.formulas);
        if many.alts().len() - kept.len() <= FEW {
            return None;
        }
        let plain = |alt: &Alt| alt.part.value().is_some_and(is_plain);
        let differs = |(at, alt): &(usize, &Alt)| kept.binary_search(at).is_err() && plain(alt);
        let (_, first) = many.alts().iter().enumerate().find(differs)?;
        let mut kept: Vec<Alt> = kept.into_iter().filter_map(|at| many.alts().get(at).cloned()).collect();
        // Alternatives leave nothing out: what isn't kept is the others.
        let when = self.tracer.formulas.or_all(kept.iter().map(|alt| alt.when)).ok()?;
        let when = self.tracer.formulas.not(when).ok()?;
        let shown = Condition::negate(&Condition::any(kept.iter().map(|alt| alt.shown.clone())));
        kept.push(Alt { when, shown, part: first.part.clone(), hops: first.hops.clone() });
        Some(Guarded::new(kept))
    }
}

impl Frame<'_, '_> {
    /// Plain values of a type as two alternatives: those that are members, and those that aren't.
    fn sided(&mut self, many: &Guarded, ty: &Type, members: &Distinct) -> Option<Guarded> {
        let side = |alt: &Alt| match &alt.part {
            Part::Value(v) if is_plain(v) && v.ty == *ty => Some(usize::from(members.contains(v))),
            Part::Value(_) | Part::Object(_) | Part::Tuple(_) | Part::Failed(_) => None,
        };
        let mut sides: [Vec<&Alt>; 2] = Default::default();
        let mut fewer: Vec<Alt> = Vec::new();
        for alt in many.alts() {
            match side(alt).and_then(|side| sides.get_mut(side)) {
                Some(side) => side.push(alt),
                None => fewer.push(alt.clone()),
            }
        }
        for side in sides {
            let Some(first) = side.first() else { continue };
            let when = self.tracer.formulas.or_all(side.iter().map(|alt| alt.when)).ok()?;
            let shown = Condition::any(side.iter().map(|alt| alt.shown.clone()));
            fewer.push(Alt { when, shown, part: first.part.clone(), hops: first.hops.clone() });
        }
        Some(Guarded::new(fewer))
    }
}

/// The elements of a list of plain values of one type.
fn members(list: &Value) -> Option<(Type, Distinct)> {
    let Data::Seq(all) = &list.data else { return None };
    let ty = &all.first().filter(|_| list.marks.is_empty())?.ty;
    all.iter().all(|v| is_plain(v) && v.ty == *ty).then(|| (ty.clone(), Distinct::of(all.iter())))
}
