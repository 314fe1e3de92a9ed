//! Iteration: `for`, splats and `%{ for }` over guarded collections.

use crate::cond::FormulaId;
use crate::eval::concrete::check_iterable;
use crate::trace::{Alt, Excess, Frame, Guarded, Hops, Part};

use crate::eval::{At, Element, EvalError, NO_BOOL, Op, Outcome, included};
use crate::value::ops::{self, Splat};
use crate::value::{Marks, Type, Value};

impl Frame<'_, '_> {
    /// A collection, after the early look at the `if` clause with names that aren't known: what is an error then is one
    /// whatever the elements are. Where it holds otherwise, nothing is said of it.
    pub fn checked_early(
        &mut self,
        collection: Guarded,
        cond: &mut dyn FnMut(&mut Self) -> Guarded,
        at: At,
    ) -> Guarded {
        let looked_at = |part: &Part| match part {
            Part::Value(v) => !v.is_null() && v.ty != Type::Dynamic && check_iterable(v).is_ok(),
            Part::Object(_) | Part::Tuple(_) => true,
            Part::Failed(_) => false,
        };
        if !collection.alts().iter().any(|a| looked_at(&a.part)) {
            return collection;
        }
        let found = cond(self);
        let mut failing: Vec<Alt> = Vec::new();
        for alt in found.alts() {
            let error = match &alt.part {
                // Terraform might well give an answer here; only this program declines.
                Part::Failed(e) if e.limit => continue,
                Part::Failed(e) => e.clone(),
                Part::Value(v) => match included(v) {
                    Ok(_) => continue,
                    Err(e) => e.at(at.place()),
                },
                Part::Object(_) | Part::Tuple(_) => EvalError::new(NO_BOOL).at(at.place()),
            };
            failing.push(Alt { part: Part::Failed(error.typed(Type::Dynamic)), ..alt.clone() });
        }
        if failing.is_empty() {
            return collection;
        }
        let formulas = &mut self.tracer.formulas;
        let apart = formulas.or_all(failing.iter().map(|a| a.when)).and_then(|f| formulas.not(f));
        let failing = Guarded::new(failing);
        self.by_alternative(&collection, at, &mut |_, alt| {
            let fine = apart.map_err(Excess::refused(Some(at.place())))?;
            if !looked_at(&alt.part) {
                return Ok(alt.alone());
            }
            let sound = Alt { when: fine, ..alt.clone() };
            Ok(Guarded::new(failing.alts().iter().cloned().chain([sound]).collect()))
        })
    }

    /// A splat of one alternative: what follows the star, for each item.
    pub fn splat_part(
        &mut self,
        alt: &Alt,
        each: &mut dyn FnMut(&mut Self, Guarded) -> Guarded,
        at: At,
    ) -> Guarded {
        let always = |part: Part| Guarded::always(part, alt.hops.clone());
        match &alt.part {
            // Terraform goes on with an untyped unknown.
            Part::Failed(e) => always(Part::Failed(e.clone().typed(Type::Dynamic))),
            Part::Tuple(items) => {
                let results = items.iter().map(|item| each(self, item.clone())).collect();
                self.operate(&Op::Tuple, results, at)
            }
            Part::Object(_) => {
                let result = each(self, always(alt.part.clone()));
                self.operate(&Op::Tuple, vec![result], at)
            }
            // An instance of a resource is an object, whatever is in it.
            Part::Value(v) if self.tracer.origins.object_of(v).is_some() => {
                let result = each(self, alt.alone());
                self.operate(&Op::Tuple, vec![result], at)
            }
            Part::Value(v) => match ops::splat(v) {
                Err(e) => always(Part::Failed(EvalError::from(e).at(at.place()))),
                Ok(Splat::Done(value)) => {
                    if !v.is_known() {
                        self.note_unknown(FormulaId::TRUE, v);
                    }
                    let value = self.tracer.with_origin(value, std::slice::from_ref(v), |_, _| None);
                    always(Part::Value(value))
                }
                Ok(Splat::Each { items, shape }) => {
                    if ops::splat_may_fail(v) {
                        self.note_unknown(FormulaId::TRUE, v);
                    }
                    let origins = v.marks.origins();
                    let results: Vec<Guarded> = items
                        .into_iter()
                        .map(|item| {
                            let item = if item.is_known() { item } else { item.with_marks(&origins) };
                            each(self, always(Part::Value(item)))
                        })
                        .collect();
                    let failing = |of: &Guarded| of.alts().iter().any(|a| matches!(a.part, Part::Failed(_)));
                    if shape.may_be_empty() && results.iter().any(failing) {
                        let value =
                            self.tracer.with_origin(Value::dynamic(), std::slice::from_ref(v), |_, _| None);
                        return always(Part::Value(value));
                    }
                    self.operate(&Op::SplatFinish(&shape), results, at)
                }
            },
        }
    }

    /// The iteration over a collection.
    pub fn iterate_part(
        &mut self,
        part: &Part,
        hops: &Hops,
        each: &mut dyn FnMut(&mut Self, Element<Guarded>) -> [Guarded; 3],
        assemble: &Op<'_>,
        at: At,
    ) -> Result<Guarded, Excess> {
        let always = |v: Value| Guarded::always(Part::Value(v), hops.clone());
        let mut own = Marks::NONE;
        let elements: Vec<Element<Guarded>> = match part {
            Part::Failed(e) => {
                // Terraform iterates over what it has beside the error, where that has known parts.
                let vague = e.vague || e.ty.is_structural();
                let error = EvalError { vague, ..e.clone().typed(Type::Dynamic) };
                return Ok(Guarded::always(Part::Failed(error), hops.clone()));
            }
            Part::Tuple(items) => (0u64..)
                .zip(items.iter())
                .map(|(i, v)| Element { key: always(Value::number(i)), value: v.clone(), count: items.len() })
                .collect(),
            Part::Object(attrs) => attrs
                .iter()
                .map(|(k, v)| Element { key: always(Value::string(k)), value: v.clone(), count: attrs.len() })
                .collect(),
            Part::Value(v) => {
                let (plain, marks) = v.clone().unmark();
                if let Err(e) = check_iterable(&plain) {
                    return Ok(Guarded::always(Part::Failed(e.at(at.place())), hops.clone()));
                }
                if !plain.is_known() && (plain.ty == Type::Dynamic || !plain.definitely_not_null()) {
                    self.note_unknown(FormulaId::TRUE, v);
                }
                if !plain.has_known_elements() {
                    let unknown = Value::unknown(Type::Dynamic).with_marks(&marks);
                    let value = self.tracer.with_origin(unknown, std::slice::from_ref(v), |_, _| None);
                    return Ok(always(value));
                }
                own = marks.without_origins();
                let marked = |v: Value| always(v.with_marks(&marks));
                let count = plain.length().unwrap_or(0);
                plain
                    .elements()
                    .map(|(k, v)| Element { key: marked(k), value: marked(v.clone()), count })
                    .collect()
            }
        };
        if elements.len() > self.tracer.inputs.limits.combinations {
            return Err(Excess::new("a collection has too many elements", Some(at.place())));
        }
        let mut triples = Vec::with_capacity(elements.len() * 3);
        for element in elements {
            triples.extend(each(self, element));
            if self.tracer.exhausted() {
                break;
            }
        }
        let assembled = self.operate(assemble, triples, at);
        if own.is_empty() {
            return Ok(assembled);
        }
        // What is made of a sensitive collection is sensitive, whether its elements were looked at or not.
        let mark = |v: &Value| -> Outcome { Ok(v.clone().with_marks(&own)) };
        Ok(self.operate(&Op::Custom(&mark), vec![assembled], at))
    }
}
