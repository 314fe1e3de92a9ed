//! `plan` and `apply` of a Stack's deployment without HCP.
//!
//! In: a Stack and the name of a deployment. The deployment is written as a root module into `.phi/stacks/NAME/`, which has a state
//! of its own there or in the backend that `phi.hcl` gives, and the command is run in it as in any root module. Invariants: what
//! somebody edited there is never written over; a state is never touched but by Terraform; objects that nothing claims stop the
//! run, as they stop HCP's. Absent on purpose: what the files say.

mod either;
mod folder;
pub mod from_root;
mod leave;
mod record;
mod run;
mod stale;
mod targets;
mod told;
mod lost_record;
mod whether;
mod written;

pub(super) use leave::{leave_stack, restore_stack};
pub(super) use told::explained;
pub(super) use whether::is_stack;
pub(super) use written::deployed;
