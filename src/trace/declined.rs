//! Why no answer is given where Terraform might give one.
//!
//! An evaluation that is declined says so by a flag and a sentence of its own. What can be done about it depends on the
//! kind of thing that stood in the way, which is told by the words of those who decline; the tests hold the two together.

use super::Reason;
use crate::eval::EvalError;
use crate::issue::Code;
use crate::text::Place;

/// What stood in the way.
enum Kind {
    /// A file that is no part of the configuration.
    Outside,
    /// Versions of Terraform differ.
    Version,
    /// Too much work.
    Size,
}

fn kind(message: &str) -> Kind {
    if message.contains("outside the configuration") || message.contains("is no part of the configuration") {
        return Kind::Outside;
    }
    match message.contains("Since Terraform") || message.contains("the version of Terraform") {
        true => Kind::Version,
        false => Kind::Size,
    }
}

/// The reason of an evaluation that was declined.
pub(super) fn reason(error: &EvalError, place: Option<Place>) -> Reason {
    let message = bare(&error.message);
    match kind(message) {
        Kind::Outside => {
            let why = format!("{message}: what it holds may change, or differ from machine to machine.");
            Reason::new(Code::Undecodable, why, place).fix(
                "Copy what is needed into the module's own folder and read it there, as in \
                 `file(\"${path.module}/NAME\")`; or pass the value in as a variable whose values are listed.",
                "",
            )
        }
        Kind::Version => {
            let why = format!(
                "versions of Terraform differ in what they give where a value is null: {}.",
                message.trim_end_matches('.')
            );
            Reason::new(Code::PlanStability, why, place).fix(
                "Exclude null: give each variable that decides here its type and `nullable = false`, or put a value in \
                 its place with `coalesce(...)`.",
                "",
            )
        }
        Kind::Size => too_large(message, place),
    }
}

/// The reason that the work has become too much.
pub(super) fn too_large(what: &str, place: Option<Place>) -> Reason {
    let why = format!("bounded, but too large to specialize: {}.", what.trim_end_matches('.'));
    Reason::new(Code::TooLarge, why, place).fix(
        "Narrow what it depends on, with a `validation` block or a `universe` in `phi.hcl` that lists fewer values; or \
         write the value as a literal.",
        "",
    )
}

/// The part of a message that says what is the matter, without Terraform's words around it.
fn bare(message: &str) -> &str {
    let mut rest = message.trim();
    for head in ["Operation failed: ", "Error during operation: ", "Error in function call: "] {
        rest = rest.strip_prefix(head).unwrap_or(rest);
    }
    if let Some((_, tail)) =
        rest.strip_prefix("Call to function \"").and_then(|r| r.split_once("\" failed: "))
    {
        rest = tail;
    }
    rest.trim_end_matches('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(message: &str) -> Reason {
        reason(&EvalError::declined(message), None)
    }

    #[test]
    fn names_what_stands_in_the_way() {
        let text = "Error in function call: Call to function \"file\" failed: /etc/hostname lies outside the configuration.";
        let outside = said(text);
        assert_eq!(outside.code, Code::Undecodable);
        assert!(outside.why.starts_with("/etc/hostname lies outside the configuration: "), "{}", outside.why);
        let version =
            said("Error during operation: argument must not be null. Since Terraform 1.12 this is no error.");
        assert_eq!(version.code, Code::PlanStability);
        let size = said("too many steps.");
        assert_eq!(
            (size.code, size.why.as_str()),
            (Code::TooLarge, "bounded, but too large to specialize: too many steps.")
        );
    }
}
