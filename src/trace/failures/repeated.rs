//! Checks the values of `count`, `for_each` and `dynamic` blocks, with Terraform's messages.

use crate::trace::Part;
use crate::value::{Mark, Type, Value, convert};

/// A number of instances.
pub(super) fn count(part: &Part) -> Result<(), String> {
    let no_number = |why: &str| format!("Incorrect value type: Invalid expression value: {why}.");
    if is_ephemeral(part) {
        return Err("Invalid count argument: The given \"count\" is derived from an ephemeral value, which means that Terraform cannot persist it between plan/apply rounds. Use only non-ephemeral values to specify the number of resource instances.".to_owned());
    }
    let value = match part {
        Part::Value(v) => v.clone().unmark_deep().0,
        Part::Object(_) | Part::Tuple(_) => return Err(no_number("number required")),
        Part::Failed(_) => return Ok(()),
    };
    if value.is_known() && value.is_null() {
        return Err(
            "Invalid count argument: The given \"count\" argument value is null. An integer is required."
                .to_owned(),
        );
    }
    let number = convert::convert(&value, &Type::Number).map_err(|e| no_number(&e.message))?;
    let Some(number) = number.as_number() else { return Ok(()) };
    let unsuitable = |why: &str| {
        format!("Invalid count argument: The given \"count\" argument value is unsuitable: {why}.")
    };
    match number.as_i64() {
        None => Err(unsuitable(
            "value must be a whole number, between -9223372036854775808 and 9223372036854775807",
        )),
        Some(n) if n < 0 => Err(unsuitable("must be greater than or equal to zero")),
        Some(_) => Ok(()),
    }
}

fn is_ephemeral(part: &Part) -> bool {
    part.value().is_some_and(|value| value.marks_deep().has(Mark::Ephemeral))
}

/// A map, or a set of strings, of which nothing is sensitive that would show in an address.
pub(super) fn for_each(part: &Part) -> Result<(), String> {
    if is_ephemeral(part) {
        return Err("Invalid for_each argument: The given \"for_each\" value is derived from an ephemeral value, which means that Terraform cannot persist it between plan/apply rounds. Use only non-ephemeral values to specify a resource's instance keys.".to_owned());
    }
    let unsuitable = |why: String| {
        format!("Invalid for_each argument: The given \"for_each\" argument value is unsuitable: {why}.")
    };
    let wrong = |ty: &str| {
        let why = format!(
            "the \"for_each\" argument must be a map, or set of strings, and you have provided a value of type {ty}"
        );
        Err(unsuitable(why))
    };
    let value = match part {
        Part::Value(v) => v,
        Part::Tuple(_) => return wrong("tuple"),
        Part::Object(_) | Part::Failed(_) => return Ok(()),
    };
    if value.marks.has(Mark::Sensitive) {
        return Err("Invalid for_each argument: Sensitive values, or values derived from sensitive values, cannot be used as for_each arguments. If used, the sensitive value could be exposed as a resource instance key.".to_owned());
    }
    if value.is_known() && value.is_null() {
        let why = "the given \"for_each\" argument value is null. A map, or set of strings is allowed";
        return Err(unsuitable(why.to_owned()));
    }
    match &value.ty {
        Type::Map(_) | Type::Object(_) | Type::Dynamic => Ok(()),
        Type::Set(of) => set(value, of).map_err(|why| match why {
            "null" => "Invalid for_each set argument: The given \"for_each\" argument value is unsuitable: \"for_each\" sets must not contain null values.".to_owned(),
            _ => format!("Invalid for_each set argument: The given \"for_each\" argument value is unsuitable: \"for_each\" supports maps and sets of strings, but you have provided a set containing type {}.", of.friendly_name()),
        }),
        ty => wrong(&ty.friendly_name()),
    }
}

fn set(value: &Value, of: &Type) -> Result<(), &'static str> {
    if !value.is_known() {
        return Ok(());
    }
    let mut elements = value.elements().map(|(_, e)| e);
    match of {
        Type::String => match elements.any(|e| e.is_known() && e.is_null()) {
            true => Err("null"),
            false => Ok(()),
        },
        // Of a value that isn't known yet the type is to come.
        Type::Dynamic if elements.all(|e| !e.is_known()) => Ok(()),
        Type::Dynamic => Err("type"),
        _ => match elements.next() {
            Some(_) => Err("type"),
            None => Ok(()),
        },
    }
}

/// Anything that has elements.
pub(super) fn entries(part: &Part) -> Result<(), String> {
    let Part::Value(value) = part else { return Ok(()) };
    if value.is_known() && value.is_null() {
        return Err("Invalid dynamic for_each value: Cannot use a null value in for_each.".to_owned());
    }
    let iterable = value.ty.is_collection() || value.ty.is_structural() || value.ty == Type::Dynamic;
    match iterable {
        true => Ok(()),
        false => {
            let ty = value.ty.friendly_name();
            Err(format!(
                "Invalid dynamic for_each value: Cannot use a {ty} value in for_each. An iterable collection is required."
            ))
        }
    }
}
