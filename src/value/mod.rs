//! Values as in go-cty: type, data, marks; null and unknown are values of a type.
//!
//! Everything here is a total function of its inputs: no files, no clock, no configuration.
//! Invariant: values nest at most [`MAX_DEPTH`] levels, so that every walk over one (and dropping it) fits a stack of
//! 2 MiB; constructors and decoders keep it so. Deliberately absent: capsule types, source places, paths into values.
//! The semantics are those of go-cty 1.16 and HCL 2.23, which Terraform 1.11 carries.

pub mod error;
pub mod number;
pub mod types;
pub mod marks;
pub mod refine;
pub mod convert;
pub mod unify;
pub mod ops;
mod literal_text;
pub mod json;
pub mod hcl;
mod build;
mod inspect;
mod distinct;
mod set;

pub use build::normalise;
pub use distinct::{Distinct, hash_of};
pub use error::{Result, ValueError};
pub use marks::{Mark, Marks};
pub use number::Number;
pub use refine::Refinements;
pub use set::crc32;
pub use types::{ObjectType, Type};

use litemap::LiteMap;
use std::sync::Arc;

/// The number of levels that values and types may nest. Deeper ones are refused where they are built or decoded.
pub const MAX_DEPTH: usize = 256;

/// A value of Terraform's type system (cty): its type, its data, and the marks it carries itself.
///
/// Elements carry their own marks. A value of type [`Type::Dynamic`] is null or unknown.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Value {
    /// The type.
    pub ty: Type,
    /// The data, in the shape that `ty` asks for.
    pub data: Data,
    /// Marks on the value as a whole; elements carry their own.
    pub marks: Marks,
}

/// The data of a value.
#[derive(Clone, Debug, PartialEq, Hash)]
pub enum Data {
    /// Null of the value's type.
    Null,
    /// Not known yet, with what is known about it.
    Unknown(Option<Arc<Refinements>>),
    /// A bool.
    Bool(bool),
    /// A number: apart, for most values are none and would carry its size.
    Number(Arc<Number>),
    /// A string in NFC.
    String(Arc<str>),
    /// Elements of a list or tuple in order; of a set in cty's order, without duplicates.
    Seq(Arc<[Value]>),
    /// Elements of a map or object by key, in Unicode code point order.
    Map(Arc<Entries>),
}

/// Elements of a map or object by key, in Unicode code point order, one behind the other: most have a handful, which are made
/// once and read over and over. One more entry in the middle moves all behind it, so they are gathered elsewhere first.
pub type Entries = LiteMap<Arc<str>, Value>;

#[cfg(test)]
mod tests;
