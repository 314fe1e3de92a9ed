//! Guarded values: alternatives under conditions.
//!
//! Objects and tuples stay factored: their parts are guarded values of their own, so that forty independent choices
//! in one object cost forty alternatives and not 2^40. Only operations that need a whole value multiply them out.

use crate::cond::{Condition, FormulaId};
use crate::eval::EvalError;
use crate::trace::Hops;
use crate::value::{Marks, Type, Value};
use litemap::LiteMap;
use std::sync::Arc;

/// The attributes of an object, by name.
pub type Attrs = LiteMap<Arc<str>, Guarded>;

/// The possible values of an expression: alternatives whose conditions exclude each other and cover everything.
#[derive(Clone, Debug)]
pub struct Guarded(Arc<[Alt]>);

/// An alternative.
#[derive(Clone, Debug)]
pub struct Alt {
    /// When it is taken, in normal form.
    pub when: FormulaId,
    /// The same in the user's own words.
    pub shown: Arc<Condition>,
    /// The value under that condition.
    pub part: Part,
    /// The hops from here down to the literal.
    pub hops: Hops,
}

/// The value of an alternative.
#[derive(Clone, Debug)]
pub enum Part {
    /// A value; every unknown in it carries the mark of its origin.
    Value(Value),
    /// An object whose attributes have alternatives of their own.
    Object(Arc<Attrs>),
    /// A tuple whose elements have alternatives of their own.
    Tuple(Arc<[Guarded]>),
    /// Terraform would stop with this error.
    Failed(EvalError),
}

impl Part {
    /// Returns the plain value that it is.
    pub fn value(&self) -> Option<&Value> {
        match self {
            Part::Value(value) => Some(value),
            Part::Object(_) | Part::Tuple(_) | Part::Failed(_) => None,
        }
    }

    /// Returns the error that it is.
    pub fn error(&self) -> Option<&EvalError> {
        match self {
            Part::Failed(error) => Some(error),
            Part::Value(_) | Part::Object(_) | Part::Tuple(_) => None,
        }
    }
}

/// Says of an error which type it counts as, if that is known; nothing where it doesn't count.
type ErrorType<'t> = &'t dyn Fn(&EvalError) -> Option<Option<Type>>;

impl Part {
    /// The type, where it is the same under every condition.
    pub(in crate::trace) fn shared_type(&self, of_error: ErrorType<'_>) -> Option<Type> {
        match self {
            Part::Value(value) => Some(value.ty.clone()),
            Part::Failed(error) => of_error(error)?,
            Part::Tuple(items) => {
                let types = items.iter().map(|of| of.shared_type(of_error));
                types.collect::<Option<Vec<_>>>().map(Type::tuple)
            }
            Part::Object(attrs) => {
                let typed = attrs.iter().map(|(name, of)| Some((name.clone(), of.shared_type(of_error)?)));
                typed.collect::<Option<Vec<_>>>().map(Type::object)
            }
        }
    }
}

impl Alt {
    /// Returns its part by itself, whatever the condition.
    pub(in crate::trace) fn alone(&self) -> Guarded {
        Guarded::always(self.part.clone(), self.hops.clone())
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Part) -> bool {
        match (self, other) {
            // 0 equals -0, but isn't written like it.
            (Part::Value(a), Part::Value(b)) => a == b && a.same_zeros(b),
            (Part::Object(a), Part::Object(b)) => Arc::ptr_eq(a, b) || a == b,
            (Part::Tuple(a), Part::Tuple(b)) => Arc::ptr_eq(a, b) || a == b,
            // Which of several errors Terraform reports decides nothing, but for what a `try` sees of them and what
            // stands beside them.
            (Part::Failed(a), Part::Failed(b)) => a.means_as_much(b),
            (Part::Value(_) | Part::Object(_) | Part::Tuple(_) | Part::Failed(_), _) => false,
        }
    }
}

impl PartialEq for Guarded {
    fn eq(&self, other: &Guarded) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.0.len() == other.0.len()
                && self.0.iter().zip(other.0.iter()).all(|(a, b)| a.when == b.when && a.part == b.part))
    }
}

impl Guarded {
    /// Builds it from alternatives.
    pub fn new(alts: Vec<Alt>) -> Guarded {
        Guarded(alts.into())
    }

    /// A part that is given whatever happens.
    pub fn always(part: Part, hops: Hops) -> Guarded {
        Guarded(Arc::new([Alt { when: FormulaId::TRUE, shown: Condition::always(), part, hops }]))
    }

    /// A value that is given whatever happens, and comes from nowhere.
    pub fn of(value: Value) -> Guarded {
        Guarded::always(Part::Value(value), Hops::NONE)
    }

    /// An error whatever happens.
    pub fn failed(error: EvalError) -> Guarded {
        Guarded::always(Part::Failed(error), Hops::NONE)
    }

    /// The alternatives.
    pub fn alts(&self) -> &[Alt] {
        &self.0
    }

    /// Returns true if both are one, not merely equal.
    pub(in crate::trace) fn is(&self, other: &Guarded) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The type that all alternatives share.
    pub(in crate::trace) fn shared_type(&self, of_error: ErrorType<'_>) -> Option<Type> {
        let counts = |alt: &&Alt| alt.part.error().is_none_or(|e| of_error(e).is_some());
        let mut types = self.alts().iter().filter(counts).map(|alt| alt.part.shared_type(of_error));
        let first = types.next()??;
        types.all(|ty| ty.as_ref() == Some(&first)).then_some(first)
    }

    /// The plain values among the alternatives.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.0.iter().filter_map(|alt| alt.part.value())
    }

    /// The only alternative's part, where there is one alternative.
    pub fn single(&self) -> Option<&Part> {
        match &*self.0 {
            [only] => Some(&only.part),
            _ => None,
        }
    }

    /// The value, where there is one alternative and it is a plain value.
    pub fn single_value(&self) -> Option<&Value> {
        self.single()?.value()
    }

    /// Returns true if it and its parts have at most `left` alternatives, shared ones counted each time; takes them
    /// off `left`.
    pub(in crate::trace) fn fits(&self, left: &mut usize) -> bool {
        self.counted(left).is_some()
    }

    fn counted(&self, left: &mut usize) -> Option<()> {
        for alt in self.alts() {
            *left = left.checked_sub(1)?;
            match &alt.part {
                Part::Value(_) | Part::Failed(_) => {}
                Part::Object(attrs) => attrs.values().try_for_each(|part| part.counted(left))?,
                Part::Tuple(items) => items.iter().try_for_each(|part| part.counted(left))?,
            }
        }
        Some(())
    }

    /// Marks each error as one of another declaration, which no `try` here catches.
    #[must_use]
    pub(in crate::trace) fn behind_a_reference(self) -> Guarded {
        if !self.0.iter().any(|a| matches!(&a.part, Part::Failed(e) if !e.elsewhere)) {
            return self;
        }
        let other = |alt: &Alt| match &alt.part {
            Part::Failed(e) => {
                Alt { part: Part::Failed(EvalError { elsewhere: true, ..e.clone() }), ..alt.clone() }
            }
            Part::Value(_) | Part::Object(_) | Part::Tuple(_) => alt.clone(),
        };
        Guarded::new(self.0.iter().map(other).collect())
    }

    /// Adds marks to every plain value.
    #[must_use]
    pub fn marked(self, marks: &Marks) -> Guarded {
        if marks.is_empty() {
            return self;
        }
        let marked = |part: &Part| match part {
            Part::Value(v) => Part::Value(v.clone().with_marks(marks)),
            Part::Object(_) | Part::Tuple(_) | Part::Failed(_) => part.clone(),
        };
        Guarded::new(self.0.iter().map(|a| Alt { part: marked(&a.part), ..a.clone() }).collect())
    }

    /// Puts a hop in front of every alternative.
    #[must_use]
    pub fn hop(&self, hop: impl Fn(&Hops) -> Hops) -> Guarded {
        let hopped =
            |a: &Alt| Alt { when: a.when, shown: a.shown.clone(), part: a.part.clone(), hops: hop(&a.hops) };
        Guarded(self.0.iter().map(hopped).collect())
    }
}
