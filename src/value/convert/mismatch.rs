//! Why one type doesn't convert to another, in cty's words.

use super::converts;
use crate::value::Type;
use crate::value::ops::quoted;

/// Returns the message for a type that doesn't convert to another one, without a full stop.
pub fn mismatch_message(got: &Type, want: &Type) -> String {
    let required = || format!("{} required", want.friendly_name_for_constraint());
    let any = want.element() == Some(&Type::Dynamic);
    match (got, want) {
        (Type::Object(_), Type::Object(_)) => objects(got, want),
        (Type::Tuple(_), Type::List(_)) if any => "all list elements must have the same type".into(),
        (Type::Tuple(_), Type::Set(_)) if any => "all set elements must have the same type".into(),
        (Type::Object(_), Type::Map(_)) if any => "all map elements must have the same type".into(),
        (Type::Tuple(types), Type::List(element) | Type::Set(element)) => {
            let parts = types.iter().enumerate().map(|(i, ty)| (i.to_string(), ty));
            elements(parts, element)
        }
        (Type::Object(object), Type::Map(element)) => {
            let parts = object.attrs.iter().map(|(name, ty)| (quoted(name), ty));
            elements(parts, element)
        }
        (Type::List(a) | Type::Set(a), Type::List(b)) => of_elements("list", a, b),
        (Type::List(a) | Type::Set(a), Type::Set(b)) => of_elements("set", a, b),
        (Type::Map(a), Type::Map(b)) => of_elements("map", a, b),
        _ => required(),
    }
}

fn of_elements(kind: &str, got: &Type, want: &Type) -> String {
    format!("incorrect {kind} element type: {}", mismatch_message(got, want))
}

fn elements<'a>(parts: impl Iterator<Item = (String, &'a Type)>, want: &Type) -> String {
    for (name, ty) in parts {
        if !converts(ty, want, true) {
            return format!("element {name}: {}", mismatch_message(ty, want));
        }
    }
    format!("all elements must be {}", want.friendly_name_for_constraint())
}

fn objects(got: &Type, want: &Type) -> String {
    let (Some(got), Some(want)) = (got.as_object(), want.as_object()) else {
        return "incorrect object attributes".into();
    };
    let missing: Vec<String> = want
        .attrs
        .keys()
        .filter(|name| !got.attrs.contains_key(*name) && !want.optional.contains(*name))
        .map(|name| quoted(name))
        .collect();
    match missing.as_slice() {
        [] => {}
        [one] => return format!("attribute {one} is required"),
        [one, two] => return format!("attributes {one} and {two} are required"),
        [all @ .., last] => return format!("attributes {}, and {last} are required", all.join(", ")),
    }
    let wrong = |unsafely: bool| {
        want.attrs.iter().find_map(|(name, want)| {
            let got = got.attrs.get(name)?;
            (!converts(got, want, unsafely))
                .then(|| format!("attribute {}: {}", quoted(name), mismatch_message(got, want)))
        })
    };
    wrong(true).or_else(|| wrong(false)).unwrap_or_else(|| "incorrect object attributes".into())
}
