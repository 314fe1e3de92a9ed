//! `regex`, `regexall`, and the replacement by a pattern that `replace` offers.
//!
//! [`translate`](crate::func::go_compat::regex::translate) turns a pattern of Go's RE2 syntax into one of the `regex` crate, which has the same leftmost-first
//! semantics; what means something else there, or is not sure to mean the same, is declined. [`expand`] fills in
//! replacement templates.
//! Sources of the semantics: go-cty `stdlib/regexp.go`, Go's `regexp` and `regexp/syntax`.

mod expand;
mod pattern;

pub(super) use pattern::Pattern;

use crate::func::args::{arg, check_elements, check_text, string, text};
use crate::func::go_compat::regex::{cost, translate};
use crate::func::unicode::is_assigned;
use crate::func::{Context, FuncError, Function, Param, Returns, Want};
use crate::value::{Type, Value};
use ::regex::{Captures, RegexBuilder};
use std::cell::RefCell;
use std::rc::Rc;

const PARAMS: &[Param] = &[Param::new("pattern", Want::String), Param::new("string", Want::String)];

/// Bytes that a compiled pattern may take.
const MAX_SIZE: usize = 4 << 20;

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new(
        "regex",
        PARAMS,
        Returns::Computed(first_type),
        first,
        "What a pattern captures at its first match. Terraform docs: regex; go-cty RegexFunc.",
    ),
    Function::new(
        "regexall",
        PARAMS,
        Returns::Computed(|args| Ok(Type::list(first_type(args)?))),
        all,
        "What a pattern captures at each of its matches. Terraform docs: regexall; go-cty RegexAllFunc.",
    ),
];

/// The number of patterns that a thread keeps: an expression uses the same ones again and again.
const KEPT: usize = 8;

thread_local! {
    /// The patterns that were used last, the very last one at the end.
    static LAST: RefCell<Vec<(Box<str>, Rc<Pattern>)>> = const { RefCell::new(Vec::new()) };
}

/// A pattern of Go's syntax, compiled where it wasn't among the last ones.
fn compile(pattern: &str) -> Result<Rc<Pattern>, FuncError> {
    LAST.with_borrow_mut(|last| {
        let (text, compiled) = match last.iter().position(|(text, _)| **text == *pattern) {
            Some(at) => last.remove(at),
            None => (Box::from(pattern), Rc::new(compiled(pattern)?)),
        };
        last.drain(..last.len().saturating_sub(KEPT - 1));
        last.push((text, Rc::clone(&compiled)));
        Ok(compiled)
    })
}

/// The same for a call, which counts as if it compiled the pattern: what a thread has kept must not make a difference.
fn counted(pattern: &str, context: &Context<'_>) -> Result<Rc<Pattern>, FuncError> {
    let cost = cost::of(&translate::translate(pattern)?.pattern);
    context.work.call(cost).map_err(|e| FuncError::from(&e))?;
    compile(pattern)
}

/// The cost of the largest pattern that is compiled, in expressions.
const MOST_COST: u64 = 50_000;

/// The number of bytes that a simple pattern may be searched for in while an expression is evaluated, and the cost of compiling a pattern
/// that makes a search as long again.
const SEARCHED: u64 = 64;
const COMPLEX: u64 = 64;

/// The number of bytes of a template that are filled in while an expression is evaluated.
const FILLED_IN: u64 = 32;

/// Counts a search from a place on. Where a match may be of any length it may go on to the end of the text, whatever it finds, and so may
/// each after it; else all searches together go over the text once, and the first counts it.
fn count_search(context: &Context<'_>, pattern: &Pattern, text: &str, from: usize) -> Result<(), FuncError> {
    let rest = text.len().saturating_sub(from);
    let bytes = match pattern.longest_match {
        Some(longest) if from > 0 => longest.min(rest),
        _ => rest,
    };
    let each = 1 + pattern.cost / COMPLEX;
    context.work.call((bytes as u64).saturating_mul(each) / SEARCHED).map_err(|e| FuncError::from(&e))
}

fn compiled(pattern: &str) -> Result<Pattern, FuncError> {
    let translate::Translated { pattern, names } = translate::translate(pattern)?;
    let cost = cost::of(&pattern);
    // What is far too large is told by its text: to find out by compiling takes a while.
    if cost > MOST_COST {
        return Err(FuncError::unsupported("this pattern is not supported"));
    }
    RegexBuilder::new(&pattern)
        .size_limit(MAX_SIZE)
        .dfa_size_limit(MAX_SIZE)
        .nest_limit(100)
        .build()
        .map(|regex| Pattern { regex, names, cost, longest_match: cost::longest_match(&pattern) })
        .map_err(|_| FuncError::unsupported("this pattern is not supported"))
}

/// Patterns may ask for properties, which must not have changed since.
fn check_haystack(text: &str) -> Result<(), FuncError> {
    match text.chars().find(|c| !is_assigned(*c)) {
        Some(c) => {
            Err(FuncError::unsupported(format!("whether {c:?} matches depends on the version of Unicode")))
        }
        None => Ok(()),
    }
}

fn first_type(args: &[Value]) -> Result<Type, FuncError> {
    if !arg(args, 0)?.is_known() {
        return Ok(Type::Dynamic);
    }
    let about_pattern = |e: FuncError| FuncError { arg: Some(0), ..e };
    let pattern = compile(text(args, 0)?).map_err(about_pattern)?;
    let names = &pattern.names;
    let named = names.iter().flatten().count();
    if names.is_empty() {
        Ok(Type::String)
    } else if named == 0 {
        Ok(Type::tuple(names.iter().map(|_| Type::String)))
    } else if named == names.len() {
        Ok(Type::object(names.iter().flatten().map(|n| (n.as_str(), Type::String))))
    } else {
        let message = "invalid regexp pattern: cannot mix both named and unnamed capture groups";
        Err(FuncError::arg(0, message))
    }
}

fn captured(pattern: &Pattern, captures: &Captures<'_>, ty: &Type) -> Value {
    let group =
        |i: usize| captures.get(i).map_or_else(|| Value::null(Type::String), |m| Value::string(m.as_str()));
    match ty {
        Type::String => group(0),
        Type::Tuple(types) => Value::tuple((1..=types.len()).map(group).collect()),
        // The last one of a name counts, though it took no part.
        _ => Value::object(
            pattern.names.iter().zip(1..).filter_map(|(name, i)| Some((name.as_deref()?, group(i)))),
        ),
    }
}

fn first(context: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let (pattern, haystack) = (counted(text(args, 0)?, context)?, text(args, 1)?);
    check_haystack(haystack)?;
    count_search(context, &pattern, haystack, 0)?;
    match pattern.regex.captures(haystack) {
        Some(captures) => Ok(captured(&pattern, &captures, ty)),
        None => Err(FuncError::new("pattern did not match any part of the given string")),
    }
}

fn all(context: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let (pattern, haystack) = (counted(text(args, 0)?, context)?, text(args, 1)?);
    check_haystack(haystack)?;
    let element = ty.element().cloned().unwrap_or(Type::String);
    let mut found = Vec::new();
    count_search(context, &pattern, haystack, 0)?;
    for captures in pattern.regex.captures_iter(haystack) {
        found.push(captured(&pattern, &captures, &element));
        check_elements(found.len().saturating_mul(pattern.regex.captures_len()))?;
        count_search(context, &pattern, haystack, captures.get(0).map_or(0, |whole| whole.end()))?;
    }
    Ok(Value::list(element, found))
}

/// Replaces every match of a pattern.
pub(super) fn replace(
    context: &Context<'_>,
    haystack: &str,
    pattern: &str,
    template: &str,
) -> Result<Value, FuncError> {
    let pattern = counted(pattern, context)?;
    check_haystack(haystack)?;
    let mut out = String::new();
    let mut from = 0;
    // Whoever refers to groups by name looks through all names.
    let filling = (template.len() as u64).saturating_mul(1 + pattern.names.len() as u64 / 16) / FILLED_IN;
    count_search(context, &pattern, haystack, 0)?;
    for captures in pattern.regex.captures_iter(haystack) {
        let Some(whole) = captures.get(0) else { continue };
        out.push_str(haystack.get(from..whole.start()).unwrap_or_default());
        from = whole.end();
        count_search(context, &pattern, haystack, from)?;
        context.work.call(filling).map_err(|e| FuncError::from(&e))?;
        expand::expand(template, &pattern, &captures, &mut out);
        check_text(out.len())?;
    }
    out.push_str(haystack.get(from..).unwrap_or_default());
    string(out)
}
