//! Writes a deployment of a Stack as a root module, in text.
//!
//! In: a Stack that was read, and one of its deployments. Out: the files of a root module with the same plan as in Terraform's
//! Stacks runtime. Components become module calls, and embedded Stacks become modules of their own. A block with `for_each` is
//! written once for each key, and the deployment's inputs are a variable file. Expressions are those of the Stack's files, with
//! their comments. Invariants: equal inputs give equal bytes; the address of an object depends only on the names and keys that
//! lead to it, so that no edit elsewhere moves it. Absent on purpose: state, files on the disk, and Terraform.

mod claims;
mod emit;
mod exports;
mod instances;
mod items;
mod names;
mod outputs;
mod print;
mod propose;
mod providers;
mod removed;
mod requirements;
mod root;
mod root_expr;
mod told;
mod unit;
mod words;

pub use claims::{Claims, address, labels, unclaimed};
pub use propose::{Environment, Proposal, propose};
pub use root::{FOLDER, Lowered, folder, lower};
pub use told::Outside;
