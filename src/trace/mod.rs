//! The tracer: from a field backwards to every value it can take, and the condition for each.
//!
//! In: a loaded configuration, the limits, the universes of `phi.hcl`. Out: a [`Trace`] per field.
//! It is the walk of [`crate::eval`] in a domain of alternatives under conditions: what is not known before plan
//! stays an unknown value with an *origin* (a plan-stable expression, or a reason why nothing can be said).
//! Invariants: read-only; each declaration of an instance is computed once; conditions are symbolic.
//! Absent on purpose: an arm that looks into a managed resource; any value of this run's variables.

pub mod accepts;
mod alike;
mod alt;
mod assume;
mod compared;
mod culprits;
mod inputs;
mod iteration;
mod memo;
mod prediction;
mod scope;
mod scoped;
mod terms;
mod any_type;
mod apply;
mod axes;
mod axis;
mod bins;
mod conditional;
mod constant;
mod culprit;
mod data;
mod decided;
mod decline_reason;
mod derive;
mod domain;
pub mod drive;
mod dynamic;
mod effort;
mod entries;
pub mod failures;
mod field;
mod filled;
mod predict;
mod hops;
mod never_instantiated;
mod indices;
mod infer;
mod instance;
mod iterate;
mod known;
mod combinations;
mod listed;
mod assumptions;
mod open;
mod origin;
mod outcome;
mod over;
mod parts;
mod pattern;
mod reach;
pub mod reading;
mod refer;
mod result;
mod risk;
mod select;
pub mod site;
mod source;
mod spelled;
mod sensitive;
mod sure;
mod texts;
mod tracer;
mod undeclared;
mod unroll;
mod unset;
pub mod wording;
mod written;
mod universe;
mod variable;

pub use alt::{Alt, Guarded, Part};
pub use any_type::takes_any_type;
pub use assumptions::Assumptions;
pub use axis::Repetition;
pub use data::Unheld;
pub use drive::{Driven, Driver, drivers, issue_of, statics, trace_driven, warning_of};
pub use hops::{HopText, Hops};
pub use inputs::{Limits, Universe, Universes, WORKSPACE};
pub use instance::{Instance, InstanceId};
pub use known::{Entry, Known, Standing, Standings};
pub use listed::list_values;
pub use origin::{Home, Origin, Reason, ReasonKind, Subject, TermInfo};
pub use parts::declared;
pub use result::{Branch, Guard, GuardKind, Outcomes, PerEntry, Rounded, Trace, Traced};
pub use source::{ChosenCall, chosen_calls};
pub use tracer::Tracer;
pub use universe::universes;
pub use unset::unset;
