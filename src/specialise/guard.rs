//! Guards: validation blocks that keep out the values for which nothing was specialised.

use crate::config::{Config, Module};
use crate::issue::{Code, Issue};
use crate::syntax::trivia;
use crate::text::{Edit, SourceId, Span};
use crate::trace::{Guard, GuardKind};
use crate::value::{Type, Value, hcl};

/// The edit that adds a guard to its variable's block.
///
/// # Errors
/// Where the variable is declared in JSON, or a value can't be written.
pub fn edit(config: &Config, module: &Module, guard: &Guard) -> Result<(SourceId, Edit), Box<Issue>> {
    let name = &guard.variable;
    let unsupported = |why: &str| {
        Box::new(Issue::error(Code::Unsupported, format!("no validation can be added to var.{name}"), why))
    };
    let variable = module.variables.get(name).ok_or_else(|| unsupported("It is not declared."))?;
    if variable.decl.json {
        return Err(unsupported("It is declared in JSON; files in JSON are not rewritten."));
    }
    let block = &variable.decl.block;
    let source = config.sources.get(block.file).ok_or_else(|| unsupported("Its file is not loaded."))?;
    let text = &source.text;
    let values: Option<Vec<String>> = guard.values.iter().map(hcl::to_hcl).collect();
    let values = values.ok_or_else(|| unsupported("A value can't be written as a literal."))?;
    let newline = trivia::line_ending(text);
    let indent = trivia::inner_indent(text, block.span.start);
    let deeper = format!("{indent}  ");
    let lines = [
        format!("{indent}# phi: the values that are specialised"),
        format!("{indent}validation {{"),
        format!("{deeper}condition     = {}", condition(name, guard, &variable.ty, &values)),
        format!(
            "{deeper}error_message = {}",
            crate::syntax::emit::string_literal(&message(name, guard, &values))
        ),
        format!("{indent}}}"),
    ];
    let added: String = lines.iter().map(|l| format!("{l}{newline}")).collect();
    let edit = match trivia::before_closing_brace(text, block.braces) {
        Some(at) => {
            let gap = if block.body.items.is_empty() { "" } else { newline };
            Edit { span: Span { start: at, end: at }, text: format!("{gap}{added}") }
        }
        None => {
            // A block on one line: its only argument gets a line of its own.
            let inner = Span { start: block.braces.start + 1, end: block.braces.end - 1 };
            let own = text.get(inner.range()).unwrap_or("").trim();
            let own = if own.is_empty() { String::new() } else { format!("{indent}{own}{newline}{newline}") };
            let outer = trivia::line_indent(text, block.span.start);
            Edit { span: inner, text: format!("{newline}{own}{added}{outer}") }
        }
    };
    Ok((block.file, edit))
}

/// Whether a guard leaves out nothing but null.
fn is_any_bool(guard: &Guard) -> bool {
    let bools = guard.values.iter().filter(|v| v.ty == Type::Bool && !v.is_null()).count();
    bools == 2 && guard.values.len() == 2
}

fn condition(name: &str, guard: &Guard, ty: &Type, values: &[String]) -> String {
    if let (GuardKind::AtMost(operand), [most]) = (&guard.kind, values) {
        return format!("{operand} <= {most}");
    }
    if is_any_bool(guard) {
        return format!("var.{name} != null");
    }
    let primitive =
        matches!(ty, Type::String | Type::Number | Type::Bool) || guard.values.iter().all(is_primitive);
    match (values, primitive) {
        // A list is never equal to a tuple, so compound values are compared as text.
        ([only], false) => format!("jsonencode(var.{name}) == jsonencode({only})"),
        (many, false) => {
            let all: Vec<String> = many.iter().map(|v| format!("jsonencode({v})")).collect();
            format!("contains([{}], jsonencode(var.{name}))", all.join(", "))
        }
        ([only], true) => format!("var.{name} == {only}"),
        // `contains` takes no null as what it looks for.
        (many, true) if guard.values.iter().any(Value::is_null) => {
            many.iter().map(|v| format!("var.{name} == {v}")).collect::<Vec<_>>().join(" || ")
        }
        (many, true) => format!("contains([{}], var.{name})", many.join(", ")),
    }
}

fn is_primitive(value: &Value) -> bool {
    matches!(value.ty, Type::String | Type::Number | Type::Bool)
}

fn message(name: &str, guard: &Guard, values: &[String]) -> String {
    if is_any_bool(guard) {
        return format!(
            "{name} must be true or false: null is not specialised. Give it a `default = null` if it is meant."
        );
    }
    let values = values.join(", ");
    match &guard.kind {
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
