//! Terraform Stacks: `*.tfcomponent.hcl` and `*.tfdeploy.hcl` as a tree of modules and its environments.
//!
//! In: the folder of a Stack. Out: a module in which each component, and each embedded stack, is a call that is named
//! `component.NAME` or `stack.NAME`; the deployments. Expressions are those of the files, with their places, and
//! `component.net.cidr` in them reads as `module.…` would. The language is that of Terraform's `stackconfig` (1.15). Invariant: what follows
//! knows calls and no Stacks, but for names. Absent on purpose: tracing, and what HCP alone evaluates, which is unknown.

mod calls;
mod check;
mod computed;
mod cycles;
mod deploy;
mod files;
mod lower;
mod providers;
mod removed;
mod rewrite;
mod scope;

pub use check::MAX_NESTING;
pub(super) use check::inputs;
pub(super) use deploy::read as deployments;
pub use files::{MOVE_FILES, NOT_READ, called_from, is_named_in_stack, is_stacks, stands_in};
pub(super) use files::{beside, find_former, find_unread, is_stack};
pub(super) use lower::module;
