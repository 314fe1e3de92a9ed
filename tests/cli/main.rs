//! The commands, as the program runs them, with a stand-in for Terraform: one test program for all, since each links everything.

#[path = "../cli_common/mod.rs"]
mod cli_common;

mod absent_submodules;
mod accepts;
mod bad_input;
mod calls;
mod changed;
mod check;
mod complete;
mod diff;
mod doctor;
mod edited;
mod environment;
mod environments_found;
mod ephemeral;
mod excluded;
mod explain;
mod flags;
mod given_back;
mod json_sources;
mod links;
mod matrix;
mod merged;
mod printed_fixes;
mod reasons;
mod refused_values;
mod releases;
mod reports;
mod review;
mod review_equal;
mod review_folded;
mod review_leads;
mod review_refusals;
mod review_unseen;
mod review_unshown;
mod roots;
mod roots_hidden;
#[allow(clippy::disallowed_methods)]
mod services;
mod shared;
mod small;
mod specialise;
mod stacks;
mod submodules;
mod suggest;
mod summary;
mod terminal;
mod terraform;
mod terraforms_own_files;
mod tofu;
mod trace;
mod tracked;
mod typed;
mod versions;
mod without_copies;
