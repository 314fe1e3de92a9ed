//! Operations that turn a term into conditions: comparison with a constant, membership, choice by a key.

use crate::cond::{Comparison, Condition, FormulaId, Site, TermId};
use crate::eval::{At, EvalError, Op};
use crate::syntax::BinaryOp;
use crate::trace::{
    Alt, Excess, Frame, Guarded, HopText, Hops, Part, Tracer, guarded::wording::term_site, tracer::sure::Sure,
};
use crate::value::{Data, Mark, Type, Value, ops};
use std::sync::Arc;

impl Frame<'_, '_> {
    /// The operation where it selects by a term; nothing where it doesn't.
    pub fn select(&mut self, op: &Op<'_>, args: &[Guarded], at: At) -> Option<Result<Vec<Alt>, Excess>> {
        let done = match (op, args) {
            (Op::Binary(BinaryOp::Equal), [a, b]) => self.compare(a, b, false, at)?,
            (Op::Binary(BinaryOp::NotEqual), [a, b]) => self.compare(a, b, true, at)?,
            (Op::Call(f, false), [list, item]) if f.name == "contains" => self.member(list, item, at)?,
            (Op::Call(f, false), [list, item]) if f.name == "index" => self.position(list, item, at)?,
            (Op::Call(f, false), [pattern, text]) if matches!(f.name, "regex" | "regexall") => {
                self.matched(op, pattern, text, f.name == "regexall", at)?
            }
            (Op::Binary(by), [a, b]) => self.ordered(*by, a, b, at)?,
            (Op::Index, [of, key]) => self.keyed(of, key, By::Index, at)?,
            (Op::Call(f, false), [of, key]) if f.name == "lookup" => {
                self.keyed(of, key, By::Lookup(None), at)?
            }
            (Op::Call(f, false), [of, key, default]) if f.name == "lookup" => {
                self.keyed(of, key, By::Lookup(Some(default)), at)?
            }
            _ => return None,
        };
        Some(done)
    }

    /// The term that an alternative is.
    pub fn term(&self, alt: &Alt) -> Option<TermId> {
        self.tracer.origins.term_of(alt.part.value().filter(|v| !v.is_known())?)
    }

    fn has_term(&self, guarded: &Guarded) -> bool {
        guarded.alts().iter().any(|a| self.term(a).is_some())
    }

    /// `a == b`, where one side may be a term and the other a constant.
    fn compare(
        &mut self,
        a: &Guarded,
        b: &Guarded,
        negate: bool,
        at: At,
    ) -> Option<Result<Vec<Alt>, Excess>> {
        if !self.has_term(a) && !self.has_term(b) {
            return None;
        }
        let op = if negate { BinaryOp::NotEqual } else { BinaryOp::Equal };
        Some(self.pairwise(
            a,
            b,
            at,
            &mut |frame, x, y| {
                let (of, term, constant) = match (frame.term(x), frame.term(y)) {
                    (Some(t), None) => (x, t, constant(y)?),
                    (None, Some(t)) => (y, t, constant(x)?),
                    _ => return None,
                };
                let equal = match frame.tracer.may_be(of, term, &constant) {
                    false => FormulaId::FALSE,
                    true => frame.tracer.formulas.eq(term, &constant).ok()?,
                };
                Some((equal, constant.marks))
            },
            negate,
            &Op::Binary(op),
        ))
    }

    /// `contains(list, item)` with a known list and a term.
    fn member(&mut self, list: &Guarded, item: &Guarded, at: At) -> Option<Result<Vec<Alt>, Excess>> {
        if !self.has_term(item) {
            return None;
        }
        let op = crate::func::lookup("contains")?;
        Some(self.pairwise(
            list,
            item,
            at,
            &mut |frame, list, item| {
                let term = frame.term(item)?;
                let Part::Value(list) = &list.part else { return None };
                if !matches!(list.ty, Type::List(_) | Type::Set(_) | Type::Tuple(_)) || !list.is_known() {
                    return None;
                }
                // Of a set with unknown elements it isn't known how many it has; what is none of these is none of it.
                let possible = |v: &Value| frame.tracer.may_be(item, term, v);
                let values: Vec<Value> = list.elements().map(|(_, v)| v.clone()).filter(possible).collect();
                let one = match values.as_slice() {
                    [] if !list.is_null() => FormulaId::FALSE,
                    some if list.is_wholly_known() && !list.is_null() => {
                        frame.tracer.formulas.one_of(term, some).ok()?
                    }
                    _ => return None,
                };
                Some((one, list.marks_deep().filter(|m| !matches!(m, Mark::Origin(_)))))
            },
            false,
            &Op::Call(op, false),
        ))
    }

    /// `index(list, item)` with a known list and a term: one branch per element, an error for all other values.
    fn position(&mut self, lists: &Guarded, items: &Guarded, at: At) -> Option<Result<Vec<Alt>, Excess>> {
        let ([list], [item]) = (lists.alts(), items.alts()) else { return None };
        let (term, elements) = (self.term(item)?, constant(list)?);
        if !matches!(elements.ty, Type::List(_) | Type::Tuple(_)) || elements.is_null() {
            return None;
        }
        let marks = elements.marks.union(&plain_marks(item));
        let mut entries: Vec<(Value, Guarded)> = Vec::new();
        for (at, element) in (0u64..).zip(elements.elements().map(|(_, element)| element)) {
            // What is marked or null is left to the function itself.
            if element.is_null() || !element.marks.is_empty() {
                return None;
            }
            if !entries.iter().any(|(known, _)| known == element) {
                let position = Value::number(at).with_marks(&marks);
                entries.push((element.clone(), Guarded::of(position)));
            }
        }
        if !self.comparable(term, &entries) {
            return None;
        }
        let text = "Error in function call: Call to function \"index\" failed: item not found.";
        let missing = Guarded::failed(EvalError::new(text).at(at.place()));
        let hop = "Call index".into();
        Some(self.by_pairs(lists.alts(), items.alts(), &mut |frame, _, _| {
            frame.branch_per_entry(&entries, term, Some(&missing), &hop, at)
        }))
    }

    /// `a < b` and the like, where one side is a term of numbers and the other a constant; null is an error.
    fn ordered(
        &mut self,
        by: BinaryOp,
        a: &Guarded,
        b: &Guarded,
        at: At,
    ) -> Option<Result<Vec<Alt>, Excess>> {
        let (op, inverse) = match by {
            BinaryOp::Less => (Comparison::Less, Comparison::GreaterOrEqual),
            BinaryOp::LessEqual => (Comparison::LessOrEqual, Comparison::Greater),
            BinaryOp::Greater => (Comparison::Greater, Comparison::LessOrEqual),
            BinaryOp::GreaterEqual => (Comparison::GreaterOrEqual, Comparison::Less),
            _ => return None,
        };
        let ([x], [y]) = (a.alts(), b.alts()) else { return None };
        let (alt, term, limit, op, inverse) = match (self.term(x), self.term(y)) {
            (Some(t), None) => (x, t, constant(y)?, op, inverse),
            (None, Some(t)) => (y, t, constant(x)?, mirrored(op), mirrored(inverse)),
            _ => return None,
        };
        let Part::Value(symbol) = &alt.part else { return None };
        // Where null may come, Terraform's versions disagree about `&&` and `||` around the comparison: the whole stays
        // a term then, except where only the accepted values are asked for.
        if !self.tracer.scope.inferring && !symbol.definitely_not_null() {
            return None;
        }
        let exact = symbol.ty == Type::Number && limit.ty == Type::Number && !limit.is_null();
        if !exact || !limit.marks.is_empty() {
            return None;
        }
        let marks = plain_marks(alt);
        let yes = self.tracer.formulas.compare(term, op, &limit).ok()?;
        // A length is never below zero, whatever it is of.
        let within = self.tracer.bounds_of(term, symbol)?;
        let yes = match (self.tracer.formulas.minus(within, yes), self.tracer.formulas.and(within, yes)) {
            (Ok(FormulaId::FALSE), _) if symbol.definitely_not_null() => FormulaId::TRUE,
            (_, Ok(FormulaId::FALSE)) => FormulaId::FALSE,
            _ => yes,
        };
        // Where null can't come, whatever isn't the one is the other.
        let no = match symbol.definitely_not_null() {
            true => self.tracer.formulas.not(yes).ok()?,
            false => self.tracer.formulas.compare(term, inverse, &limit).ok()?,
        };
        let known = self.tracer.formulas.or(yes, no).ok()?;
        let null = self.tracer.formulas.not(known).ok()?;
        let said = self.existing(yes, at);
        let failed = EvalError::new("Error during operation: argument must not be null.").at(at.place());
        let bool = |b: bool| Part::Value(Value::bool(b).with_marks(&marks));
        let hops = Hops::one(self.text(at), Some(at.place()));
        let cases = [
            (yes, said.clone(), bool(true)),
            (no, Condition::negate(&said), bool(false)),
            (null, self.existing(null, at), Part::Failed(failed)),
        ];
        let made = cases.map(|(when, shown, part)| Alt { when, shown, part, hops: hops.clone() });
        Some(self.tracer.all_under(&made, &[x, y]))
    }

    /// For each pair of alternatives: two bools under conditions where `exact` finds a formula, else the operation.
    fn pairwise(
        &mut self,
        a: &Guarded,
        b: &Guarded,
        at: At,
        exact: Exact<'_, Self>,
        negate: bool,
        op: &Op<'_>,
    ) -> Result<Vec<Alt>, Excess> {
        let (left, right) = (self.tracer.flat(a)?, self.tracer.flat(b)?);
        self.by_pairs(&left, &right, &mut |frame, x, y| {
            let Some((yes, marks)) = exact(frame, x, y) else {
                return frame.each_combination(op, &[x.alone(), y.alone()], at).map(Guarded::new);
            };
            let no = frame.tracer.formulas.not(yes).map_err(Excess::refused(Some(at.place())))?;
            let marks = marks.union(&plain_marks(x)).union(&plain_marks(y));
            let hops = Hops::one(frame.text(at), Some(at.place()));
            let holds = if negate { no } else { yes };
            let said = frame.existing(holds, at);
            let alt = |value: bool, when| Alt {
                when,
                shown: if value == negate { Condition::negate(&said) } else { said.clone() },
                part: Part::Value(Value::bool(value != negate).with_marks(&marks)),
                hops: hops.clone(),
            };
            Ok(Guarded::new(vec![alt(true, yes), alt(false, no)]))
        })
    }

    /// Returns what follows from each pair of alternatives whose conditions go together, under both. Operations in `then` that may
    /// yet fail are noted under these as well.
    fn by_pairs(
        &mut self,
        left: &[Alt],
        right: &[Alt],
        then: &mut dyn FnMut(&mut Self, &Alt, &Alt) -> Result<Guarded, Excess>,
    ) -> Result<Vec<Alt>, Excess> {
        let mut out = Vec::new();
        for (x, y) in left.iter().flat_map(|x| right.iter().map(move |y| (x, y))) {
            let Some(base) = self.tracer.under(x, y.when, &y.shown)? else { continue };
            let before = self.risks();
            let made = then(self, x, y)?;
            self.limit_risks(before, base.when);
            self.tracer.extend_under(&mut out, &made, base.when, &base.shown)?;
        }
        Ok(out)
    }

    /// A choice by key. A factored collection keeps its parts; a key that is a term gives one branch per entry.
    fn keyed(&mut self, of: &Guarded, key: &Guarded, by: By<'_>, at: At) -> Option<Result<Vec<Alt>, Excess>> {
        let factored = of.alts().iter().any(|a| matches!(a.part, Part::Object(_) | Part::Tuple(_)));
        if !factored && !self.has_term(key) {
            return None;
        }
        let keys = self.tracer.flatten(key);
        Some(keys.and_then(|keys| {
            self.by_pairs(of.alts(), &keys, &mut |frame, source, key| frame.pick(source, key, by, at))
        }))
    }

    fn pick(&mut self, of: &Alt, key: &Alt, by: By<'_>, at: At) -> Result<Guarded, Excess> {
        let source = &of.part;
        let (default, hop): (_, HopText) = match by {
            By::Index => (None, "Index".into()),
            By::Lookup(default) => (default, "Call lookup".into()),
        };
        // `lookup` takes no lists.
        let entries = entries_of(of).filter(|_| matches!(by, By::Index) || is_map(source));
        match (entries, self.term(key), &key.part) {
            (Some(entries), Some(term), _)
                if self.comparable(term, &entries)
                    || default.is_none_or(|_| self.tracer.scope.notes.risks.is_none())
                        && self.comparable_untyped(term, &entries) =>
            {
                let entries = self.where_written(of, entries);
                let untyped = !self.comparable(term, &entries);
                let default = match default {
                    Some(default) if untyped || may_be_null(key) => {
                        Some(self.unless_null(term, default, at)?)
                    }
                    other => other.cloned(),
                };
                self.branch_per_entry(&entries, term, default.as_ref(), &hop, at)
            }
            (Some(entries), None, Part::Value(k)) if k.is_known() && !matches!(source, Part::Value(_)) => {
                match entries.iter().find(|(name, _)| same_key(name, k)) {
                    Some((_, part)) => Ok(part.hop(|h| h.before(hop.clone(), Some(at.place())))),
                    None => match default {
                        Some(d) => Ok(d.clone()),
                        None => self.plainly(&without_values(source), key, by, at),
                    },
                }
            }
            _ => self.plainly(source, key, by, at),
        }
    }

    /// Returns the result of `lookup` without a matching entry. A null key is an error. It isn't reported where it
    /// ends the run; it counts where errors are caught, and for the type of a conditional around it.
    fn unless_null(&mut self, term: TermId, default: &Guarded, at: At) -> Result<Guarded, Excess> {
        self.tracer.doubt(&[Value::dynamic()]);
        if self.tracer.scope.notes.risks.is_none() {
            return Ok(default.clone());
        }
        let nothing = Value::null(self.tracer.origins.info(term).map_or(Type::Dynamic, |i| i.ty.clone()));
        let null = self.tracer.formulas.eq(term, &nothing);
        let null = null.map_err(Excess::refused(Some(at.place())))?;
        let other = self.tracer.formulas.not(null).map_err(Excess::refused(Some(at.place())))?;
        let text = "Invalid value for \"key\" parameter: argument must not be null.";
        let failed = Guarded::failed(EvalError::new(text).at(at.place()));
        let mut out = Vec::new();
        self.tracer.extend_under(&mut out, default, other, &Condition::always())?;
        let shown = Arc::new(Condition::Eq(self.site(term, null, at), nothing));
        self.tracer.extend_under(&mut out, &failed, null, &shown)?;
        Ok(self.tracer.guarded(out, Some(at.place())))
    }

    /// Returns true if `term == key` says exactly when an index picks that key: an index converts, `==` doesn't.
    fn comparable(&self, term: TermId, entries: &[(Value, Guarded)]) -> bool {
        let ty = self.tracer.origins.info(term).map(|i| i.ty.clone());
        entries.iter().all(|(k, _)| k.is_known() && ty.as_ref() == Some(&k.ty))
    }

    /// The same of a key of no known type, which is taken for text: no number and no bool is written like an entry's name.
    /// A default counts only if no error is caught around it: a key that is no primitive is an error.
    fn comparable_untyped(&self, term: TermId, entries: &[(Value, Guarded)]) -> bool {
        let untyped = self.tracer.origins.info(term).is_some_and(|i| i.ty == Type::Dynamic);
        let other = |k: &Value| {
            let as_type = |ty: &Type| crate::value::convert::convert(k, ty).is_ok();
            as_type(&Type::Number) || as_type(&Type::Bool)
        };
        untyped && entries.iter().all(|(k, _)| k.is_known() && k.ty == Type::String && !other(k))
    }

    fn plainly(&mut self, source: &Part, key: &Alt, by: By<'_>, at: At) -> Result<Guarded, Excess> {
        let mut args = vec![Guarded::always(source.clone(), Hops::NONE), key.alone()];
        let op = match (by, crate::func::lookup("lookup")) {
            (By::Lookup(default), Some(f)) => {
                args.extend(default.cloned());
                Op::Call(f, false)
            }
            _ => Op::Index,
        };
        let alts = self.each_combination(&op, &args, at)?;
        Ok(self.tracer.guarded(alts, Some(at.place())))
    }

    fn branch_per_entry(
        &mut self,
        entries: &[(Value, Guarded)],
        term: TermId,
        default: Option<&Guarded>,
        hop: &HopText,
        at: At,
    ) -> Result<Guarded, Excess> {
        let mut out = Vec::new();
        let mut rest = FormulaId::TRUE;
        let site = |frame: &Self, f| frame.site(term, f, at);
        let refused = &Excess::refused(Some(at.place()));
        for (key, part) in entries {
            let when = self.tracer.formulas.eq(term, key).map_err(refused)?;
            let other = self.tracer.formulas.not(when).map_err(refused)?;
            rest = self.tracer.formulas.and(rest, other).map_err(refused)?;
            let shown = Arc::new(Condition::Eq(site(self, when), key.clone()));
            let name = crate::value::hcl::to_hcl(key).unwrap_or_default();
            let part = part.hop(|h| h.before(HopText::keyed(&hop.to_string(), &name), Some(at.place())));
            self.tracer.extend_under(&mut out, &part, when, &shown)?;
        }
        let otherwise = match default {
            Some(d) => d.clone(),
            None => {
                let text =
                    "Invalid index: The given key does not identify an element in this collection value.";
                Guarded::failed(EvalError::new(text).at(at.place()))
            }
        };
        let shown = Condition::all(out.iter().map(|a| Condition::negate(&a.shown)));
        self.tracer.extend_under(&mut out, &otherwise, rest, &shown)?;
        Ok(self.tracer.guarded(out, Some(at.place())))
    }

    /// Returns the site at which a term can be written, for a condition about it.
    pub fn site(&self, term: TermId, formula: FormulaId, at: At) -> Site {
        match self.tracer.origins.info(term).and_then(|i| i.home.as_ref()) {
            Some(home) => term_site(home.scope.clone(), &home.text, term, true),
            None => self.own_site(formula, at),
        }
    }
}

impl Tracer<'_> {
    /// Between which numbers a term is, by what is known of all its values.
    fn bounds_of(&mut self, term: TermId, symbol: &Value) -> Option<FormulaId> {
        let known = symbol.refinements();
        let least = known.and_then(|r| r.min.clone()).map(|(n, inclusive)| match inclusive {
            true => (Comparison::GreaterOrEqual, n),
            false => (Comparison::Greater, n),
        });
        let most = known.and_then(|r| r.max.clone()).map(|(n, inclusive)| match inclusive {
            true => (Comparison::LessOrEqual, n),
            false => (Comparison::Less, n),
        });
        [least, most].into_iter().flatten().try_fold(FormulaId::TRUE, |all, (op, n)| {
            let bound = self.formulas.compare(term, op, &Value::number(n)).ok()?;
            self.formulas.and(all, bound).ok()
        })
    }

    /// Returns true if a term may have a value, by what is known of every value that it has.
    fn may_be(&self, of: &Alt, term: TermId, constant: &Value) -> bool {
        let decided = of.part.value().is_some_and(|v| ops::decide(v, constant) == Some(false));
        let fits = |sure: &Sure| match &constant.data {
            Data::String(text) => sure.admits(text),
            _ => true,
        };
        !decided && self.terms.sure.get(&term).is_none_or(fits)
    }
}

/// The way in which a key chooses an element.
#[derive(Clone, Copy)]
enum By<'a> {
    /// `of[key]`.
    Index,
    /// `lookup(of, key)`, perhaps with a default.
    Lookup(Option<&'a Guarded>),
}

/// The same comparison with its sides exchanged.
fn mirrored(op: Comparison) -> Comparison {
    match op {
        Comparison::Less => Comparison::Greater,
        Comparison::LessOrEqual => Comparison::GreaterOrEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterOrEqual => Comparison::LessOrEqual,
    }
}

/// Finds the formula under which two alternatives compare as true, with the marks of the result.
type Exact<'e, F> = &'e mut dyn FnMut(&mut F, &Alt, &Alt) -> Option<(FormulaId, crate::value::Marks)>;

/// The keys and parts of a collection, where they are known. What was written out in one piece stands where that does.
fn entries_of(of: &Alt) -> Option<Vec<(Value, Guarded)>> {
    match &of.part {
        Part::Object(attrs) => Some(attrs.iter().map(|(k, v)| (Value::string(k), v.clone())).collect()),
        Part::Tuple(items) => {
            let numbered = (0u64..).zip(items.iter());
            Some(numbered.map(|(i, v)| (Value::number(i), v.clone())).collect())
        }
        Part::Value(v) if v.is_known() && !v.is_null() => {
            if !matches!(v.ty, Type::Map(_) | Type::Object(_) | Type::List(_) | Type::Tuple(_)) {
                return None;
            }
            let place = of.hops.iter().last().and_then(|(_, place)| place);
            let always = |v: Value| {
                let hops = Hops::one(crate::trace::HopText::Literal(v.clone()), place);
                Guarded::always(Part::Value(v), hops)
            };
            Some(v.elements().map(|(k, e)| (k, always(e.clone().with_marks(&v.marks)))).collect())
        }
        Part::Value(_) | Part::Failed(_) => None,
    }
}

/// The same collection with null for each entry. Which keys there are decides whether an index is an error, whatever else may
/// fail in the entries, and the combinations of all entries may be far too many.
fn without_values(part: &Part) -> Part {
    let null = || Value::null(Type::Dynamic);
    match part {
        Part::Object(attrs) => Part::Value(Value::object(attrs.keys().map(|name| (name.clone(), null())))),
        Part::Tuple(items) => Part::Value(Value::tuple(items.iter().map(|_| null()).collect())),
        Part::Value(_) | Part::Failed(_) => part.clone(),
    }
}

fn is_map(part: &Part) -> bool {
    match part {
        Part::Object(_) => true,
        Part::Value(v) => matches!(v.ty, Type::Map(_) | Type::Object(_)),
        Part::Tuple(_) | Part::Failed(_) => false,
    }
}

fn same_key(a: &Value, b: &Value) -> bool {
    crate::value::convert::convert(b, &a.ty).is_ok_and(|b| b.unmark().0 == *a)
}

fn may_be_null(alt: &Alt) -> bool {
    alt.part.value().is_some_and(|v| !v.definitely_not_null())
}

fn constant(alt: &Alt) -> Option<Value> {
    alt.part.value().filter(|v| v.is_wholly_known()).cloned()
}

fn plain_marks(alt: &Alt) -> crate::value::Marks {
    match &alt.part {
        Part::Value(v) => v.marks.filter(|m| !matches!(m, crate::value::Mark::Origin(_))),
        Part::Object(_) | Part::Tuple(_) | Part::Failed(_) => crate::value::Marks::NONE,
    }
}
