//! Lines of sources that aren't shown, since a secret may be written out in them.
//!
//! In: a file. Out: ranges of its lines: values that `phi.hcl` gives to variables, arguments that are secret by their names and aren't
//! computed from names alone, and what was found to be handed to such an argument. Absent on purpose: files that hold values only, which no excerpt is taken from.

use crate::config::{is_secret_argument, is_secret_name, is_secret_setting, is_secret_type};
use crate::syntax::{self, BinaryOp, Block, Body, Expr, ExprKind, ObjectKey, TemplatePart};
use crate::text::{SourceFile, Span};

/// All lines.
const WHOLE: [(usize, usize); 1] = [(0, usize::MAX)];

/// Returns true if none of the lines of a span is withheld.
pub(super) fn may_be_shown(file: &SourceFile, span: Span) -> bool {
    let (first, last) = file.line_range(span);
    let lines = file.withheld(&find_lines);
    // They stand in order, and none lies in another.
    let next = lines.partition_point(|(_, to)| *to < first);
    lines.get(next).is_none_or(|(from, _)| *from > last)
}

fn find_lines(file: &SourceFile) -> Vec<(usize, usize)> {
    let mut found = unordered_lines(file);
    found.extend(file.secret_spans().iter().map(|span| file.line_range(*span)));
    found.sort_unstable();
    let mut lines: Vec<(usize, usize)> = Vec::new();
    for (from, to) in found {
        match lines.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => lines.push((from, to)),
        }
    }
    lines
}

fn unordered_lines(file: &SourceFile) -> Vec<(usize, usize)> {
    let is_settings = file.path.file_name().is_some_and(|own| own == "phi.hcl");
    if file.path.extension().is_some_and(|end| end == "json") {
        let names = |part: &str| is_secret_name(part) || is_secret_type(part);
        return if file.text.split('"').any(names) { WHOLE.to_vec() } else { Vec::new() };
    }
    let Ok(body) = syntax::parse(&file.text) else {
        // What can't be read might be anything.
        return match is_settings && file.text.contains("variables") {
            true => WHOLE.to_vec(),
            false => by_words(file),
        };
    };
    let mut found = Vec::new();
    if is_settings {
        let values = body.blocks_of("environment").filter_map(|block| block.body.attribute("variables"));
        found.extend(values.map(|attr| attr.span));
    }
    for block in body.blocks() {
        let kind = match (&*block.kind.text, block.labels.first()) {
            ("resource" | "data" | "ephemeral", Some(kind)) => Some(&*kind.text),
            ("provider", Some(_)) => None,
            _ => continue,
        };
        of_body(kind, &block.body, &mut Vec::new(), &mut found);
    }
    found.into_iter().map(|span| file.line_range(span)).collect()
}

/// Lines that look like an argument with the name of a secret, in a file that can't be parsed.
fn by_words(file: &SourceFile) -> Vec<(usize, usize)> {
    let lines = file.text.lines().enumerate();
    let is_one = |line: &str| {
        let names = line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        line.contains('=') && names.into_iter().any(is_secret_name)
    };
    lines.filter(|(_, line)| is_one(line)).map(|(at, _)| (at + 1, at + 1)).collect()
}

fn of_body<'b>(kind: Option<&str>, body: &'b Body, path: &mut Vec<&'b str>, found: &mut Vec<Span>) {
    for attr in body.attributes() {
        path.push(&attr.name.text);
        of_value(kind, &attr.expr, path, found);
        path.pop();
    }
    for block in body.blocks() {
        let (name, inner) = nested(block);
        path.push(name);
        of_body(kind, inner, path, found);
        path.pop();
    }
}

/// The name of a nested block, and its body: of a `dynamic` one that of what it makes.
fn nested(block: &Block) -> (&str, &Body) {
    let made = || Some((block.labels.first()?, block.body.blocks_of("content").next()?));
    match (&*block.kind.text == "dynamic").then(made).flatten() {
        Some((label, content)) => (&label.text, &content.body),
        None => (&block.kind.text, &block.body),
    }
}

fn of_value<'b>(kind: Option<&str>, expr: &'b Expr, path: &mut Vec<&'b str>, found: &mut Vec<Span>) {
    let secret = match kind {
        Some(kind) => is_secret_argument(kind, path),
        None => is_secret_setting(path),
    };
    if secret && is_written_out(expr) {
        found.push(expr.span);
        return;
    }
    let ExprKind::Object(items) = &expr.kind else { return };
    for item in items {
        let name = match &item.key {
            ObjectKey::Name(name) => &*name.text,
            ObjectKey::Expr(Expr { kind: ExprKind::String(text), .. }) => text,
            ObjectKey::Expr(_) => continue,
        };
        path.push(name);
        of_value(kind, &item.value, path, found);
        path.pop();
    }
}

/// Returns true if a value, or a part of it, is written in an expression, and not only named.
fn is_written_out(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::String(text) => !text.is_empty(),
        ExprKind::Number(_) => true,
        ExprKind::Null | ExprKind::Bool(_) | ExprKind::Variable(_) => false,
        ExprKind::Template(template) => template.parts.iter().any(|part| match part {
            TemplatePart::Literal(text, _) => !text.trim().is_empty(),
            TemplatePart::Interpolation(inner, _) => is_written_out(inner),
            _ => true,
        }),
        ExprKind::Paren(inner) | ExprKind::GetAttr(inner, _) | ExprKind::Index(inner, _) => {
            is_written_out(inner)
        }
        ExprKind::Conditional(_, yes, no) => is_written_out(yes) || is_written_out(no),
        ExprKind::Call(call) => call.args.iter().any(is_written_out),
        ExprKind::Binary(op, ..)
            if !matches!(op, BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply) =>
        {
            false
        }
        ExprKind::Tuple(items) => items.iter().any(is_written_out),
        ExprKind::Object(items) => items.iter().any(|item| is_written_out(&item.value)),
        _ => true,
    }
}
