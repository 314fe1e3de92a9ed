//! Defaults of optional attributes, where what they are filled into isn't known.
//!
//! An attribute that may be null has its default then. So it isn't what it was made of any more, but what the variable gives.

use super::derive::term_domain;
use crate::config::{Defaults, Variable};
use crate::trace::{Alt, Frame, Guarded, Home, Part, TermInfo};

use crate::value::{Data, Marks, Type, Value, hcl};
use std::sync::Arc;

impl Frame<'_, '_> {
    /// A variable's value with terms of its own where its defaults may have been filled in.
    pub fn filled(&mut self, variable: &Variable, defaults: &Defaults, value: Guarded) -> Guarded {
        let text = format!("var.{}", variable.name);
        let mut made = |alt: &Alt| match &alt.part {
            Part::Value(v) if !v.is_wholly_known() => {
                Alt { part: Part::Value(self.own(defaults, v, true, &text)), ..alt.clone() }
            }
            Part::Value(_) | Part::Object(_) | Part::Tuple(_) | Part::Failed(_) => alt.clone(),
        };
        Guarded::new(value.alts().iter().map(&mut made).collect())
    }

    /// The same of a value at `text`; `filled` says whether the value itself may be another than it was.
    fn own(&mut self, defaults: &Defaults, value: &Value, filled: bool, text: &str) -> Value {
        if !value.is_known() {
            let passes =
                filled && self.tracer.is_itself(value) && self.tracer.origins.term_of(value).is_some();
            return if passes { self.given(value, text) } else { value.clone() };
        }
        let data = match &value.data {
            Data::Map(entries) => Data::Map(Arc::new(
                entries
                    .iter()
                    .map(|(name, part)| {
                        let inner = defaults.within(name);
                        let filled = defaults.has(name) && !part.definitely_not_null() || inner.is_some();
                        let text =
                            format!("{text}[{}]", hcl::to_hcl(&Value::string(name)).unwrap_or_default());
                        let none = Defaults::default();
                        (name.clone(), self.own(inner.unwrap_or(&none), part, filled, &text))
                    })
                    .collect(),
            )),
            // What is in a set has no name of its own, and is what it was converted to.
            Data::Seq(items) if !matches!(value.ty, Type::Set(_)) => Data::Seq(
                items
                    .iter()
                    .enumerate()
                    .map(|(at, part)| match defaults.within(&at.to_string()) {
                        Some(inner) => self.own(inner, part, true, &format!("{text}[{at}]")),
                        None => part.clone(),
                    })
                    .collect(),
            ),
            _ => return value.clone(),
        };
        Value { data, ..value.clone() }
    }

    /// Returns the value of this module's variable at `text`, as a term of its own.
    fn given(&mut self, value: &Value, text: &str) -> Value {
        let info = TermInfo {
            ty: value.ty.clone(),
            home: Some(Home { scope: self.path(), text: text.into() }),
            variables: self.tracer.variables_in([value]),
            subject: None,
            place: None,
        };
        let key = format!("{}|#{text}", self.instance.0);
        let symbol = self.tracer.symbol(&key, term_domain(value), info, &Marks::NONE).1;
        let marks = symbol.marks.union(&value.marks.without_origins());
        Value { marks, ..value.clone() }
    }
}
