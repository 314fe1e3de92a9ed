//! One way from files to what is to be written: read, trace, specialise, place.
//!
//! In: a [`crate::host::Host`] (a work tree, a revision of one, a tree in memory), and what a run gives to variables. Out: texts of
//! files, the active copies, issues. Commands, golden trees, random trees and fuzzing all take this way. Invariant: nothing is
//! written, no process is started, nothing is printed. What state holds comes in as data, and [`mended`] and
//! [`Decided::settle`] may be repeated with more of it without tracing again. Absent on purpose: asking a Terraform.

mod carry;
mod chosen;
mod contradicted;
mod decide;
mod discreet;
mod form_factor;
mod every_field;
mod home;
mod home_made;
mod home_sources;
mod home_unit;
mod field;
pub mod fields;
pub mod run_values;
mod secrets;
mod instead;
mod kept;
mod kept_back;
mod left;
pub mod literals;
mod load;
mod mirrored;
mod narrowed;
pub mod narrowing;
mod own;
mod place;
mod possible;
mod reachable;
mod recorded;
mod recounted;
mod released;
mod releases;
pub mod selecting;
mod session;
pub mod stand_ins;
mod strangers;
mod traces;
mod unknown;
mod unreadable;
mod unread_originals;
mod within;
mod world;

pub use decide::{
    Copies, Decided, Known, Run, Tree, assembled, decide, remember, specialise_as_pinned, tree,
};
pub use home::{WayHome, find_way_home, find_way_home_to_original};
pub use instead::holds_sources;
pub use load::{is_provenance, is_specialised};
pub use narrowed::{Narrowed, narrowed};
pub use place::{RunScope, chain_start, ends, find_faults_with, mended, original};
pub use secrets::{ERROR_OF_SECRET, HIDDEN, KEYS_HOLD_SECRET, PART_OF_SECRET, Secrets, Touched, Veil};
pub use session::Session;
pub use strangers::find_strangers;
pub use traces::Traces;
