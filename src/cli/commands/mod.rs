//! One file per command: its arguments, and how they become a request.

pub(super) mod diff;
pub(super) mod plan;
pub(super) mod restore;
pub(super) mod trace;
mod vars;
pub(super) mod verify;
