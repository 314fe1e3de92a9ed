//! Addresses: of modules, instances, resources, fields, and what a reference in an expression names.
//!
//! Input: text or names. Invariant: `Display` gives the form that Terraform prints, and parsing it gives the same
//! address back. Absent on purpose: any look at a configuration; an address may name what isn't there.

mod field;
mod held;
mod key;
mod module;
mod object;
mod parse;
mod reference;
mod resource;

pub use field::{FieldAddr, FieldPath, Target};
pub use held::Held;
pub use key::Key;
pub use module::{CallName, ModuleInstance, ModulePath, STACK_CALLS, call_prefix};
pub(crate) use object::{InstanceStep, read, steps};
pub use object::{ObjectAddr, is_declaration_address, is_instance_address};
pub use parse::AddrError;
pub use reference::{PathAttr, RefError, Reference, Referent, Step};
pub use resource::{Mode, ResourceAddr};
use std::fmt;

/// Writes texts one after the other. Addresses are written with every hop of a trace, and `format!` costs more than
/// the writing itself.
pub(crate) fn in_a_row<const N: usize>(f: &mut fmt::Formatter<'_>, texts: [&str; N]) -> fmt::Result {
    texts.into_iter().try_for_each(|text| f.write_str(text))
}
