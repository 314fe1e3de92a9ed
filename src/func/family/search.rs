//! Functions that look for elements, or pair them with others.

use super::seq::{Members, arg, certain_length, elements};
use crate::func::args::check_elements;
use crate::func::{Context, FuncError, Function, Joins, Kind, Param, Returns, Want};
use crate::value::unify::unify;
use crate::value::{Type, Value, ops};
use std::collections::BTreeMap;
use std::sync::Arc;

const ANY_LIST: Want = Want::List(&Want::Any);
const TEXTS_BY_KEY: Want = Want::Map(&Want::List(&Want::String));

pub(super) const FUNCTIONS: &[Function] = &[
    Function::number(
        "index",
        &[Param::new("list", Want::Any), Param::new("value", Want::Any)],
        index,
        "The index of the first element that equals a value (Terraform docs: index).",
    ),
    Function::new(
        "matchkeys",
        &[Param::new("values", ANY_LIST), Param::new("keys", ANY_LIST), Param::new("searchset", ANY_LIST)],
        Returns::Computed(matchkeys_type),
        matchkeys,
        "The values whose keys are in a search set (Terraform docs: matchkeys).",
    )
    .costs_for_each(128)
    .joins(Joins::All),
    Function::new(
        "one",
        &[Param::new("list", Want::Any)],
        Returns::Computed(one_type),
        one,
        "The only element of a list, set or tuple, null where there is none (Terraform docs: one).",
    )
    .nullable(),
    Function::new(
        "transpose",
        &[Param::new("values", TEXTS_BY_KEY)],
        Returns::Fixed(TEXTS_BY_KEY),
        transpose,
        "A map of lists of strings with keys and elements swapped (Terraform docs: transpose).",
    )
    .costs_for_each(64),
    Function::new(
        "zipmap",
        &[Param::new("keys", Want::List(&Want::String)).marked(), Param::new("values", Want::Any).marked()],
        Returns::Computed(zipmap_type),
        zipmap,
        "A map or object from keys and values of equal number (Terraform docs: zipmap; go-cty stdlib).",
    )
    .gives(Kind::Map),
];

fn index(_: &Context<'_>, args: &[Value], _: &Type) -> Result<Value, FuncError> {
    let (list, value) = (arg(args, 0)?, arg(args, 1)?);
    if !matches!(list.ty, Type::List(_) | Type::Tuple(_)) {
        return Err(FuncError::new("argument must be a list or tuple"));
    }
    if elements(list).is_empty() {
        return Err(FuncError::new("cannot search an empty list"));
    }
    for (at, element) in elements(list).iter().enumerate() {
        match ops::decide(element, value) {
            Some(true) => return Ok(Value::number(at)),
            Some(false) => {}
            None => return Ok(Value::unknown_not_null(Type::Number)),
        }
    }
    Err(FuncError::new("item not found"))
}

/// The type that keys and search set are compared as.
fn key_type(args: &[Value]) -> Result<crate::value::unify::Unified, FuncError> {
    let types = [arg(args, 1)?.ty.clone(), arg(args, 2)?.ty.clone()];
    unify(&types, true).ok_or_else(|| FuncError::new("keys and searchset must be of the same type"))
}

fn matchkeys_type(args: &[Value]) -> Result<Type, FuncError> {
    key_type(args)?;
    Ok(arg(args, 0)?.ty.clone())
}

fn matchkeys(context: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let values = arg(args, 0)?;
    if values.length() != arg(args, 1)?.length() {
        return Err(FuncError::new("length of keys and values should be equal"));
    }
    let common = key_type(args)?;
    // Terraform goes on with no value at all where a conversion fails, and reports that as a failed call.
    let keys = common.apply(arg(args, 1)?)?;
    let searched = common.apply(arg(args, 2)?)?;
    let element = ty.element().cloned().unwrap_or(Type::Dynamic);
    if searched.length() == Some(0) {
        return Ok(Value::list(element, Vec::new()));
    }
    if !values.is_wholly_known() || !keys.is_wholly_known() {
        return Ok(Value::unknown(ty.clone()));
    }
    let mut members = Members::new(elements(&searched), context.work);
    let mut out = Vec::new();
    for (key, value) in elements(&keys).iter().zip(elements(values)) {
        match members.has(key)? {
            Some(true) => out.push(value.clone()),
            Some(false) => {}
            // Terraform gives an empty list now and another one later.
            None => return Err(FuncError::declined("the search set is not known yet")),
        }
    }
    Ok(Value::list(element, out))
}

fn one_type(args: &[Value]) -> Result<Type, FuncError> {
    match &arg(args, 0)?.ty {
        Type::List(element) | Type::Set(element) => Ok(element.as_ref().clone()),
        Type::Tuple(types) => match types.as_ref() {
            [] => Ok(Type::Dynamic),
            [only] => Ok(only.clone()),
            _ => Err(not_one()),
        },
        _ => Err(not_one()),
    }
}

fn not_one() -> FuncError {
    FuncError::arg(0, "must be a list, set, or tuple value with either zero or one elements")
}

fn one(_: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let list = arg(args, 0)?;
    match (certain_length(list), elements(list)) {
        (None, _) => Ok(Value::unknown(ty.clone())),
        (_, []) => Ok(Value::null(ty.clone())),
        (_, [only]) => Ok(only.clone()),
        _ => Err(not_one()),
    }
}

fn transpose(_: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let map = arg(args, 0)?;
    if !map.is_wholly_known() {
        return Ok(Value::unknown(ty.clone()));
    }
    let mut out: BTreeMap<Arc<str>, Vec<Value>> = BTreeMap::new();
    check_elements(map.parts().map(|list| elements(list).len()).fold(0, usize::saturating_add))?;
    for (key, list) in map.elements() {
        if list.is_null() {
            return Err(FuncError::new("input must not contain null list"));
        }
        for element in elements(list) {
            let Some(text) = element.as_str() else {
                return Err(FuncError::new("input list must not contain null string"));
            };
            // Maps iterate in the order of keys, so that each list comes out sorted.
            out.entry(text.into()).or_default().push(key.clone());
        }
    }
    let lists = out.into_iter().map(|(key, list)| (key, Value::list(Type::String, list)));
    Ok(Value::map(Type::list(Type::String), lists))
}

fn zipmap_type(args: &[Value]) -> Result<Type, FuncError> {
    let (keys, values) = (arg(args, 0)?, arg(args, 1)?);
    match &values.ty {
        Type::List(element) => Ok(Type::Map(element.clone())),
        Type::Tuple(_) if !keys.is_wholly_known() => Ok(Type::Dynamic),
        Type::Tuple(types) => {
            let names = key_texts(keys)?;
            if names.len() != types.len() {
                return Err(mismatch(names.len(), types.len()));
            }
            Ok(Type::object(names.into_iter().zip(types.iter().cloned())))
        }
        _ => Err(FuncError::new("values argument must be a list or tuple value")),
    }
}

fn mismatch(keys: usize, values: usize) -> FuncError {
    FuncError::new(format!("number of keys ({keys}) does not match number of values ({values})"))
}

fn key_texts(keys: &Value) -> Result<Vec<&str>, FuncError> {
    let texts = elements(keys).iter().enumerate().map(|(at, key)| {
        key.as_str().ok_or_else(|| FuncError::new(format!("keys list has null value at index {at}")))
    });
    texts.collect()
}

/// Marks of keys go to the result as a whole; those of values stay with them.
fn zipmap(_: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let (keys, key_marks) = arg(args, 0)?.clone().unmark_deep();
    let (values, value_marks) = arg(args, 1)?.clone().unmark();
    let marks = key_marks.union(&value_marks);
    if !keys.is_wholly_known() {
        return Ok(Value::unknown(ty.clone()).with_marks(&marks));
    }
    let (count, given) = (elements(&keys).len(), elements(&values).len());
    if count != given {
        return Err(mismatch(count, given));
    }
    let entries = key_texts(&keys)?.into_iter().zip(elements(&values).iter().cloned());
    let result = match ty.element() {
        Some(element) => Value::map(element.clone(), entries),
        None => Value::object(entries),
    };
    Ok(result.with_marks(&marks))
}
