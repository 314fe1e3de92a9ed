//! The specializer: the only stage that decides changes.
//!
//! In: a configuration in its original form, and the traces of its driven fields. Out: data — the texts of files as
//! they are to be, the records that restore them, and what has to be known to write the move chains.
//! Invariants: `restore(specialise(x)) = x`; the same decisions give the same bytes; a module that others may share is
//! edited in place only where `phi.hcl` says that none does. Absent on purpose: reading or writing files, starting Terraform, printing.

mod active;
mod decision;
mod fold;
pub mod guard;
mod links;
pub mod literals;
pub mod moves;
pub mod naming;
mod outside;
mod paths;
pub mod plan;
pub mod record;
mod refused;
pub mod service;
mod shared;
mod test_files;
mod unit;
mod units;
mod unused;
mod residual;
mod written;

pub use crate::specialise::active::absent_instances::AbsentInstances;
pub use crate::specialise::moves::direct::Led;
pub use crate::specialise::moves::released::released;
pub use crate::specialise::record::request::{Discretion, Request};
pub use crate::specialise::written::bare::{heredocs, is_alike};
pub use crate::specialise::written::context::put as put_in_place;
pub use crate::specialise::written::head::is_generated_json;
pub use crate::specialise::written::laid::laid;
pub use active::{Active, Instances, Open, Undecided, active, given_universes, run_universes, there};
pub use outside::outside;
pub use plan::{Specialised, specialise};
pub use record::Record;
pub use refused::find_refused;
pub use shared::NAME as OVERRIDE;
pub use unit::UnitName;
pub use units::{Rename, SplitUnit, beginning, former_units, removals, renames};
