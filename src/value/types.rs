//! Types of Terraform's language, as in cty.
//!
//! Invariant: names in object types are in NFC. Deliberately absent: capsule types; parsing of type expressions.

use litemap::LiteMap;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

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
    pub attrs: LiteMap<Arc<str>, Type>,
    /// Names of the optional ones.
    pub optional: BTreeSet<Arc<str>>,
}

impl Type {
    /// `list(element)`
    pub fn list(element: Type) -> Type {
        Type::List(Arc::new(element))
    }

    /// `set(element)`
    pub fn set(element: Type) -> Type {
        Type::Set(Arc::new(element))
    }

    /// `map(element)`
    pub fn map(element: Type) -> Type {
        Type::Map(Arc::new(element))
    }

    /// `tuple([elements…])`
    pub fn tuple(elements: impl IntoIterator<Item = Type>) -> Type {
        Type::Tuple(elements.into_iter().collect())
    }

    /// `object({…})` without optional attributes; names are taken as they are.
    pub fn object<K: Into<Arc<str>>>(attrs: impl IntoIterator<Item = (K, Type)>) -> Type {
        Type::object_with_optional(attrs, std::iter::empty::<Arc<str>>())
    }

    /// `object({…})`, a type constraint some of whose attributes are optional.
    pub fn object_with_optional<K: Into<Arc<str>>, O: Into<Arc<str>>>(
        attrs: impl IntoIterator<Item = (K, Type)>,
        optional: impl IntoIterator<Item = O>,
    ) -> Type {
        let attrs = attrs.into_iter().map(|(k, t)| (k.into(), t)).collect();
        Type::Object(Arc::new(ObjectType { attrs, optional: optional.into_iter().map(Into::into).collect() }))
    }

    /// string, number or bool.
    pub fn is_primitive(&self) -> bool {
        matches!(self, Type::String | Type::Number | Type::Bool)
    }

    /// list, set or map.
    pub fn is_collection(&self) -> bool {
        matches!(self, Type::List(_) | Type::Set(_) | Type::Map(_))
    }

    /// object or tuple.
    pub fn is_structural(&self) -> bool {
        matches!(self, Type::Tuple(_) | Type::Object(_))
    }

    /// The element type of a list, set or map.
    pub fn element(&self) -> Option<&Type> {
        match self {
            Type::List(e) | Type::Set(e) | Type::Map(e) => Some(e),
            _ => None,
        }
    }

    /// The element types of a tuple.
    pub fn tuple_elements(&self) -> Option<&[Type]> {
        match self {
            Type::Tuple(e) => Some(e),
            _ => None,
        }
    }

    /// The parts of an object type.
    pub fn as_object(&self) -> Option<&ObjectType> {
        match self {
            Type::Object(o) => Some(o),
            _ => None,
        }
    }

    /// The type of an attribute of an object type.
    pub fn attr(&self, name: &str) -> Option<&Type> {
        self.as_object().and_then(|o| o.attrs.get(name))
    }

    /// The types directly inside.
    pub fn children(&self) -> Box<dyn Iterator<Item = &Type> + '_> {
        match self {
            Type::List(e) | Type::Set(e) | Type::Map(e) => Box::new(std::iter::once(e.as_ref())),
            Type::Tuple(e) => Box::new(e.iter()),
            Type::Object(o) => Box::new(o.attrs.values()),
            Type::Dynamic | Type::String | Type::Number | Type::Bool => Box::new(std::iter::empty()),
        }
    }

    /// Returns true for a string or a collection of strings. Primitive types convert to nothing more general.
    pub fn is_text(&self) -> bool {
        *self == Type::String || self.element() == Some(&Type::String)
    }

    /// Returns true if the type contains `Dynamic`.
    pub fn has_dynamic(&self) -> bool {
        *self == Type::Dynamic || self.children().any(Type::has_dynamic)
    }

    /// Returns true if the type contains an optional attribute.
    pub fn has_optional(&self) -> bool {
        self.as_object().is_some_and(|o| !o.optional.is_empty()) || self.children().any(Type::has_optional)
    }

    /// The type with all optional attributes made ordinary: what values of the constraint have.
    #[must_use]
    pub fn without_optional(&self) -> Type {
        if !self.has_optional() {
            return self.clone();
        }
        match self {
            Type::List(e) => Type::list(e.without_optional()),
            Type::Set(e) => Type::set(e.without_optional()),
            Type::Map(e) => Type::map(e.without_optional()),
            Type::Tuple(e) => Type::tuple(e.iter().map(Type::without_optional)),
            Type::Object(o) => Type::object(o.attrs.iter().map(|(k, t)| (k.clone(), t.without_optional()))),
            Type::Dynamic | Type::String | Type::Number | Type::Bool => self.clone(),
        }
    }

    /// Returns true if the type conforms to another one, in which `Dynamic` matches any type (cty's TestConformance).
    pub fn conforms_to(&self, want: &Type) -> bool {
        if *want == Type::Dynamic || self == want {
            return true;
        }
        match (self, want) {
            (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) | (Type::Map(a), Type::Map(b)) => {
                a.conforms_to(b)
            }
            (Type::Tuple(a), Type::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.conforms_to(b))
            }
            (Type::Object(a), Type::Object(b)) => {
                a.attrs.len() == b.attrs.len()
                    && a.attrs.iter().zip(&b.attrs).all(|((k, a), (l, b))| k == l && a.conforms_to(b))
            }
            _ => false,
        }
    }

    /// Returns true if the type nests deeper than `depth` levels or has more than `size` parts. Counting stops there.
    pub(super) fn exceeds(&self, depth: usize, size: &mut usize) -> bool {
        if depth == 0 || *size == 0 {
            return true;
        }
        *size -= 1;
        match self {
            Type::Dynamic | Type::String | Type::Number | Type::Bool => false,
            _ => self.children().any(|child| child.exceeds(depth - 1, size)),
        }
    }

    /// The name in Terraform's error messages about values: `list of string`, `object`, `dynamic`.
    pub fn friendly_name(&self) -> String {
        self.friendly("dynamic", None)
    }

    /// The name in Terraform's error messages about what is required: `list of any single type`, `any type`.
    pub fn friendly_name_for_constraint(&self) -> String {
        self.friendly("any type", Some("any single type"))
    }

    fn friendly(&self, dynamic: &str, element: Option<&str>) -> String {
        let of = |kind: &str, e: &Type| match (e, element) {
            (Type::Dynamic, Some(name)) => format!("{kind} of {name}"),
            _ => format!("{kind} of {}", e.friendly(dynamic, element)),
        };
        match self {
            Type::Dynamic => dynamic.into(),
            Type::String => "string".into(),
            Type::Number => "number".into(),
            Type::Bool => "bool".into(),
            Type::List(e) => of("list", e),
            Type::Set(e) => of("set", e),
            Type::Map(e) => of("map", e),
            Type::Tuple(_) => "tuple".into(),
            Type::Object(_) => "object".into(),
        }
    }
}

/// The type as a type constraint of the language: `list(string)`, `object({a=string,b=optional(any)})`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Dynamic => f.write_str("any"),
            Type::String => f.write_str("string"),
            Type::Number => f.write_str("number"),
            Type::Bool => f.write_str("bool"),
            Type::List(e) => write!(f, "list({e})"),
            Type::Set(e) => write!(f, "set({e})"),
            Type::Map(e) => write!(f, "map({e})"),
            Type::Tuple(elements) => {
                f.write_str("tuple([")?;
                for (i, element) in elements.iter().enumerate() {
                    write!(f, "{}{element}", if i == 0 { "" } else { "," })?;
                }
                f.write_str("])")
            }
            Type::Object(object) => write!(f, "object({{{object}}})"),
        }
    }
}

impl fmt::Display for ObjectType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, ty)) in self.attrs.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            let key = super::literal_text::key(name);
            if self.optional.contains(name) {
                write!(f, "{comma}{key}=optional({ty})")?;
            } else {
                write!(f, "{comma}{key}={ty}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_as_terraform() {
        let ty = Type::list(Type::map(Type::Dynamic));
        assert_eq!(ty.friendly_name(), "list of map of dynamic");
        assert_eq!(ty.friendly_name_for_constraint(), "list of map of any single type");
        let ty = Type::object_with_optional([("b c", Type::Bool), ("a", Type::tuple([Type::String]))], ["a"]);
        assert_eq!(ty.to_string(), "object({a=optional(tuple([string])),\"b c\"=bool})");
        assert_eq!(ty.without_optional().to_string(), "object({a=tuple([string]),\"b c\"=bool})");
    }
}
