//! `condition ? a : b`.
//!
//! Source of the semantics: HCL `ConditionalExpr`.

use super::{Range, index::quoted};
use crate::value::unify::{Unified, unify};
use crate::value::{Number, Refinements, Result, Type, Value, ValueError, convert::convert};

/// The type that both results are brought to; `Dynamic` where one of them is of no known type yet.
///
/// # Errors
/// "Inconsistent conditional result types".
pub fn conditional_type(truthy: &Value, falsy: &Value) -> Result<Type> {
    common(truthy, falsy).map(|unified| unified.ty)
}

/// The whole conditional: result types, marks of all three parts, refinements where the condition is unknown.
///
/// Both results have to be there. Where the one that isn't chosen failed to evaluate, Terraform goes on with an
/// untyped unknown in its place, and so can the caller.
///
/// # Errors
/// Inconsistent result types, a null condition, one that is not a bool.
pub fn conditional(condition: &Value, truthy: &Value, falsy: &Value) -> Result<Value> {
    let unified = common(truthy, falsy)?;
    if condition.is_null() {
        let message = "The condition value is null. Conditions must either be true or false.";
        return Err(ValueError::with_summary("Null condition", message));
    }
    let marks = condition.marks.union(&truthy.marks).union(&falsy.marks);
    if !condition.is_known() {
        return Ok(undecided(&unified.ty, truthy, falsy).with_marks(&marks));
    }
    let chosen = convert(condition, &Type::Bool).ok().and_then(|c| c.as_bool()).ok_or_else(|| {
        let message = "The condition expression must be of type bool.";
        ValueError::with_summary("Incorrect condition type", message)
    })?;
    let (name, value) = if chosen { ("true", truthy) } else { ("false", falsy) };
    let value = unified.apply(value).map_err(|e| ValueError {
        summary: INCONSISTENT,
        message: format!("The {name} result value has the wrong type: {}.", e.message),
        limit: e.limit,
    })?;
    Ok(value.with_marks(&marks))
}

const INCONSISTENT: &str = "Inconsistent conditional result types";

fn common(truthy: &Value, falsy: &Value) -> Result<Unified> {
    let bare_null = |v: &Value| v.ty == Type::Dynamic && v.is_null() && v.marks.is_empty();
    if bare_null(truthy) {
        return Ok(Unified::to(falsy.ty.clone()));
    }
    if bare_null(falsy) {
        return Ok(Unified::to(truthy.ty.clone()));
    }
    if truthy.ty == Type::Dynamic || falsy.ty == Type::Dynamic {
        return Ok(Unified::to(Type::Dynamic));
    }
    unify(&[truthy.ty.clone(), falsy.ty.clone()], true).ok_or_else(|| {
        let difference = describe(&truthy.ty, &falsy.ty);
        let message =
            format!("The true and false result expressions must have consistent types. {difference}.");
        ValueError::with_summary(INCONSISTENT, message)
    })
}

/// Returns the result of a conditional whose condition is unknown.
fn undecided(ty: &Type, truthy: &Value, falsy: &Value) -> Value {
    if truthy.is_null() && falsy.is_null() {
        return Value::null(ty.clone());
    }
    let (a, b) = (Range::of(truthy), Range::of(falsy));
    let mut refinements =
        Refinements { not_null: a.null == Some(false) && b.null == Some(false), ..Refinements::default() };
    if truthy.ty == Type::Number && falsy.ty == Type::Number {
        refinements.min = wider(a.min, b.min, |x, y| x < y);
        refinements.max = wider(a.max, b.max, |x, y| x > y);
    } else if truthy.ty.is_collection() && truthy.ty == falsy.ty {
        refinements.min_len = Some(a.min_len.min(b.min_len));
        refinements.max_len = a.max_len.zip(b.max_len).map(|(x, y)| x.max(y));
    }
    Value::unknown_refined(ty.clone(), refinements)
}

type Bound = Option<(Number, bool)>;

fn wider(a: Bound, b: Bound, first: impl Fn(&Number, &Number) -> bool) -> Bound {
    let ((x, x_inclusive), (y, y_inclusive)) = (a?, b?);
    if x.same_as(&y) {
        Some((y, x_inclusive || y_inclusive))
    } else if first(&x, &y) {
        Some((x, x_inclusive))
    } else {
        Some((y, y_inclusive))
    }
}

/// Says how two types that don't unify differ.
fn describe(truthy: &Type, falsy: &Type) -> String {
    let nested = match (truthy, falsy) {
        (Type::Object(_), Type::Object(_)) => describe_objects(truthy, falsy),
        (Type::Tuple(a), Type::Tuple(b)) if a.len() != b.len() => Some(format!(
            "The 'true' tuple has length {}, but the 'false' tuple has length {}",
            a.len(),
            b.len()
        )),
        (Type::Tuple(a), Type::Tuple(b)) => a
            .iter()
            .zip(b.iter())
            .enumerate()
            .find(|(_, (a, b))| a != b)
            .map(|(i, (a, b))| format!("Type mismatch for tuple element {i}: {}", describe(a, b))),
        (Type::List(a), Type::List(b)) => describe_elements("list", a, b),
        (Type::Set(a), Type::Set(b)) => describe_elements("set", a, b),
        (Type::Map(a), Type::Map(b)) => describe_elements("map", a, b),
        _ => None,
    };
    nested.unwrap_or_else(|| {
        let (a, b) = (truthy.friendly_name(), falsy.friendly_name());
        if a == b {
            "At least one deeply-nested attribute or element is not compatible across both the 'true' and the \
             'false' value"
                .into()
        } else {
            format!("The 'true' value is {a}, but the 'false' value is {b}")
        }
    })
}

fn describe_elements(kind: &str, a: &Type, b: &Type) -> Option<String> {
    let alike = matches!((a, b), (Type::Object(_), Type::Object(_)) | (Type::Tuple(_), Type::Tuple(_)));
    alike.then(|| format!("Mismatched {kind} element types: {}", describe(a, b)))
}

fn describe_objects(truthy: &Type, falsy: &Type) -> Option<String> {
    let (a, b) = (truthy.as_object()?, falsy.as_object()?);
    let absent = |side: &str, name: &str, other: &str| {
        let name = quoted(name);
        format!("The '{side}' value includes object attribute {name}, which is absent in the '{other}' value")
    };
    for (name, ty) in &a.attrs {
        match b.attrs.get(name) {
            None => return Some(absent("true", name, "false")),
            Some(other) if other != ty => {
                let name = quoted(name);
                return Some(format!("Type mismatch for object attribute {name}: {}", describe(ty, other)));
            }
            Some(_) => {}
        }
    }
    b.attrs.keys().find(|name| !a.attrs.contains_key(*name)).map(|name| absent("false", name, "true"))
}
