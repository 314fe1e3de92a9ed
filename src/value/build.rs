//! Building values.
//!
//! Invariant: strings and keys are in NFC; set elements carry no marks of their own (the set has them); a value that
//! would nest deeper than [`MAX_DEPTH`] or be larger than 300 000 parts becomes an unknown of type `Dynamic` that is
//! marked as too large, and so does every value that it would be a part of.

use super::{
    Data, Entries, MAX_DEPTH, Mark, Marks, Number, Refinements, Result, Type, Value, ValueError, set,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// The number of parts that one value, or its type, may be made of. Parts that are shared count each time: every walk
/// over the value meets them each time.
const MAX_SIZE: usize = 300_000;

/// The number of bytes of text that count as one more part.
const TEXT_PART: usize = 64;

/// The text in Unicode normalization form C, as cty keeps strings, keys and attribute names.
pub fn normalise(text: &str) -> Arc<str> {
    if text.is_ascii() {
        return text.into();
    }
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => text.into(),
        IsNormalized::No | IsNormalized::Maybe => text.nfc().collect::<String>().into(),
    }
}

impl Value {
    /// A value without marks.
    pub(super) fn of(ty: Type, data: Data) -> Value {
        Value { ty, data, marks: Marks::NONE }
    }

    /// A string, normalised.
    pub fn string(text: impl AsRef<str>) -> Value {
        Value::of(Type::String, Data::String(normalise(text.as_ref())))
    }

    /// A string whose text is shared where it is normalised already.
    pub fn shared_string(text: &Arc<str>) -> Value {
        let normal = text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes;
        Value::of(Type::String, Data::String(if normal { text.clone() } else { normalise(text) }))
    }

    /// A number.
    pub fn number(number: impl Into<Number>) -> Value {
        Value::shared_number(Arc::new(number.into()))
    }

    /// A number that others have as well.
    pub fn shared_number(number: Arc<Number>) -> Value {
        Value::of(Type::Number, Data::Number(number))
    }

    /// A bool.
    pub fn bool(value: bool) -> Value {
        Value::of(Type::Bool, Data::Bool(value))
    }

    /// Null of a type; a bare `null` is of type `Dynamic`.
    pub fn null(ty: Type) -> Value {
        Value::of(ty.without_optional(), Data::Null)
    }

    /// An unknown of a type; it may be null.
    pub fn unknown(ty: Type) -> Value {
        Value::of(ty.without_optional(), Data::Unknown(None))
    }

    /// An unknown of an unknown type.
    pub fn dynamic() -> Value {
        Value::unknown(Type::Dynamic)
    }

    /// An unknown of a type that isn't null.
    pub fn unknown_not_null(ty: Type) -> Value {
        Value::unknown_refined(ty, Refinements { not_null: true, ..Refinements::default() })
    }

    /// An unknown value with what is known about it. Refinements that don't fit the type are dropped; those that
    /// leave one value only (`min == max`, an empty collection, a list of known length) give that value.
    pub fn unknown_refined(ty: Type, refinements: Refinements) -> Value {
        let ty = ty.without_optional();
        let refinements = refinements.fitting(&ty);
        if let Some(known) = refinements.collapse(&ty) {
            return known;
        }
        let none = refinements == Refinements::default();
        Value::of(ty, Data::Unknown((!none).then(|| Arc::new(refinements))))
    }

    /// An unknown list of a known length, or with [`Type::Dynamic`] an unknown list or tuple. Its elements are not spelled out: they
    /// are parts of a whole that has an identity.
    pub fn unknown_of_length(ty: Type, length: u64) -> Value {
        let known = Refinements {
            not_null: true,
            min_len: Some(length),
            max_len: Some(length),
            ..Refinements::default()
        };
        if !matches!(ty, Type::Dynamic) && (length == 0 || !matches!(ty, Type::List(_))) {
            return Value::unknown_refined(ty, known);
        }
        Value::of(ty.without_optional(), Data::Unknown(Some(Arc::new(known))))
    }

    /// A list of elements of type `element`; untyped nulls and unknowns among them take that type.
    pub fn list(element: Type, elements: Vec<Value>) -> Value {
        let elements: Vec<Value> = elements.into_iter().map(|v| v.typed(&element)).collect();
        Value::of(Type::list(element), Data::Seq(elements.into())).bounded()
    }

    /// A set of elements of type `element`: in cty's order, without duplicates; marks of elements move to the set.
    pub fn set(element: Type, elements: Vec<Value>) -> Value {
        let mut marks = Marks::NONE;
        let mut bare = Vec::with_capacity(elements.len());
        for value in elements {
            let (value, own) = value.typed(&element).unmark_deep();
            marks = marks.union(&own);
            bare.push(value);
        }
        let elements = set::in_order(bare);
        Value::of(Type::set(element), Data::Seq(elements.into())).bounded().with_marks(&marks)
    }

    /// A map to elements of type `element`.
    pub fn map<K: AsRef<str>>(element: Type, entries: impl IntoIterator<Item = (K, Value)>) -> Value {
        let entries: Entries =
            entries.into_iter().map(|(k, v)| (normalise(k.as_ref()), v.typed(&element))).collect();
        Value::of(Type::map(element), Data::Map(Arc::new(entries))).bounded()
    }

    /// A tuple; its type is implied.
    pub fn tuple(elements: Vec<Value>) -> Value {
        let ty = Type::tuple(elements.iter().map(|v| v.ty.clone()));
        Value::of(ty, Data::Seq(elements.into())).bounded()
    }

    /// An object; its type is implied.
    pub fn object<K: AsRef<str>>(attrs: impl IntoIterator<Item = (K, Value)>) -> Value {
        let attrs: Entries = attrs.into_iter().map(|(k, v)| (normalise(k.as_ref()), v)).collect();
        let ty = Type::object(attrs.iter().map(|(k, v)| (k.clone(), v.ty.clone())));
        Value::of(ty, Data::Map(Arc::new(attrs))).bounded()
    }

    /// An object whose names may be shared. `like` is the type of another value, which this one may well have: where it
    /// does, that is shared too.
    pub fn object_like(attrs: impl IntoIterator<Item = (Arc<str>, Value)>, like: Option<&Type>) -> Value {
        let normal = |k: Arc<str>| if k.is_ascii() { k } else { normalise(&k) };
        let attrs: Entries = attrs.into_iter().map(|(k, v)| (normal(k), v)).collect();
        let same = |ty: &&Type| {
            ty.as_object().is_some_and(|o| {
                o.optional.is_empty()
                    && o.attrs.len() == attrs.len()
                    && o.attrs.iter().zip(&attrs).all(|((k, t), (l, v))| k == l && *t == v.ty)
            })
        };
        match like.filter(same) {
            // Its size was looked at when it was made.
            Some(ty) => Value::of(ty.clone(), Data::Map(Arc::new(attrs))).bounded_data(),
            None => {
                let ty = Type::object(attrs.iter().map(|(k, v)| (k.clone(), v.ty.clone())));
                Value::of(ty, Data::Map(Arc::new(attrs))).bounded()
            }
        }
    }

    /// `[]` as a literal.
    pub fn empty_tuple() -> Value {
        Value::tuple(Vec::new())
    }

    /// A list of one element type, found from the elements; `None` where they differ.
    pub(super) fn list_of(elements: Vec<Value>) -> Option<Value> {
        let element = common_type(elements.iter())?;
        Some(Value::list(element, elements))
    }

    /// A set of one element type, found from the elements; `None` where they differ.
    pub(super) fn set_of(elements: Vec<Value>) -> Option<Value> {
        let element = common_type(elements.iter())?;
        Some(Value::set(element, elements))
    }

    /// A map of one element type, found from the elements; `None` where they differ.
    pub(super) fn map_of(elements: BTreeMap<Arc<str>, Value>) -> Option<Value> {
        let element = common_type(elements.values())?;
        Some(Value::map(element, elements))
    }

    /// Checks that a value with these parts doesn't nest deeper than [`MAX_DEPTH`] and isn't too large.
    /// [`Value::tuple`] and its like make such a value unknown; call this before, to report an error instead.
    ///
    /// # Errors
    /// A limit.
    pub fn check_depth<'a>(parts: impl IntoIterator<Item = &'a Value>) -> Result<()> {
        let (mut types, mut data) = (MAX_SIZE, MAX_SIZE);
        let mut exceeds =
            |part: &Value| part.ty.exceeds(MAX_DEPTH - 1, &mut types) || part.exceeds(&mut data);
        if parts.into_iter().any(&mut exceeds) {
            return Err(ValueError::limit("the value is nested too deeply or is too large"));
        }
        Ok(())
    }

    /// The value with these marks besides its own. [`Mark::Origin`]s don't stick to what is wholly known, nor
    /// [`Mark::Untyped`] to anything but an untyped null.
    #[must_use]
    pub fn with_marks(mut self, marks: &Marks) -> Value {
        if marks.is_empty() {
            return self;
        }
        self.marks = self.marks.union(marks);
        if self.marks.has_origin() && self.is_wholly_known() {
            self.marks = self.marks.without_origins();
        }
        if !(self.is_null() && self.ty == Type::Dynamic) {
            self.marks = self.marks.without(Mark::Untyped);
        }
        self
    }

    /// The value with one more mark.
    #[must_use]
    pub fn with_mark(self, mark: Mark) -> Value {
        self.with_marks(&Marks::one(mark))
    }

    /// The value without marks of its own, and those.
    pub fn unmark(mut self) -> (Value, Marks) {
        let marks = std::mem::take(&mut self.marks);
        (self, marks)
    }

    /// An untyped null or unknown as one of type `ty`; anything else as it is.
    pub(super) fn typed(self, ty: &Type) -> Value {
        if self.ty == Type::Dynamic { Value { ty: ty.without_optional(), ..self } } else { self }
    }

    /// Returns true for the unknown that replaces a value that is too large to be built.
    pub fn is_too_large(&self) -> bool {
        self.marks.has(Mark::TooLarge)
    }

    fn bounded(self) -> Value {
        // The type comes first: it bounds how deep the data nests.
        if self.ty.exceeds(MAX_DEPTH, &mut { MAX_SIZE }) { Value::too_large() } else { self.bounded_data() }
    }

    fn bounded_data(self) -> Value {
        if self.exceeds(&mut { MAX_SIZE }) { Value::too_large() } else { self }
    }

    fn too_large() -> Value {
        Value::dynamic().with_mark(Mark::TooLarge)
    }

    /// Returns true if the value has more than `size` parts. Counting stops there.
    fn exceeds(&self, size: &mut usize) -> bool {
        if self.is_too_large() {
            return true;
        }
        let own = match &self.data {
            Data::String(text) => 1 + text.len() / TEXT_PART,
            _ => 1,
        };
        match size.checked_sub(own) {
            None => true,
            Some(rest) => {
                *size = rest;
                self.parts().any(|part| part.exceeds(size))
            }
        }
    }
}

fn common_type<'a>(values: impl Iterator<Item = &'a Value>) -> Option<Type> {
    let mut common = &Type::Dynamic;
    for value in values {
        if *common == Type::Dynamic {
            common = &value.ty;
        } else if value.ty != Type::Dynamic && value.ty != *common {
            return None;
        }
    }
    Some(common.clone())
}
