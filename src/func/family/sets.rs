//! Functions on sets, after the unification of their element types.

use super::seq::{MAX_ELEMENTS, Members, arg, certain_length, elements, too_large};
use crate::func::{Context, FuncError, Function, Joins, Kind, Param, Returns, Want};
use crate::value::convert::convert;
use crate::value::unify::unify;
use crate::value::{Marks, Refinements, Type, Value};

const ANY_SET: Want = Want::Set(&Want::Any);

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "setunion",
        &[Param::new("first_set", ANY_SET).dynamic()],
        Returns::Computed(common_set),
        union,
        "The elements of all of the sets (Terraform docs: setunion; go-cty stdlib).",
    )
    .costs_for_each(128)
    .gives(Kind::Set)
    .variadic(Param::new("other_sets", ANY_SET).dynamic())
    .joins(Joins::All),
    Function::new(
        "setintersection",
        &[Param::new("first_set", ANY_SET).dynamic()],
        Returns::Computed(common_set),
        |context, args, ty| filtered(context, args, ty, true),
        "The elements that all of the sets have (Terraform docs: setintersection; go-cty stdlib).",
    )
    .costs_for_each(128)
    .gives(Kind::Set)
    .variadic(Param::new("other_sets", ANY_SET).dynamic())
    .joins(Joins::All),
    Function::new(
        "setsubtract",
        &[Param::new("a", ANY_SET).dynamic(), Param::new("b", ANY_SET).dynamic()],
        Returns::Computed(common_set),
        |context, args, ty| filtered(context, args, ty, false),
        "The elements of a set that another one has not (Terraform docs: setsubtract; go-cty stdlib).",
    )
    .costs_for_each(128)
    .gives(Kind::Set)
    .joins(Joins::All),
    Function::new(
        "setproduct",
        &[],
        Returns::Computed(product_type),
        product,
        "All combinations of elements, as tuples: a list where no argument is a set (Terraform docs: \
         setproduct; go-cty stdlib).",
    )
    .variadic(Param::new("sets", Want::Any).marked().unknown())
    .joins(Joins::All),
];

/// The set type that all arguments convert to; empty sets of no particular type don't count.
fn common_set(args: &[Value]) -> Result<Type, FuncError> {
    let untyped = |v: &&Value| v.length() == Some(0) && v.ty.element() == Some(&Type::Dynamic);
    let types: Vec<Type> = args
        .iter()
        .filter(|v| !untyped(v))
        .map(|v| v.ty.element().cloned().unwrap_or(Type::Dynamic))
        .collect();
    if types.is_empty() {
        return Ok(Type::set(Type::Dynamic));
    }
    let common = unify(&types, true)
        .ok_or_else(|| FuncError::new("given sets must all have compatible element types"))?;
    Ok(Type::set(common.ty))
}

fn converted(context: &Context<'_>, args: &[Value], ty: &Type) -> Result<Vec<Value>, FuncError> {
    let one = |(at, value): (usize, &Value)| {
        let set = convert(value, ty).map_err(|e| FuncError { arg: Some(at), ..FuncError::from(e) })?;
        context.work.count_new(&set).map_err(|e| FuncError::from(&e))?;
        Ok::<_, FuncError>(set)
    };
    let sets: Vec<Value> = args.iter().enumerate().map(one).collect::<Result<_, _>>()?;
    let element = element_type(&sets, ty);
    if !(element.is_primitive() || element == Type::Dynamic)
        && sets.iter().any(|set| elements(set).iter().any(Value::is_null))
    {
        // Terraform crashes on some of these.
        return Err(FuncError::unsupported("a null in a set of collections or structures is not supported"));
    }
    Ok(sets)
}

fn element_type(sets: &[Value], ty: &Type) -> Type {
    let exact = sets.iter().filter_map(|set| set.ty.element()).find(|e| **e != Type::Dynamic);
    exact.or(ty.element()).cloned().unwrap_or(Type::Dynamic)
}

fn union(context: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let sets = converted(context, args, ty)?;
    if sets.iter().map(|set| elements(set).len()).fold(0, usize::saturating_add) > MAX_ELEMENTS {
        return Err(too_large());
    }
    let all: Vec<Value> = sets.iter().flat_map(elements).cloned().collect();
    Ok(Value::set(element_type(&sets, ty), all))
}

/// The elements of the first set that each of the others has, or that none of them has.
fn filtered(context: &Context<'_>, args: &[Value], ty: &Type, wanted: bool) -> Result<Value, FuncError> {
    let sets = converted(context, args, ty)?;
    if !sets.iter().all(Value::is_wholly_known) {
        return Ok(Value::unknown(ty.clone()));
    }
    let mut left: Vec<Value> = elements(arg(&sets, 0)?).to_vec();
    for set in sets.iter().skip(1) {
        let mut members = Members::new(elements(set), context.work);
        let mut kept = Vec::new();
        for value in left {
            if (members.has(&value)? == Some(true)) == wanted {
                kept.push(value);
            }
        }
        left = kept;
    }
    Ok(Value::set(element_type(&sets, ty), left))
}

fn product_type(args: &[Value]) -> Result<Type, FuncError> {
    if args.len() < 2 {
        return Err(FuncError::new("at least two arguments are required"));
    }
    let mut types = Vec::with_capacity(args.len());
    let mut ordered = true;
    for (at, value) in args.iter().enumerate() {
        types.push(match &value.ty {
            Type::Set(element) => {
                ordered = false;
                element.as_ref().clone()
            }
            Type::List(element) => element.as_ref().clone(),
            Type::Tuple(elements) if elements.is_empty() => Type::Dynamic,
            Type::Tuple(elements) => {
                let common = unify(elements, true);
                common.ok_or_else(|| FuncError::arg(at, "all elements must be of the same type"))?.ty
            }
            _ => return Err(FuncError::arg(at, "a set or a list is required")),
        });
    }
    let element = Type::tuple(types);
    Ok(if ordered { Type::list(element) } else { Type::set(element) })
}

fn product(_: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let mut marks = Marks::NONE;
    let mut sets = Vec::with_capacity(args.len());
    for value in args {
        let (value, own) = value.clone().unmark();
        marks = marks.union(&own);
        sets.push(value);
    }
    let lengths: Option<Vec<usize>> = sets.iter().map(certain_length).collect();
    let result = match lengths {
        Some(lengths) => combinations(&sets, &lengths, ty)?,
        None => unknown_product(&sets, ty),
    };
    Ok(result.with_marks(&marks))
}

/// Up to this many elements go-cty bothers to bound an unknown product, for an argument and in all.
const BOUNDED: (u64, u64) = (1024, 2048);

fn unknown_product(sets: &[Value], ty: &Type) -> Value {
    let mut most = 1u64;
    // An argument that may be empty leaves nothing.
    let mut least = 1u64;
    for set in sets {
        let tuple = set.ty.tuple_elements().map(<[Type]>::len);
        let known = tuple.or_else(|| set.length()).and_then(|n| u64::try_from(n).ok());
        least = least.min(known.or_else(|| set.refinements().and_then(|r| r.min_len)).unwrap_or(0));
        let bound = known.or_else(|| set.refinements().and_then(|r| r.max_len)).unwrap_or(u64::MAX);
        most = most.saturating_mul(bound);
        if bound > BOUNDED.0 || most > BOUNDED.1 {
            return Value::unknown_not_null(ty.clone());
        }
    }
    let refinements =
        Refinements { not_null: true, min_len: Some(least), max_len: Some(most), ..Refinements::default() };
    Value::unknown_refined(ty.clone(), refinements)
}

fn combinations(sets: &[Value], lengths: &[usize], ty: &Type) -> Result<Value, FuncError> {
    let element = ty.element().cloned().unwrap_or(Type::Dynamic);
    let parts = element.tuple_elements().unwrap_or_default();
    let total = lengths.iter().fold(1usize, |total, length| total.saturating_mul(*length));
    if total.saturating_mul(sets.len()) > MAX_ELEMENTS {
        return Err(too_large());
    }
    let mut rows: Vec<Vec<Value>> = vec![Vec::new(); total.min(1)];
    for (set, part) in sets.iter().zip(parts) {
        if rows.is_empty() {
            break;
        }
        let values: Vec<Value> =
            elements(set).iter().map(|value| convert(value, part)).collect::<Result<_, _>>()?;
        rows = rows
            .iter()
            .flat_map(|row| values.iter().map(|value| [row.as_slice(), std::slice::from_ref(value)].concat()))
            .collect();
    }
    let tuples: Vec<Value> = rows.into_iter().map(Value::tuple).collect();
    let Some(first) = tuples.first().map(|t| t.ty.clone()) else {
        return Ok(in_kind(ty, element, tuples));
    };
    if tuples.iter().any(|t| t.ty != first) {
        return Err(FuncError::new("inconsistent element types"));
    }
    Ok(in_kind(ty, first, tuples))
}

fn in_kind(ty: &Type, element: Type, values: Vec<Value>) -> Value {
    if matches!(ty, Type::Set(_)) { Value::set(element, values) } else { Value::list(element, values) }
}
