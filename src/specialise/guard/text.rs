//! The text of a guard: condition, message, block, and where it is added.

use crate::syntax::emit::string_literal;
use crate::syntax::{Block, trivia};
use crate::text::{Edit, Span};
use crate::trace::{Guard, GuardKind, Subject};
use crate::value::{Type, Value, hcl};

/// Whole lines added at the end of a block, behind an empty one.
pub(super) fn appended(text: &str, block: &Block, added: &str) -> Edit {
    let newline = trivia::line_ending(text);
    match trivia::before_closing_brace(text, block.braces) {
        Some(at) => {
            let gap = if block.body.items.is_empty() { "" } else { newline };
            Edit { span: Span { start: at, end: at }, text: format!("{gap}{added}") }
        }
        None => {
            // A block on one line: its only argument gets a line of its own.
            let inner = Span { start: block.braces.start + 1, end: block.braces.end.saturating_sub(1) };
            let indent = trivia::inner_indent(text, block.span.start);
            let own = text.get(inner.range()).unwrap_or("").trim();
            let own = if own.is_empty() { String::new() } else { format!("{indent}{own}{newline}{newline}") };
            let outer = trivia::line_indent(text, block.span.start);
            Edit { span: inner, text: format!("{newline}{own}{added}{outer}") }
        }
    }
}

/// A guard's values as literals, where all of them can be written.
pub(super) fn written(guard: &Guard) -> Option<Vec<String>> {
    guard.values.iter().map(hcl::to_hcl).collect()
}

/// A block with a condition and a message, under its comment.
pub(super) fn rule(indent: &str, kind: &str, condition: &str, message: &str, newline: &str) -> String {
    let message = string_literal(message);
    let lines = [
        format!("{indent}# phi: the values that are specialised"),
        format!("{indent}{kind} {{"),
        format!("{indent}  condition     = {condition}"),
        format!("{indent}  error_message = {message}"),
        format!("{indent}}}"),
    ];
    lines.iter().map(|l| format!("{l}{newline}")).collect()
}

pub(super) fn condition(
    subject: &str,
    nullable: bool,
    guard: &Guard,
    ty: &Type,
    values: &[String],
) -> String {
    if let (GuardKind::AtMost(operand), [most]) = (&guard.kind, values) {
        return format!("{operand} <= {most}");
    }
    if is_any_bool(guard, ty) {
        return format!("{subject} != null");
    }
    let primitive =
        matches!(ty, Type::String | Type::Number | Type::Bool) || guard.values.iter().all(is_primitive);
    if let (Subject::Data(_), false) = (&guard.subject, primitive) {
        // Its type is the provider's. What the gates would not take for equal must not pass here.
        let typed = guard.values.iter().map(|v| hcl::to_typed_hcl(v).unwrap_or_else(|| "null".to_owned()));
        return typed.map(|v| format!("{subject} == {v}")).collect::<Vec<_>>().join(" || ");
    }
    match (values, primitive) {
        // A list is never equal to a tuple, so compound values are compared as text.
        ([only], false) => format!("jsonencode({subject}) == jsonencode({only})"),
        (many, false) => {
            let all: Vec<String> = many.iter().map(|v| format!("jsonencode({v})")).collect();
            format!("contains([{}], jsonencode({subject}))", all.join(", "))
        }
        ([only], true) => format!("{subject} == {only}"),
        // `contains` takes no null as what it looks for.
        (many, true) if guard.values.iter().any(Value::is_null) => {
            many.iter().map(|v| format!("{subject} == {v}")).collect::<Vec<_>>().join(" || ")
        }
        // Else Terraform would say that of null, and not what the values are.
        (many, true) if nullable => format!("try(contains([{}], {subject}), false)", many.join(", ")),
        (many, true) => format!("contains([{}], {subject})", many.join(", ")),
    }
}

fn is_primitive(value: &Value) -> bool {
    matches!(value.ty, Type::String | Type::Number | Type::Bool)
}

pub(super) fn message(name: &str, guard: &Guard, ty: &Type, values: &[String]) -> String {
    if is_any_bool(guard, ty) {
        return format!(
            "{name} must be true or false: null is not specialised. Give it a `default = null` if it is meant."
        );
    }
    let values = values.join(", ");
    match &guard.kind {
        GuardKind::Universe if guard.values.len() == 1 => {
            format!(
                "{name} must be {values}: only this value is specialised. Add others to its universe in phi.hcl."
            )
        }
        GuardKind::Universe => {
            format!(
                "{name} must be one of {values}: only these are specialised. Add others to its universe in phi.hcl."
            )
        }
        GuardKind::AtMost(operand) => {
            format!("{operand} must be at most {values}: what is larger has no bin. Add one in phi.hcl.")
        }
        GuardKind::Default => {
            format!("{name} must be {values}: only the default is specialised. List other values in phi.hcl.")
        }
    }
}

/// Returns true if a guard leaves out nothing but null.
pub(super) fn is_any_bool(guard: &Guard, ty: &Type) -> bool {
    let bools = guard.values.iter().filter(|v| v.ty == Type::Bool && !v.is_null()).count();
    *ty == Type::Bool && bools == 2 && guard.values.len() == 2
}
