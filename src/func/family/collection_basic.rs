//! The collection functions that configurations use most: lookups, lengths, concatenation.
//!
//! An answer that differs between Terraform versions is declined. Sources of the semantics: Terraform `funcs/collection.go`, go-cty `stdlib/collection.go`, `sequence.go`.

use crate::func::args::{arg, check_elements, int, text, tuple};
use crate::func::unicode::graphemes;
use crate::func::{Context, FuncError, Function, Joins, Kind, Param, Returns, Want};
use crate::value::unify::unify;
use crate::value::{Number, Refinements, Type, Value, convert, ops};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "concat",
        &[],
        Returns::Computed(concat_type),
        concat,
        "All elements of several lists or tuples. Terraform docs: concat; go-cty ConcatFunc.",
    )
    .hands_on()
    .variadic(Param::new("seqs", Want::Any).marked())
    .joins(Joins::Collections),
    Function::truth(
        "contains",
        &[Param::new("list", Want::Any), Param::new("value", Want::Any).null()],
        contains,
        "Whether a list, tuple or set has an element equal to a value. Terraform docs: contains.",
    )
    .total(),
    Function::new(
        "element",
        &[Param::new("list", Want::Any).marked(), Param::new("index", Want::Number)],
        Returns::Computed(element_type),
        element,
        "The element at an index modulo the length. Terraform docs: element; go-cty ElementFunc.",
    )
    .nullable(),
    Function::new(
        "keys",
        &[Param::new("inputMap", Want::Any).unknown().marked()],
        Returns::Computed(keys_type),
        keys,
        "The keys of a map or object in order. Terraform docs: keys; go-cty KeysFunc.",
    )
    .total(),
    Function::new(
        "length",
        &[Param::new("value", Want::Any).dynamic().unknown().marked()],
        Returns::Computed(length_type),
        length,
        "The number of elements, or of grapheme clusters. Terraform docs: length.",
    )
    .total(),
    Function::new(
        "lookup",
        &[
            Param::new("inputMap", Want::Any).marked().unknown(),
            Param::new("key", Want::String).marked().unknown(),
        ],
        Returns::Computed(lookup_type),
        lookup,
        "The element at a key, or a default. Terraform docs: lookup.",
    )
    .variadic(Param::new("default", Want::Any).unknown().dynamic().null().marked())
    .joins(Joins::Collections)
    .nullable(),
    Function::new(
        "merge",
        &[],
        Returns::Computed(merge_type),
        merge,
        "The entries of several maps or objects, later ones first. Terraform docs: merge; go-cty MergeFunc.",
    )
    .hands_on()
    .gives(Kind::Map)
    .variadic(Param::new("maps", Want::Any).dynamic().null().marked())
    .joins(Joins::Collections),
    Function::new(
        "values",
        &[Param::new("mapping", Want::Any).marked()],
        Returns::Computed(values_type),
        values,
        "The elements of a map or object in the order of their keys. Terraform docs: values; go-cty \
         ValuesFunc.",
    )
    .total(),
];

fn concat_type(args: &[Value]) -> Result<Type, FuncError> {
    let first = args.first().ok_or_else(|| FuncError::new("at least one argument is required"))?;
    if matches!(first.ty, Type::List(_)) && args.iter().all(|a| matches!(a.ty, Type::List(_))) {
        let types: Vec<Type> = args.iter().map(|a| a.ty.clone()).collect();
        if let Some(unified) = unify(&types, true) {
            return Ok(unified.ty);
        }
    }
    let mut types = Vec::new();
    for (i, value) in args.iter().enumerate() {
        match (&value.ty, value.length()) {
            (Type::Tuple(elements), _) => types.extend(elements.iter().cloned()),
            (Type::List(_), None) => return Ok(Type::Dynamic),
            (Type::List(element), Some(n)) => types.extend(std::iter::repeat_n(element.as_ref().clone(), n)),
            (other, _) => {
                let name = other.friendly_name();
                return Err(FuncError::arg(i, format!("all arguments must be lists or tuples; got {name}")));
            }
        }
        check_elements(types.len())?;
    }
    Ok(Type::tuple(types))
}

fn concat(_: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let mut all = Vec::new();
    let mut marks = crate::value::Marks::NONE;
    for (i, value) in args.iter().enumerate() {
        let value = match ty {
            Type::List(_) => {
                convert::convert(value, ty).map_err(|e| FuncError { arg: Some(i), ..FuncError::from(e) })?
            }
            _ => value.clone(),
        };
        marks = marks.union(&value.marks);
        all.extend(value.parts().cloned());
        check_elements(all.len())?;
    }
    let result = match ty {
        Type::List(element) => Value::list(element.as_ref().clone(), all),
        _ => tuple(all)?,
    };
    Ok(result.with_marks(&marks))
}

fn contains(context: &Context<'_>, args: &[Value], _: &Type) -> Result<Value, FuncError> {
    let (list, wanted) = (arg(args, 0)?, arg(args, 1)?);
    if !matches!(list.ty, Type::List(_) | Type::Set(_) | Type::Tuple(_)) {
        return Err(FuncError::new("argument must be list, tuple, or set"));
    }
    if wanted.is_null() {
        let message = "whether null may be searched for depends on the version of Terraform";
        if !context.decided_since(16, message)? {
            return Err(FuncError::arg(1, "argument must not be null"));
        }
        if wanted.ty == Type::Dynamic {
            return Ok(Value::unknown(Type::Dynamic));
        }
    }
    let mut open = false;
    for element in list.parts() {
        match ops::decide(wanted, element) {
            Some(true) => return Ok(Value::bool(true)),
            Some(false) => {}
            None => open = true,
        }
    }
    Ok(if open { Value::unknown(Type::Bool) } else { Value::bool(false) })
}

/// The index into a sequence of some length, wrapped around.
fn wrapped(index: i64, length: usize) -> Result<usize, FuncError> {
    let count = i64::try_from(length).unwrap_or(i64::MAX);
    if count == 0 {
        return Err(FuncError::new("cannot use element function with an empty list"));
    }
    let wrapped = index.rem_euclid(count);
    Ok(usize::try_from(wrapped).unwrap_or(0))
}

fn element_type(args: &[Value]) -> Result<Type, FuncError> {
    match &arg(args, 0)?.ty {
        Type::List(element) => Ok(element.as_ref().clone()),
        Type::Tuple(_) if !arg(args, 1)?.is_known() => Ok(Type::Dynamic),
        Type::Tuple(types) => {
            let index = int(args, 1)
                .map_err(|e| FuncError { message: format!("invalid index: {}", e.message), ..e })?;
            let at = wrapped(index, types.len())?;
            Ok(types.get(at).cloned().unwrap_or(Type::Dynamic))
        }
        other => Err(FuncError::new(format!("cannot read elements from {}", other.friendly_name()))),
    }
}

fn element(context: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let list = arg(args, 0)?;
    let index =
        int(args, 1).map_err(|e| FuncError { message: format!("invalid index: {}", e.message), ..e })?;
    let Some(elements) = list.as_seq() else {
        return Ok(Value::unknown(ty.clone()).with_marks(&list.marks));
    };
    let at = wrapped(index, elements.len())?;
    if index.is_negative() {
        context.declined_before(10, "negative indices are an error")?;
    }
    if index.is_negative() && at != 0 && matches!(list.ty, Type::Tuple(_)) {
        let message = "whether tuples have negative indices depends on the version of Terraform";
        if !context.decided_since(12, message)? {
            return Err(FuncError::new("panic in function implementation: index out of range"));
        }
    }
    match elements.get(at) {
        Some(value) => Ok(value.clone().with_marks(&list.marks)),
        None => Err(FuncError::declined("internal error: index out of range")),
    }
}

fn keys_type(args: &[Value]) -> Result<Type, FuncError> {
    match &arg(args, 0)?.ty {
        Type::Map(_) => Ok(Type::list(Type::String)),
        Type::Object(object) => Ok(Type::tuple(object.attrs.keys().map(|_| Type::String))),
        _ => Err(FuncError::arg(0, "must have map or object type")),
    }
}

fn keys(_: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let map = arg(args, 0)?;
    let result = match (&map.ty, map.as_map()) {
        (Type::Object(object), _) => Value::tuple(object.attrs.keys().map(Value::string).collect()),
        (_, Some(entries)) => Value::list(Type::String, entries.keys().map(Value::string).collect()),
        (_, None) => Value::unknown(ty.clone()),
    };
    Ok(result.with_marks(&map.marks))
}

fn length_type(args: &[Value]) -> Result<Type, FuncError> {
    match arg(args, 0)?.ty {
        Type::Number | Type::Bool => {
            Err(FuncError::new("argument must be a string, a collection type, or a structural type"))
        }
        _ => Ok(Type::Number),
    }
}

fn length(context: &Context<'_>, args: &[Value], _: &Type) -> Result<Value, FuncError> {
    let value = arg(args, 0)?;
    let known = match &value.ty {
        Type::Tuple(types) => Some(types.len()),
        Type::Object(object) => Some(object.attrs.len()),
        Type::String => match value.as_str() {
            Some(text) => Some(graphemes(text, context.work)?.len()),
            None => None,
        },
        Type::Set(_) if value.length().is_some_and(|n| n > 1) && !value.is_wholly_known() => None,
        _ => value.length(),
    };
    let result = match known {
        Some(n) => Value::number(n),
        None => unknown_length(value),
    };
    Ok(result.with_marks(&value.marks))
}

/// Returns the length of a collection whose length isn't known, as a number with bounds.
fn unknown_length(value: &Value) -> Value {
    let number = |n: u64| Some((Number::from(n), true));
    let known = value.refinements();
    let count = value.length().and_then(|n| u64::try_from(n).ok());
    let least = match (&value.ty, count) {
        // Any prefix may end within a cluster that grows; an earlier cluster can't.
        (Type::String, _) => 0,
        (_, Some(_)) => 1,
        (_, None) => known.and_then(|r| r.min_len).unwrap_or(0),
    };
    let most = count.or_else(|| known.and_then(|r| r.max_len));
    let refinements = Refinements {
        not_null: true,
        min: number(least),
        max: most.and_then(number),
        ..Refinements::default()
    };
    Value::unknown_refined(Type::Number, refinements)
}

fn lookup_type(args: &[Value]) -> Result<Type, FuncError> {
    if args.len() > 3 {
        return Err(FuncError::new(format!("lookup() takes two or three arguments, got {}", args.len())));
    }
    let (map, key, default) = (arg(args, 0)?, arg(args, 1)?, args.get(2));
    match &map.ty {
        Type::Object(_) if !key.is_known() => Ok(Type::Dynamic),
        Type::Object(object) => {
            let key = text(args, 1)?;
            match (object.attrs.get(key), default) {
                (Some(ty), _) => Ok(ty.clone()),
                (None, Some(default)) => Ok(default.ty.clone()),
                (None, None) => {
                    Err(FuncError::arg(0, format!("the given object has no attribute {}", shown(args))))
                }
            }
        }
        Type::Map(element) => {
            if let Some(default) = default {
                convert::convert(default, element).map_err(|e| FuncError {
                    limit: e.limit,
                    ..FuncError::arg(2, "the default value must have the same type as the map elements")
                })?;
            }
            Ok(element.as_ref().clone())
        }
        _ => Err(FuncError::arg(0, "lookup() requires a map as the first argument")),
    }
}

/// The key for messages, unless it is marked.
fn shown(args: &[Value]) -> String {
    match args.get(1) {
        Some(key) if key.marks.is_empty() => format!("{:?}", key.as_str().unwrap_or_default()),
        _ => "(sensitive value)".to_owned(),
    }
}

fn lookup(_: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let (map, key) = (arg(args, 0)?, arg(args, 1)?);
    let marks = map.marks.union(&key.marks);
    let (Some(entries), Some(name)) = (map.as_map(), key.as_str()) else {
        return Ok(Value::unknown(ty.clone()).with_marks(&marks));
    };
    match (entries.get(name), args.get(2)) {
        (Some(value), _) => Ok(value.clone().with_marks(&marks)),
        (None, Some(default)) => Ok(convert::convert(default, ty)?.with_marks(&marks)),
        (None, None) => Err(FuncError::new(format!("lookup failed to find key {}", shown(args)))),
    }
}

fn merge_type(args: &[Value]) -> Result<Type, FuncError> {
    let Some(first) = args.first() else { return Ok(Type::object(Vec::<(Arc<str>, Type)>::new())) };
    let mut attrs: BTreeMap<Arc<str>, Type> = BTreeMap::new();
    let mut open = false;
    for value in args {
        match (&value.ty, value.as_map()) {
            (Type::Dynamic, _) => return Ok(Type::Dynamic),
            (Type::Object(object), _) if value.is_null() => {
                if !object.attrs.is_empty() {
                    return Err(FuncError::version(
                        "merging null objects depends on the version of Terraform",
                    ));
                }
            }
            (Type::Object(object), _) => {
                attrs.extend(object.attrs.iter().map(|(k, t)| (k.clone(), t.clone())))
            }
            (Type::Map(_), None) => open |= !value.is_null(),
            (Type::Map(element), Some(entries)) => {
                attrs.extend(entries.keys().map(|k| (k.clone(), element.as_ref().clone())));
            }
            (other, _) => {
                let name = other.friendly_name();
                return Err(FuncError::new(format!("arguments must be maps or objects, got {name:?}")));
            }
        }
        check_elements(attrs.len())?;
    }
    if args.iter().all(|a| a.ty == first.ty) {
        return Ok(first.ty.clone());
    }
    Ok(if open { Type::Dynamic } else { Type::object(attrs) })
}

fn merge(_: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let mut all: BTreeMap<Arc<str>, Value> = BTreeMap::new();
    let mut marks = crate::value::Marks::NONE;
    for value in args.iter().filter(|a| !a.is_null()) {
        // Beside a null without a type, Terraform doesn't look at the types of the others.
        if value.is_known() && value.as_map().is_none() {
            return Err(FuncError::unsupported("merging what is no map beside a null without a type"));
        }
        marks = marks.union(&value.marks);
        all.extend(value.as_map().into_iter().flatten().map(|(k, v)| (k.clone(), v.clone())));
    }
    let result = match ty {
        Type::Map(element) => Value::map(element.as_ref().clone(), all),
        _ => {
            Value::check_depth(all.values())?;
            Value::object(all)
        }
    };
    Ok(result.with_marks(&marks))
}

fn values_type(args: &[Value]) -> Result<Type, FuncError> {
    match &arg(args, 0)?.ty {
        Type::Map(element) => Ok(Type::List(element.clone())),
        Type::Object(object) => Ok(Type::tuple(object.attrs.values().cloned())),
        _ => Err(FuncError::new("values() requires a map as the first argument")),
    }
}

fn values(_: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let map = arg(args, 0)?;
    let parts: Vec<Value> = map.parts().cloned().collect();
    let result = match ty {
        Type::List(element) => Value::list(element.as_ref().clone(), parts),
        _ => Value::tuple(parts),
    };
    Ok(result.with_marks(&map.marks))
}
