//! End-to-end tests: the real tf-phi on a real Terraform. `scripts/test e2e` finds one and runs them; without
//! one they fail, since a test that is passed over proves nothing.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stderr,
    dead_code
)]

mod absent;
mod alike;
mod apiserver;
mod branches;
mod browser;
mod buckets;
#[path = "../tests/cli_common/calls.rs"]
mod called;
mod calls;
mod cells;
mod circle;
mod clones;
mod commands;
mod compare;
mod complete;
mod data;
mod downloads;
mod dropped_calls;
mod environments;
mod equivalents;
mod ephemeral;
mod fails;
mod files;
mod flags;
mod folding;
mod forms;
mod fresh;
mod home;
mod hook;
mod installed;
mod killed;
mod kafka;
mod kept;
mod kinds;
mod laid;
mod life;
mod links;
mod manifests;
mod modules;
mod moves;
mod naming;
mod narrowed;
mod no_entry;
mod own_provider;
mod pages;
mod parameters;
mod passing;
mod placed;
mod planned;
mod precommit;
mod provider;
mod rabbitmq;
mod references;
mod refused;
mod refused_values;
mod registry;
mod replaced_calls;
mod review;
mod roots;
mod running;
mod saved;
mod services;
mod shared;
#[path = "../tests/cli_common/signals.rs"]
mod signals;
mod smoke;
mod sources;
mod stacks;
mod stages;
mod stand_ins;
mod state;
mod statements;
mod summary;
mod support;
mod tested;
mod trees;
mod uninitialised;
mod vendor_app;
mod verify;
mod without_copies;
mod written;
