//! One file per command: its arguments, and how they become a request.

pub(super) mod plan;
pub(super) mod trace;
