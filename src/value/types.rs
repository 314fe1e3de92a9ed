//! Types of Terraform's language, as in cty.

use super::*;

/// A type. `Dynamic` stands for "not known yet" (`any`, the type of a bare `null`).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// cty's DynamicPseudoType.
    Dynamic,
    /// string
    String,
    /// number
    Number,
    /// bool
    Bool,
    /// list(T)
    List(Arc<Type>),
    /// set(T)
    Set(Arc<Type>),
    /// map(T)
    Map(Arc<Type>),
    /// tuple([T…])
    Tuple(Arc<[Type]>),
    /// object({…})
    Object(Arc<ObjectType>),
}

/// An object type: attributes, and which of them may be absent (only in type constraints).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct ObjectType {
    /// Attribute types by name.
    pub attrs: BTreeMap<Arc<str>, Type>,
    /// Names of the optional ones.
    pub optional: BTreeSet<Arc<str>>,
}
