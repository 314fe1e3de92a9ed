//! Comparison of many values with a constant, or with a list: those of which it says the same are one alternative.
//!
//! A gate asks for one of n values, so that n gates would meet n times n alternatives, each with a condition of its own. The values
//! are put in order once, and each gate finds its own among them. A validation asks of each of n values whether it is among n.

use super::domain::Frame;
use super::origin::Origins;
use super::{Alt, Guarded, Part};
use crate::cond::{Condition, FormulaId, Formulas, TermId};
use crate::eval::Op;
use crate::syntax::BinaryOp;
use crate::value::{Data, Distinct, Mark, Type, Value, hash_of};
use rustc_hash::FxHashMap;

/// Up to this number, alternatives are compared one by one, and their conditions are listed in the order of the values.
const FEW: usize = 16;

/// The number of guarded values kept: gates compare a few variables with their values, one after the other.
const MOST: usize = 8;

/// The guarded values that were compared last.
#[derive(Debug, Default)]
pub(super) struct Compared {
    known: Vec<Places>,
}

/// The places of a guarded value's values among its alternatives.
#[derive(Debug)]
struct Places {
    of: Guarded,
    ty: Type,
    /// The plain values of the type, by a hash that equal ones share.
    plain: FxHashMap<u64, Vec<usize>>,
    /// Open alternatives with their condition and term: a value of a term that the others don't list, say.
    open: Vec<(usize, FormulaId, TermId)>,
    /// All else, in order.
    others: Vec<usize>,
}

impl Places {
    fn new(of: &Guarded, ty: &Type, origins: &Origins) -> Places {
        let mut places = Places {
            of: of.clone(),
            ty: ty.clone(),
            plain: FxHashMap::default(),
            open: Vec::new(),
            others: Vec::new(),
        };
        for (at, alt) in of.alts().iter().enumerate() {
            match &alt.part {
                Part::Value(v) if is_plain(v) && v.ty == *ty => {
                    places.plain.entry(hash_of(v)).or_default().push(at);
                }
                Part::Value(v) if v.ty == *ty && is_open(v) => match origins.term_of(v) {
                    Some(term) => places.open.push((at, alt.when, term)),
                    None => places.others.push(at),
                },
                Part::Value(_) | Part::Object(_) | Part::Tuple(_) | Part::Failed(_) => places.others.push(at),
            }
        }
        places
    }

    /// The alternatives that a comparison has to look at, in order: those of the constant, and whatever may be it.
    fn kept(&self, constant: &Value, formulas: &Formulas) -> Vec<usize> {
        let is = |at: &usize| matches!(self.of.alts().get(*at), Some(Alt { part: Part::Value(v), .. }) if v == constant);
        let equal = self.plain.get(&hash_of(constant)).into_iter().flatten().copied().filter(is);
        let open = self.open.iter().filter(|(_, when, term)| !formulas.rules_out(*when, *term, constant));
        let mut kept: Vec<usize> =
            self.others.iter().copied().chain(equal).chain(open.map(|o| o.0)).collect();
        kept.sort_unstable();
        kept
    }
}

impl Compared {
    /// The places of a guarded value's alternatives for constants of a type.
    fn places(&mut self, of: &Guarded, ty: &Type, origins: &Origins) -> Option<&Places> {
        let known = self.known.iter().position(|p| p.of.is(of) && p.ty == *ty);
        let at = known.unwrap_or_else(|| {
            if self.known.len() >= MOST {
                self.known.remove(0);
            }
            self.known.push(Places::new(of, ty, origins));
            self.known.len() - 1
        });
        self.known.get(at)
    }
}

impl Frame<'_, '_> {
    /// The operands of `==`, `!=` and `contains`, of which one may have many values: of those that differ from the constant, or are
    /// in the list, or aren't, one stands for all. Whatever may be an error, carries a mark or is converted stays as it is.
    pub(super) fn alike(&mut self, op: &Op<'_>, mut args: Vec<Guarded>) -> Vec<Guarded> {
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
        let places = tracer.compared.places(many, &constant.ty, &tracer.origins)?;
        let kept = places.kept(constant, &tracer.formulas);
        if many.alts().len() - kept.len() <= FEW {
            return None;
        }
        let plain = |alt: &Alt| matches!(&alt.part, Part::Value(v) if is_plain(v));
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

/// Returns true if it is unknown or null, and carries no mark but that of its origin.
fn is_open(value: &Value) -> bool {
    !value.is_known() && value.marks.filter(|m| !matches!(m, Mark::Origin(_))).is_empty()
}

/// The elements of a list of plain values of one type.
fn members(list: &Value) -> Option<(Type, Distinct)> {
    let Data::Seq(all) = &list.data else { return None };
    let ty = &all.first().filter(|_| list.marks.is_empty())?.ty;
    all.iter().all(|v| is_plain(v) && v.ty == *ty).then(|| (ty.clone(), Distinct::of(all.iter())))
}

/// Returns true if it is a known text, number or bool without marks, of which equality says no more than whether it
/// is the same.
fn is_plain(value: &Value) -> bool {
    value.is_known()
        && !value.is_null()
        && value.marks.is_empty()
        && matches!(value.ty, Type::String | Type::Number | Type::Bool)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Hops;

    fn guarded(values: &[Value]) -> Guarded {
        let alt = |v: &Value| Alt {
            when: FormulaId::TRUE,
            shown: Condition::always(),
            part: Part::Value(v.clone()),
            hops: Hops::NONE,
        };
        Guarded::new(values.iter().map(alt).collect())
    }

    #[test]
    fn a_comparison_looks_at_the_constant_and_at_what_is_not_plain() {
        let text = |n: i64| Value::string(n.to_string());
        let mut values: Vec<Value> = (0..20).map(text).collect();
        values.insert(0, Value::null(Type::String));
        values.push(Value::number(7));
        let many = guarded(&values);
        let mut compared = Compared::default();
        let (origins, formulas) = (Origins::default(), Formulas::default());
        let kept = |c: &mut Compared, v: &Value| c.places(&many, &v.ty, &origins).unwrap().kept(v, &formulas);
        assert_eq!(kept(&mut compared, &text(3)), [0, 4, 21]);
        assert_eq!(kept(&mut compared, &text(99)), [0, 21]);
        // To a number, texts are what has to be converted.
        assert_eq!(kept(&mut compared, &Value::number(7)).len(), 22);
        for _ in 0..2 * MOST {
            kept(&mut compared, &text(3));
            compared.places(&guarded(&values), &Type::String, &origins);
        }
        assert_eq!(compared.known.len(), MOST);
    }
}
