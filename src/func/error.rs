//! The errors of expressions and of functions.

use crate::text::Place;
use crate::value::{Type, ValueError};
use std::sync::Arc;

/// The reason why an expression has no value: the error that Terraform would report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvalError {
    /// The message: one or two sentences, like Terraform's.
    pub message: Arc<str>,
    /// The expression that failed, where known.
    pub place: Option<Place>,
    /// True if Terraform may give an answer and only this program declines. `try` and `can` never catch it.
    pub limit: bool,
    /// The reason why the answer was declined.
    pub obstacle: Obstacle,
    /// The type of the unknown with which Terraform continues after the error. It matters where the error itself
    /// doesn't: in the arm of a conditional that isn't chosen, and beside an operand of `&&` or `||` that decides.
    pub ty: Type,
    /// True if that unknown may differ from `ty`: in its type, in marks that came from something marked, or by being known. In the
    /// arm of a conditional this matters even if the arm isn't chosen.
    pub vague: bool,
    /// True if the error is in another declaration than the one that is evaluated. Terraform stops there, so no `try`
    /// or `can` around the reference sees it.
    pub elsewhere: bool,
}

impl From<ValueError> for EvalError {
    fn from(e: ValueError) -> EvalError {
        let message = match e.summary {
            "" => e.message,
            summary => format!("{summary}: {}", e.message),
        };
        EvalError { limit: e.limit, ..EvalError::new(message) }
    }
}

impl EvalError {
    /// An error without a place.
    pub fn new(message: impl Into<Arc<str>>) -> EvalError {
        EvalError {
            message: message.into(),
            place: None,
            limit: false,
            obstacle: Obstacle::Size,
            ty: Type::Dynamic,
            vague: false,
            elsewhere: false,
        }
    }

    /// An answer that this program declines to compute.
    pub fn declined(message: impl Into<Arc<str>>) -> EvalError {
        EvalError { limit: true, ..EvalError::new(message) }
    }

    /// The same error, declined for a reason.
    #[must_use]
    pub fn declined_for(self, obstacle: Obstacle) -> EvalError {
        EvalError { limit: true, obstacle, ..self }
    }

    /// Returns true if Terraform may know what it goes on with, or a part of it.
    pub fn may_be_known(&self) -> bool {
        self.vague || self.ty == Type::String || self.ty.is_structural()
    }

    /// Returns true if another error, with other words or at another place, leads to the same results wherever it is
    /// used.
    pub fn means_as_much(&self, other: &EvalError) -> bool {
        let counts = |e: &EvalError| (e.limit, e.elsewhere, e.vague);
        counts(self) == counts(other) && self.ty == other.ty
    }

    /// Sets the type of the unknown with which Terraform continues.
    #[must_use]
    pub fn typed(self, ty: Type) -> EvalError {
        EvalError { ty, ..self }
    }

    /// Sets the place, unless there is one already: the innermost place wins.
    #[must_use]
    pub fn at(mut self, place: Place) -> EvalError {
        self.place.get_or_insert(place);
        self
    }
}

impl std::fmt::Display for EvalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

/// An error of a function: about one argument, or about the call as a whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FuncError {
    /// Index of the offending argument.
    pub arg: Option<usize>,
    /// The message, without the function's name.
    pub message: String,
    /// See [`EvalError::limit`].
    pub limit: bool,
    /// See [`EvalError::obstacle`].
    pub obstacle: Obstacle,
}

/// The reason why an answer is declined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// Too much work.
    Size,
    /// A corner of a function that isn't computed here.
    Unsupported,
    /// Versions of Terraform give different answers.
    Version,
    /// A file that is no part of the configuration, or can't be looked at.
    Outside,
    /// An unknown decides if there is an error.
    Unknown,
}

impl From<ValueError> for FuncError {
    fn from(e: ValueError) -> FuncError {
        FuncError { arg: None, message: e.message, limit: e.limit, obstacle: Obstacle::Size }
    }
}

impl From<&EvalError> for FuncError {
    /// The error of an expression that a function evaluates. It is about the call as a whole.
    fn from(e: &EvalError) -> FuncError {
        FuncError { arg: None, message: e.message.to_string(), limit: e.limit, obstacle: e.obstacle }
    }
}

impl FuncError {
    /// About the call as a whole.
    pub fn new(message: impl Into<String>) -> FuncError {
        FuncError { arg: None, message: message.into(), limit: false, obstacle: Obstacle::Size }
    }

    /// An answer that this program declines to compute.
    pub fn declined(message: impl Into<String>) -> FuncError {
        FuncError { limit: true, ..FuncError::new(message) }
    }

    /// A corner of a function that this program doesn't compute.
    pub fn unsupported(message: impl Into<String>) -> FuncError {
        FuncError { obstacle: Obstacle::Unsupported, ..FuncError::declined(message) }
    }

    /// An answer that depends on the version of Terraform, which isn't known.
    pub fn version(message: impl Into<String>) -> FuncError {
        FuncError { limit: true, obstacle: Obstacle::Version, ..FuncError::new(message) }
    }

    /// An answer that depends on a file that can't be looked at.
    pub fn unseen(message: impl Into<String>) -> FuncError {
        FuncError { limit: true, obstacle: Obstacle::Outside, ..FuncError::new(message) }
    }

    /// About one argument.
    pub fn arg(index: usize, message: impl Into<String>) -> FuncError {
        FuncError { arg: Some(index), ..FuncError::new(message) }
    }
}
