//! A driven field as a literal: the edits of its argument.

use crate::config::{Config, fix_in_native};
use crate::issue::{Code, Issue};
use crate::specialise::decision::Literal;
use crate::specialise::written::subst;
use crate::text::{Edit, Span};
use crate::trace::reading::{Reading, item_edits};
use crate::value::{hcl, json};
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
        return Ok(edits);
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
        _ => Err(Issue::error(
            Code::Unsupported,
            "a driven field is only part of what its argument gives",
            "The argument is computed as a whole, so one part of it can't be made a literal.",
        )
        .at(attr.value_place())
        .fix("Write the argument as an object constructor, `{ … }`, with the field in it.", "")),
    }
}

/// A driven field that is declared in JSON.
fn in_json(config: &Config, literal: &Literal, span: Option<Span>) -> Result<Vec<Edit>, Issue> {
    let attr = &literal.site.attr;
    let plain = literal.site.reading == Reading::Value && !literal.sensitive && literal.by.is_empty();
    let text = json_text(literal).filter(|_| plain);
    let source = config.sources.get(attr.file);
    if let (Some(span), Some(text), Some(source)) = (span, text, source) {
        return Ok(vec![Edit { span: whole(&source.text, span), text }]);
    }
    let summary = "a driven field in a JSON file can't be made a literal";
    let why = "It is part of what its argument gives, a reference, or sensitive.";
    let issue = Issue::error(Code::Unsupported, summary, why).at(attr.value_place());
    Err(fix_in_native(issue, config, attr.value_place()))
}

/// The whole of a JSON string, of which an expression's span holds what is between the quotes.
fn whole(text: &str, span: Span) -> Span {
    let before =
        span.start.checked_sub(1).filter(|at| text.get(*at as usize..).is_some_and(|t| t.starts_with('"')));
    match before {
        Some(start) => Span { start, end: span.end.saturating_add(1) },
        None => span,
    }
}

/// A value as JSON, in whose strings Terraform looks for sequences: these are written as escapes.
fn json_text(literal: &Literal) -> Option<String> {
    let typed = hcl::to_typed_hcl(&literal.value).filter(|_| literal.any_type);
    if let Some(typed) = typed.filter(|t| hcl::to_hcl(&literal.value).as_ref() != Some(t)) {
        return Some(Json::from(format!("${{{typed}}}")).to_string());
    }
    let value = json::to_json(&literal.value).ok()?;
    // Outside of strings JSON has neither character.
    Some(value.to_string().replace("${", "$${").replace("%{", "%%{"))
}
