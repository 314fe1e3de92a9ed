//! Addresses: of modules, instances, resources, fields, and what a reference in an expression names.
//!
//! Input: text or names. Invariant: `Display` gives the form that Terraform prints, and parsing it gives the same
//! address back. Absent on purpose: any look at a configuration; an address may name what isn't there.

mod field;
mod key;
mod module;
mod parse;
mod reference;
mod resource;

pub use field::{FieldAddr, FieldPath, Target};
pub use key::Key;
pub use module::{ModuleInstance, ModulePath};
pub use parse::AddrError;
pub use reference::{PathAttr, RefError, Reference, Referent, Step};
pub use resource::{AbsResource, Mode, ResourceAddr};
