//! Values as HCL source.
//!
//! Input: a value. Output: an expression of literals on one line. What a literal can't express is lost, unless it is asked
//! for: sets and lists print as tuples, maps as objects, typed nulls as `null`; Terraform converts them back where a type is
//! wanted. Where they are asked for, a collection is converted, and what is empty or null takes its type from the arm of a
//! conditional that is never taken: `tolist([])` is a list of nothing, and equals no empty list of strings (measured on 1.11).
//! Deliberately absent: heredocs, indentation.

pub use super::literal_text::{is_identifier, is_print, key, quote};

use super::{Data, Type, Value};

/// The value as an expression of literals; `None` where anything in it is unknown, marked or infinite.
pub fn to_hcl(value: &Value) -> Option<String> {
    let mut out = String::new();
    append(value, false, &mut out)?;
    Some(out)
}

/// The same with its type, for where Terraform wants none and keeps the one that it gets: `toset(["a"])`.
pub fn to_typed_hcl(value: &Value) -> Option<String> {
    let mut out = String::new();
    append(value, true, &mut out)?;
    Some(out)
}

/// The function that gives a literal a type which it doesn't have by itself.
fn conversion(value: &Value) -> Option<&'static str> {
    Some(match (&value.ty, &value.data) {
        (Type::String, Data::Null) => "tostring",
        (Type::Number, Data::Null) => "tonumber",
        (Type::Bool, Data::Null) => "tobool",
        (_, Data::Null) => return None,
        (Type::List(_), _) => "tolist",
        (Type::Set(_), _) => "toset",
        (Type::Map(_), _) => "tomap",
        _ => return None,
    })
}

/// An example of a value that a literal gives no type to: what is empty, and null of a compound type.
fn example(value: &Value) -> Option<String> {
    let empty = match (&value.ty, &value.data) {
        (Type::List(_) | Type::Set(_) | Type::Map(_), Data::Null) => true,
        (Type::Tuple(_) | Type::Object(_), Data::Null) => true,
        (Type::List(of) | Type::Set(of), Data::Seq(elements)) => elements.is_empty() && **of != Type::Dynamic,
        (Type::Map(of), Data::Map(entries)) => entries.is_empty() && **of != Type::Dynamic,
        _ => false,
    };
    empty.then(|| of_type(&value.ty))
}

/// Any value of a type.
fn of_type(ty: &Type) -> String {
    let within = |of: &Type| match of {
        Type::Dynamic => String::new(),
        of => of_type(of),
    };
    match ty {
        Type::Dynamic => "null".to_owned(),
        Type::String => "\"\"".to_owned(),
        Type::Number => "0".to_owned(),
        Type::Bool => "false".to_owned(),
        Type::List(of) => format!("tolist([{}])", within(of)),
        Type::Set(of) => format!("toset([{}])", within(of)),
        Type::Map(of) if **of == Type::Dynamic => "tomap({})".to_owned(),
        Type::Map(of) => format!("tomap({{ a = {} }})", of_type(of)),
        Type::Tuple(all) => format!("[{}]", all.iter().map(of_type).collect::<Vec<_>>().join(", ")),
        Type::Object(object) if object.attrs.is_empty() => "{}".to_owned(),
        Type::Object(object) => {
            let one = |(name, ty): (&std::sync::Arc<str>, &Type)| format!("{} = {}", key(name), of_type(ty));
            format!("{{ {} }}", object.attrs.iter().map(one).collect::<Vec<_>>().join(", "))
        }
    }
}

fn append(value: &Value, typed: bool, out: &mut String) -> Option<()> {
    if !value.marks.is_empty() {
        return None;
    }
    if let Some(example) = example(value).filter(|_| typed) {
        out.push_str("false ? ");
        out.push_str(&example);
        out.push_str(" : ");
        return literal(value, typed, out);
    }
    if let Some(function) = conversion(value).filter(|_| typed) {
        out.push_str(function);
        out.push('(');
        literal(value, typed, out)?;
        out.push(')');
        return Some(());
    }
    literal(value, typed, out)
}

fn literal(value: &Value, typed: bool, out: &mut String) -> Option<()> {
    match &value.data {
        Data::Unknown(_) => return None,
        Data::Number(number) if number.is_infinite() => return None,
        Data::Null => out.push_str("null"),
        Data::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Data::Number(number) => out.push_str(&number.to_string()),
        Data::String(text) => out.push_str(&quote(text)),
        Data::Seq(elements) => {
            out.push('[');
            for (i, element) in elements.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { ", " });
                append(element, typed, out)?;
            }
            out.push(']');
        }
        Data::Map(entries) if entries.is_empty() => out.push_str("{}"),
        Data::Map(entries) => {
            for (i, (name, element)) in entries.iter().enumerate() {
                out.push_str(if i == 0 { "{ " } else { ", " });
                out.push_str(&key(name));
                out.push_str(" = ");
                append(element, typed, out)?;
            }
            out.push_str(" }");
        }
    }
    Some(())
}
