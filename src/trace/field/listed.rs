//! Values that differ within one block of a file, as one list of values.
//!
//! In: a driven field whose branches depend on `count.index` of its own declaration, or on the entry of `dynamic` blocks around it.
//! Out: branches whose value is the list of all values, one for each instance or entry; what the file then says is that list with
//! the index behind it, `[80, 443][ingress.key]`. The blocks stay what they are, so no address changes and no entry changes its
//! place. Invariants: no branch's condition speaks of an instance or entry; where there is one, its place in the list has its
//! value; where there is none, nothing asks for its place. Absent: what may be an error, is sensitive, or is told apart by the index
//! of a declaration further out.

use crate::addr::Target;
use crate::cond::{Condition, FormulaId, Refusal, TermId};
use crate::trace::{
    Branch, Driven, Driver, HopText, Outcomes, Trace, Traced, Tracer,
    reading::Reading,
    repetition::axis::Repetition,
    repetition::dynamic::{Axes, iterator_name},
    tracer::axes::{Axis, AxisKind},
};
use crate::value::{Type, Value};
use std::sync::Arc;

/// The index that distinguishes the places of a list.
struct Index {
    /// The index as it is written after the list.
    text: Arc<str>,
    term: TermId,
    keys: Vec<Value>,
}

/// A list as far as it is known: the number of a branch at each place that something has.
struct List {
    when: FormulaId,
    places: Vec<Option<usize>>,
}

/// Lists the values of driven fields that differ within one block, where that can be shown to be the same.
pub fn list_values(tracer: &mut Tracer<'_>, driven: &[Driven], traces: &mut [Trace]) {
    for (driven, trace) in driven.iter().zip(traces) {
        match tracer.listed(driven, trace) {
            Ok(listed) => *trace = listed,
            Err(Some(why)) => {
                if let Some(per_entry) = &mut trace.per_entry {
                    Arc::make_mut(per_entry).reason.why.push_str(why);
                }
            }
            Err(None) => {}
        }
    }
}

/// Why a field that differs within its block can't be listed, where there is more to say than that it can't.
type Unlisted = Option<&'static str>;

const FAILS: &str = " A list of its values would hide that it is an error in one of them under some inputs.";

const SECRET: &str = " What decides is sensitive, and a list of its values would say nothing of that.";

impl Tracer<'_> {
    fn listed(&mut self, driven: &Driven, trace: &Trace) -> Result<Trace, Unlisted> {
        let Traced::Bounded(Outcomes { branches, failing }) = &trace.result else { return Err(None) };
        let is_value =
            driven.driver == Driver::Pin && !driven.is_meta() && driven.site.reading == Reading::Value;
        if trace.per_entry.is_none() || !is_value {
            return Err(None);
        }
        let conditions: Vec<FormulaId> = branches.iter().map(|b| b.when).chain([*failing]).collect();
        let secret = self.any_sensitive(conditions.iter().copied());
        let (indices, exists) = self.indices(driven, &conditions).ok_or(None)?;
        // An error is Terraform's to find, by the expression that is there.
        if self.formulas.and(*failing, exists) != Ok(FormulaId::FALSE) {
            return Err(Some(FAILS));
        }
        let mut out = self.branches_of(driven, branches, (&indices, exists)).ok_or(None)?;
        // What is chosen by a secret is one, unless the user takes the mark off on the way.
        let opened = |b: &Branch| b.hops.iter().any(|(hop, _)| matches!(hop, HopText::Call("nonsensitive")));
        let still = out.len() > 1 && self.any_sensitive(out.iter().map(|b| b.when));
        if secret && (!still || branches.iter().any(opened)) {
            return Err(Some(SECRET));
        }
        let result = match out.len() {
            1 => Traced::Resolved(out.remove(0)),
            n if n != 0 && n <= self.inputs.limits.branches => {
                Traced::Bounded(Outcomes { branches: out, failing: FormulaId::FALSE })
            }
            _ => return Err(None),
        };
        let by = indices.into_iter().map(|index| index.text).collect();
        Ok(Trace { result, per_entry: None, by, ..trace.clone() })
    }

    /// The same branches with lists of values.
    fn branches_of(
        &mut self,
        driven: &Driven,
        branches: &[Branch],
        (indices, exists): (&[Index], FormulaId),
    ) -> Option<Vec<Branch>> {
        let mut out: Vec<Branch> = Vec::new();
        let lists = self.lists(branches, indices, exists).ok()??;
        // The one list there is needs no gate, so nobody has to write down when it is.
        let only = lists.len() == 1;
        for list in lists {
            if self.by_index(&[list.when, list.when], &driven.field, driven.site.attr.value_place()).is_some()
                || self.formulas.terms(list.when).iter().any(|t| self.terms.axes.is_per_entry(*t))
            {
                return None;
            }
            let of = |at: &Option<usize>| at.and_then(|at| branches.get(at));
            let first = list.places.iter().find_map(of)?;
            let values: Vec<Option<&Value>> = list.places.iter().map(|at| of(at).map(|b| &b.value)).collect();
            let shown = if only { Condition::always() } else { self.spelled(list.when)? };
            out.push(Branch {
                value: written(indices, &values)?,
                when: list.when,
                shown,
                hops: first.hops.clone(),
            });
        }
        Some(out)
    }

    /// Returns the indices by which a field's values differ within its block, from the outside in, and the condition
    /// under which there is a field.
    fn indices(&mut self, driven: &Driven, conditions: &[FormulaId]) -> Option<(Vec<Index>, FormulaId)> {
        let (field, site) = (&driven.field, &driven.site);
        self.begin();
        let around = self.existence_around(field);
        let instance = self.instance_at(&field.module)?;
        let Axes { entries, .. } =
            self.frame_in(instance, &field.target).within(&site.dynamics, &field.target);
        if entries.len() != site.dynamics.len() {
            return None;
        }
        let mut exists = self.existence_of(around, &entries);
        let mut out: Vec<Index> = self.own_index(driven, conditions).into_iter().collect();
        for (block, entry) in site.dynamics.iter().zip(entries) {
            entry.exists?;
            if conditions.iter().any(|when| self.formulas.terms(*when).contains(&entry.term)) {
                let text = format!("{}.key", iterator_name(block)).into();
                out.push(Index { text, term: entry.term, keys: entry.keys });
            } else {
                exists = self.for_some(exists, entry.term, &entry.keys).ok()?;
            }
        }
        let places = out.iter().try_fold(1usize, |all, index| all.checked_mul(index.keys.len()))?;
        (!out.is_empty() && places <= self.inputs.limits.alternatives).then_some((out, exists))
    }

    /// `count.index` of the field's own declaration, where its conditions speak of that.
    fn own_index(&self, driven: &Driven, conditions: &[FormulaId]) -> Option<Index> {
        let field = &driven.field;
        let module = self.inputs.config.at(&field.module)?;
        let repeated = matches!(field.target, Target::Resource(_) | Target::Call(_));
        Repetition::of(module, &field.target).count.filter(|_| repeated)?;
        let of = Axis { path: field.module.clone(), target: field.target.clone(), kind: AxisKind::Index };
        let mut terms = conditions.iter().flat_map(|when| self.formulas.terms(*when).to_vec());
        let term = terms.find(|term| self.terms.axes.of(*term).is_some_and(|axis| **axis == of))?;
        Some(Index { text: "count.index".into(), term, keys: self.formulas.universe(term) })
    }

    /// The lists that there are, and when; nothing where there are too many.
    fn lists(
        &mut self,
        branches: &[Branch],
        indices: &[Index],
        exists: FormulaId,
    ) -> Result<Option<Vec<List>>, Refusal> {
        let mut lists = vec![List { when: FormulaId::TRUE, places: Vec::new() }];
        for place in places(indices) {
            let mut at_place = |f: FormulaId| {
                place.iter().try_fold(f, |f, (term, key)| self.formulas.restrict(f, *term, key))
            };
            let here = at_place(exists)?;
            let mut ways = Vec::new();
            for (number, branch) in branches.iter().enumerate() {
                ways.push((Some(number), at_place(branch.when)?));
            }
            for (_, when) in &mut ways {
                *when = self.formulas.and(*when, here)?;
            }
            ways.push((None, self.formulas.not(here)?));
            let mut next = Vec::new();
            for list in &lists {
                for (number, when) in &ways {
                    let when = self.formulas.and(list.when, *when)?;
                    if !self.formulas.is_false(when)? {
                        let places = list.places.iter().copied().chain([*number]).collect();
                        next.push(List { when, places });
                    }
                }
            }
            if next.len() > self.inputs.limits.combinations {
                return Ok(None);
            }
            lists = joined(&mut self.formulas, next)?;
        }
        Ok(Some(lists))
    }
}

/// Every place: what each index is there.
fn places(indices: &[Index]) -> Vec<Vec<(TermId, &Value)>> {
    indices.iter().fold(vec![Vec::new()], |places, index| {
        let each = places.iter().flat_map(|place| index.keys.iter().map(move |key| (place, key)));
        each.map(|(place, key)| place.iter().copied().chain([(index.term, key)]).collect()).collect()
    })
}

/// Lists that differ nowhere but where one has no such place are one list.
fn joined(formulas: &mut crate::cond::Formulas, lists: Vec<List>) -> Result<Vec<List>, Refusal> {
    let mut out: Vec<List> = Vec::new();
    for list in lists {
        let fits = |other: &&mut List| {
            other.places.iter().zip(&list.places).all(|(a, b)| a == b || a.is_none() || b.is_none())
        };
        match out.iter_mut().find(fits) {
            Some(other) => {
                other.when = formulas.or(other.when, list.when)?;
                for (own, more) in other.places.iter_mut().zip(&list.places) {
                    *own = own.or(*more);
                }
            }
            None => out.push(list),
        }
    }
    Ok(out)
}

/// A list within a list for each index: a tuple where its keys count from 0, an object otherwise. Nothing where a key is neither a
/// name nor a number.
fn written(indices: &[Index], values: &[Option<&Value>]) -> Option<Value> {
    let Some((index, inner)) = indices.split_first() else {
        return values.first().copied().flatten().cloned();
    };
    let each = values.len().checked_div(index.keys.len())?;
    let mut parts: Vec<(&Value, Option<Value>)> = Vec::new();
    for (key, values) in index.keys.iter().zip(values.chunks(each.max(1))) {
        let is_there = values.iter().any(Option::is_some);
        parts.push((key, if is_there { Some(written(inner, values)?) } else { None }));
    }
    let number = |key: &Value| key.as_number().and_then(|n| n.as_usize());
    let names = index.keys.iter().filter(|key| key.as_str().is_some()).count();
    if names != 0 && names != index.keys.len() {
        return None;
    }
    if parts.iter().enumerate().all(|(at, (key, _))| number(key) == Some(at)) {
        let most = parts.iter().rposition(|(_, value)| value.is_some()).map_or(0, |at| at + 1);
        let all = parts.into_iter().take(most).map(|(_, v)| v.unwrap_or_else(|| Value::null(Type::Dynamic)));
        return Some(Value::tuple(all.collect()));
    }
    let mut attrs = Vec::new();
    for (key, value) in parts {
        let key = match key.as_str() {
            Some(text) => text.to_owned(),
            None => number(key)?.to_string(),
        };
        attrs.extend(value.map(|value| (key, value)));
    }
    Some(Value::object(attrs))
}
