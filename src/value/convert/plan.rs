//! Which conversion there is between two types, if any.

use crate::value::Type;
use crate::value::unify::unify;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A conversion to a type.
#[derive(Clone, Debug)]
pub(in crate::value) struct Plan {
    /// The type wanted.
    pub out: Type,
    /// The conversion to this type.
    pub step: Step,
}

/// The conversion of known values that aren't null. A part without a plan of its own is kept as it is.
#[derive(Clone, Debug)]
pub(in crate::value) enum Step {
    /// As it is.
    Pass,
    /// A value whose type was not known when the conversion was planned.
    Late,
    /// A number or bool as text.
    ToText,
    /// A number from text.
    ToNumber,
    /// A bool from text.
    ToBool,
    /// An object's attributes; those that are wanted only.
    Object(BTreeMap<Arc<str>, Option<Plan>>),
    /// A tuple's elements.
    Tuple(Vec<Option<Plan>>),
    /// A collection to another kind, or of another element type.
    Collection(Option<Box<Plan>>),
    /// A tuple to a list or set.
    FromTuple { elements: Vec<Option<Plan>>, unsafely: bool },
    /// An object to a map whose elements are of the type.
    FromObject { element: Type, attrs: BTreeMap<Arc<str>, Option<Plan>>, unsafely: bool },
    /// A map to an object.
    FromMap(BTreeMap<Arc<str>, FromElement>),
    /// An empty tuple or object to an empty collection.
    Empty,
}

/// The conversion of a map's element to an attribute.
#[derive(Clone, Debug)]
pub(in crate::value) enum FromElement {
    /// As it is.
    Same,
    /// Converted.
    Convert(Plan),
    /// Not at all; the attribute is optional, so that only a map that has the element fails.
    Never,
}

/// The conversion between two types, where there is one.
pub(in crate::value) fn plan(from: &Type, to: &Type, unsafely: bool) -> Option<Plan> {
    step(from, to, unsafely).map(|step| Plan { out: to.clone(), step })
}

fn step(from: &Type, to: &Type, unsafely: bool) -> Option<Step> {
    match (from, to) {
        (_, Type::Dynamic) => Some(Step::Pass),
        (Type::Dynamic, _) => unsafely.then_some(Step::Late),
        (Type::Number | Type::Bool, Type::String) => Some(Step::ToText),
        (Type::String, Type::Number) => unsafely.then_some(Step::ToNumber),
        (Type::String, Type::Bool) => unsafely.then_some(Step::ToBool),
        (Type::Object(_), Type::Object(_)) => objects(from, to, unsafely),
        (Type::Tuple(a), Type::Tuple(b)) => {
            if a.len() != b.len() {
                return None;
            }
            let parts = a.iter().zip(b.iter()).map(|(a, b)| part(a, b, unsafely));
            parts.collect::<Option<Vec<_>>>().map(Step::Tuple)
        }
        (Type::List(_), Type::Set(_)) if !unsafely => None,
        (Type::List(a) | Type::Set(a), Type::List(b) | Type::Set(b)) => collection(a, b, unsafely),
        (Type::Map(a), Type::Map(b)) => plan(a, b, unsafely).map(|p| Step::Collection(Some(Box::new(p)))),
        (Type::Tuple(types), Type::List(element) | Type::Set(element)) => {
            from_tuple(types, element, unsafely)
        }
        (Type::Object(_), Type::Map(element)) => from_object(from, element, unsafely),
        (Type::Map(element), Type::Object(_)) if unsafely => from_map(element, to),
        _ => None,
    }
}

/// The conversion of a part: `Some(None)` where it needs none.
#[allow(clippy::option_option)]
fn part(from: &Type, to: &Type, unsafely: bool) -> Option<Option<Plan>> {
    if from == to { Some(None) } else { plan(from, to, unsafely).map(Some) }
}

fn collection(from: &Type, to: &Type, unsafely: bool) -> Option<Step> {
    part(from, to, unsafely).map(|p| Step::Collection(p.map(Box::new)))
}

fn objects(from: &Type, to: &Type, unsafely: bool) -> Option<Step> {
    let (from, to) = (from.as_object()?, to.as_object()?);
    let mut attrs = BTreeMap::new();
    for (name, want) in &to.attrs {
        match from.attrs.get(name) {
            Some(have) => {
                attrs.insert(name.clone(), part(have, want, unsafely)?);
            }
            None if to.optional.contains(name) => {}
            None => return None,
        }
    }
    Some(Step::Object(attrs))
}

fn from_tuple(types: &[Type], element: &Type, unsafely: bool) -> Option<Step> {
    if types.is_empty() {
        return Some(Step::Empty);
    }
    let element = if *element == Type::Dynamic { unify(types, unsafely)?.ty } else { element.clone() };
    if element == Type::Dynamic && types.iter().any(|t| *t != Type::Dynamic) {
        return None;
    }
    let elements = types.iter().map(|t| part(t, &element, unsafely)).collect::<Option<Vec<_>>>()?;
    Some(Step::FromTuple { elements, unsafely })
}

fn from_object(from: &Type, element: &Type, unsafely: bool) -> Option<Step> {
    let types = &from.as_object()?.attrs;
    if types.is_empty() {
        return Some(Step::Empty);
    }
    let element = if *element == Type::Dynamic {
        unify(&types.values().cloned().collect::<Vec<_>>(), unsafely)?.ty
    } else {
        element.clone()
    };
    let attrs = types
        .iter()
        .map(|(name, ty)| Some((name.clone(), part(ty, &element, unsafely)?)))
        .collect::<Option<BTreeMap<_, _>>>()?;
    Some(Step::FromObject { element, attrs, unsafely })
}

fn from_map(element: &Type, to: &Type) -> Option<Step> {
    let to = to.as_object()?;
    let mut attrs = BTreeMap::new();
    for (name, want) in &to.attrs {
        let how = match part(element, want, true) {
            Some(None) => FromElement::Same,
            Some(Some(plan)) => FromElement::Convert(plan),
            None if to.optional.contains(name) => FromElement::Never,
            None => return None,
        };
        attrs.insert(name.clone(), how);
    }
    Some(Step::FromMap(attrs))
}
