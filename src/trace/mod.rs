//! The tracer: from a field backwards to every value it can take, and the condition for each.
//!
//! In: a loaded configuration, the limits, the universes of `phi.hcl`. Out: a [`Trace`] per field.
//! It is the walk of [`crate::eval`] in a domain of alternatives under conditions: what is not known before plan
//! stays an unknown value with an *origin* (a plan-stable expression, or a reason why nothing can be said).
//! Invariants: read-only; each declaration of an instance is computed once; conditions are symbolic.
//! Absent on purpose: an arm that looks into a managed resource; any value of this run's variables.

// Each room imports only those above it, as the layers in `src/lib.rs` do.
mod guarded;
mod object;
mod identity;
pub mod reading;
pub mod site;
mod tracer;
mod repetition;
mod walk;
mod identify;
mod field;
mod universe;
pub mod failures;

pub use field::accepts;
pub use field::any_type::takes_any_type;
pub use field::drive::{
    Driven, Driver, drivers, issue_of, statics, trace_driven, trace_driven_within, warning_of,
};
pub use field::listed::list_values;
pub use field::source::{ChosenCall, chosen_calls};
pub use field::unset::unset;
pub use guarded::alt::{Alt, Guarded, Part};
pub use guarded::hops::{HopText, Hops};
pub use guarded::wording;
pub use identity::{Identity, Term};
pub use object::ResourceInstance;
pub use repetition::axis::Repetition;
pub use repetition::dynamic::iterator_name;
pub use repetition::known::{Entry, Known, OPEN_WORKSPACE, Standing, Standings};
pub use tracer::Tracer;
pub use tracer::assumptions::Assumptions;
pub use tracer::effort::MOST_WORK;
pub use tracer::inputs::{Limits, Universe, Universes, WORKSPACE};
pub use tracer::instance::{Instance, InstanceId};
pub use tracer::origin::{Home, Origin, Reason, ReasonKind, Subject, TermInfo};
pub use tracer::result::{Branch, Guard, GuardKind, Outcomes, PerEntry, Rounded, Trace, Traced};
pub use universe::universes;
pub use walk::data::Unheld;
pub use walk::parts::declared;
pub use walk::refer::name_step;

// What every room names.
use tracer::domain::{Frame, IN_NO_FILE, NOWHERE};
use tracer::excess::Excess;
use tracer::iteration::Iteration;
use tracer::memo::Decl;
