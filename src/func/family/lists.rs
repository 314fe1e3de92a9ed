//! Functions that rearrange lists and tuples.

use super::seq::{MAX_ELEMENTS, arg, certain_length, elements, too_large, whole, without_repeats};
use crate::func::{Context, FuncError, Function, Joins, Param, Returns, Want};
use crate::value::{Marks, Refinements, Type, Value};

const ANY_LIST: Want = Want::List(&Want::Any);
const TEXTS: Want = Want::List(&Want::String);

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
            "chunklist",
            &[Param::new("list", ANY_LIST).marked(), Param::new("size", Want::Number).marked()],
            Returns::Computed(|args| Ok(Type::list(arg(args, 0)?.ty.clone()))),
            chunklist,
            "A list in pieces of at most some length; length 0 means one piece (Terraform docs: chunklist; go-cty stdlib).",
        ).joins(Joins::All),
    Function::new(
            "coalescelist",
            &[],
            Returns::Computed(coalescelist_type),
            coalescelist,
            "The first list or tuple that is neither null nor empty (Terraform docs: coalescelist; go-cty stdlib).",
        ).variadic(Param::new("vals", Want::Any).unknown().dynamic().null()),
    Function::new(
        "compact",
        &[Param::new("list", TEXTS)],
        Returns::Fixed(TEXTS),
        compact,
        "A list of strings without nulls and empty strings (Terraform docs: compact; go-cty stdlib).",
    ).hands_on(),
    Function::new(
        "distinct",
        &[Param::new("list", ANY_LIST)],
        Returns::Computed(|args| Ok(arg(args, 0)?.ty.clone())),
        distinct,
        "A list without repetitions, in the order of first occurrence (Terraform docs: distinct; go-cty stdlib).",
    ).costs_for_each(128).hands_on(),
    Function::new(
        "flatten",
        &[Param::new("list", Want::Any).marked()],
        Returns::Fixed(Want::Any),
        flatten,
        "The elements of lists, sets and tuples in one tuple, however deep (Terraform docs: flatten; go-cty stdlib).",
    ).hands_on(),
    Function::new(
        "reverse",
        &[Param::new("list", Want::Any).marked()],
        Returns::Computed(reverse_type),
        reverse,
        "A list or tuple backwards; a set gives a list (Terraform docs: reverse; go-cty stdlib).",
    ),
    Function::new(
            "slice",
            &[
                Param::new("list", Want::Any).marked().unknown().dynamic(),
                Param::new("start_index", Want::Number),
                Param::new("end_index", Want::Number),
            ],
            Returns::Computed(slice_type),
            slice,
            "The elements from an index on and before another one (Terraform docs: slice; go-cty stdlib).",
        ),
    Function::new(
        "sort",
        &[Param::new("list", TEXTS).unknown()],
        Returns::Fixed(TEXTS),
        sort,
        "A list of strings by their code points (Terraform docs: sort; go-cty stdlib).",
    ).costs_for_each(64),
];

fn chunklist(_: &Context<'_>, args: &[Value], _: &Type) -> Result<Value, FuncError> {
    let (list, marks) = arg(args, 0)?.clone().unmark();
    let (size, own) = arg(args, 1)?.clone().unmark();
    let size = whole(&size).map_err(|e| FuncError::new(format!("invalid size: {e}")))?;
    let Ok(size) = usize::try_from(size) else {
        return Err(FuncError::new("the size argument must be positive"));
    };
    let ty = list.ty.clone();
    let element = ty.element().cloned().unwrap_or(Type::Dynamic);
    let chunks: Vec<Value> = match (elements(&list), size) {
        ([], _) => Vec::new(),
        (_, 0) => vec![list],
        (all, size) => all.chunks(size).map(|c| Value::list(element.clone(), c.to_vec())).collect(),
    };
    Ok(Value::list(ty, chunks).with_marks(&marks.union(&own)))
}

fn coalescelist_type(args: &[Value]) -> Result<Type, FuncError> {
    let Some(first) = args.first() else {
        return Err(FuncError::new("at least one argument is required"));
    };
    for value in args {
        if !value.is_known() {
            return Ok(Type::Dynamic);
        }
        if !matches!(value.ty, Type::List(_) | Type::Tuple(_)) {
            return Err(FuncError::new("coalescelist arguments must be lists or tuples"));
        }
    }
    let same = args.iter().all(|value| value.ty == first.ty);
    Ok(if same { first.ty.clone() } else { Type::Dynamic })
}

fn coalescelist(_: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    for value in args {
        if !value.is_known() {
            return Ok(Value::unknown(ty.clone()));
        }
        if !elements(value).is_empty() {
            return Ok(value.clone());
        }
    }
    Err(FuncError::new("no non-null arguments"))
}

fn compact(_: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let list = arg(args, 0)?;
    if !list.is_wholly_known() {
        return Ok(Value::unknown(ty.clone()));
    }
    let full = elements(list).iter().filter(|e| e.as_str().is_some_and(|text| !text.is_empty()));
    Ok(Value::list(Type::String, full.cloned().collect()))
}

fn distinct(context: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let list = arg(args, 0)?;
    if !list.is_wholly_known() {
        return Ok(Value::unknown(ty.clone()));
    }
    let element = ty.element().cloned().unwrap_or(Type::Dynamic);
    Ok(Value::list(element, without_repeats(elements(list), context.work)?))
}

fn is_sequence(ty: &Type) -> bool {
    matches!(ty, Type::List(_) | Type::Set(_) | Type::Tuple(_))
}

fn flatten(_: &Context<'_>, args: &[Value], _: &Type) -> Result<Value, FuncError> {
    let list = arg(args, 0)?;
    if !is_sequence(&list.ty) {
        return Err(FuncError::new("can only flatten lists, sets and tuples"));
    }
    let mut flat = Flat { out: Vec::new(), marks: Marks::NONE, known: true };
    flat.add(list)?;
    let result = if flat.known { Value::tuple(flat.out) } else { Value::dynamic() };
    Ok(result.with_marks(&flat.marks))
}

struct Flat {
    out: Vec<Value>,
    marks: Marks,
    known: bool,
}

impl Flat {
    /// Marks of the sequences themselves go to the result, those of other elements stay with them.
    fn add(&mut self, sequence: &Value) -> Result<(), FuncError> {
        self.marks = self.marks.union(&sequence.marks);
        if certain_length(sequence).is_none() {
            self.known = false;
            return Ok(());
        }
        for element in elements(sequence) {
            if is_sequence(&element.ty) && !element.is_null() {
                self.add(element)?;
                continue;
            }
            self.known &= element.ty != Type::Dynamic || element.is_null();
            if self.out.len() >= MAX_ELEMENTS {
                return Err(too_large());
            }
            self.out.push(element.clone());
        }
        Ok(())
    }
}

fn reverse_type(args: &[Value]) -> Result<Type, FuncError> {
    match &arg(args, 0)?.ty {
        Type::Tuple(types) => Ok(Type::tuple(types.iter().rev().cloned())),
        Type::List(element) | Type::Set(element) => Ok(Type::List(element.clone())),
        other => {
            let name = other.friendly_name();
            Err(FuncError::arg(0, format!("can only reverse list or tuple values, not {name}")))
        }
    }
}

fn reverse(_: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let (list, marks) = arg(args, 0)?.clone().unmark();
    if certain_length(&list).is_none() {
        return Ok(Value::unknown(ty.clone()).with_marks(&marks));
    }
    let backwards = elements(&list).iter().rev().cloned().collect();
    let result = match ty.element() {
        Some(element) => Value::list(element.clone(), backwards),
        None => Value::tuple(backwards),
    };
    Ok(result.with_marks(&marks))
}

/// The checked indices, where both are known.
fn slice_indices(args: &[Value]) -> Result<Option<(usize, usize)>, FuncError> {
    let list = arg(args, 0)?;
    let length = list.ty.tuple_elements().map(<[Type]>::len).or_else(|| list.length());
    let start = slice_index(args, 1, "start", length)?;
    let end = slice_index(args, 2, "end", length)?;
    match (start, end) {
        (Some(start), Some(end)) if start > end => {
            Err(FuncError::arg(1, "start index must not be greater than end index"))
        }
        (Some(start), Some(end)) => Ok(Some((start, end))),
        _ => Ok(None),
    }
}

fn slice_index(
    args: &[Value],
    at: usize,
    which: &str,
    length: Option<usize>,
) -> Result<Option<usize>, FuncError> {
    let value = arg(args, at)?;
    if !value.is_known() {
        return Ok(None);
    }
    let index = whole(value).map_err(|e| FuncError::arg(at, format!("invalid {which} index: {e}")))?;
    let Ok(index) = usize::try_from(index) else {
        return Err(FuncError::arg(at, format!("{which} index must not be less than zero")));
    };
    if length.is_some_and(|length| index > length) {
        let message = format!("{which} index must not be greater than the length of the list");
        return Err(FuncError::arg(at, message));
    }
    Ok(Some(index))
}

fn slice_type(args: &[Value]) -> Result<Type, FuncError> {
    let ty = &arg(args, 0)?.ty;
    match ty {
        Type::Set(_) => Err(FuncError::arg(
            0,
            "cannot slice a set, because its elements do not have indices; explicitly convert to a list if the \
             ordering of the result is not important",
        )),
        Type::List(_) => slice_indices(args).map(|_| ty.clone()),
        Type::Tuple(types) => Ok(match slice_indices(args)? {
            Some((start, end)) => Type::tuple(types.get(start..end).unwrap_or_default().iter().cloned()),
            None => Type::Dynamic,
        }),
        // A list or a tuple, or it fails.
        Type::Dynamic => slice_indices(args).map(|_| Type::Dynamic),
        _ => Err(FuncError::arg(0, "must be a list or tuple value")),
    }
}

fn slice(_: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let (list, marks) = arg(args, 0)?.clone().unmark();
    let Some((start, end)) = slice_indices(args)? else {
        return Ok(Value::unknown(ty.clone()).with_marks(&marks));
    };
    if !list.is_known() {
        // Whatever the elements are: it has so many, or fails.
        let length = end.checked_sub(start).and_then(|n| u64::try_from(n).ok()).unwrap_or_default();
        return Ok(Value::unknown_of_length(ty.clone(), length).with_marks(&marks));
    }
    let part = elements(&list).get(start..end).unwrap_or_default().to_vec();
    let result = match ty.element() {
        Some(element) => Value::list(element.clone(), part),
        None => Value::tuple(part),
    };
    Ok(result.with_marks(&marks))
}

/// Sorts a list. One that can't be sorted yet keeps its length.
fn sort(_: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let list = arg(args, 0)?;
    if !list.is_wholly_known() {
        let own = list.length().and_then(|n| u64::try_from(n).ok());
        let known = list.refinements();
        let refinements = Refinements {
            not_null: true,
            min_len: own.or_else(|| known.and_then(|r| r.min_len)),
            max_len: own.or_else(|| known.and_then(|r| r.max_len)),
            ..Refinements::default()
        };
        return Ok(Value::unknown_refined(ty.clone(), refinements));
    }
    if let Some(at) = elements(list).iter().position(Value::is_null) {
        let message = format!("given list element {at} is null; a null string cannot be sorted");
        return Err(FuncError::new(message));
    }
    let mut sorted = elements(list).to_vec();
    sorted.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
    Ok(Value::list(Type::String, sorted))
}
