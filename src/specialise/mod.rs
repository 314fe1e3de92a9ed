//! The specializer: the only stage that decides changes.
//!
//! In: a configuration in its original form, and the traces of its driven fields. Out: data — the texts of files as
//! they are to be, the records that restore them, and what has to be known to write the move chains.
//! Invariants: `restore(specialise(x)) = x`; the same decisions give the same bytes; a module that others may share is
//! edited in place only where `phi.hcl` says that none does. Absent on purpose: reading or writing files, starting Terraform, printing.

mod active;
mod assumed;
mod bare;
mod block;
pub mod bounds;
mod carried;
mod comment;
mod cycles;
mod decide;
mod decision;
mod direct;
mod absent_instances;
mod expect_failures;
mod filter;
mod fold;
mod follow;
mod removed_blocks;
pub mod guard;
pub mod history;
mod join;
mod laid;
mod links;
mod literal;
pub mod moves;
mod named;
pub mod naming;
mod occurrences;
pub mod originals;
mod outside;
mod own;
mod passages;
mod paths;
pub mod plan;
mod readings;
pub mod record;
mod released;
mod relocate;
mod request;
pub mod restore;
pub mod service;
mod shared;
mod siblings;
mod steps;
mod stop;
mod state_blocks;
mod subst;
mod test_files;
pub mod typed;
mod unit;
mod unit_name;
mod units;
mod unused;
mod unused_outputs;
mod residual;

pub use absent_instances::AbsentInstances;
pub use active::{Active, Instances, Undecided, active, given_universes, run_universes, there};
pub use bare::{heredocs, is_alike};
pub use direct::Led;
pub use laid::laid;
pub use outside::outside;
pub use plan::{Specialised, specialise};
pub use record::Record;
pub use released::released;
pub use request::Request;
pub use shared::NAME as OVERRIDE;
pub use subst::literal as put_in_place;
pub use units::{SplitUnit, removals, renames};
