//! Guards: validation blocks, and postconditions of data sources, that keep out the values for which nothing was
//! specialised.

mod postcondition;

use crate::addr::{FieldAddr, Target};
use crate::config::{Config, Module};
use crate::issue::{Code, Issue};
use crate::syntax::{Block, trivia};
use crate::text::{Edit, SourceId, Span};
use crate::trace::{Guard, GuardKind, Subject};
use crate::value::{Type, Value, hcl};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The edits that add guards to the blocks of the variables and data sources of a module.
pub fn edits(
    config: &Config,
    module: &Module,
    guards: &[Guard],
) -> Vec<Result<(SourceId, Edit), Box<Issue>>> {
    let mut out = Vec::new();
    let mut sources: BTreeMap<&Target, Vec<(&FieldAddr, &Guard)>> = BTreeMap::new();
    for guard in guards {
        match &guard.subject {
            Subject::Variable(name) => out.push(validation(config, module, name, guard)),
            Subject::Data(attribute) => {
                sources.entry(&attribute.target).or_default().push((&**attribute, guard));
            }
        }
    }
    out.extend(sources.iter().map(|(target, guards)| postcondition::edit(config, module, target, guards)));
    out
}

/// The edit that adds a guard to its variable's block.
///
/// # Errors
/// Where the variable is declared in JSON, or a value can't be written.
fn validation(
    config: &Config,
    module: &Module,
    name: &Arc<str>,
    guard: &Guard,
) -> Result<(SourceId, Edit), Box<Issue>> {
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
    let values = written(guard).ok_or_else(|| unsupported("A value can't be written as a literal."))?;
    let newline = trivia::line_ending(text);
    let indent = trivia::inner_indent(text, block.span.start);
    let condition = condition(&format!("var.{name}"), guard, &variable.ty, &values);
    let added =
        rule(&indent, "validation", &condition, &message(name, guard, &variable.ty, &values), newline);
    Ok((block.file, appended(text, block, &added)))
}

/// Whole lines added at the end of a block, behind an empty one.
fn appended(text: &str, block: &Block, added: &str) -> Edit {
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
fn written(guard: &Guard) -> Option<Vec<String>> {
    guard.values.iter().map(hcl::to_hcl).collect()
}

/// A block with a condition and a message, under its comment.
fn rule(indent: &str, kind: &str, condition: &str, message: &str, newline: &str) -> String {
    let message = crate::syntax::emit::string_literal(message);
    let lines = [
        format!("{indent}# phi: the values that are specialised"),
        format!("{indent}{kind} {{"),
        format!("{indent}  condition     = {condition}"),
        format!("{indent}  error_message = {message}"),
        format!("{indent}}}"),
    ];
    lines.iter().map(|l| format!("{l}{newline}")).collect()
}

/// Guards with one per variable or attribute: several demands on one hold together.
pub fn merged(guards: Vec<Guard>) -> Vec<Guard> {
    let mut out: Vec<Guard> = Vec::new();
    for guard in guards {
        let listed = guard.kind == GuardKind::Universe;
        match out.iter_mut().find(|g| g.subject == guard.subject && g.kind == guard.kind) {
            Some(_) if !listed => {}
            Some(same) => same.values.retain(|v| guard.values.contains(v)),
            None => out.push(guard),
        }
    }
    out
}

/// The guards of variables that count as their defaults alone.
///
/// # Errors
/// A default that no validation can name.
pub fn defaults(config: &Config, pinned: &BTreeSet<Arc<str>>) -> Result<Vec<Guard>, Box<Issue>> {
    let root = config.root();
    let mut out = Vec::new();
    for name in pinned {
        let Some(variable) = root.and_then(|m| m.variables.get(name)) else { continue };
        let Some(default) = &variable.default else { continue };
        let value = crate::config::literal::literal(&default.expr).ok();
        let value = value.and_then(|v| variable.accept(&v).ok()).map(|v| v.unmark_deep().0);
        let Some(value) = value else {
            let why = "Its default is no literal, so that no validation can say that it is the only value.";
            let summary = format!("no validation can be added to var.{name}");
            return Err(Box::new(Issue::error(Code::Unsupported, summary, why).at(default.value_place())));
        };
        out.push(Guard {
            subject: Subject::Variable(name.clone()),
            values: vec![value],
            kind: GuardKind::Default,
        });
    }
    Ok(out)
}

/// Whether a guard leaves out nothing but null.
fn is_any_bool(guard: &Guard, ty: &Type) -> bool {
    let bools = guard.values.iter().filter(|v| v.ty == Type::Bool && !v.is_null()).count();
    *ty == Type::Bool && bools == 2 && guard.values.len() == 2
}

fn condition(subject: &str, guard: &Guard, ty: &Type, values: &[String]) -> String {
    if let (GuardKind::AtMost(operand), [most]) = (&guard.kind, values) {
        return format!("{operand} <= {most}");
    }
    if is_any_bool(guard, ty) {
        return format!("{subject} != null");
    }
    let primitive =
        matches!(ty, Type::String | Type::Number | Type::Bool) || guard.values.iter().all(is_primitive);
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
        (many, true) => format!("contains([{}], {subject})", many.join(", ")),
    }
}

fn is_primitive(value: &Value) -> bool {
    matches!(value.ty, Type::String | Type::Number | Type::Bool)
}

fn message(name: &str, guard: &Guard, ty: &Type, values: &[String]) -> String {
    if is_any_bool(guard, ty) {
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
