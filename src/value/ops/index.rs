//! `value[key]` and `value.name`.
//!
//! Source of the semantics: HCL `ops.go`. HCL drops the marks of a key in some places; its [`Mark::Origin`]s are kept
//! there, so that an unknown result still says where it comes from.
//!
//! [`Mark::Origin`]: crate::value::Mark::Origin

use crate::value::{Marks, Number, Result, Type, Value, ValueError, convert::convert};

const INVALID: &str = "Invalid index";
const PREFIX: &str = "The given key does not identify an element in this collection value";

/// `collection[key]`.
///
/// # Errors
/// Null operands, keys that don't convert or that there is no element for, values without indices.
pub fn index(collection: &Value, key: &Value) -> Result<Value> {
    if collection.is_null() {
        let message = "This value is null, so it does not have any indices.";
        return Err(ValueError::with_summary("Attempt to index null value", message));
    }
    if key.is_null() {
        return Err(invalid("Can't use a null value as an indexing key."));
    }
    // Any of the parts may be the one.
    let own = if key.is_known() { collection.marks.clone() } else { collection.marks_deep() };
    let marks = own.union(&key.marks.origins());
    if key.ty == Type::Dynamic || collection.ty == Type::Dynamic {
        return Ok(Value::dynamic().with_marks(&marks));
    }
    match &collection.ty {
        Type::List(_) | Type::Tuple(_) => index_sequence(collection, &key_as(key, &Type::Number)?, &marks),
        Type::Map(_) => index_map(collection, &key_as(key, &Type::String)?, &marks),
        Type::Object(_) => index_object(collection, key, &marks),
        Type::Set(_) => Err(invalid(
            "Elements of a set are identified only by their value and don't have any separate index or key to \
             select with, so it's only possible to perform operations across all elements of the set.",
        )),
        Type::String | Type::Number | Type::Bool | Type::Dynamic => {
            Err(invalid("This value does not have any indices."))
        }
    }
}

/// `object.name`.
///
/// # Errors
/// Null, values without attributes, names that there is no attribute or element for.
pub fn get_attr(object: &Value, name: &str) -> Result<Value> {
    const UNSUPPORTED: &str = "Unsupported attribute";
    if object.is_null() {
        let message = "This value is null, so it does not have any attributes.";
        return Err(ValueError::with_summary("Attempt to get attribute from null value", message));
    }
    let name = crate::value::normalise(name);
    let unsupported = |message: String| Err(ValueError::with_summary(UNSUPPORTED, message));
    match &object.ty {
        Type::Object(ty) => match (ty.attrs.get(&name), object.as_map().and_then(|m| m.get(&name))) {
            (_, Some(value)) => Ok(value.clone().with_marks(&object.marks)),
            (Some(ty), None) => Ok(Value::unknown(ty.clone()).with_marks(&object.marks)),
            (None, None) => unsupported(format!("This object does not have an attribute named {}.", quoted(&name))),
        },
        Type::Map(element) => match object.as_map() {
            None => Ok(Value::unknown(element.as_ref().clone()).with_marks(&object.marks)),
            Some(entries) => match entries.get(&name) {
                Some(value) => Ok(value.clone().with_marks(&object.marks)),
                None => Err(ValueError::with_summary(
                    "Missing map element",
                    format!("This map does not have an element with the key {}.", quoted(&name)),
                )),
            },
        },
        Type::Dynamic => Ok(Value::dynamic().with_marks(&object.marks)),
        Type::List(e) if e.attr(&name).is_some() => unsupported(format!(
            "Can't access attributes on a list of objects. Did you mean to access attribute {} for a specific \
             element of the list, or across all elements of the list?",
            quoted(&name)
        )),
        Type::List(e) if e.as_object().is_some() => unsupported(
            "Can't access attributes on a list of objects. Did you mean to access an attribute for a specific \
             element of the list, or across all elements of the list?"
                .into(),
        ),
        Type::Set(e) if e.as_object().is_some() => unsupported(
            "Can't access attributes on a set of objects. Did you mean to access an attribute across all elements \
             of the set?"
                .into(),
        ),
        ty if ty.is_primitive() => unsupported(format!(
            "Can't access attributes on a primitive-typed value ({}).",
            ty.friendly_name()
        )),
        _ => unsupported("This value does not have any attributes.".into()),
    }
}

/// A name in the double quotes of Go's `%q`.
pub(in crate::value) fn quoted(name: &str) -> String {
    crate::value::set::quoted(name)
}

fn index_sequence(collection: &Value, key: &Value, marks: &Marks) -> Result<Value> {
    let unknown = || match &collection.ty {
        Type::List(element) => Value::unknown(element.as_ref().clone()),
        _ => Value::dynamic(),
    };
    let Some(number) = key.as_number() else {
        return Ok(unknown().with_marks(marks));
    };
    if collection.ty.tuple_elements().is_none() && !collection.is_known() {
        return Ok(unknown().with_marks(marks));
    }
    let found = number.as_usize().and_then(|i| match &collection.ty {
        Type::Tuple(types) if !collection.is_known() => types.get(i).cloned().map(Value::unknown),
        _ => collection.as_seq().and_then(|elements| elements.get(i)).cloned(),
    });
    match found {
        Some(value) => Ok(value.with_marks(&collection.marks.union(&key.marks))),
        None => Err(missing_element(collection, number)),
    }
}

fn missing_element(collection: &Value, key: &Number) -> ValueError {
    let length = match &collection.ty {
        Type::Tuple(types) => Some(types.len()),
        _ => collection.length(),
    };
    // HCL says more only where the index is exactly the length.
    let more = if !key.is_integer() {
        ": indexing a sequence requires a whole number, but the given index has a fractional part."
    } else if key.is_negative() {
        ": a negative number is not a valid index for a sequence."
    } else if !collection.marks.is_empty() || key.as_usize() != length {
        "."
    } else if length == Some(0) {
        ": the collection has no elements."
    } else {
        ": the given index is greater than or equal to the length of the collection."
    };
    invalid(format!("{PREFIX}{more}"))
}

fn index_map(collection: &Value, key: &Value, marks: &Marks) -> Result<Value> {
    let (Some(name), Some(entries)) = (key.as_str(), collection.as_map()) else {
        let element = collection.ty.element().cloned().unwrap_or(Type::Dynamic);
        return Ok(Value::unknown(element).with_marks(marks));
    };
    match entries.get(name) {
        Some(value) => Ok(value.clone().with_marks(&collection.marks.union(&key.marks))),
        None => Err(invalid(format!("{PREFIX}."))),
    }
}

fn index_object(collection: &Value, key: &Value, marks: &Marks) -> Result<Value> {
    let text = key_as(key, &Type::String)?;
    let (Some(name), true) = (text.as_str(), collection.is_known()) else {
        return Ok(Value::dynamic().with_marks(marks));
    };
    match collection.as_map().and_then(|attrs| attrs.get(name)) {
        Some(value) => Ok(value.clone().with_marks(marks)),
        None => {
            let hint = if key.ty == Type::Number {
                " An object only supports looking up attributes by name, not by numeric index."
            } else {
                ""
            };
            Err(invalid(format!("{PREFIX}.{hint}")))
        }
    }
}

fn key_as(key: &Value, ty: &Type) -> Result<Value> {
    convert(key, ty).map_err(|e| ValueError {
        summary: INVALID,
        message: format!("{PREFIX}: {}.", e.message),
        limit: e.limit,
    })
}

fn invalid(message: impl Into<String>) -> ValueError {
    ValueError::with_summary(INVALID, message)
}
