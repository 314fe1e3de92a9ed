//! Errors of functions without the values of sensitive and ephemeral arguments.
//!
//! Terraform says `(sensitive value)` in the errors of some functions, and quotes the value in those of others. Here no error holds any
//! of it. In: an error, the arguments, and the call itself. Out: the error, in which a value that stands there whole is named by its
//! mark. What an error tells of a value besides (a part of it, a place in it) can't be seen in its text. So the call is made again with
//! another value in its place: where that fails in the same words, the words tell nothing of the value; else they aren't shown.

use super::{FuncError, Obstacle};
use crate::value::{Data, Mark, Marks, Value};
use std::sync::Arc;

/// What stands in place of a reason that would tell something of a value.
const UNTOLD: &str = "an argument is sensitive, so that what is wrong with it isn't shown";

/// The same for a number.
const OTHER_NUMBER: u64 = 7919;

/// The value that an error is tried with.
const OTHER: &str = "\u{fffd}other\u{fffd}";

/// The error without values of marked arguments.
pub(super) fn without_values(
    error: FuncError,
    args: &[Value],
    again: &dyn Fn(&[Value]) -> Result<Value, FuncError>,
) -> FuncError {
    let marks = args.iter().fold(Marks::NONE, |marks, arg| marks.union(&arg.marks_deep()));
    // Where versions differ is said in words of our own.
    let word = word(&marks).filter(|_| error.obstacle != Obstacle::Version);
    let Some(word) = word else { return error };
    let others: Vec<Value> =
        args.iter().map(|arg| if is_hidden(arg) { other(arg) } else { arg.clone() }).collect();
    let told = redacted(&error.message, args, word);
    let same = match again(&others) {
        Err(second) => redacted(&second.message, &others, word) == told,
        Ok(_) => false,
    };
    FuncError { message: if same { told } else { UNTOLD.to_owned() }, ..error }
}

/// A value by its marks, as Terraform says it; nothing where it may be shown.
pub fn word(marks: &Marks) -> Option<&'static str> {
    match () {
        () if marks.is_secret() => Some("(sensitive value)"),
        () if marks.has(Mark::Ephemeral) => Some("(ephemeral value)"),
        () => None,
    }
}

fn is_hidden(value: &Value) -> bool {
    word(&value.marks_deep()).is_some()
}

/// The same value with other texts and numbers.
fn other(value: &Value) -> Value {
    let data = match &value.data {
        Data::String(_) => Data::String(OTHER.into()),
        Data::Bool(is) => Data::Bool(!is),
        Data::Number(_) => Value::number(OTHER_NUMBER).data,
        Data::Seq(items) => Data::Seq(items.iter().map(other).collect()),
        Data::Map(entries) => {
            Data::Map(Arc::new(entries.iter().map(|(k, v)| (k.clone(), other(v))).collect()))
        }
        own => own.clone(),
    };
    Value { data, ..value.clone() }
}

/// A message in which the texts of marked arguments are named by their mark.
fn redacted(message: &str, args: &[Value], word: &str) -> String {
    let mut texts = Vec::new();
    args.iter().filter(|arg| is_hidden(arg)).for_each(|arg| leaves(arg, &mut texts));
    // The longest first, so that none is cut by a part of it.
    texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    texts.iter().filter(|text| !text.is_empty()).fold(message.to_owned(), |message, text| {
        [format!("{text:?}"), format!("\"{text}\""), text.clone()]
            .iter()
            .fold(message, |m, form| m.replace(form.as_str(), word))
    })
}

/// The texts in a value, and its numbers as they are written.
fn leaves(value: &Value, out: &mut Vec<String>) {
    match &value.data {
        Data::String(text) => out.push(text.to_string()),
        Data::Number(number) => out.push(number.to_string()),
        Data::Seq(items) => items.iter().for_each(|item| leaves(item, out)),
        Data::Map(entries) => entries.iter().for_each(|(key, value)| {
            out.push(key.to_string());
            leaves(value, out);
        }),
        Data::Bool(_) | Data::Null | Data::Unknown(_) => {}
    }
}
