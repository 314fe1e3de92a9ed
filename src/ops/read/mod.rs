//! What commands read before they decide: the working directory, its configuration, environments, and who else is at work.

mod as_before;
pub(super) mod by_environment;
pub(super) mod committed;
pub(super) mod environment;
pub(super) mod excluded;
pub(super) mod given;
pub(super) mod inputs;
pub(super) mod installable;
pub(super) mod marker;
pub(super) mod merge;
pub(super) mod modules;
pub(super) mod names;
pub(super) mod presumed;
pub(super) mod product;
mod rewritten;
pub(super) mod rooted_host;
pub(super) mod session;
pub(super) mod unfinished;
pub(super) mod unlisted;
pub(super) mod untracked;
