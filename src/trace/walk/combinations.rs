//! Lifting: from guarded operands to combinations of plain ones, and back.

use super::operands::{Combos, Draft, Drafts};
use crate::cond::{Condition, FormulaId, TermId};
use crate::eval::At;
use crate::issue::Code;
use crate::text::Place;
use crate::trace::{Alt, Excess, Frame, Guarded, Hops, Origin, Part, Reason, ReasonKind, Tracer};
use crate::value::{self, Data, Mark, Marks, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The number of operand values that may be copied for each combination allowed.
const COPIES: usize = 256;

/// The number of parts that a condition in the user's words may have. A thousand alternatives by one key need as many.
const MAX_SHOWN: usize = 20_000;

/// A condition with more parts than this is written in the words of its terms, if possible: nobody would read it.
const LONG: usize = 2_000;

/// With more alternatives than this, only conditions beyond `MAX_SHOWN` are shortened: few alternatives become branches.
const WORTH: usize = 4;

/// Up to this number, alternatives are compared one by one; more are compared by a hash.
const FEW: usize = 8;

/// When something is given: in normal form, and in the user's own words.
type When = (FormulaId, Arc<Condition>);

/// The facts about a value with unknown parts: the reason, and the root variables that it depends on.
type Whole = (Option<Arc<Reason>>, BTreeSet<Arc<str>>);

/// A number that equal parts share.
fn hash_of(part: &Part) -> u64 {
    match part {
        Part::Value(value) => value::hash_of(value),
        Part::Object(_) => 1,
        Part::Tuple(_) => 2,
        Part::Failed(_) => 3,
    }
}

impl Alt {
    /// Returns true if it holds under every condition, in words too.
    fn is_plain(&self) -> bool {
        matches!(*self.shown, Condition::Always)
    }
}

impl Frame<'_, '_> {
    /// Returns what follows from each alternative, under its condition. Operations in `then` that may yet fail are noted under that
    /// condition as well.
    pub fn by_alternative(
        &mut self,
        of: &Guarded,
        at: At,
        then: &mut dyn FnMut(&mut Self, &Alt) -> Result<Guarded, Excess>,
    ) -> Guarded {
        let mut out: Vec<Alt> = Vec::with_capacity(of.alts().len());
        let made = of.alts().iter().try_for_each(|alt| {
            let before = self.risks();
            let made = then(self, alt)?;
            self.limit_risks(before, alt.when);
            self.tracer.extend_under(&mut out, &made, alt.when, &alt.shown)
        });
        self.tracer.gathered(made.map(|()| out), at)
    }
}

impl Tracer<'_> {
    /// An alternative under one more condition; nothing where the two exclude each other.
    pub(in crate::trace) fn under(
        &mut self,
        alt: &Alt,
        when: FormulaId,
        shown: &Arc<Condition>,
    ) -> Result<Option<Alt>, Excess> {
        let both = self.formulas.and(alt.when, when)?;
        if both == FormulaId::FALSE {
            return Ok(None);
        }
        let shown = Condition::both(shown, &alt.shown);
        Ok(Some(Alt { when: both, shown, part: alt.part.clone(), hops: alt.hops.clone() }))
    }

    /// Alternatives under the conditions of others as well; those that these exclude are left out.
    pub(in crate::trace) fn all_under(&mut self, alts: &[Alt], under: &[&Alt]) -> Result<Vec<Alt>, Excess> {
        let mut out = Vec::with_capacity(alts.len());
        for alt in alts {
            let both = under.iter().try_fold(Some(alt.clone()), |made, outer| match made {
                Some(made) => self.under(&made, outer.when, &outer.shown),
                None => Ok(None),
            });
            out.extend(both?);
        }
        Ok(out)
    }

    /// All alternatives of `guarded` under a condition, pushed onto `out`.
    pub(in crate::trace) fn extend_under(
        &mut self,
        out: &mut Vec<Alt>,
        guarded: &Guarded,
        when: FormulaId,
        shown: &Arc<Condition>,
    ) -> Result<(), Excess> {
        self.extend_hopped(out, guarded, (when, shown), &Hops::clone)
    }

    /// The same with other hops.
    pub(in crate::trace) fn extend_hopped(
        &mut self,
        out: &mut Vec<Alt>,
        guarded: &Guarded,
        (when, shown): (FormulaId, &Arc<Condition>),
        hop: &dyn Fn(&Hops) -> Hops,
    ) -> Result<(), Excess> {
        for alt in guarded.alts() {
            let both = self.formulas.and(alt.when, when)?;
            if both != FormulaId::FALSE {
                let shown = Condition::both(shown, &alt.shown);
                out.push(Alt { when: both, shown, part: alt.part.clone(), hops: hop(&alt.hops) });
            }
        }
        Ok(())
    }

    /// The same without copies where nothing has to be multiplied out.
    pub(in crate::trace) fn flat<'g>(&mut self, guarded: &'g Guarded) -> Result<Cow<'g, [Alt]>, Excess> {
        let plain = |a: &Alt| matches!(a.part, Part::Value(_) | Part::Failed(_));
        if guarded.alts().len() <= self.inputs.limits.combinations && guarded.alts().iter().all(plain) {
            return Ok(Cow::Borrowed(guarded.alts()));
        }
        self.flatten(guarded).map(Cow::Owned)
    }

    /// Every part multiplied out to plain values and errors.
    pub(in crate::trace) fn flatten(&mut self, guarded: &Guarded) -> Result<Vec<Alt>, Excess> {
        let mut out = Vec::with_capacity(guarded.alts().len());
        for alt in guarded.alts() {
            match &alt.part {
                Part::Value(_) | Part::Failed(_) => out.push(alt.clone()),
                Part::Object(attrs) => {
                    let parts: Vec<Guarded> = attrs.values().cloned().collect();
                    // The combinations mostly have one type.
                    let mut like: Option<Type> = None;
                    let mut build = |values: Vec<Value>| {
                        let object = Value::object_like(attrs.keys().cloned().zip(values), like.as_ref());
                        like.get_or_insert_with(|| object.ty.clone());
                        object
                    };
                    self.flatten_parts(&mut out, alt, &parts, &mut build)?;
                }
                Part::Tuple(items) => self.flatten_parts(&mut out, alt, items, &mut Value::tuple)?,
            }
            if out.len() > self.inputs.limits.combinations {
                return Err(Excess::new("an object or list has too many combinations of values", None));
            }
        }
        Ok(out)
    }

    fn flatten_parts(
        &mut self,
        out: &mut Vec<Alt>,
        alt: &Alt,
        parts: &[Guarded],
        build: &mut dyn FnMut(Vec<Value>) -> Value,
    ) -> Result<(), Excess> {
        for combo in self.combinations(parts)? {
            let part = match combo.error(|_| true) {
                None => Part::Value(build(combo.values)),
                Some(e) => Part::Failed(e.clone()),
            };
            let made = Alt { when: combo.when, shown: combo.shown, part, hops: alt.hops.clone() };
            match alt.when == FormulaId::TRUE && alt.is_plain() {
                true => out.push(made),
                false => out.extend(self.under(&made, alt.when, &alt.shown)?),
            }
        }
        Ok(())
    }

    /// Every combination of the operands' alternatives whose conditions go together.
    pub(in crate::trace) fn combinations<'g>(&mut self, args: &'g [Guarded]) -> Result<Combos<'g>, Excess> {
        let first = Draft { when: FormulaId::TRUE, shown: Condition::always() };
        let operands = Vec::with_capacity(args.len());
        let mut made = Drafts { list: vec![first], operands, picks: Vec::new() };
        let mut copied = 0;
        let most = self.inputs.limits.combinations.saturating_mul(COPIES);
        if self.least(args, &mut FxHashSet::default()) > self.inputs.limits.combinations {
            return Err(Excess::new("too many combinations of values", None));
        }
        for arg in args {
            let alts = self.flat(arg)?;
            if let [only] = &*alts
                && only.when == FormulaId::TRUE
            {
                // The first combination goes on as it is; the others are what makes it much.
                let joined = |draft: &Draft| if only.is_plain() { 1 } else { draft.reading() };
                copied += made.list.iter().skip(1).map(joined).sum::<usize>();
                if copied > most {
                    return Err(Excess::new("too many combinations of values", None));
                }
                if !only.is_plain() {
                    made.list.iter_mut().for_each(|d| d.shown = Condition::both(&d.shown, &only.shown));
                }
                made.operands.push((alts, false));
                continue;
            }
            self.multiply(&mut made, alts, &mut copied, most)?;
        }
        Ok(made.finished())
    }

    /// No more combinations than there are: operands whose conditions have no term in common with those of others go together
    /// in every way. What is too much is told so without making it first.
    fn least<'g>(&self, args: impl IntoIterator<Item = &'g Guarded>, seen: &mut FxHashSet<TermId>) -> usize {
        let mut all = 1usize;
        for arg in args {
            all = all.saturating_mul(match arg.alts() {
                [only] => match &only.part {
                    Part::Value(_) | Part::Failed(_) => 1,
                    Part::Object(attrs) => self.least(attrs.values(), seen),
                    Part::Tuple(items) => self.least(items.iter(), seen),
                },
                alts => {
                    let terms: Vec<_> = alts.iter().map(|alt| self.formulas.terms(alt.when)).collect();
                    let apart = terms.iter().flat_map(|of| of.iter()).all(|term| !seen.contains(term));
                    seen.extend(terms.iter().flat_map(|of| of.iter()));
                    if apart { alts.len() } else { 1 }
                }
            });
            if all > self.inputs.limits.combinations {
                break;
            }
        }
        all
    }

    /// Each combination with each alternative of one more operand.
    fn multiply<'g>(
        &mut self,
        made: &mut Drafts<'g>,
        alts: Cow<'g, [Alt]>,
        copied: &mut usize,
        most: usize,
    ) -> Result<(), Excess> {
        let width = made.width();
        let mut list = Vec::with_capacity(made.list.len() * alts.len());
        let mut picks = Vec::with_capacity((width + 1) * list.capacity());
        // What is given under the same condition goes with nothing else, since alternatives exclude each other.
        let mut same: FxHashMap<FormulaId, usize> = FxHashMap::default();
        let few = made.list.len() <= FEW && alts.len() <= FEW;
        if !few {
            same.extend(alts.iter().enumerate().map(|(pick, alt)| (alt.when, pick)));
        }
        for (at, draft) in made.list.iter().enumerate() {
            let before = made.picks.get(at * width..(at + 1) * width).unwrap_or_default();
            let only = match few {
                true => alts.iter().position(|alt| alt.when == draft.when),
                false => same.get(&draft.when).copied(),
            };
            let (first, many) = only.map_or((0, alts.len()), |pick| (pick, 1));
            for (pick, alt) in (0u32..).zip(&*alts).skip(first).take(many) {
                let when = self.formulas.and(draft.when, alt.when)?;
                if when == FormulaId::FALSE {
                    *copied += 1;
                    continue;
                }
                // Each combination carries what came before: many operands of few alternatives are work too.
                *copied += made.operands.len() + draft.reading();
                if *copied > most {
                    return Err(Excess::new("too many combinations of values", None));
                }
                picks.extend_from_slice(before);
                picks.push(pick);
                list.push(Draft { when, shown: Condition::both(&draft.shown, &alt.shown) });
                if list.len() > self.inputs.limits.combinations {
                    return Err(Excess::new("too many combinations of values", None));
                }
            }
        }
        (made.list, made.picks) = (list, picks);
        made.operands.push((alts, true));
        Ok(())
    }

    /// Alternatives with one part become one; too many become a reason.
    pub(in crate::trace) fn guarded(&mut self, mut alts: Vec<Alt>, place: Option<Place>) -> Guarded {
        if let [only] = alts.as_mut_slice()
            && self.formulas.is_true(only.when).unwrap_or(false)
        {
            only.shown = Condition::always();
            return Guarded::new(alts);
        }
        let few = alts.len() <= FEW.min(self.inputs.limits.alternatives);
        let merged = if few && all_differ(&alts) { Ok(alts) } else { self.merged(alts, place) };
        let made = merged.and_then(|alts| self.shortened(alts, place));
        self.or_unknown(made.map(Guarded::new))
    }

    /// Puts long conditions into the words of their terms.
    fn shortened(&mut self, mut alts: Vec<Alt>, place: Option<Place>) -> Result<Vec<Alt>, Excess> {
        let few = alts.len() <= WORTH;
        for alt in alts.iter_mut().filter(|alt| alt.shown.exceeds(if few { LONG } else { MAX_SHOWN })) {
            let spelled = if few { self.spelled_once(alt.when) } else { None };
            alt.shown = spelled.unwrap_or_else(|| alt.shown.clone());
            if alt.shown.exceeds(MAX_SHOWN) {
                return Err(Excess::of_conditions(place));
            }
        }
        Ok(alts)
    }

    /// Alternatives with different parts.
    fn merged(&mut self, alts: Vec<Alt>, place: Option<Place>) -> Result<Vec<Alt>, Excess> {
        // Conditions of equal parts are joined together in the end: one by one, each would be read over and over.
        let mut groups: Vec<(Alt, Vec<When>)> = Vec::with_capacity(alts.len());
        // Each is compared with those that may equal it: of a thousand values, all are looked at once.
        let mut alike: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        for alt in alts {
            let known = alike.entry(hash_of(&alt.part)).or_default();
            let same = |at: &&usize| groups.get(**at).is_some_and(|(m, _)| m.part == alt.part);
            match known.iter().find(same).copied().and_then(|at| groups.get_mut(at)) {
                Some((_, others)) => others.push((alt.when, alt.shown)),
                None => {
                    known.push(groups.len());
                    groups.push((alt, Vec::new()));
                }
            }
            if groups.len() > self.inputs.limits.alternatives {
                return Err(Excess::new("too many values", place));
            }
        }
        let mut merged: Vec<Alt> = Vec::with_capacity(groups.len());
        for (mut alt, others) in groups {
            if !others.is_empty() {
                let all = [alt.when].into_iter().chain(others.iter().map(|(when, _)| *when));
                let when = self.formulas.or_all(all.collect::<Vec<_>>()).map_err(Excess::refused(place))?;
                let shown = [alt.shown].into_iter().chain(others.into_iter().map(|(_, shown)| shown));
                alt.shown = match self.formulas.is_true(when).unwrap_or(false) {
                    true => Condition::always(),
                    false => Condition::any(shown),
                };
                alt.when = when;
            }
            merged.push(alt);
        }
        if let [only] = merged.as_mut_slice()
            && self.formulas.is_true(only.when).unwrap_or(false)
        {
            only.shown = Condition::always();
        }
        Ok(merged)
    }

    /// The first reason among the origins of the unknowns in some values.
    pub(in crate::trace) fn reason_in<'v>(
        &self,
        values: impl IntoIterator<Item = &'v Value>,
    ) -> Option<Arc<Reason>> {
        values.into_iter().find_map(|v| {
            if v.is_wholly_known() {
                return None;
            }
            v.marks_deep().iter().find_map(|m| self.origins.get(m)?.reason().cloned())
        })
    }

    /// Returns true if an unknown is exactly its one origin: nothing was computed from it on the way.
    pub(in crate::trace) fn is_itself(&self, value: &Value) -> bool {
        let mut origins = value.marks.iter().filter_map(|m| self.origins.get(m));
        match (origins.next(), origins.next()) {
            (Some(Origin::Reason(_)), None) => true,
            (Some(Origin::Object(..)), None) => value.ty == Type::Dynamic,
            (Some(Origin::Term(term)), None) => self.origins.info(*term).is_some_and(|i| i.ty == value.ty),
            _ => false,
        }
    }

    /// A known value whose unknown parts have their origins put right.
    ///
    /// A part that is still exactly what a term gives stays that; any other was computed on the way (functions take
    /// marks off and put them on the whole), so nothing more than a reason can be said of it.
    pub(in crate::trace) fn settled(&mut self, value: Value) -> Value {
        if value.is_wholly_known() {
            return value.normalised();
        }
        if self.is_settled(&value) {
            // As it is, parts that are shared stay shared.
            return Value { marks: value.marks.without_origins(), ..value };
        }
        let whole = (self.reason_in([&value]), self.variables_in([&value]));
        let own = value.marks.without_origins();
        let data = match value.data {
            Data::Seq(items) => Data::Seq(items.iter().map(|v| self.settled_part(v, &whole)).collect()),
            Data::Map(items) => {
                let items = items.iter().map(|(k, v)| (k.clone(), self.settled_part(v, &whole)));
                Data::Map(Arc::new(items.collect()))
            }
            other => other,
        };
        Value { ty: value.ty, data, marks: own }
    }

    /// Returns true if every unknown part is exactly its origin, and no known part has an origin.
    fn is_settled(&self, value: &Value) -> bool {
        value.parts().all(|part| {
            if part.is_known() {
                !part.marks.has_origin() && self.is_settled(part)
            } else {
                self.is_itself(part)
            }
        })
    }

    fn settled_part(&mut self, part: &Value, whole: &Whole) -> Value {
        if part.is_known() {
            return self.settled(part.clone());
        }
        if self.is_itself(part) {
            return part.clone();
        }
        let reason = self.reason_in([part]).or_else(|| whole.0.clone()).unwrap_or_else(|| {
            let own = self.variables_in([part]);
            // A function may have put all origins on what it gives as a whole.
            Arc::new(computed().over(if own.is_empty() { whole.1.clone() } else { own }))
        });
        self.opaque_of(part.ty.clone(), reason).with_marks(&part.marks.without_origins())
    }

    /// The result of an operation with its origin put right: a known one has none, an unknown one has exactly one.
    pub(in crate::trace) fn with_origin(
        &mut self,
        result: Value,
        args: &[Value],
        term: impl FnOnce(&mut Self, &Value) -> Option<Value>,
    ) -> Value {
        if result.is_known() {
            return result;
        }
        let kept: Marks = result.marks.filter(|m| !matches!(m, Mark::Origin(_)));
        // What is only not narrowed is stable from plan to plan, and may be a term as a whole.
        let reason = match self.reason_in(args) {
            Some(reason) if reason.code != Code::NoUniverse => reason,
            found => match term(self, &result) {
                Some(symbol) => {
                    let because = found.or_else(|| self.origins.because(args));
                    self.origins.remember(&symbol, because);
                    return symbol.with_marks(&kept);
                }
                None => found.unwrap_or_else(|| Arc::new(computed().over(self.variables_in(args)))),
            },
        };
        self.opaque_of(result.ty.clone(), reason).with_marks(&kept)
    }
}

/// Returns true if no two alternatives have equal parts.
fn all_differ(alts: &[Alt]) -> bool {
    let mut rest = alts;
    while let [first, others @ ..] = rest {
        if others.iter().any(|other| other.part == first.part) {
            return false;
        }
        rest = others;
    }
    true
}

/// The reason of a value whose operands haven't been looked at.
fn computed() -> Reason {
    let why = "the value is computed from others that are not narrowed to a finite set.";
    Reason::new(Code::NoUniverse, why, None).of_kind(ReasonKind::Computed)
    .fix("List the values of the variables that it is computed from, each in a `validation` block or in `phi.hcl`.", "")
}
