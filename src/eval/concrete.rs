//! The domain of single values: what Terraform itself computes for one assignment.

use super::arms::{self, Joined};
use super::{At, Domain, Element, EvalError, Op, Outcome, Step};
use crate::func::{Context, Obstacle};
use crate::value::ops::Splat;
use crate::value::{Mark, Type, Value, convert, ops};

/// The source of the values of references.
pub trait Resolve {
    /// The value of a reference, and how many of its steps that used up.
    fn resolve(&mut self, root: &str, steps: &[Step<'_>], at: At) -> (Outcome, usize);
}

/// The domain of concrete values over a resolver.
pub struct Concrete<'a, R> {
    /// The source of the values of references.
    pub resolver: R,
    /// The things that functions can see.
    pub context: Context<'a>,
}

impl<R> Concrete<'_, R> {
    fn applied(&self, op: &Op<'_>, args: &[Outcome], at: At) -> Outcome {
        let outcome = match op.lazy() {
            true => op.run_lazy(args, &self.context),
            false => args
                .iter()
                .cloned()
                .collect::<Result<Vec<Value>, _>>()
                .and_then(|values| op.run(&values, &self.context)),
        };
        let normalised = |value: Value| match op.is_decoding() && value.is_known() {
            // Nothing within it is marked.
            true => Value { marks: value.marks.without_origins(), ..value },
            false => value.normalised(),
        };
        outcome.map(normalised).map_err(|e| self.failed(op, args, e).at(at.place()))
    }

    /// An error of an operation or of its operands, with the type of what Terraform goes on with.
    fn failed(&self, op: &Op<'_>, args: &[Outcome], error: EvalError) -> EvalError {
        if error.limit {
            return error;
        }
        let ty = op.type_beside(args);
        match self.context.work.failure().and_then(|()| self.context.work.ty(&ty)) {
            Ok(()) => {
                let vague =
                    error.vague || op.vague_beside(args) || args.iter().any(|a| marked(a) || untyped(a));
                EvalError { vague, ..error.typed(ty) }
            }
            Err(limit) => limit,
        }
    }
}

impl<R: Resolve> Domain for Concrete<'_, R> {
    type V = Outcome;

    fn known(&mut self, value: Value, _: At) -> Outcome {
        Ok(value)
    }

    fn spend(&mut self, at: At) -> Option<Outcome> {
        self.context.work.expression().map_err(|e| e.at(at.place())).err().map(Err)
    }

    fn fail(&mut self, error: EvalError) -> Outcome {
        Err(error)
    }

    fn reference(&mut self, root: &str, steps: &[Step<'_>], at: At) -> (Outcome, usize) {
        self.resolver.resolve(root, steps, at)
    }

    fn attempt(&mut self, part: &mut dyn FnMut(&mut Self) -> Outcome, _: At) -> Outcome {
        let work = self.context.work;
        match work.attempt(|| part(self)) {
            (Ok(value), true) if value.is_wholly_known() => {
                Ok(Value::dynamic().with_marks(&value.marks_deep()))
            }
            (outcome, _) => outcome,
        }
    }

    fn operand(&mut self, part: &mut dyn FnMut(&mut Self) -> Outcome, _: At) -> Outcome {
        let work = self.context.work;
        let (outcome, found) = work.arm(|| part(self));
        work.taken(found);
        match outcome {
            Ok(value) if found > 0 && !could_be_bool(&value) => {
                Ok(Value::dynamic().with_marks(&value.marks_deep()))
            }
            outcome => outcome,
        }
    }

    fn apply(&mut self, op: &Op<'_>, args: Vec<Outcome>, at: At) -> Outcome {
        let work = self.context.work;
        let may_fail = work.is_watched() && {
            let values: Vec<Value> = args.iter().flatten().cloned().collect();
            op.may_yet_fail(&values)
        };
        if may_fail {
            work.risk();
        }
        self.applied(op, &args, at)
    }

    fn conditional(
        &mut self,
        cond: Outcome,
        _: At,
        then: &mut dyn FnMut(&mut Self) -> Outcome,
        otherwise: &mut dyn FnMut(&mut Self) -> Outcome,
        fixed: [bool; 2],
        at: At,
    ) -> Outcome {
        let work = self.context.work;
        if cond.as_ref().is_ok_and(may_be_no_condition) {
            work.risk();
        }
        let (then, first) = work.arm(|| then(self));
        let (otherwise, second) = work.arm(|| otherwise(self));
        let known = cond.as_ref().ok().and_then(decided);
        work.taken(if known == Some(false) { 0 } else { first });
        work.taken(if known == Some(true) { 0 } else { second });
        let risks = [first > 0 && !fixed[0], second > 0 && !fixed[1]];
        if may_clash(&then, &otherwise, risks) {
            work.risk();
        }
        let counted = |arm: &Outcome| match arm {
            Ok(value) => work.conversion(value),
            Err(e) => work.ty(&e.ty),
        };
        counted(&then)
            .and_then(|()| counted(&otherwise))
            .and_then(|()| choose(cond, then, otherwise, risks))
            .map_err(|e| e.at(at.place()))
    }

    fn only_if(&mut self, cond: Outcome, part: &mut dyn FnMut(&mut Self) -> Outcome, _: At) -> Outcome {
        // Where it isn't known, Terraform looks at no more than whether it could be a bool.
        let skipped = cond.as_ref().is_ok_and(|c| {
            convert::convert(&c.clone().unmark().0, &Type::Bool)
                .is_ok_and(|c| !c.is_known() || c.as_bool() == Some(false))
        });
        if cond.as_ref().is_ok_and(|c| !c.is_known()) {
            // What isn't looked at may fail once it is.
            self.context.work.risk();
        }
        if skipped { Ok(Value::null(Type::Dynamic)) } else { part(self) }
    }

    fn checked(
        &mut self,
        collection: Outcome,
        cond: &mut dyn FnMut(&mut Self) -> Outcome,
        at: At,
    ) -> Outcome {
        let collection = collection?;
        if collection.is_null() || collection.ty == Type::Dynamic || check_iterable(&collection).is_err() {
            return Ok(collection);
        }
        let work = self.context.work;
        // What may yet fail of it is asked of the elements.
        let (cond, _) = work.arm(|| cond(self));
        let (cond, _) = cond?.unmark();
        if cond.is_null() {
            let message = "Condition is null: The value of the 'if' clause must not be null.";
            return Err(EvalError::new(message).at(at.place()));
        }
        match convert::convert(&cond, &Type::Bool) {
            Ok(_) => Ok(collection),
            Err(e) => {
                let message =
                    format!("Invalid 'for' condition: The 'if' clause value is invalid: {}.", e.message);
                Err(EvalError { limit: e.limit, ..EvalError::new(message) }.at(at.place()))
            }
        }
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
        let source = source.map_err(|e| e.typed(Type::Dynamic))?;
        if source.is_null() && !source.marks.is_empty() {
            let told = self.context.declined_before(10, "a splat of null forgets that it is sensitive");
            told.map_err(|e| EvalError::new(e.message).declined_for(e.obstacle).at(at.place()))?;
        }
        if ops::splat_may_fail(&source) {
            self.context.work.risk();
        }
        // Null would leave another type.
        let whole = !source.marks.is_empty() || (!source.is_known() && !source.definitely_not_null());
        match ops::splat(&source).map_err(|e| EvalError::from(e).at(at.place()))? {
            Splat::Done(value) => {
                // One that never becomes known can't fail later.
                if !value.is_known() && !value.marks.has(Mark::Sample) {
                    self.context.work.risk();
                }
                Ok(value)
            }
            Splat::Each { items, shape } => {
                let results: Vec<Outcome> = items.iter().map(|item| each(self, Ok(item.clone()))).collect();
                let failing = results.iter().any(|r| matches!(r, Err(e) if !e.limit));
                if failing && shape.may_be_empty() {
                    return Ok(Value::dynamic().with_marks(&source.marks));
                }
                let finish = Op::SplatFinish(&shape);
                let finished = self.apply(&finish, results, at);
                // The type beside an error is that of the splat over unknown items.
                finished.map_err(|e| match failing && !e.limit {
                    true => {
                        // What may yet fail of these is not asked.
                        let work = self.context.work;
                        let (unknowns, _) = work.arm(|| {
                            let unknown = |i: &Value| each(self, Ok(Value::unknown(i.ty.clone())));
                            items.iter().map(unknown).collect::<Vec<Outcome>>()
                        });
                        let beside = self.failed(&finish, &unknowns, e.clone());
                        EvalError { vague: e.vague || whole, ..beside }
                    }
                    false => EvalError { vague: e.vague || whole, ..e },
                })
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
        // Terraform iterates over what it has beside the error, where that has known parts.
        let collection = collection.map_err(|e| {
            let vague = e.vague || e.ty.is_structural();
            EvalError { vague, ..e.typed(Type::Dynamic) }
        })?;
        let (plain, marks) = collection.unmark();
        check_iterable(&plain).map_err(|e| e.at(at.place()))?;
        if !plain.has_known_elements() {
            // It may turn out to be null, and what is done with its elements may fail.
            self.context.work.risk();
            return Ok(Value::unknown(Type::Dynamic).with_marks(&marks));
        }
        let mut triples = Vec::new();
        let count = plain.length().unwrap_or(0);
        for (key, value) in plain.elements() {
            let triple = each(self, Element { key: Ok(key), value: Ok(value.clone()), count });
            // What is declined once need not be tried for every element; other errors leave a result with its type.
            let declined = triple.iter().any(|part| matches!(part, Err(e) if e.limit));
            triples.extend(triple);
            if declined {
                break;
            }
        }
        let assembled = self.apply(assemble, triples, at).map(|v| v.with_marks(&marks));
        assembled.map_err(|e| EvalError { vague: e.vague || !marks.is_empty(), ..e })
    }
}

/// Returns true if an unknown may turn out to be no condition: null, or not a bool.
pub fn may_be_no_condition(cond: &Value) -> bool {
    !cond.is_known() && (cond.ty != Type::Bool || !cond.definitely_not_null())
}

/// Returns true if a value is a bool, or may be converted to one.
pub fn could_be_bool(value: &Value) -> bool {
    convert::convert(value, &Type::Bool).is_ok()
}

/// Checks that a `for` can iterate over a value.
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

/// Returns true if Terraform may know the type of the value with which it continues after an error, while we don't.
pub fn untyped(outcome: &Outcome) -> bool {
    outcome.as_ref().is_ok_and(Value::is_untyped)
}

/// Returns true if a value is marked anywhere, or an error may leave marks.
fn marked(outcome: &Outcome) -> bool {
    match outcome {
        Ok(value) => value.is_marked_deep(),
        Err(e) => e.vague,
    }
}

/// Returns true if two arms that have a common type so far may turn out to have none: one may be of any type, or
/// (`risky`) of another type, as an operation in it may yet fail.
fn may_clash(then: &Outcome, otherwise: &Outcome, risky: [bool; 2]) -> bool {
    let (Ok(a), Ok(b)) = (then, otherwise) else { return false };
    let bare = |v: &Value| v.is_null() && v.ty == Type::Dynamic && !v.is_untyped();
    let open = a.is_untyped() || b.is_untyped() || (risky != [false; 2] && a.ty != b.ty);
    open && !bare(a) && !bare(b)
}

/// Returns an unknown of no known type with the marks of a value.
fn untyped_unknown(value: Value) -> Value {
    Value::dynamic().with_marks(&value.marks_deep())
}

/// Picks an arm, converted to the type both arms share. `risky`: for each, that an operation in it may yet fail.
///
/// An arm that failed takes part with the type that Terraform goes on with; its error counts only if it is taken.
///
/// # Errors
/// Returns an error if the condition is no bool or null, where the arms' types don't go together, and the taken arm's own error;
/// declined where the other arm's type isn't known to us and could convert the taken one.
fn choose(cond: Outcome, then: Outcome, otherwise: Outcome, risky: [bool; 2]) -> Outcome {
    let standing = |arm: &Outcome| arm.clone().unwrap_or_else(|e| Value::unknown(e.ty));
    let (truthy, falsy) = (standing(&then), standing(&otherwise));
    let vague = [&cond, &then, &otherwise].into_iter().any(marked) || untyped(&then) || untyped(&otherwise);
    let common = || ops::conditional_type(&truthy, &falsy).unwrap_or(Type::Dynamic);
    let cond = cond.map_err(|e| EvalError { vague: e.vague || vague, ..e.typed(common()) })?;
    let Some(first) = decided(&cond) else {
        return match ops::conditional(&cond, &truthy, &falsy) {
            Ok(unknown) if risky != [false; 2] => Ok(untyped_unknown(unknown)),
            Ok(unknown) => Ok(unknown),
            Err(e) => Err(EvalError { vague, ..EvalError::from(e).typed(common()) }),
        };
    };
    let (taken, other, risky) = if first { (then, otherwise, risky[1]) } else { (otherwise, then, risky[0]) };
    if let (Ok(_), Err(e)) = (&taken, &other)
        && e.vague
    {
        let why = format!("{e} What that leaves of the other result is not known.");
        return Err(EvalError::new(why).declined_for(Obstacle::Unknown));
    }
    match arms::join(taken.as_ref(), other.as_ref(), first, risky) {
        Joined::Value(value) => Ok(value.with_marks(&cond.marks)),
        Joined::Untyped | Joined::Retyped => {
            let marks = truthy.marks_deep().union(&falsy.marks_deep());
            Ok(Value::dynamic().with_marks(&marks.union(&cond.marks)))
        }
        Joined::Failed(e) => Err(EvalError { vague: e.vague || vague, ..e }),
    }
}

/// The side that a condition takes; nothing where it isn't known, or is none.
fn decided(cond: &Value) -> Option<bool> {
    convert::convert(&cond.clone().unmark().0, &Type::Bool).ok()?.as_bool()
}
