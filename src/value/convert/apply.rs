//! Applying a conversion to a value.

use super::plan::{FromElement, Plan, Step, plan};
use super::{convert, mismatch_message, unknown};
use crate::value::unify::unify;
use crate::value::{Data, Mark, Number, Result, Type, Value, ValueError};
use std::collections::BTreeMap;
use std::sync::Arc;

impl Plan {
    /// The value converted.
    ///
    /// # Errors
    /// Returns an error if the conversion is one that not all values take.
    pub(in crate::value) fn apply(&self, value: &Value) -> Result<Value> {
        if self.out == Type::Dynamic {
            return Ok(value.clone());
        }
        let converted = match &value.data {
            Data::Unknown(_) => unknown::converted(value, &self.out),
            Data::Null => Value::null(unknown::filled_in(&value.ty, &self.out.without_optional())),
            _ if self.joins() && value.is_untyped() => match self.step(value) {
                Ok(joined) if joined.ty.is_text() => joined,
                Err(e) if e.limit => return Err(e),
                // To which type the known parts are converted depends on the others.
                _ => Value::unknown(self.out.without_optional()).with_marks(&value.marks_deep()),
            },
            _ => self.step(value)?,
        };
        if converted.is_too_large() && !value.is_too_large() {
            return Err(ValueError::limit("the value is too large"));
        }
        Ok(converted.with_marks(&value.marks))
    }

    /// Returns true if the parts are converted to a common type that isn't given.
    fn joins(&self) -> bool {
        self.out.element().is_some_and(Type::has_dynamic)
    }

    fn step(&self, value: &Value) -> Result<Value> {
        match &self.step {
            Step::Pass => Ok(value.clone()),
            Step::Late => convert(value, &self.out),
            Step::ToText => Ok(match (value.as_number(), value.as_bool()) {
                (Some(number), _) => Value::string(number.to_string()),
                (_, flag) => Value::string(if flag == Some(true) { "true" } else { "false" }),
            }),
            Step::ToNumber => match Number::parse(value.as_str().unwrap_or_default()) {
                Ok(number) => Ok(Value::number(number)),
                Err(e) if e.limit => Err(e),
                Err(_) => Err(ValueError::new("a number is required")),
            },
            Step::ToBool => to_bool(value.as_str().unwrap_or_default()),
            Step::Object(attrs) => self.object(value, attrs),
            Step::Tuple(elements) => Ok(Value::tuple(elements_of(value, elements)?)),
            Step::Collection(element) => self.collection(value, element.as_deref()),
            Step::FromTuple { elements, unsafely } => {
                let elements = elements_of(value, elements)?;
                if matches!(self.out, Type::Set(_)) {
                    return self.sequence(elements);
                }
                self.sequence(unify_elements(elements, *unsafely)?)
            }
            Step::FromObject { element, attrs, unsafely } => {
                map_of(entries_of(value, attrs)?, element, *unsafely, "attribute")
            }
            Step::FromMap(attrs) => self.map_to_object(value, attrs),
            Step::Empty => self.empty(&Type::Dynamic),
        }
    }

    fn object(&self, value: &Value, attrs: &BTreeMap<Arc<str>, Option<Plan>>) -> Result<Value> {
        let mut out = entries_of(value, attrs)?;
        self.fill_optional(&mut out);
        Ok(Value::object(out))
    }

    /// Null for what is optional and absent.
    fn fill_optional(&self, out: &mut BTreeMap<Arc<str>, Value>) {
        let Some(object) = self.out.as_object() else { return };
        for name in &object.optional {
            if let Some(ty) = object.attrs.get(name) {
                out.entry(name.clone()).or_insert_with(|| Value::null(ty.clone()));
            }
        }
    }

    fn collection(&self, value: &Value, element: Option<&Plan>) -> Result<Value> {
        let have = value.ty.element().unwrap_or(&Type::Dynamic);
        if value.length() == Some(0) {
            return self.empty(have);
        }
        if let Some(entries) = value.as_map() {
            let mut out = BTreeMap::new();
            for (key, value) in entries {
                out.insert(key.clone(), apply_part(element, value)?);
            }
            return map_of(out, self.out.element().unwrap_or(&Type::Dynamic), false, "element");
        }
        let set_of_unknown_length = matches!(value.ty, Type::Set(_))
            && value.length().is_some_and(|n| n > 1)
            && !value.is_wholly_known();
        if set_of_unknown_length && matches!(self.out, Type::List(_)) {
            // cty takes the element type of what is converted here, not the one wanted. What isn't known to us only, as a
            // variable, is known there and converted.
            return Ok(match value.has_mark_deep(Mark::Sample) {
                true => Value::unknown(Type::list(have.clone())).with_mark(Mark::Sample),
                false => Value::unknown(unknown::filled_in(&value.ty, &self.out.without_optional())),
            });
        }
        let elements = value.parts().map(|v| apply_part(element, v)).collect::<Result<Vec<_>>>()?;
        self.sequence(elements)
    }

    fn sequence(&self, elements: Vec<Value>) -> Result<Value> {
        let secret = |v: &Value| v.marks.is_secret() || v.marks.has(Mark::Ephemeral);
        if matches!(self.out, Type::Set(_)) && elements.iter().any(|v| v.is_null() && secret(v)) {
            // As seen with Terraform, which may not have meant it.
            return Err(ValueError::limit("what is sensitive of a null in a set may be lost"));
        }
        let (kind, value) = match self.out {
            Type::Set(_) => ("set", Value::set_of(elements)),
            _ => ("list", Value::list_of(elements)),
        };
        value.ok_or_else(|| ValueError::new(format!("element types must all match for conversion to {kind}")))
    }

    fn map_to_object(&self, value: &Value, attrs: &BTreeMap<Arc<str>, FromElement>) -> Result<Value> {
        let mut out = BTreeMap::new();
        for (name, have) in value.as_map().into_iter().flatten() {
            let converted = match attrs.get(name) {
                None => continue,
                Some(FromElement::Same) => have.clone(),
                Some(FromElement::Convert(plan)) => plan.apply(have)?,
                Some(FromElement::Never) => {
                    let want = self.out.attr(name).unwrap_or(&Type::Dynamic);
                    let why = mismatch_message(&have.ty, want);
                    let message = format!("map element type is incompatible with attribute {name:?}: {why}");
                    return Err(ValueError::new(message));
                }
            };
            out.insert(name.clone(), without_optional(converted));
        }
        self.fill_optional(&mut out);
        match attrs.keys().find(|name| !out.contains_key(*name)) {
            Some(name) => Err(ValueError::new(format!("map has no element for required attribute {name:?}"))),
            None => Ok(Value::object(out)),
        }
    }

    /// An empty collection; where the element type is open, of what was converted.
    fn empty(&self, have: &Type) -> Result<Value> {
        let element = match self.out.element().unwrap_or(&Type::Dynamic) {
            Type::Dynamic => have.clone(),
            element => element.without_optional(),
        };
        Ok(match self.out {
            Type::Set(_) => Value::set(element, Vec::new()),
            Type::Map(_) => Value::map(element, std::iter::empty::<(&str, Value)>()),
            _ => Value::list(element, Vec::new()),
        })
    }
}

/// The attributes that are wanted, each converted.
fn entries_of(value: &Value, attrs: &BTreeMap<Arc<str>, Option<Plan>>) -> Result<BTreeMap<Arc<str>, Value>> {
    let have = value.as_map().into_iter().flatten();
    let wanted = have.filter_map(|(name, have)| Some((name, have, attrs.get(name)?.as_ref())));
    wanted.map(|(name, have, how)| Ok((name.clone(), apply_part(how, have)?))).collect()
}

/// A map of entries, whose values are brought to one type where they are no primitive ones.
fn map_of(entries: BTreeMap<Arc<str>, Value>, element: &Type, unsafely: bool, noun: &str) -> Result<Value> {
    let entries = if element.is_collection() || element.as_object().is_some() {
        let (keys, values): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
        keys.into_iter().zip(unify_elements(values, unsafely)?).collect()
    } else {
        entries
    };
    Value::map_of(entries)
        .ok_or_else(|| ValueError::new(format!("{noun} types must all match for conversion to map")))
}

fn apply_part(how: Option<&Plan>, value: &Value) -> Result<Value> {
    how.map_or_else(|| Ok(value.clone()), |plan| plan.apply(value)).map(without_optional)
}

/// A null of a type without optional attributes.
fn without_optional(value: Value) -> Value {
    if value.is_null() { Value::null(value.ty).with_marks(&value.marks) } else { value }
}

fn elements_of(value: &Value, plans: &[Option<Plan>]) -> Result<Vec<Value>> {
    value.parts().zip(plans).map(|(value, how)| apply_part(how.as_ref(), value)).collect()
}

/// Brings elements to one type where conversion left their types different.
fn unify_elements(elements: Vec<Value>, unsafely: bool) -> Result<Vec<Value>> {
    let types: Vec<Type> = elements.iter().map(|e| e.ty.clone()).collect();
    let none = || ValueError::new("cannot find a common base type for all elements");
    let common = unify(&types, unsafely).ok_or_else(none)?.ty;
    elements
        .into_iter()
        .map(|element| {
            if element.ty == common {
                return Ok(element);
            }
            plan(&element.ty, &common, unsafely).ok_or_else(none)?.apply(&element)
        })
        .collect()
}

fn to_bool(text: &str) -> Result<Value> {
    match text {
        "true" | "1" => Ok(Value::bool(true)),
        "false" | "0" => Ok(Value::bool(false)),
        _ => {
            let lower = text.to_lowercase();
            Err(ValueError::new(match lower.as_str() {
                "true" | "false" => {
                    format!("a bool is required; to convert from string, use lowercase \"{lower}\"")
                }
                _ => "a bool is required".into(),
            }))
        }
    }
}
