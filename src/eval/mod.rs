//! The one walk over expressions, generic over a domain.
//!
//! In: an expression, the names bound around it, a [`Domain`]. Out: the domain's value. A domain decides what a
//! value is: one concrete value ([`concrete::Concrete`]), or alternatives under conditions (the tracer's).
//! Both run the same [`Op`]s on the same plain values, so they can't drift apart.
//! Invariant: errors are values of the domain; the walk itself never fails.
//! Absent on purpose: name resolution beyond locally bound names, files, configuration.

pub mod arms;
mod asked;
mod beside;
pub mod concrete;
mod convert;
mod domain;
pub mod literal;
mod logic;
mod op;
mod risk;
pub mod standalone;
pub mod template;
pub mod types;
mod walk;

pub use asked::{Asked, Like, Version};
pub use convert::TypeArg;
pub use domain::{At, Bindings, Domain, Each, Element, Outcome, Step};
pub use op::Op;
pub(crate) use op::{NO_BOOL, included};
pub use walk::{eval, is_fixed, no_such_function};

pub use crate::func::EvalError;
