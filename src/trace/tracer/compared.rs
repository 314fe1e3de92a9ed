//! The values among the alternatives of a guarded value, by the value.

use super::origin::Origins;
use crate::cond::{FormulaId, Formulas, TermId};
use crate::trace::{Alt, Guarded, Part};
use crate::value::{Mark, Type, Value, hash_of};
use rustc_hash::FxHashMap;

/// The number of guarded values kept: gates compare a few variables with their values, one after the other.
const MOST: usize = 8;

/// The guarded values that were compared last.
#[derive(Debug, Default)]
pub(in crate::trace) struct Compared {
    known: Vec<Places>,
}

/// The places of a guarded value's values among its alternatives.
#[derive(Debug)]
pub(in crate::trace) struct Places {
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
    pub fn kept(&self, constant: &Value, formulas: &Formulas) -> Vec<usize> {
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
    pub fn places(&mut self, of: &Guarded, ty: &Type, origins: &Origins) -> Option<&Places> {
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

/// Returns true if it is unknown or null, and carries no mark but that of its origin.
fn is_open(value: &Value) -> bool {
    !value.is_known() && value.marks.filter(|m| !matches!(m, Mark::Origin(_))).is_empty()
}

/// Returns true if it is a known text, number or bool without marks, of which equality says no more than whether it
/// is the same.
pub(in crate::trace) fn is_plain(value: &Value) -> bool {
    value.is_known()
        && !value.is_null()
        && value.marks.is_empty()
        && matches!(value.ty, Type::String | Type::Number | Type::Bool)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cond::Condition;
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
