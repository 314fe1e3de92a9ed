//! What an expression comes to, on either side.

use crate::evaluated::eval_text_in;
use std::fmt;
use std::sync::Arc;
use tf_phi::value::{Mark, Type, json};

/// An outcome in a form that can be compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// JSON and, without spaces and commas, the type; whether anything in it is sensitive.
    Value(String),
    /// Known only later.
    Unknown,
    /// An error; the message is not compared.
    Error(String),
    /// Ours only: an answer that the program declines to give.
    Declined(String),
}

impl Outcome {
    /// Whether the second, Terraform's, is what the first one says; `lenient`: saying nothing is fine too.
    pub fn agrees_with(&self, terraform: &Outcome, lenient: bool) -> bool {
        match (self, terraform) {
            (Outcome::Value(a), Outcome::Value(b)) => a == b,
            (Outcome::Error(_), Outcome::Error(_)) | (Outcome::Unknown, Outcome::Unknown) => true,
            (Outcome::Declined(_) | Outcome::Unknown, _) => lenient,
            _ => false,
        }
    }

    /// A value, without marks; the type as the console prints it.
    pub fn value(json: &str, ty: &str, sensitive: bool) -> Outcome {
        let ty: String = ty.chars().filter(|c| !c.is_whitespace() && *c != ',').collect();
        Outcome::Value(format!("{json} of {ty}{}", if sensitive { ", sensitive" } else { "" }))
    }

    /// One word.
    pub fn kind(&self) -> &'static str {
        match self {
            Outcome::Value(_) => "value",
            Outcome::Unknown => "unknown",
            Outcome::Error(_) => "error",
            Outcome::Declined(_) => "declined",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Value(json) => f.write_str(json),
            Outcome::Unknown => f.write_str("unknown"),
            Outcome::Error(message) => write!(f, "error ({message})"),
            Outcome::Declined(message) => write!(f, "declined ({message})"),
        }
    }
}

/// The expression whose value is compared.
pub fn wrapped(text: &str) -> String {
    format!("[{text}]")
}

/// Our outcome.
pub fn ours(text: &str) -> Outcome {
    match eval_text_in(&wrapped(text), &crate::oracle::folder()) {
        Ok(value) if !value.is_wholly_known() => Outcome::Unknown,
        Ok(value) => match json::encode(&value.clone().unmark_deep().0) {
            Ok(json) => Outcome::value(&json, &shown(&value.ty), value.has_mark_deep(Mark::Sensitive)),
            Err(e) => Outcome::Error(e.message),
        },
        Err(e) if e.limit => Outcome::Declined(e.message.to_string()),
        Err(e) => Outcome::Error(e.message.to_string()),
    }
}

/// A type as `type()` of the console prints it, apart from layout.
pub fn shown(ty: &Type) -> String {
    match ty {
        Type::Dynamic => "dynamic".to_owned(),
        Type::String | Type::Number | Type::Bool => ty.to_string(),
        Type::List(e) => format!("list({})", shown(e)),
        Type::Set(e) => format!("set({})", shown(e)),
        Type::Map(e) => format!("map({})", shown(e)),
        Type::Tuple(types) => format!("tuple([{}])", types.iter().map(shown).collect::<String>()),
        Type::Object(object) => {
            let attr = |(name, ty): (&Arc<str>, &Type)| format!("{name}:{}", shown(ty));
            format!("object({{{}}})", object.attrs.iter().map(attr).collect::<String>())
        }
    }
}
