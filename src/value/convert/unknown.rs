//! Conversion of what has no value yet: which type comes out, and which refinements survive.

use crate::value::ops::Range;
use crate::value::unify::unify;
use crate::value::{Refinements, Type, Value};

/// An unknown value converted; lengths carry over where the conversion keeps them.
pub(super) fn converted(value: &Value, want: &Type) -> Value {
    let ty = filled_in(&value.ty, &want.without_optional());
    let range = Range::of(value);
    let mut refinements = Refinements { not_null: range.null == Some(false), ..Refinements::default() };
    let count = |n: usize| u64::try_from(n).ok();
    match (&value.ty, &ty) {
        (Type::Object(object), Type::Map(_)) => {
            refinements.min_len = count(object.attrs.len());
            refinements.max_len = refinements.min_len;
        }
        (Type::Tuple(types), Type::List(_)) => {
            refinements.min_len = count(types.len());
            refinements.max_len = refinements.min_len;
        }
        (Type::Tuple(types), Type::Set(_)) => {
            refinements.min_len = count(types.len().min(1));
            refinements.max_len = count(types.len());
        }
        (have, Type::Set(_)) if have.is_collection() || *have == Type::Dynamic => {
            refinements.min_len = Some(range.min_len.min(1));
            refinements.max_len = range.max_len;
        }
        (have, want) if (have.is_collection() || *have == Type::Dynamic) && want.is_collection() => {
            refinements.min_len = Some(range.min_len);
            refinements.max_len = range.max_len;
        }
        _ => {}
    }
    Value::unknown_refined(ty, refinements)
}

/// The wanted type with the `any`s in it replaced by what is converted.
pub(super) fn filled_in(have: &Type, want: &Type) -> Type {
    if *have == Type::Dynamic {
        return want.clone();
    }
    let of_all = |types: &[Type]| unify(types, true).map(|u| u.ty);
    match want {
        Type::Dynamic => have.clone(),
        Type::String | Type::Number | Type::Bool => want.clone(),
        Type::Map(element) => match have {
            Type::Map(e) => Type::map(filled_in(e, element)),
            Type::Object(object) => {
                let types: Vec<Type> = object.attrs.values().cloned().collect();
                Type::map(of_all(&types).map_or_else(|| element.as_ref().clone(), |t| filled_in(&t, element)))
            }
            _ => want.clone(),
        },
        Type::List(element) => sequence(have, element).map_or_else(|| want.clone(), Type::list),
        Type::Set(element) => sequence(have, element).map_or_else(|| want.clone(), Type::set),
        Type::Object(object) => Type::object(object.attrs.iter().map(|(name, ty)| {
            let from = match have {
                Type::Map(e) => Some(e.as_ref()),
                _ => have.attr(name),
            };
            (name.clone(), from.map_or_else(|| ty.clone(), |from| filled_in(from, ty)))
        })),
        Type::Tuple(elements) => match have.tuple_elements() {
            Some(types) if types.len() == elements.len() => {
                Type::tuple(types.iter().zip(elements.iter()).map(|(have, want)| filled_in(have, want)))
            }
            _ => want.clone(),
        },
    }
}

fn sequence(have: &Type, element: &Type) -> Option<Type> {
    match have {
        Type::List(e) | Type::Set(e) => Some(filled_in(e, element)),
        Type::Tuple(types) => {
            Some(unify(types, true).map_or_else(|| element.clone(), |u| filled_in(&u.ty, element)))
        }
        _ => None,
    }
}
