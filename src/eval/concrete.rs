//! The domain of single values: what Terraform itself computes for one assignment.

use super::{At, Domain, Element, EvalError, Op, Outcome, Step};
use crate::func::Context;
use crate::value::ops::Splat;
use crate::value::{Type, Value, convert, ops};

/// Where references get their values from.
pub trait Resolve {
    /// The value of a reference, and how many of its steps that used up.
    fn resolve(&mut self, root: &str, steps: &[Step<'_>], at: At) -> (Outcome, usize);
}

/// The domain of concrete values over a resolver.
pub struct Concrete<'a, R> {
    /// Where references lead.
    pub resolver: R,
    /// What functions may see.
    pub context: Context<'a>,
}

impl<R: Resolve> Domain for Concrete<'_, R> {
    type V = Outcome;

    fn known(&mut self, value: Value, _: At) -> Outcome {
        Ok(value)
    }

    fn fail(&mut self, error: EvalError) -> Outcome {
        Err(error)
    }

    fn reference(&mut self, root: &str, steps: &[Step<'_>], at: At) -> (Outcome, usize) {
        self.resolver.resolve(root, steps, at)
    }

    fn apply(&mut self, op: &Op<'_>, args: Vec<Outcome>, at: At) -> Outcome {
        if op.lazy() {
            return op.run_lazy(&args, &self.context).map(Value::normalised).map_err(|e| e.at(at.place()));
        }
        let args: Vec<Value> = args.into_iter().collect::<Result<_, _>>()?;
        op.run(&args, &self.context).map(Value::normalised).map_err(|e| e.at(at.place()))
    }

    fn conditional(
        &mut self,
        cond: Outcome,
        _: At,
        then: &mut dyn FnMut(&mut Self) -> Outcome,
        otherwise: &mut dyn FnMut(&mut Self) -> Outcome,
        at: At,
    ) -> Outcome {
        let (then, otherwise) = (then(self), otherwise(self));
        choose(&cond?, then, otherwise).map_err(|e| e.at(at.place()))
    }

    fn only_if(&mut self, cond: Outcome, part: &mut dyn FnMut(&mut Self) -> Outcome, _: At) -> Outcome {
        let skipped = cond.as_ref().is_ok_and(|c| {
            convert::convert(&c.clone().unmark().0, &Type::Bool).is_ok_and(|c| c.as_bool() == Some(false))
        });
        if skipped { Ok(Value::null(Type::Dynamic)) } else { part(self) }
    }

    fn unknown_call(&mut self, name: &str, _: Vec<Outcome>, at: At) -> Outcome {
        // A later Terraform, or a provider, may well have it.
        let error = super::no_such_function(name).at(at.place());
        Err(EvalError { limit: true, ..error })
    }

    fn splat(
        &mut self,
        source: Outcome,
        each: &mut dyn FnMut(&mut Self, Outcome) -> Outcome,
        at: At,
    ) -> Outcome {
        match ops::splat(&source?).map_err(|e| EvalError::from(e).at(at.place()))? {
            Splat::Done(value) => Ok(value),
            Splat::Each { items, shape } => {
                let results = items.into_iter().map(|item| each(self, Ok(item))).collect();
                self.apply(&Op::SplatFinish(&shape), results, at)
            }
        }
    }

    fn iterate(
        &mut self,
        collection: Outcome,
        each: &mut dyn FnMut(&mut Self, Element<Outcome>) -> [Outcome; 3],
        assemble: &Op<'_>,
        at: At,
    ) -> Outcome {
        let collection = collection?;
        let (plain, marks) = collection.unmark();
        check_iterable(&plain).map_err(|e| e.at(at.place()))?;
        if !plain.is_known() {
            return Ok(Value::unknown(Type::Dynamic).with_marks(&marks));
        }
        let mut triples = Vec::new();
        let count = plain.length().unwrap_or(0);
        for (key, value) in plain.elements() {
            let triple = each(self, Element { key: Ok(key), value: Ok(value.clone()), count });
            // The first error is the whole's.
            let failed = triple.iter().any(Result::is_err);
            triples.extend(triple);
            if failed {
                break;
            }
        }
        self.apply(assemble, triples, at).map(|v| v.with_marks(&marks))
    }
}

/// Whether a `for` can iterate over a value.
///
/// # Errors
/// Null, and types that have no elements.
pub fn check_iterable(value: &Value) -> Result<(), EvalError> {
    if value.is_null() {
        return Err(EvalError::new(
            "Iteration over null value: A null value cannot be used as the collection in a 'for' expression.",
        ));
    }
    match value.ty {
        Type::Bool | Type::Number | Type::String => Err(EvalError::new(format!(
            "Iteration over non-iterable value: A value of type {} cannot be used as the collection in a 'for' expression.",
            value.ty.friendly_name()
        ))),
        _ => Ok(()),
    }
}

/// Picks an arm, converted to the type both arms share.
///
/// # Errors
/// Where the condition is no bool or null, where the arms' types don't go together, and the taken arm's own error.
/// The other arm's error doesn't count once the condition is known (as in HCL's `ConditionalExpr`).
pub fn choose(cond: &Value, then: Outcome, otherwise: Outcome) -> Outcome {
    let (plain, marks) = cond.clone().unmark();
    if plain.is_null() {
        return Err(EvalError::new("The condition value is null. Conditions must either be true or false."));
    }
    let plain = convert::convert(&plain, &Type::Bool).map_err(|e| {
        EvalError::new(format!("The condition expression must be of type bool: {}.", e.message))
    })?;
    let taken = plain.as_bool();
    let (then, otherwise) = match (taken, then, otherwise) {
        (_, Ok(then), Ok(otherwise)) => (then, otherwise),
        (Some(true), then, _) => return then.map(|v| v.with_marks(&marks)),
        (Some(false), _, otherwise) => return otherwise.map(|v| v.with_marks(&marks)),
        (None, Err(e), _) | (None, _, Err(e)) => return Err(e),
    };
    ops::conditional(&plain, &then, &otherwise).map(|v| v.with_marks(&marks)).map_err(EvalError::from)
}
