//! Iteration: `for`, splats and `%{ for }` over guarded collections.

use super::domain::Frame;
use super::{Alt, Guarded, Hops, Part};
use crate::eval::{At, Element, EvalError, Op};
use crate::value::{Type, Value, ops};

impl Frame<'_, '_> {
    pub(super) fn iterate_over(
        &mut self,
        collection: &Guarded,
        each: &mut dyn FnMut(&mut Self, Element<Guarded>) -> [Guarded; 3],
        assemble: &Op<'_>,
        at: At,
    ) -> Guarded {
        let mut out: Vec<Alt> = Vec::new();
        for alt in collection.alts() {
            let made = self.iterate_part(&alt.part, &alt.hops, each, assemble, at);
            if let Err(wide) = self.tracer.extend_under(&mut out, &made, alt.when, &alt.shown) {
                return self.tracer.widened(wide);
            }
        }
        self.tracer.guarded(out, Some(at.place()))
    }

    fn iterate_part(
        &mut self,
        part: &Part,
        hops: &Hops,
        each: &mut dyn FnMut(&mut Self, Element<Guarded>) -> [Guarded; 3],
        assemble: &Op<'_>,
        at: At,
    ) -> Guarded {
        let always = |v: Value| Guarded::always(Part::Value(v), hops.clone());
        let elements: Vec<Element<Guarded>> = match part {
            Part::Failed(_) => return Guarded::always(part.clone(), hops.clone()),
            Part::Tuple(items) => (0u64..)
                .zip(items.iter())
                .map(|(i, v)| Element { key: always(Value::number(i.into())), value: v.clone() })
                .collect(),
            Part::Object(attrs) => attrs
                .iter()
                .map(|(k, v)| Element { key: always(Value::string(k)), value: v.clone() })
                .collect(),
            Part::Value(v) => {
                let (plain, marks) = v.unmark();
                if let Err(e) = ops::check_iterable(&plain) {
                    return Guarded::always(Part::Failed(EvalError::new(e.message).at(at.place())), hops.clone());
                }
                if !plain.is_known() {
                    let unknown = Value::unknown(Type::Dynamic).with_marks(&marks);
                    let value = self.tracer.with_origin(unknown, std::slice::from_ref(v), |_, _| None);
                    return always(value);
                }
                let elements = plain.elements();
                let marked = |v: Value| always(v.with_marks(&marks));
                elements.into_iter().map(|(k, v)| Element { key: marked(k), value: marked(v) }).collect()
            }
        };
        if elements.len() > self.tracer.limits.combinations {
            let wide = self.tracer.too_large("a collection has too many elements", Some(at.place()));
            return self.tracer.widened(wide);
        }
        let mut triples = Vec::with_capacity(elements.len() * 3);
        for element in elements {
            triples.extend(each(self, element));
        }
        self.operate(assemble, triples, at)
    }
}
