//! One copy of a unit's block: renamed, gated, with its comment.

use super::{align, variant};
use crate::config::In;
use crate::issue::{Code, Issue};
use crate::syntax::{Block, trivia};
use crate::text::{Edit, Span};
use crate::trace::Gate;

/// The text of a copy of `block` under a new name. `inner` are edits within the block, in bytes of the whole file.
///
/// # Errors
/// Where the edits don't fit together.
pub fn copy(
    text: &str,
    block: &In<Block>,
    name: &str,
    gate: &Gate,
    comment: &str,
    inner: &[Edit],
) -> Result<String, Issue> {
    let newline = trivia::line_ending(text);
    let start = block.span.start;
    let mut edits: Vec<Edit> = inner.to_vec();
    let label = block.labels.last().ok_or_else(|| {
        Issue::error(Code::Unsupported, "a block without a name can't be copied", "Its type takes no label.")
    })?;
    edits.push(Edit { span: label.span, text: crate::syntax::emit::string_literal(name) });
    let indent = trivia::inner_indent(text, start);
    let count = format!("count = {}", count(gate));
    match trivia::after_opening_brace(text, block.braces) {
        Some(at) => edits.push(Edit { span: Span { start: at, end: at }, text: format!("{indent}{count}{newline}") }),
        None => open_up(text, block, &indent, newline, &count, &mut edits),
    }
    let relative: Vec<Edit> = edits
        .into_iter()
        .map(|e| Edit { span: Span { start: e.span.start - start, end: e.span.end - start }, text: e.text })
        .collect();
    let own = text.get(block.span.range()).unwrap_or("");
    let copied = variant::apply(own, &relative)?;
    let outer = trivia::line_indent(text, start);
    Ok(format!("{comment}{newline}{outer}{}", align::block(&copied)))
}

/// The `count` of a gate.
pub fn count(gate: &Gate) -> String {
    let (yes, no) = if gate.negated { (0, 1) } else { (1, 0) };
    format!("{} ? {yes} : {no}", gate.text)
}

/// A block on one line becomes one over several.
fn open_up(text: &str, block: &In<Block>, indent: &str, newline: &str, count: &str, edits: &mut Vec<Edit>) {
    let (open, close) = (block.braces.start + 1, block.braces.end - 1);
    let outer = trivia::line_indent(text, block.span.start);
    let first = block.body.attributes().next().map_or(close, |a| a.span.start);
    let last = block.body.attributes().last().map_or(close, |a| a.span.end);
    let own = if first < close { indent } else { "" };
    edits.push(Edit { span: Span { start: open, end: first }, text: format!("{newline}{indent}{count}{newline}{own}") });
    let end = if first < close { format!("{newline}{outer}") } else { outer.to_owned() };
    edits.push(Edit { span: Span { start: last, end: close }, text: end });
}
