//! Type constraints.
use crate::value::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Defaults of optional attributes, in the shape of the type constraint they come from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Defaults {
    /// Of an object: the default of each optional attribute that has one, converted to the attribute's type.
    pub values: BTreeMap<Arc<str>, Value>,
    /// Of an object or a tuple (by index in decimal): what lies deeper. Of a collection: its element, under "".
    pub children: BTreeMap<Arc<str>, Defaults>,
}
