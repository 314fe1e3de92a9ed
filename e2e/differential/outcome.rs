//! What an expression comes to, on either side.

use std::fmt;
use tf_phi::eval::standalone::eval_text_in;
use tf_phi::value::json;

/// An outcome in a form that can be compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The JSON of `[value, is a list, is a set, is a map]`.
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

/// The value of an expression together with what kind of collection it is.
fn described(text: &str) -> String {
    let kind = |name: &str| format!(r#"try(t == {name}(t), "-")"#);
    let kinds = ["tolist", "toset", "tomap"].map(kind).join(", ");
    format!("[for t in [{text}] : [t, {kinds}]][0]")
}

/// The expression that Terraform prints.
pub fn wrapped(text: &str) -> String {
    format!("jsonencode({})", described(text))
}

/// Our outcome.
pub fn ours(text: &str) -> Outcome {
    match eval_text_in(&described(text), &crate::oracle::Folder) {
        Ok(value) if !value.is_wholly_known() => Outcome::Unknown,
        Ok(value) => match json::encode(&value) {
            Ok(json) => Outcome::Value(json),
            Err(e) => Outcome::Error(e.message),
        },
        Err(e) if e.limit => Outcome::Declined(e.message.to_string()),
        Err(e) => Outcome::Error(e.message.to_string()),
    }
}
