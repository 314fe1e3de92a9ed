//! One file per command: its arguments, and how they become a request.

pub(super) mod check;
pub(super) mod diff;
pub(super) mod explain;
mod detail;
mod formats;
pub(super) mod graph;
pub(super) mod history;
pub(super) mod init;
pub(super) mod list;
pub(super) mod manual;
pub(super) mod matrix;
pub(super) mod plan;
pub(super) mod restore;
pub(super) mod review;
mod roots;
pub(super) mod schema;
pub(super) mod services;
pub(super) mod stacks;
pub(super) mod suggest;
pub(super) mod test;
pub(super) mod trace;
pub(super) mod validate;
mod vars;
pub(super) mod verify;
pub(super) mod version;

pub(super) use formats::read as format;
pub(super) use roots::selects;
