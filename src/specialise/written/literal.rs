//! A driven field as a literal: the edits of its argument.

use crate::config::{Config, In, fix_in_native};
use crate::issue::{Code, Issue};
use crate::specialise::decision::Literal;
use crate::specialise::written::subst;
use crate::syntax::Attribute;
use crate::syntax::emit::string_literal;
use crate::text::{Edit, Span};
use crate::trace::reading::{Reading, item_edits};
use crate::value::hcl;
use serde_json::Value as Json;

/// The edits that make a driven field its literal, in bytes of the argument's file.
///
/// # Errors
/// Returns an error if only a part of what the argument gives is driven, or JSON has no text for it.
pub fn edits(config: &Config, literal: &Literal) -> Result<Vec<Edit>, Issue> {
    let attr = &literal.site.attr;
    if literal.site.reading == Reading::References
        && let Some(edits) = item_edits(&attr.expr, &literal.value)
    {
        return Ok(match config.sources.get(attr.file).filter(|_| config.is_json(attr.file)) {
            Some(source) => edits.into_iter().map(|edit| string_in_json(&source.text, edit)).collect(),
            None => edits,
        });
    }
    let span = subst::value_span(&attr.expr, &literal.site.rest);
    if config.is_json(attr.file) {
        return in_json(config, literal, span);
    }
    let text = match literal.any_type {
        true => hcl::to_typed_hcl(&literal.value),
        false => literal.site.reading.text(&literal.value),
    };
    let indices: String = literal.by.iter().map(|index| format!("[{index}]")).collect();
    match (span, text.map(|text| text + &indices)) {
        (Some(span), Some(text)) if literal.sensitive => {
            Ok(vec![Edit { span, text: format!("sensitive({text})") }])
        }
        (Some(span), Some(text)) => Ok(vec![Edit { span, text }]),
        (Some(_), None) if literal.site.reading == Reading::References => Err(no_reference(attr)),
        _ => Err(Issue::error(
            Code::Unsupported,
            "a driven field is only part of what its argument gives",
            "The argument is computed as a whole, so one part of it can't be made a literal.",
        )
        .at(attr.value_place())
        .fix("Write the argument as an object constructor, `{ … }`, with the field in it.", "")),
    }
}

/// The value is a text where Terraform wants a name.
fn no_reference(attr: &In<Attribute>) -> Issue {
    let why = "Terraform takes a reference here, or a list or map of references, and no values. A part of the value is none.";
    Issue::error(Code::Unsupported, "a driven field's value is no reference", why)
        .at(attr.value_place())
        .fix("Give texts that are references: the name of an attribute, such as \"tags\", or of a provider, such as \"aws.west\".", "")
}

/// A driven field that is declared in JSON.
fn in_json(config: &Config, literal: &Literal, span: Option<Span>) -> Result<Vec<Edit>, Issue> {
    let attr = &literal.site.attr;
    let plain = !literal.sensitive && literal.by.is_empty();
    let text = json_text(literal).filter(|_| plain);
    let source = config.sources.get(attr.file);
    if let (Some(span), Some(text), Some(source)) = (span, text, source) {
        return Ok(vec![Edit { span: whole(&source.text, span), text }]);
    }
    let summary = "a driven field in a JSON file can't be made a literal";
    let why = "It is part of what its argument gives, or sensitive.";
    let issue = Issue::error(Code::Unsupported, summary, why).at(attr.value_place());
    Err(fix_in_native(issue, config, attr.value_place()))
}

/// The edit that leads a call elsewhere.
pub fn of_source(config: &Config, attr: &In<Attribute>, source: &str) -> Edit {
    let edit = Edit { span: attr.expr.span, text: source.to_owned() };
    match config.sources.get(attr.file).filter(|_| config.is_json(attr.file)) {
        // Terraform takes this string as it stands, whatever is in it.
        Some(file) => string_in_json(&file.text, edit),
        None => Edit { text: string_literal(source), ..edit },
    }
}

/// An edit of an expression in JSON, whose text becomes a string.
pub fn string_in_json(text: &str, edit: Edit) -> Edit {
    Edit { span: whole(text, edit.span), text: Json::from(edit.text).to_string() }
}

/// The whole of the JSON string in which an expression stands, with its quotes; what stands in none is a whole by itself.
fn whole(text: &str, span: Span) -> Span {
    let mut opened = None;
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match (byte, opened) {
            _ if is_escaped => is_escaped = false,
            (b'\\', Some(_)) => is_escaped = true,
            (b'"', Some(start)) => {
                let string = Span::new(start, at + 1);
                if string.contains(span) {
                    return string;
                }
                opened = None;
            }
            (b'"', None) if at > span.range().start => break,
            (b'"', None) => opened = Some(at),
            _ => {}
        }
    }
    span
}

/// A value as JSON, in whose strings Terraform looks for sequences: these are written as escapes.
fn json_text(literal: &Literal) -> Option<String> {
    let typed = hcl::to_typed_hcl(&literal.value).filter(|_| literal.any_type);
    if let Some(typed) = typed.filter(|t| hcl::to_hcl(&literal.value).as_ref() != Some(t)) {
        return Some(Json::from(format!("${{{typed}}}")).to_string());
    }
    let value = literal.site.reading.json(&literal.value)?;
    // Outside of strings JSON has neither character.
    Some(value.to_string().replace("${", "$${").replace("%{", "%%{"))
}
