//! The type that several types convert to, as cty's `convert.Unify`.
//!
//! Used for conditionals, for `list(any)` and its like, and by functions such as `concat` and `coalesce`.
//! Source of the semantics: go-cty `convert/unify.go`, `sort_types.go`, `compare_types.go`.

use super::convert::{convert, converts, plan};
use super::{Result, Type, Value, ValueError};
use std::cmp::Ordering;

/// The common type of several types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unified {
    /// The common type.
    pub ty: Type,
    /// True if one of the types wasn't known, so that values of the common type stay unknown.
    pub open: bool,
    /// The type to which objects among maps (tuples among lists) are converted first, if it isn't the common type.
    via: Option<Type>,
}

impl Unified {
    /// Values are simply converted to a type.
    pub(super) fn to(ty: Type) -> Unified {
        Unified { ty, open: false, via: None }
    }

    /// A value of one of the unified types, converted to the common one.
    ///
    /// # Errors
    /// Returns an error if an unsafe conversion fails on this value.
    pub fn apply(&self, value: &Value) -> Result<Value> {
        if self.open {
            return Ok(Value::dynamic().with_marks(&value.marks_deep()));
        }
        if self.ty == Type::Dynamic || value.ty == self.ty {
            return Ok(value.clone());
        }
        match &self.via {
            Some(via) if value.ty.is_structural() => {
                convert(value, via)?;
                // cty applies the second conversion to the original value, not to the result of the first. Where
                // parts needed the first one, it fails, and so Terraform's conditional does.
                let none = || ValueError::new("cannot find a common base type for all elements");
                plan(via, &self.ty, true).ok_or_else(none)?.apply(value)
            }
            _ => convert(value, &self.ty),
        }
    }
}

/// The most general type that all of the types convert to, `unsafely` also by conversions that some values don't
/// take; `None` where there is none, and for no types at all.
pub fn unify(types: &[Type], unsafely: bool) -> Option<Unified> {
    let first = types.first()?;
    if types.iter().all(|t| t == first) && !first.has_optional() {
        return Some(Unified::to(first.clone()));
    }
    let count = |is: fn(&Type) -> bool| types.iter().filter(|ty| is(ty)).count();
    let map = count(|ty| matches!(ty, Type::Map(_)));
    let list = count(|ty| matches!(ty, Type::List(_)));
    let set = count(|ty| matches!(ty, Type::Set(_)));
    let object = count(|ty| matches!(ty, Type::Object(_)));
    let tuple = count(|ty| matches!(ty, Type::Tuple(_)));
    let dynamic = count(|ty| *ty == Type::Dynamic);
    let all = |n: usize| n > 0 && n + dynamic == types.len();
    let same_kind = all(map) || all(list) || all(set) || all(object) || all(tuple);
    if same_kind && dynamic > 0 {
        return Some(Unified { ty: Type::Dynamic, open: true, via: None });
    }
    if all(map) {
        return collections(types, Type::map, unsafely);
    }
    if map > 0 && all(map + object) {
        if let Some(unified) = mixed(types, |t| t.as_object().is_some(), to_map, unsafely) {
            return Some(unified);
        }
    } else if all(list) {
        return collections(types, Type::list, unsafely);
    } else if list > 0 && all(list + tuple) {
        if let Some(unified) = mixed(types, |t| t.tuple_elements().is_some(), to_list, unsafely) {
            return Some(unified);
        }
    } else if all(set) {
        return collections(types, Type::set, unsafely);
    } else if all(object) {
        return objects(types, unsafely);
    } else if all(tuple) {
        return tuples(types, unsafely);
    } else if object > 0 && tuple > 0 {
        return None;
    }
    by_preference(types, unsafely)
}

/// Picks one of the types themselves, the most general one first.
fn by_preference(types: &[Type], unsafely: bool) -> Option<Unified> {
    in_preference(types)
        .into_iter()
        .find(|want| all_convert(types, want, unsafely))
        .map(|t| Unified::to(t.clone()))
}

fn all_convert(types: &[Type], want: &Type, unsafely: bool) -> bool {
    types.iter().all(|ty| converts(ty, want, unsafely))
}

fn collections(types: &[Type], kind: fn(Type) -> Type, unsafely: bool) -> Option<Unified> {
    of_elements(types, types.iter().filter_map(Type::element), kind, unsafely)
}

/// A collection of what all of these elements convert to, where the types themselves convert to it.
fn of_elements<'t>(
    types: &[Type],
    elements: impl Iterator<Item = &'t Type>,
    kind: fn(Type) -> Type,
    unsafely: bool,
) -> Option<Unified> {
    let ty = kind(unify(&elements.cloned().collect::<Vec<_>>(), unsafely)?.ty);
    all_convert(types, &ty, unsafely).then(|| Unified::to(ty))
}

/// Objects among maps, or tuples among lists: brought to one collection first, then unified with the others.
fn mixed(
    types: &[Type],
    structural: impl Fn(&Type) -> bool,
    collect: fn(&[Type], bool) -> Option<Unified>,
    unsafely: bool,
) -> Option<Unified> {
    let some: Vec<Type> = types.iter().filter(|t| structural(t)).cloned().collect();
    let common = collect(&some, unsafely)?.ty;
    let replaced: Vec<Type> =
        types.iter().map(|t| if structural(t) { common.clone() } else { t.clone() }).collect();
    let unified = unify(&replaced, unsafely).filter(|u| u.ty.is_collection())?;
    let via = (unified.ty != common).then_some(common);
    Some(Unified { via, ..unified })
}

fn objects(types: &[Type], unsafely: bool) -> Option<Unified> {
    let all: Vec<_> = types.iter().filter_map(Type::as_object).collect();
    let first = all.first()?;
    if !all.iter().all(|o| o.attrs.keys().eq(first.attrs.keys())) {
        return to_map(types, unsafely);
    }
    let mut attrs = Vec::new();
    for name in first.attrs.keys() {
        let across: Vec<Type> = all.iter().filter_map(|o| o.attrs.get(name)).cloned().collect();
        attrs.push((name.clone(), unify(&across, unsafely)?.ty));
    }
    let ty = Type::object(attrs);
    if all_convert(types, &ty, unsafely) { Some(Unified::to(ty)) } else { to_map(types, unsafely) }
}

fn to_map(types: &[Type], unsafely: bool) -> Option<Unified> {
    let attrs = types.iter().filter_map(Type::as_object).flat_map(|o| o.attrs.values());
    of_elements(types, attrs, Type::map, unsafely)
}

fn tuples(types: &[Type], unsafely: bool) -> Option<Unified> {
    let all: Vec<_> = types.iter().filter_map(Type::tuple_elements).collect();
    let first = all.first()?;
    if !all.iter().all(|t| t.len() == first.len()) {
        return to_list(types, unsafely);
    }
    let mut elements = Vec::new();
    for i in 0..first.len() {
        let across: Vec<Type> = all.iter().filter_map(|t| t.get(i)).cloned().collect();
        elements.push(unify(&across, unsafely)?.ty);
    }
    let ty = Type::tuple(elements);
    if all_convert(types, &ty, unsafely) { Some(Unified::to(ty)) } else { to_list(types, unsafely) }
}

fn to_list(types: &[Type], unsafely: bool) -> Option<Unified> {
    of_elements(types, types.iter().filter_map(Type::tuple_elements).flatten(), Type::list, unsafely)
}

/// The types with the more general ones first; equals keep their order.
fn in_preference(types: &[Type]) -> Vec<&Type> {
    let mut distinct: Vec<&Type> = Vec::new();
    for ty in types {
        if !distinct.contains(&ty) {
            distinct.push(ty);
        }
    }
    let above: Vec<usize> = distinct
        .iter()
        .map(|ty| distinct.iter().filter(|other| compare(other, ty) == Ordering::Less).count())
        .collect();
    // Repeatedly those with nothing more general left, as the queue of a topological sort visits them.
    let mut waiting = above;
    let mut queue: Vec<usize> =
        waiting.iter().enumerate().filter(|(_, n)| **n == 0).map(|(i, _)| i).collect();
    let mut order = Vec::new();
    let mut next = 0;
    while let Some(i) = queue.get(next).copied() {
        next += 1;
        let Some(ty) = distinct.get(i).copied() else { continue };
        order.push(ty);
        for (j, other) in distinct.iter().enumerate() {
            if compare(ty, other) == Ordering::Less
                && let Some(n) = waiting.get_mut(j)
            {
                *n = n.saturating_sub(1);
                if *n == 0 {
                    queue.push(j);
                }
            }
        }
    }
    order
}

/// `Less` where `a` is the more general type; `Equal` where neither is.
fn compare(a: &Type, b: &Type) -> Ordering {
    match (a, b) {
        (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) | (Type::Map(a), Type::Map(b)) => {
            compare(a, b)
        }
        (Type::Object(a), Type::Object(b)) if a.attrs.keys().eq(b.attrs.keys()) => {
            compare_all(a.attrs.values().zip(b.attrs.values()))
        }
        (Type::Tuple(a), Type::Tuple(b)) if a.len() == b.len() => compare_all(a.iter().zip(b.iter())),
        _ if is_of_more_general_kind(a, b) => Ordering::Less,
        _ if is_of_more_general_kind(b, a) => Ordering::Greater,
        _ => Ordering::Equal,
    }
}

fn is_of_more_general_kind(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Dynamic, _) => false,
        (_, Type::Dynamic)
        | (Type::String, Type::Number | Type::Bool)
        | (Type::Tuple(_) | Type::List(_), Type::Set(_))
        | (Type::List(_), Type::Tuple(_))
        | (Type::Map(_), Type::Object(_)) => true,
        _ => false,
    }
}

/// More general in some part and less in none.
fn compare_all<'a>(parts: impl Iterator<Item = (&'a Type, &'a Type)>) -> Ordering {
    let (mut less, mut greater) = (false, false);
    for (a, b) in parts {
        match compare(a, b) {
            Ordering::Less => less = true,
            Ordering::Greater => greater = true,
            Ordering::Equal => {}
        }
    }
    match (less, greater) {
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        _ => Ordering::Equal,
    }
}
