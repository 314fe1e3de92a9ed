//! The arms of a conditional: what Terraform makes of the one that is taken, beside the other one.
//!
//! In: both arms. Out: the value or the error of the one that is taken, converted to the type that both share; or that
//! this type isn't known. An arm that fails takes part with the type of the unknown that Terraform goes on with.
//! Source of the semantics: HCL `hclsyntax/expression.go`, `ConditionalExpr`.

use super::EvalError;
use crate::value::{Mark, Type, Value, ops};

/// An arm: its value, or the error in it.
pub type Arm<'v> = Result<&'v Value, &'v EvalError>;

/// The arm that is taken, as far as it is known.
#[derive(Debug)]
pub enum Joined {
    /// Its value, of the type that both arms share.
    Value(Value),
    /// A value of some type, as that of an arm isn't known.
    Untyped,
    /// A value of some type, as the other arm may yet fail and leave another type.
    Retyped,
    /// Its error, or that the arms have no type in common.
    Failed(EvalError),
}

/// Joins the arm that is taken with the other one. `then`: it is the first of the two. `risky`: an operation in the
/// other one may yet fail.
pub fn join(taken: Arm<'_>, other: Arm<'_>, then: bool, risky: bool) -> Joined {
    let beside = Beside::of(other);
    let value = match taken {
        Ok(value) => value,
        Err(error) => return Joined::Failed(failed(error, &beside, then)),
    };
    if beside.leaves_open(value) {
        return Joined::Untyped;
    }
    let untyped = |null: Value| {
        Joined::Value(Value::null(Type::Dynamic).with_marks(&null.marks).with_mark(Mark::Untyped))
    };
    if value.is_null() && beside.open && (beside.value.ty != value.ty || value.ty == Type::Dynamic) {
        return untyped(value.clone().with_marks(&beside.value.marks));
    }
    match (beside.declined, beside.converts(value, then)) {
        (Some(error), _) if value.ty != Type::String && !value.is_null() => Joined::Failed(error.clone()),
        // An error has another type, or mostly none.
        (_, Ok(converted)) if risky && converted.ty != value.ty => match converted.is_null() {
            true => untyped(converted),
            false => Joined::Retyped,
        },
        (_, Ok(converted)) => Joined::Value(converted),
        (_, Err(error)) if risky && !error.limit => Joined::Retyped,
        (_, Err(error)) => Joined::Failed(error),
    }
}

/// The error of the arm that is taken, with the type of what Terraform goes on with: the unknown beside the error,
/// converted to the arms' common type.
fn failed(error: &EvalError, other: &Beside<'_>, then: bool) -> EvalError {
    let own = Value::unknown(error.ty.clone());
    let ty = other.converts(&own, then).map_or(Type::Dynamic, |v| v.ty);
    // What becomes of known parts in a list, set or map is not followed.
    let parts = error.ty.is_structural() && ty.is_collection();
    let vague = error.vague || other.open || other.declined.is_some() || parts;
    EvalError { vague, ..error.clone().typed(ty) }
}

/// The arm that isn't taken.
struct Beside<'e> {
    /// The value with which it takes part.
    value: Value,
    /// True if Terraform may know more of its type.
    open: bool,
    /// The error that Terraform may not have.
    declined: Option<&'e EvalError>,
}

impl<'e> Beside<'e> {
    fn of(arm: Arm<'e>) -> Beside<'e> {
        match arm {
            Ok(value) => Beside { value: value.clone(), open: value.is_untyped(), declined: None },
            Err(error) => Beside {
                value: Value::unknown(if error.vague { Type::Dynamic } else { error.ty.clone() }),
                open: error.vague,
                declined: Some(error).filter(|e| e.limit),
            },
        }
    }

    /// Returns true if the type to which a value is converted beside it isn't known. Strings stay strings, and null is
    /// null of any type.
    fn leaves_open(&self, value: &Value) -> bool {
        let ty = &self.value.ty;
        let any = value.ty == Type::Dynamic && !value.is_known();
        let stays = *ty == value.ty || (*ty == Type::Dynamic && !self.open);
        !any && !value.is_null()
            && value.ty != Type::String
            && (if stays { self.open && value.is_known() } else { self.open || value.is_untyped() })
    }

    /// A value of the type that both share. `then`: it is the first of the two.
    fn converts(&self, value: &Value, then: bool) -> Result<Value, EvalError> {
        let (truthy, falsy) = if then { (value, &self.value) } else { (&self.value, value) };
        ops::conditional(&Value::bool(then), truthy, falsy).map_err(|e| {
            let ty = ops::conditional_type(truthy, falsy).unwrap_or(Type::Dynamic);
            EvalError::from(e).typed(ty)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(taken: &Value, other: &Value, risky: bool) -> Joined {
        join(Ok(taken), Ok(other), true, risky)
    }

    fn beside(taken: &Value, ty: Type) -> Joined {
        join(Ok(taken), Err(&EvalError::new("It fails.").typed(ty)), true, false)
    }

    fn is(joined: Joined, value: &Value) -> bool {
        matches!(joined, Joined::Value(v) if v == *value)
    }

    fn is_any_null(joined: Joined) -> bool {
        matches!(joined, Joined::Value(v) if v.is_null() && v.marks.has(Mark::Untyped))
    }

    #[test]
    fn the_taken_arm_has_the_type_that_both_share() {
        let (one, text) = (Value::number(1), Value::string("a"));
        assert!(is(joined(&one, &text, false), &Value::string("1")));
        assert!(is(joined(&one, &Value::null(Type::Dynamic), false), &one));
        let Joined::Failed(error) = joined(&one, &Value::tuple(vec![one.clone()]), false) else { panic!() };
        assert!(!error.limit && error.ty == Type::Dynamic, "{error}");
    }

    #[test]
    fn an_arm_of_any_type_leaves_all_but_strings_and_null_open() {
        let (one, text, any) = (Value::number(1), Value::string("a"), Value::dynamic());
        assert!(matches!(joined(&one, &any, false), Joined::Untyped));
        assert!(matches!(joined(&Value::tuple(vec![any.clone()]), &text, false), Joined::Untyped));
        assert!(is(joined(&text, &any, false), &text));
        assert!(is_any_null(joined(&Value::null(Type::Number), &any, false)));
        assert!(is(joined(&one, &any.with_mark(Mark::Sample), false), &one.with_mark(Mark::Sample)));
    }

    #[test]
    fn an_error_takes_part_with_the_type_beside_it() {
        let one = Value::number(1);
        assert!(is(beside(&one, Type::String), &Value::string("1")));
        assert!(is(beside(&one, Type::Dynamic), &one));
        let any = Value::tuple(vec![Value::dynamic()]);
        assert!(is(beside(&any, Type::Dynamic), &any), "nothing is converted beside it");
        assert!(matches!(beside(&any, Type::list(Type::String)), Joined::Untyped));
        let vague = EvalError { vague: true, ..EvalError::new("It fails.").typed(Type::Number) };
        assert!(matches!(join(Ok(&one), Err(&vague), true, false), Joined::Untyped));
        let declined = EvalError::new("It isn't answered.").declined_for(crate::func::Obstacle::Unknown);
        assert!(matches!(join(Ok(&one), Err(&declined), true, false), Joined::Failed(e) if e.limit));
    }

    #[test]
    fn an_arm_beside_one_that_may_fail_keeps_no_type_but_its_own() {
        let (one, text) = (Value::number(1), Value::string("a"));
        assert!(matches!(joined(&one, &text, true), Joined::Retyped));
        assert!(matches!(joined(&one, &Value::tuple(vec![]), true), Joined::Retyped));
        assert!(is(joined(&text, &one, true), &text));
        assert!(is_any_null(joined(&Value::null(Type::Number), &text, true)));
    }

    #[test]
    fn the_error_of_the_taken_arm_has_the_shared_type() {
        let error = EvalError::new("It fails.").typed(Type::Number);
        let of = |other: &Value| match join(Err(&error), Ok(other), false, true) {
            Joined::Failed(e) => (e.ty, e.vague),
            other => panic!("{other:?}"),
        };
        assert_eq!(of(&Value::string("a")), (Type::String, false));
        assert!(of(&Value::dynamic()).1);
    }
}
