//! Lines of sources that aren't shown, since a secret may be written out in them.
//!
//! In: a file. Out: ranges of its lines: what `phi.hcl` gives to variables, services and backends, arguments that are secret by their names and aren't
//! computed from names alone, and what was found to be handed to such an argument. Of a file that can't be parsed, and of all files of a
//! configuration that can't be read as a whole, lines are shown without their literals. Absent on purpose: files that hold values only, which no excerpt is taken from.

use crate::config::{
    is_configuration, is_secret_argument, is_secret_name, is_secret_setting, is_secret_type,
};
use crate::syntax::{self, Attribute, BinaryOp, Block, Body, Expr, ExprKind, ObjectKey, TemplatePart};
use crate::text::{SourceFile, Span};
use std::borrow::Cow;
use std::sync::Arc;

/// Arguments whose values are the configuration's own, and no secrets.
const STRUCTURAL: [&str; 6] = ["count", "required_version", "sensitive", "source", "type", "version"];

/// Words of the language.
const WORDS: [&str; 15] = [
    "any", "bool", "else", "endfor", "endif", "false", "for", "if", "in", "list", "map", "null", "number",
    "string", "true",
];

/// What stands in the place of what isn't shown.
const LEFT_OUT: &str = "…";

/// The same in quotes.
const QUOTED: &str = "\"…\"";

/// All lines.
const WHOLE: [(usize, usize); 1] = [(0, usize::MAX)];

/// Returns true if none of the lines of a span is withheld.
pub(super) fn may_be_shown(file: &SourceFile, span: Span) -> bool {
    let (first, last) = file.line_range(span);
    // What was secret in the text that this one was made from is shown as it stands there.
    let mut at = Some(file);
    while let Some(file) = at {
        let lines = file.withheld(&find_lines);
        // They stand in order, and none lies in another.
        let next = lines.partition_point(|(_, to)| *to < first);
        if lines.get(next).is_some_and(|(from, _)| *from <= last) {
            return false;
        }
        at = file.made_of();
    }
    true
}

/// A line as it may be shown: of what isn't known as a whole without literals, since any of them may be a secret.
pub(super) fn line(file: &SourceFile, number: usize) -> Cow<'_, str> {
    let text = file.line_text(number);
    let Some(between_marks) = file.unread(&lines_between_marks) else { return Cow::Borrowed(text) };
    let next = between_marks.partition_point(|(_, to)| *to < number);
    if between_marks.get(next).is_some_and(|(from, _)| *from <= number) {
        return Cow::Borrowed(LEFT_OUT);
    }
    if file.path.extension().is_some_and(|end| end == "json") {
        return Cow::Owned(without_literals(text));
    }
    match is_structural(text) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(without_literals(text)),
    }
}

fn is_settings(file: &SourceFile) -> bool {
    file.path.file_name().is_some_and(|own| own == "phi.hcl")
}

/// Returns true if a file could be parsed.
fn is_read(file: &SourceFile) -> bool {
    match file.path.extension().is_some_and(|end| end == "json") {
        true => is_configuration(&file.text),
        false => syntax::parse(&file.text).is_ok(),
    }
}

/// Returns true for the head of a block, and for an argument that can't be a secret.
fn is_structural(line: &str) -> bool {
    let line = line.trim();
    let is_name = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
    };
    if let Some(head) = line.strip_suffix('{') {
        let mut parts = head.split_whitespace();
        let is_label = |part: &str| is_name(part.trim_matches('"'));
        return parts.next().is_some_and(is_name) && parts.all(is_label);
    }
    let Some((name, value)) = line.split_once('=') else { return false };
    let value = value.trim();
    let is_text = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    STRUCTURAL.contains(&name.trim())
        && is_text.map_or_else(|| is_name(value), |text| !text.contains(['"', '$']))
}

/// A line without what stands in quotes, without numbers and comments, and without words that are no name.
fn without_literals(line: &str) -> String {
    // Quotes may stand within quotes, and one may be missing.
    let (before, rest) = line.split_once('"').map_or((line, None), |(before, rest)| (before, Some(rest)));
    let rest = rest.map(|rest| rest.rsplit_once('"').map_or("", |(_, behind)| behind));
    let mut out = String::new();
    let mut is_name = !line.trim_start().starts_with(|c: char| !(c.is_alphanumeric() || c == '_'));
    let is_done = !add_names(before, &mut is_name, &mut out);
    if let Some(rest) = rest.filter(|_| !is_done) {
        out.push_str(QUOTED);
        is_name = false;
        add_names(rest, &mut is_name, &mut out);
    }
    out
}

/// Adds names and punctuation; says whether no comment ended it. `is_name`: the next word stands where an argument or a block has its name.
fn add_names(text: &str, is_name: &mut bool, out: &mut String) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let mut at = text;
    let mut last = ' ';
    while let Some(c) = at.chars().next() {
        if ["#", "//", "/*"].iter().any(|mark| at.starts_with(mark)) {
            out.push_str(LEFT_OUT);
            return false;
        }
        if !is_part(c) {
            out.push(c);
            last = c;
            at = at.get(c.len_utf8()..).unwrap_or_default();
            continue;
        }
        let end = at.find(|c| !is_part(c)).unwrap_or(at.len());
        let (word, behind) = at.split_at(end);
        let next = behind.trim_start();
        let is_path = last == '.' || behind.starts_with(['.', '(', '[']);
        let names = *is_name && next.starts_with(['=', '{', '"']);
        let is_shown = !c.is_ascii_digit() && (is_path || names || WORDS.contains(&word));
        out.push_str(if is_shown { word } else { LEFT_OUT });
        *is_name = false;
        last = 'a';
        at = behind;
    }
    true
}

/// The lines of texts that stand between marks, as far as lines tell; nothing of a file that can be read and was judged.
fn lines_between_marks(file: &SourceFile) -> Option<Vec<(usize, usize)>> {
    if (is_settings(file) || file.is_judged()) && is_read(file) {
        return None;
    }
    let mut found = Vec::new();
    let mut open: Option<(&str, usize)> = None;
    for (number, line) in (1..).zip(file.text.lines()) {
        match open {
            Some((mark, from)) if line.trim() == mark => {
                found.push((from, number));
                open = None;
            }
            Some(_) => {}
            None => {
                let mark = line
                    .rsplit_once("<<")
                    .and_then(|(_, mark)| mark.trim_start_matches('-').split_whitespace().next());
                let is_mark = |mark: &&str| {
                    !mark.is_empty() && mark.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
                };
                open = mark.filter(is_mark).map(|mark| (mark, number + 1));
            }
        }
    }
    found.extend(open.map(|(_, from)| (from, usize::MAX)));
    Some(found)
}

/// What a Stack's deployments give to variables, and what it comes from.
fn lines_of_deployments(file: &SourceFile) -> Vec<(usize, usize)> {
    if !file.path.to_string_lossy().ends_with(".tfdeploy.hcl") {
        return Vec::new();
    }
    let Ok(body) = syntax::parse(&file.text) else { return WHOLE.to_vec() };
    let inputs = body.blocks_of("deployment").filter_map(|block| block.body.attribute("inputs"));
    let locals = body.blocks_of("locals").map(|block| block.span);
    inputs.map(|attr| attr.span).chain(locals).map(|span| file.line_range(span)).collect()
}

fn find_lines(file: &SourceFile) -> Vec<(usize, usize)> {
    let mut found = unordered_lines(file);
    found.extend(lines_of_deployments(file));
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

/// Arguments and blocks of `phi.hcl` that hold values of variables, or what services and backends are given.
const OF_SETTINGS: [&str; 5] = ["variables", "universe", "bins", "inputs", "backend"];

/// The other arguments of a form factor.
const OF_FORM_FACTORS: [&str; 7] =
    ["connectivity", "drops", "environment", "mirror", "posture", "providers", "services"];

fn unordered_lines(file: &SourceFile) -> Vec<(usize, usize)> {
    let is_settings = is_settings(file);
    if file.path.extension().is_some_and(|end| end == "json") {
        let marks = ["sensitive", "ephemeral"];
        let names = |part: &str| is_secret_name(part) || is_secret_type(part) || marks.contains(&part);
        return if file.text.split('"').any(names) { WHOLE.to_vec() } else { Vec::new() };
    }
    let Ok(body) = syntax::parse(&file.text) else {
        // What can't be read might be anything.
        return match is_settings && OF_SETTINGS.iter().any(|name| file.text.contains(name)) {
            true => WHOLE.to_vec(),
            false => by_words(file),
        };
    };
    let mut found = Vec::new();
    if is_settings {
        of_settings("", &body, &mut found);
    }
    let checked = body.blocks_of("check").flat_map(|check| check.body.blocks_of("data"));
    for block in body.blocks().chain(checked) {
        let kind = match (&*block.kind.text, block.labels.first()) {
            // What these hold the flow of values tells.
            ("locals" | "variable" | "output" | "check", _) if file.is_judged() => continue,
            ("resource" | "data" | "ephemeral", Some(kind)) => Some(&*kind.text),
            // Nothing but provisioners and their connections.
            ("removed", _) => Some("terraform_data"),
            // Of a word that nobody knows the name of what it holds is all there is.
            _ => None,
        };
        // In place of the keys that lead to an argument stands what its block is called.
        let mut path = match (&*block.kind.text, kind) {
            ("connection" | "provisioner", None) => vec![&*block.kind.text],
            _ => Vec::new(),
        };
        of_body(kind, &block.body, &mut path, &mut found);
    }
    found.into_iter().map(|span| file.line_range(span)).collect()
}

/// What gives values in `phi.hcl`, and what a word that isn't known there may be meant for.
fn of_settings(within: &str, body: &Body, found: &mut Vec<Span>) {
    let gives = |name: &str| OF_SETTINGS.contains(&name);
    let is_one = |attr: &&Arc<Attribute>| gives(&attr.name.text) || !is_setting(within, &attr.name.text);
    found.extend(body.attributes().filter(is_one).map(|attr| attr.span));
    for block in body.blocks() {
        match gives(&block.kind.text) {
            true => found.push(block.span),
            false => of_settings(&block.kind.text, &block.body, found),
        }
    }
}

/// Returns true for an argument that gives no value, whatever is written there.
fn is_setting(within: &str, name: &str) -> bool {
    match within {
        "settings" => crate::config::phi::may_be_setting(name),
        "specialize" | "service" | "merge" => true,
        "environment" => ["workspace", "var_files"].contains(&name),
        "field" => ["accepts", "otherwise"].contains(&name),
        "form_factor" => OF_FORM_FACTORS.contains(&name),
        _ => false,
    }
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

/// What is secret by the keys that lead to it, whatever construct these stand in.
fn of_value<'b>(kind: Option<&str>, expr: &'b Expr, path: &mut Vec<&'b str>, found: &mut Vec<Span>) {
    let secret = match kind {
        Some(kind) => is_secret_argument(kind, path),
        None => is_secret_setting(path),
    };
    if secret && is_written_out(expr) {
        found.push(expr.span);
        return;
    }
    match &expr.kind {
        ExprKind::Object(items) => {
            for item in items {
                let name = match &item.key {
                    ObjectKey::Name(name) => Some(&*name.text),
                    ObjectKey::Expr(key) => name_of(key),
                };
                of_entry(kind, (name, &item.value), path, found);
            }
        }
        ExprKind::For(of) => {
            of_value(kind, &of.collection, path, found);
            of_entry(kind, (of.result_key.as_ref().and_then(name_of), &of.result), path, found);
        }
        _ => expr.each_child(&mut |inner| of_value(kind, inner, path, found)),
    }
}

fn of_entry<'b>(
    kind: Option<&str>,
    (name, value): (Option<&'b str>, &'b Expr),
    path: &mut Vec<&'b str>,
    found: &mut Vec<Span>,
) {
    path.extend(name);
    of_value(kind, value, path, found);
    if name.is_some() {
        path.pop();
    }
}

/// A key that is written out.
fn name_of(key: &Expr) -> Option<&str> {
    match &key.kind {
        ExprKind::String(text) => Some(text),
        ExprKind::Paren(inner) => name_of(inner),
        _ => None,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_punctuation_stay() {
        for (line, want) in [
            ("  default = \"hunter2\" oops", "  default = \"…\" …"),
            ("  default = hunter2", "  default = …"),
            ("  default = var.a[local.b] + 12", "  default = var.a[local.b] + …"),
            ("  default = upper(\"x\") # hunter2", "  default = upper(\"…\") …"),
            ("MIIEpAIBAAKCAQEA", "…"),
            ("MIIE pAIB", "… …"),
            ("}", "}"),
            ("  a = \"x${lookup(y, \"hunter2\")}", "  a = \"…\")}"),
        ] {
            assert_eq!(without_literals(line), want, "{line}");
        }
    }
}
