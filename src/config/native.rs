//! Both syntaxes of one thing: a declaration of a JSON file in native syntax, and lines in native syntax as members of JSON.
//!
//! In: a place in a JSON file, or text to paste. Out: text, or nothing where the two syntaxes don't say the same without a provider's
//! schema: what JSON has as an object may be an argument or a nested block.

use super::Config;
use super::literal::literal;
use crate::issue::Issue;
use crate::syntax::emit::{Writer, is_identifier, string_literal};
use crate::syntax::{
    Attribute, Block, Body, Expr, ExprKind, Item, ObjectKey, TemplatePart, parse, parse_template,
};
use crate::text::{Place, Span};
use crate::value::json;
use serde_json::{Map, Value as Json};
use std::ops::Range;

/// Returns the declaration at a place of a JSON file in native syntax.
fn native_block(config: &Config, place: Place) -> Option<String> {
    let entries = config.modules.iter().flat_map(|module| &module.files);
    let entry = entries.into_iter().find(|entry| entry.json && entry.source == place.file)?;
    let text = &config.sources.get(place.file)?.text;
    let is_meant = |block: &Block| {
        let header = block.labels.last().unwrap_or(&block.kind).span;
        block.span.contains(place.span) || (place.span.contains(header) && place.span.end == header.end)
    };
    let block = entry.body.blocks().find(|block| is_meant(block))?;
    let is_open = matches!(&*block.kind.text, "resource" | "data" | "ephemeral" | "provider" | "action");
    let is_open = is_open && block.label(0) != Some("terraform_data");
    let mut out = Writer::new("", "\n");
    written(&mut out, block, text, is_open)?;
    Some(out.finish().trim_end().to_owned())
}

/// Adds to an issue about a declaration in JSON how to declare it in a file that is rewritten.
pub fn fix_in_native(issue: Issue, config: &Config, place: Place) -> Issue {
    match native_block(config, place) {
        Some(text) => issue.fix("Declare it in a `.tf` file, in place of the JSON:", text),
        None => issue.fix("Declare it in a `.tf` file.", ""),
    }
}

/// Writes a block; in an open one an object may be a block.
fn written(out: &mut Writer, block: &Block, text: &str, is_open: bool) -> Option<()> {
    if &*block.kind.text == "_" {
        return None;
    }
    let labels: Vec<&str> = block.labels.iter().map(|label| &*label.text).collect();
    let mut whole = Some(());
    out.block(&block.kind.text, &labels, |inner| whole = members(inner, &block.body, text, is_open));
    whole
}

fn members(out: &mut Writer, body: &Body, text: &str, is_open: bool) -> Option<()> {
    for item in &body.items {
        match item {
            Item::Attribute(attr) => {
                let json = member(attr, text)?;
                if is_open && holds_objects(&json) {
                    return None;
                }
                out.attribute(&attr.name.text, &native(&json, &attr.expr)?);
            }
            // Of these Terraform itself knows the arguments.
            Item::Block(block) => {
                let is_known = matches!(&*block.kind.text, "lifecycle" | "precondition" | "postcondition");
                written(out, block, text, is_open && !is_known)?;
            }
        }
    }
    Some(())
}

/// Returns the value of an argument as it stands in the JSON text.
fn member(attr: &Attribute, text: &str) -> Option<Json> {
    let own = text.get(attr.span.range())?;
    let all: Map<String, Json> = serde_json::from_str(&format!("{{{own}}}")).ok()?;
    all.into_iter().next().map(|(_, value)| value)
}

fn holds_objects(json: &Json) -> bool {
    match json {
        Json::Object(_) => true,
        Json::Array(all) => all.iter().any(holds_objects),
        _ => false,
    }
}

/// Returns a JSON value in native syntax, by the expression that it is read as.
fn native(json: &Json, expr: &Expr) -> Option<String> {
    Some(match (json, &expr.kind) {
        (Json::String(_), ExprKind::String(text)) => string_literal(text),
        (Json::String(text), ExprKind::Template(_)) => template(text)?,
        (Json::String(text), _) if text.trim_start().starts_with("${") => template(text)?,
        // A type, or a reference.
        (Json::String(text), _) => text.clone(),
        (Json::Array(all), ExprKind::Tuple(items)) if all.len() == items.len() => {
            let all = all.iter().zip(items).map(|(json, item)| native(json, item));
            format!("[{}]", all.collect::<Option<Vec<_>>>()?.join(", "))
        }
        (Json::Object(all), ExprKind::Object(items)) if all.is_empty() && items.is_empty() => "{}".to_owned(),
        (Json::Object(all), ExprKind::Object(items)) if all.len() == items.len() => {
            let one = |((key, json), item): ((&String, &Json), &crate::syntax::ObjectItem)| {
                let key = match &item.key {
                    ObjectKey::Name(name) => name.text.to_string(),
                    ObjectKey::Expr(e) if matches!(e.kind, ExprKind::String(_)) && is_identifier(key) => {
                        key.clone()
                    }
                    ObjectKey::Expr(e) => format!("({})", native(&Json::String(key.clone()), e)?),
                };
                Some(format!("{key} = {}", native(json, &item.value)?))
            };
            let all = all.iter().zip(items).map(one).collect::<Option<Vec<_>>>()?;
            format!("{{ {} }}", all.join(", "))
        }
        (Json::Null | Json::Bool(_) | Json::Number(_), _) => json.to_string(),
        _ => return None,
    })
}

/// Returns a template of a JSON string as a quoted one: what is text needs escapes there, and what stands in sequences doesn't.
fn template(text: &str) -> Option<String> {
    let ExprKind::Template(parsed) = parse_template(text).ok()?.kind else { return None };
    if let [TemplatePart::Interpolation(inner, span)] = &*parsed.parts
        && span.range() == (0..text.len())
    {
        let own = text.get(inner.span.range())?;
        // The end of a heredoc needs a line of its own, and between parentheses line ends are of no account.
        return Some(if own.contains('\n') { format!("({own}\n)") } else { own.to_owned() });
    }
    let mut literals = Vec::new();
    collect_literals(&parsed.parts, &mut literals);
    let (mut out, mut end) = (String::new(), 0);
    for (trimmed, span) in literals {
        let Range { start, end: own_end } = span.range();
        let mut before = text.get(end..start)?.to_owned();
        let own = text.get(span.range())?;
        // Of JSON's escapes native syntax lacks two.
        if own.contains(['\u{8}', '\u{c}']) {
            return None;
        }
        end = own_end;
        let rest = text.get(end..)?;
        let is_trimmed = before.ends_with("~}") || rest.starts_with("${~") || rest.starts_with("%{~");
        if !(is_trimmed && own.contains('\n')) {
            out.push_str(&before);
            let plain = serde_json::to_string(own).ok()?;
            out.push_str(plain.get(1..plain.len() - 1)?);
            continue;
        }
        // A strip marker takes in one line, and of a quoted text, where line ends are escapes, all lines: what is left stands without it.
        if before.ends_with("~}") {
            before.replace_range(before.len() - 2.., "}");
        }
        out.push_str(&before);
        let plain = string_literal(trimmed);
        out.push_str(plain.get(1..plain.len() - 1)?);
        if let Some(sign) = rest.get(..2).filter(|_| rest.get(2..).is_some_and(|rest| rest.starts_with('~')))
        {
            if trimmed.ends_with(['$', '%']) {
                return None;
            }
            out.push_str(sign);
            end += 3;
        }
    }
    out.push_str(text.get(end..)?);
    Some(format!("\"{out}\""))
}

/// Collects the plain text in a template and its directives, in order: what strip markers leave of it, and where it stands.
fn collect_literals<'t>(parts: &'t [TemplatePart], out: &mut Vec<(&'t str, Span)>) {
    for part in parts {
        match part {
            TemplatePart::Literal(text, span) => out.push((text, *span)),
            TemplatePart::Interpolation(..) => {}
            TemplatePart::If { then, otherwise, .. } => {
                collect_literals(then, out);
                collect_literals(otherwise, out);
            }
            TemplatePart::For { body, .. } => collect_literals(body, out),
        }
    }
}

/// Returns lines in native syntax as members of a JSON object, without its braces.
pub fn json_members(native: &str) -> Option<String> {
    let body = parse(&format!("{native}\n")).ok()?;
    let Json::Object(all) = object(&body, native)? else { return None };
    let all = all.iter().map(|(key, value)| format!("{}: {value:#}", Json::from(key.as_str())));
    Some(all.collect::<Vec<_>>().join(",\n"))
}

fn object(body: &Body, text: &str) -> Option<Json> {
    let mut out = Map::new();
    for item in &body.items {
        let (key, value) = match item {
            Item::Attribute(attr) => (attr.name.text.to_string(), expression(&attr.expr, text)?),
            Item::Block(block) => {
                let inner = object(&block.body, text)?;
                let labelled = |value, label: &crate::syntax::Ident| {
                    Json::Object([(label.text.to_string(), value)].into_iter().collect())
                };
                (block.kind.text.to_string(), block.labels.iter().rev().fold(inner, labelled))
            }
        };
        out.insert(key, value);
    }
    Some(Json::Object(out))
}

/// Returns a literal as JSON, and any other expression as the template of it.
fn expression(expr: &Expr, text: &str) -> Option<Json> {
    match literal(expr) {
        Ok(value) => json::to_json(&value).ok(),
        Err(_) => Some(Json::from(format!("${{{}}}", text.get(expr.span.range())?))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::load;
    use crate::host::memory::MemoryHost;
    use crate::text::Span;
    use std::path::Path;

    fn first(text: &str) -> Option<String> {
        let (config, _) = load(&MemoryHost::new([("main.tf.json", text)]), Path::new("."));
        let entry = &config.root().unwrap().files[0];
        let block = entry.body.blocks().next().unwrap();
        native_block(
            &config,
            Place { file: entry.source, span: Span { end: block.span.start + 1, ..block.span } },
        )
    }

    #[test]
    fn declarations_in_native_syntax() {
        for (json, want) in [
            (
                r#"{"resource": {"terraform_data": {"d": {"input": {"a": "${var.x}", "b c": ["t \"${var.y}\"\n", 1, null]}, "depends_on": ["module.m"], "lifecycle": {"prevent_destroy": "${var.p}"}}}}}"#,
                "resource \"terraform_data\" \"d\" {\n  input      = { a = var.x, (\"b c\") = [\"t \\\"${var.y}\\\"\\n\", 1, null] }\n  depends_on = [module.m]\n\n  lifecycle {\n    prevent_destroy = var.p\n  }\n}",
            ),
            (
                r#"{"variable": {"v": {"type": "list(string)", "default": ["a", "$${b}"], "validation": [{"condition": "${length(var.v) > 0}", "error_message": "No."}]}}}"#,
                "variable \"v\" {\n  type    = list(string)\n  default = [\"a\", \"$$${b}\"]\n\n  validation {\n    condition     = length(var.v) > 0\n    error_message = \"No.\"\n  }\n}",
            ),
            (
                r#"{"module": {"m": {"source": "./m", "x": {"y": true}}}}"#,
                "module \"m\" {\n  source = \"./m\"\n  x      = { y = true }\n}",
            ),
            (
                r#"{"output": {"x": {"value": "a\"\n%{ if true ~}\n b\t\"${\"c\"}%{ else }\"%{ endif }"}}}"#,
                "output \"x\" {\n  value = \"a\\\"\\n%{ if true } b\\t\\\"${\"c\"}%{ else }\\\"%{ endif }\"\n}",
            ),
            (
                r#"{"output": {"x": {"value": "a\n ${~ \"b\" ~} c ${~ \"d\" ~}\n\n  ${~ \"e\" ~}\n"}}}"#,
                "output \"x\" {\n  value = \"a\\n${ \"b\" ~} c ${~ \"d\" }\\n${ \"e\" }\"\n}",
            ),
            (
                r#"{"output": {"x": {"value": ["${<<EOT\na\nEOT\n}", 1]}}}"#,
                "output \"x\" {\n  value = [(<<EOT\na\nEOT\n  ), 1]\n}",
            ),
            (r#"{"resource": {"aws_x": {"d": {"size": 3}}}}"#, "resource \"aws_x\" \"d\" {\n  size = 3\n}"),
        ] {
            assert_eq!(first(json).as_deref(), Some(want), "{json}");
        }
        // It may be a block.
        assert_eq!(first(r#"{"resource": {"aws_x": {"d": {"disk": {"size": 3}}}}}"#), None);
    }

    #[test]
    fn lines_as_members() {
        assert_eq!(json_members("input = \"first\"").as_deref(), Some("\"input\": \"first\""));
        assert_eq!(
            json_members("x = nonsensitive(var.s)").as_deref(),
            Some("\"x\": \"${nonsensitive(var.s)}\"")
        );
        let rule = "validation {\n  condition     = contains([1], var.x)\n  error_message = \"No.\"\n}";
        let want = "\"validation\": {\n  \"condition\": \"${contains([1], var.x)}\",\n  \"error_message\": \"No.\"\n}";
        assert_eq!(json_members(rule).as_deref(), Some(want));
    }
}
