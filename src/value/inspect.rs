//! Looking into values.
//!
//! Accessors look through marks: whoever cares about them asks for them.

use super::{Data, Entries, Mark, Marks, Number, Refinements, Value};
use std::sync::Arc;

/// The values directly inside of one.
#[derive(Debug)]
pub enum Parts<'a> {
    /// The elements of a list, set or tuple.
    Seq(std::slice::Iter<'a, Value>),
    /// The elements of a map or object.
    Map(std::slice::Iter<'a, (Arc<str>, Value)>),
    /// No elements: any other value.
    None,
}

impl<'a> Iterator for Parts<'a> {
    type Item = &'a Value;

    fn next(&mut self) -> Option<&'a Value> {
        match self {
            Parts::Seq(elements) => elements.next(),
            Parts::Map(entries) => entries.next().map(|(_, value)| value),
            Parts::None => None,
        }
    }
}

impl Value {
    /// Returns true if zeros at the same places of two equal values have the same sign: -0 equals 0, but prints as
    /// `-0`.
    pub fn same_zeros(&self, other: &Value) -> bool {
        match (&self.data, &other.data) {
            (Data::Number(a), Data::Number(b)) => a.same_sign(b),
            (Data::Seq(a), Data::Seq(b)) => a.iter().zip(b.iter()).all(|(a, b)| a.same_zeros(b)),
            (Data::Map(a), Data::Map(b)) => a.values().zip(b.values()).all(|(a, b)| a.same_zeros(b)),
            _ => true,
        }
    }

    /// Returns true for null.
    pub fn is_null(&self) -> bool {
        matches!(self.data, Data::Null)
    }

    /// Returns true if the value itself is known. Its elements may be unknown.
    pub fn is_known(&self) -> bool {
        !matches!(self.data, Data::Unknown(_))
    }

    /// Returns true if the value and everything in it is known.
    pub fn is_wholly_known(&self) -> bool {
        self.is_known() && self.parts().all(Value::is_wholly_known)
    }

    /// Returns true if the value contains an unknown or null whose type is at least partly unknown. Such a part may
    /// be of any type, so a common type of several values can't be found. A [`Mark::Sample`] doesn't count.
    pub fn is_untyped(&self) -> bool {
        self.ty.has_dynamic() && self.holds_untyped()
    }

    /// The same where the type may be known. The type of a part is looked at only where the part is open: a walk over it in each part
    /// around it would be one for each level.
    fn holds_untyped(&self) -> bool {
        let is_open = match self.data {
            Data::Unknown(_) => !self.marks.has(Mark::Sample),
            _ => self.marks.has(Mark::Untyped),
        };
        is_open && self.ty.has_dynamic() || self.parts().any(Value::holds_untyped)
    }

    /// Returns true if the value can't be null.
    pub fn definitely_not_null(&self) -> bool {
        match &self.data {
            Data::Null => false,
            Data::Unknown(refinements) => refinements.as_ref().is_some_and(|r| r.not_null),
            _ => true,
        }
    }

    /// Returns the refinements of an unknown value.
    pub fn refinements(&self) -> Option<&Refinements> {
        match &self.data {
            Data::Unknown(refinements) => refinements.as_deref(),
            _ => None,
        }
    }

    /// Returns true if the number of elements and each element's place is known. That isn't so for a set with unknown
    /// elements, because some may turn out equal.
    pub fn has_known_elements(&self) -> bool {
        let shrinks = matches!(self.ty, super::Type::Set(_)) && self.length().is_some_and(|n| n > 1);
        self.is_known() && (!shrinks || self.is_wholly_known())
    }

    /// The values directly inside, in order, without keys.
    pub fn parts(&self) -> Parts<'_> {
        match &self.data {
            Data::Seq(elements) => Parts::Seq(elements.iter()),
            Data::Map(entries) => Parts::Map(entries.as_slice().iter()),
            _ => Parts::None,
        }
    }

    /// Keys and elements of a known collection, object or tuple, in Terraform's order of iteration; the key of a
    /// set's element is the element. Nothing for any other value.
    pub fn elements(&self) -> Box<dyn Iterator<Item = (Value, &Value)> + '_> {
        match &self.data {
            Data::Seq(elements) if matches!(self.ty, super::Type::Set(_)) => {
                Box::new(elements.iter().map(|e| (e.clone(), e)))
            }
            Data::Seq(elements) => Box::new(elements.iter().enumerate().map(|(i, e)| (Value::number(i), e))),
            Data::Map(entries) => Box::new(
                entries.iter().map(|(k, e)| (Value::of(super::Type::String, Data::String(k.clone())), e)),
            ),
            _ => Box::new(std::iter::empty()),
        }
    }

    /// The number of elements of a known collection, object or tuple. A set that holds unknowns may turn out
    /// smaller.
    pub fn length(&self) -> Option<usize> {
        match &self.data {
            Data::Seq(elements) => Some(elements.len()),
            Data::Map(entries) => Some(entries.len()),
            _ => None,
        }
    }

    /// The text of a known string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.data {
            Data::String(text) => Some(text),
            _ => None,
        }
    }

    /// A known bool.
    pub fn as_bool(&self) -> Option<bool> {
        match self.data {
            Data::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// A known number.
    pub fn as_number(&self) -> Option<&Number> {
        match &self.data {
            Data::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The elements of a known list, set or tuple.
    pub fn as_seq(&self) -> Option<&[Value]> {
        match &self.data {
            Data::Seq(elements) => Some(elements),
            _ => None,
        }
    }

    /// The entries of a known map or object.
    pub fn as_map(&self) -> Option<&Entries> {
        match &self.data {
            Data::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// Returns true if the value itself has the mark.
    pub fn has_mark(&self, mark: Mark) -> bool {
        self.marks.has(mark)
    }

    /// Returns true if the value or anything in it has the mark.
    pub fn has_mark_deep(&self, mark: Mark) -> bool {
        self.marks.has(mark) || self.parts().any(|part| part.has_mark_deep(mark))
    }

    /// Returns true if the value or anything in it has a mark.
    pub fn is_marked_deep(&self) -> bool {
        !self.marks.is_empty() || self.parts().any(Value::is_marked_deep)
    }

    /// Returns true if everything in the value is known and nothing in it is marked.
    pub fn is_plain(&self) -> bool {
        self.is_known() && self.marks.is_empty() && self.parts().all(Value::is_plain)
    }

    /// The marks of the value and of everything in it.
    pub fn marks_deep(&self) -> Marks {
        let (mut all, mut last) = (Vec::new(), &self.marks);
        self.parts().for_each(|part| part.gather_marks(&mut all, &mut last));
        if all.is_empty() {
            return self.marks.clone();
        }
        all.extend(self.marks.iter());
        Marks::of(all)
    }

    /// Gathers the marks. Most parts have the same marks as their neighbour; these add none.
    fn gather_marks<'v>(&'v self, into: &mut Vec<Mark>, last: &mut &'v Marks) {
        if !self.marks.is_empty() && !self.marks.is_same(last) {
            into.extend(self.marks.iter());
            *last = &self.marks;
        }
        self.parts().for_each(|part| part.gather_marks(into, last));
    }

    /// The value without any marks, and all there were.
    pub fn unmark_deep(self) -> (Value, Marks) {
        if !self.is_marked_deep() {
            return (self, Marks::NONE);
        }
        let marks = self.marks_deep();
        (self.map_deep(&|value| Value { marks: Marks::NONE, ..value }), marks)
    }

    /// The value with [`Mark::Origin`]s only where something is unknown.
    #[must_use]
    pub fn normalised(self) -> Value {
        if !self.is_marked_deep() || !self.marks_deep().has_origin() {
            return self;
        }
        self.map_deep(&|value| {
            if value.marks.has_origin() && value.is_wholly_known() {
                Value { marks: value.marks.without_origins(), ..value }
            } else {
                value
            }
        })
    }

    /// Rebuilds the value bottom-up; `change` must keep types, order and equality.
    pub(crate) fn map_deep(self, change: &impl Fn(Value) -> Value) -> Value {
        let data = match self.data {
            Data::Seq(elements) => Data::Seq(elements.iter().map(|e| e.clone().map_deep(change)).collect()),
            Data::Map(entries) => Data::Map(Arc::new(
                entries.iter().map(|(k, e)| (k.clone(), e.clone().map_deep(change))).collect(),
            )),
            other => other,
        };
        change(Value { data, ..self })
    }
}
