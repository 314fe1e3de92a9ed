//! Strict operations on plain values: everything an expression does but choose, iterate and refer.

use super::convert::TypeArg;
use super::{EvalError, Outcome, logic};
use crate::func::{self, Body, Context, Function};
use crate::syntax::{BinaryOp, UnaryOp};
use crate::value::{Data, Marks, Refinements, Type, Value, ops};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A strict operation. Arguments arrive in source order.
#[derive(Clone, Copy)]
pub enum Op<'a> {
    /// `-a`, `!a`
    Unary(UnaryOp),
    /// `a + b` and the like.
    Binary(BinaryOp),
    /// `a.name`
    GetAttr(&'a str),
    /// `a[b]`
    Index,
    /// `[a, b, c]`
    Tuple,
    /// `{ k = v }`, arguments alternating between key and value.
    Object {
        /// True if a key that an earlier item has is an error. If false, the last item counts.
        once: bool,
    },
    /// Concatenation of template parts as strings.
    Template,
    /// A whole template that is one interpolation: the value itself.
    Unwrap,
    /// Combines the results of a splat's steps, one for each item.
    SplatFinish(&'a ops::Shape),
    /// Triples of a tuple `for`.
    ForTuple,
    /// Triples of an object `for`.
    ForObject {
        /// `...`: group values by key.
        group: bool,
    },
    /// Triples of a `%{ for }` directive.
    ForTemplate,
    /// `convert(value, TYPE)`
    Convert(&'a TypeArg),
    /// Anything else that is a function of one plain value, such as the conversion to a variable's type.
    Custom(&'a dyn Fn(&Value) -> Outcome),
    /// A call; with `expand`, the last argument's elements are arguments.
    Call(&'static Function, bool),
}

impl Op<'_> {
    /// Computes the operation on plain values.
    ///
    /// # Errors
    /// Returns the error that Terraform reports for the same operation, in similar words.
    pub fn run(&self, args: &[Value], context: &Context<'_>) -> Outcome {
        for arg in args.iter().filter(|_| self.walks()) {
            context.work.value(arg)?;
        }
        if matches!(self, Op::Template | Op::Convert(_) | Op::Custom(_)) {
            args.iter().try_for_each(|arg| context.work.digits(arg))?;
        }
        let outcome = self.compute(args, context);
        match outcome {
            // It was counted by the bytes of its text, is bounded by them, and may be kept: a walk over it would be one for each argument.
            Ok(value) if self.is_decoding() && !value.is_too_large() => {
                context.work.count_new(&value).map(|()| value)
            }
            outcome => within(outcome, context, self.walks_over_result()),
        }
    }

    /// How often the result is walked over. What is put together of parts is measured with all that is in them before it is made, and once it
    /// is: its type and its data.
    fn walks_over_result(&self) -> u64 {
        if matches!(self, Op::Tuple | Op::Object { .. }) { PUT_TOGETHER } else { 1 }
    }

    /// Returns true if the operation decodes a text.
    pub fn is_decoding(&self) -> bool {
        matches!(self, Op::Call(function, _) if function.decodes)
    }

    /// Returns true if the operation walks over all parts of its operands.
    fn walks(&self) -> bool {
        matches!(self, Op::Binary(_) | Op::Call(..) | Op::Convert(_) | Op::Custom(_))
    }

    fn compute(&self, args: &[Value], context: &Context<'_>) -> Outcome {
        let two = |args: &[Value]| match args {
            [a, b] => Ok((a.clone(), b.clone())),
            _ => Err(EvalError::new("internal error: wrong number of operands")),
        };
        let first = || args.first().cloned().ok_or_else(|| EvalError::new("internal error: no operand"));
        match self {
            Op::Unary(op) => ops::unary(*op, &first()?).map_err(EvalError::from),
            Op::Binary(BinaryOp::And | BinaryOp::Or) => {
                self.run_lazy(&args.iter().cloned().map(Ok).collect::<Vec<_>>(), context)
            }
            Op::Binary(op) => two(args).and_then(|(a, b)| ops::binary(*op, &a, &b).map_err(EvalError::from)),
            Op::GetAttr(name) => ops::get_attr(&first()?, name).map_err(EvalError::from),
            Op::Index => two(args).and_then(|(a, b)| ops::index(&a, &b).map_err(EvalError::from)),
            Op::Tuple => tuple(args.to_vec()),
            Op::Object { once } => object(args, *once),
            Op::Template => template(args),
            Op::Unwrap => first(),
            Op::SplatFinish(shape) => (**shape).clone().finish(args.to_vec()).map_err(|e| {
                let error = EvalError::from(e);
                // Terraform crashed on these, whatever stood around them.
                if context.since(12) == Some(true) {
                    error
                } else {
                    error.declined_for(func::Obstacle::Version)
                }
            }),
            Op::ForTuple => for_tuple(args),
            Op::ForObject { group } => for_object(args, *group),
            Op::ForTemplate => for_template(args),
            Op::Custom(f) => f(&first()?),
            Op::Convert(to) => to.convert(&first()?, context),
            Op::Call(function, expand) => call(function, *expand, args, context),
        }
    }

    /// Returns true if the operation takes outcomes, errors included.
    pub fn lazy(&self) -> bool {
        matches!(
            self,
            Op::Call(Function { body: Body::Lazy(_), .. }, _) | Op::Binary(BinaryOp::And | BinaryOp::Or)
        )
    }

    /// Computes a lazy operation on outcomes.
    ///
    /// # Errors
    /// As the function gives them.
    pub fn run_lazy(&self, args: &[Outcome], context: &Context<'_>) -> Outcome {
        within(self.compute_lazy(args, context), context, 1)
    }

    fn compute_lazy(&self, args: &[Outcome], context: &Context<'_>) -> Outcome {
        match self {
            Op::Binary(op @ (BinaryOp::And | BinaryOp::Or)) => match args {
                [left, right] => logic::apply(*op, left, right, context),
                _ => Err(EvalError::new("internal error: wrong number of operands")),
            },
            Op::Call(function @ Function { body: Body::Lazy(body), .. }, expand) => {
                let run = |args: &[Outcome]| body(args).map_err(|e| func::call::error(function, &e));
                let [rest @ .., last] = args else { return run(args) };
                if !expand {
                    return run(args);
                }
                match spread(&last.clone()?)? {
                    Spread::Unknown(value) => Ok(value),
                    Spread::Known(values) => {
                        run(&rest.iter().cloned().chain(values.into_iter().map(Ok)).collect::<Vec<_>>())
                    }
                }
            }
            _ => Err(EvalError::new("internal error: not a lazy operation")),
        }
    }
}

/// The walks over what is put together of parts.
const PUT_TOGETHER: u64 = 5;

/// A result, if it can be one: of bounded size, and within the work that may be done and the bytes that may be made.
fn within(outcome: Outcome, context: &Context<'_>, walks: u64) -> Outcome {
    let result = match outcome {
        Ok(result) => result,
        // It may quote what it is about.
        Err(e) => return Err(context.work.count_new_text(&e.message).err().unwrap_or(e)),
    };
    if result.is_too_large() {
        return Err(EvalError::declined("The value is too large."));
    }
    context.work.charge_walks(&result, walks)?;
    context.work.count_new(&result)?;
    Ok(result)
}

/// The longest text that a template may give, in bytes.
const MAX_TEXT: usize = 16 << 20;

/// A tuple, or why it is too large to be one.
fn tuple(items: Vec<Value>) -> Outcome {
    Value::check_depth(&items)?;
    Ok(Value::tuple(items))
}

/// An object, or why it is too large to be one.
fn object_of(items: BTreeMap<Arc<str>, Value>) -> Outcome {
    Value::check_depth(items.values())?;
    Ok(Value::object_like(items, None))
}

fn call(function: &'static Function, expand: bool, args: &[Value], context: &Context<'_>) -> Outcome {
    if !expand {
        return func::call(function, args, context);
    }
    let (last, rest) =
        args.split_last().ok_or_else(|| EvalError::new("internal error: no argument to expand"))?;
    match spread(last)? {
        Spread::Unknown(value) => Ok(value),
        Spread::Known(values) => {
            let all: Vec<Value> = rest.iter().cloned().chain(values).collect();
            func::call(function, &all, context)
        }
    }
}

/// The result of `...` on the last argument.
enum Spread {
    Known(Vec<Value>),
    /// The result of the whole call.
    Unknown(Value),
}

fn spread(last: &Value) -> Result<Spread, EvalError> {
    let (plain, marks) = last.clone().unmark();
    if plain.is_null() {
        return Err(EvalError::new(
            "Invalid expanding argument value: The expanding argument (indicated by ...) must not be null.",
        ));
    }
    if !matches!(plain.ty, Type::List(_) | Type::Set(_) | Type::Tuple(_) | Type::Dynamic) {
        return Err(EvalError::new(
            "Invalid expanding argument value: The expanding argument (indicated by ...) must be of a tuple, list, or set type.",
        ));
    }
    if !plain.is_known() {
        return Ok(Spread::Unknown(Value::unknown(Type::Dynamic).with_marks(&marks)));
    }
    Ok(Spread::Known(plain.elements().map(|(_, v)| v.clone().with_marks(&marks)).collect()))
}

/// A string part of a template: the same conversion and the same errors for each part.
fn part_text(part: &Value) -> Result<Option<Arc<str>>, EvalError> {
    if let Data::String(text) = &part.data {
        return Ok(Some(text.clone()));
    }
    if part.is_null() {
        return Err(EvalError::new(
            "Invalid template interpolation value: The expression result is null. Cannot include a null value in a string template.",
        ));
    }
    if !part.is_known() {
        return Ok(None);
    }
    let text = crate::value::convert::convert(part, &Type::String).map_err(|_| {
        EvalError::new(
            "Invalid template interpolation value: Cannot include the given value in a string template: string required.",
        )
    })?;
    Ok(text.as_str().map(Arc::from))
}

fn template(args: &[Value]) -> Outcome {
    let mut marks = Marks::NONE;
    let length = |arg: &Value| if let Data::String(part) = &arg.data { part.len() } else { 0 };
    let mut text = String::with_capacity(args.iter().map(length).sum::<usize>().min(MAX_TEXT));
    let mut known = true;
    for arg in args {
        marks = marks.union(&arg.marks);
        match part_text(arg)? {
            Some(part) if known => {
                if text.len() + part.len() > MAX_TEXT {
                    return Err(EvalError::declined("The text of a template is too long: more than 16 MiB."));
                }
                text.push_str(&part);
            }
            Some(_) => {}
            None => known = false,
        }
    }
    let result = if known { Value::string(&text) } else { prefixed(&text) };
    Ok(result.with_marks(&marks))
}

/// A template whose first unknown part comes after `prefix`.
fn prefixed(prefix: &str) -> Value {
    // What follows may combine with the last letter, and with `<`, `=` and `>`, to another character.
    let safe = prefix.trim_end_matches(|c: char| !c.is_ascii());
    let safe =
        safe.strip_suffix(|c: char| c.is_ascii_alphabetic() || matches!(c, '<' | '=' | '>')).unwrap_or(safe);
    let prefix = Some(Arc::from(safe)).filter(|p: &Arc<str>| !p.is_empty());
    Value::unknown_refined(Type::String, Refinements { not_null: true, prefix, ..Refinements::default() })
}

pub(super) fn key_text(key: &Value, null_message: &str) -> Result<(Option<Arc<str>>, Marks), EvalError> {
    let (plain, marks) = key.clone().unmark();
    if plain.is_null() {
        return Err(EvalError::new(null_message));
    }
    if let Data::String(text) = &plain.data {
        return Ok((Some(text.clone()), marks));
    }
    if !plain.is_known() {
        return Ok((None, marks));
    }
    let text = crate::value::convert::convert(&plain, &Type::String).map_err(|e| {
        EvalError::new(format!("Incorrect value type: Can't use this value as a key: {}.", e.message))
    })?;
    Ok((text.as_str().map(Arc::from), marks))
}

/// A key as a message names it.
fn shown_key(name: &str, marks: &Marks) -> String {
    func::hidden::word(marks).map_or_else(|| format!("{name:?}"), str::to_owned)
}

fn object(args: &[Value], once: bool) -> Outcome {
    let mut items = BTreeMap::new();
    let mut marks = Marks::NONE;
    let mut known = true;
    for pair in args.chunks_exact(2) {
        let [key, value] = pair else { continue };
        let (name, own) = key_text(key, "Null value as key: Can't use a null value as a key.")?;
        marks = marks.union(&own);
        match name {
            Some(name) if once && items.contains_key(&name) => {
                let name = shown_key(&name, &marks);
                return Err(EvalError::new(format!(
                    "Duplicate object attribute: an attribute named {name} is there already."
                )));
            }
            Some(name) => {
                items.insert(name, value.clone());
            }
            None => {
                known = false;
                marks = marks.union(&value.marks_deep());
            }
        }
    }
    if !known {
        marks = items.values().fold(marks, |m, v| m.union(&v.marks_deep()));
        return Ok(Value::unknown(Type::Dynamic).with_marks(&marks));
    }
    Ok(object_of(items)?.with_marks(&marks))
}

/// The error for an `if` clause that isn't a bool.
pub(crate) const NO_BOOL: &str =
    "Invalid 'for' condition: The 'if' clause value is invalid: a bool is required.";

/// Returns true if the `if` clause keeps an element; `None` if that isn't known.
pub(crate) fn included(cond: &Value) -> Result<(Option<bool>, Marks), EvalError> {
    let (plain, marks) = cond.clone().unmark();
    if plain.is_null() {
        return Err(EvalError::new("Condition is null: The value of the 'if' clause must not be null."));
    }
    let plain = crate::value::convert::convert(&plain, &Type::Bool).map_err(|_| EvalError::new(NO_BOOL))?;
    Ok((plain.as_bool(), marks))
}

fn for_tuple(args: &[Value]) -> Outcome {
    let mut out = Vec::with_capacity(args.len() / 3);
    let mut marks = Marks::NONE;
    let mut known = true;
    for triple in args.chunks_exact(3) {
        let [cond, _, value] = triple else { continue };
        let (take, own) = included(cond)?;
        marks = marks.union(&own);
        match take {
            Some(true) => out.push(value.clone()),
            Some(false) => {}
            None => known = false,
        }
    }
    if !known {
        marks = out.iter().fold(marks, |m, v| m.union(&v.marks_deep()));
        return Ok(Value::unknown(Type::Dynamic).with_marks(&marks));
    }
    Ok(tuple(out)?.with_marks(&marks))
}

fn for_object(args: &[Value], group: bool) -> Outcome {
    let mut grouped: BTreeMap<Arc<str>, Vec<Value>> = BTreeMap::new();
    let mut marks = Marks::NONE;
    let mut known = true;
    for triple in args.chunks_exact(3) {
        let [cond, key, value] = triple else { continue };
        let (take, own) = included(cond)?;
        marks = marks.union(&own);
        match take {
            Some(true) => {}
            Some(false) => continue,
            None => {
                known = false;
                continue;
            }
        }
        let (name, own) =
            key_text(key, "Invalid object key: Key expression in 'for' expression must not be null.")?;
        marks = marks.union(&own);
        let Some(name) = name else {
            known = false;
            marks = marks.union(&value.marks_deep());
            continue;
        };
        let values = grouped.entry(name.clone()).or_default();
        if !values.is_empty() && !group {
            let name = shown_key(&name, &marks);
            return Err(EvalError::new(format!(
                "Duplicate object key: Two different items produced the key {name} in this 'for' expression. If duplicates are expected, \
                 use the ellipsis (...) after the value expression to enable grouping by key."
            )));
        }
        values.push(value.clone());
    }
    if !known {
        marks = grouped.values().flatten().fold(marks, |m, v| m.union(&v.marks_deep()));
        return Ok(Value::unknown(Type::Dynamic).with_marks(&marks));
    }
    let items: BTreeMap<Arc<str>, Value> = grouped
        .into_iter()
        .filter_map(|(k, mut v)| if group { Some((k, Value::tuple(v))) } else { v.pop().map(|v| (k, v)) })
        .collect();
    Ok(object_of(items)?.with_marks(&marks))
}

fn for_template(args: &[Value]) -> Outcome {
    let texts: Vec<Value> = args.chunks_exact(3).filter_map(|t| t.get(2).cloned()).collect();
    template(&texts)
}
