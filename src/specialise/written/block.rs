//! One copy of a unit's block: renamed, gated, with its comment.

use crate::config::In;
use crate::gate::Gate;
use crate::issue::{Code, Issue};
use crate::specialise::residual::{self, Edits, Naming};
use crate::specialise::written::filter::{self, Clause};
use crate::specialise::written::laid;
use crate::syntax::{Block, Expr, ExprKind, emit, trivia};
use crate::text::{Edit, SourceFile, Span};

/// The input for making a copy.
pub struct Made<'a> {
    /// The copy's name.
    pub name: &'a str,
    /// Its gate; nothing where another block of the unit holds it.
    pub gate: Option<&'a Gate>,
    /// True if the gate must not be asked where the unit's own `count` is 0.
    pub late: bool,
    /// The comment above it; may be empty.
    pub comment: &'a str,
    /// The facts that hold for all copies of the unit.
    pub naming: &'a Naming,
}

/// The text of a copy of `block`. `inner` are edits within the block, in bytes of the whole file.
///
/// # Errors
/// Returns an error if the edits don't fit together, or the repetition can't be joined with the gate.
pub fn copy(
    source: &SourceFile,
    block: &In<Block>,
    made: &Made<'_>,
    inner: &[Edit],
) -> Result<String, Issue> {
    let (text, newline) = (&*source.text, source.line_ending());
    let start = block.span.start;
    let mut edits: Edits = inner.iter().cloned().collect();
    let label = block.labels.last().ok_or_else(|| {
        Issue::error(Code::Unsupported, "a block without a name can't be copied", "Its type takes no label.")
    })?;
    edits.push(Edit { span: label.span, text: emit::string_literal(made.name) });
    if let Some(gate) = made.gate
        && !repeated(text, made, gate, &mut edits)?
    {
        let indent = trivia::inner_indent(text, start);
        let count = format!("count = {}", count(gate));
        match trivia::after_opening_brace(text, block.braces) {
            Some(at) => {
                edits.push(Edit {
                    span: Span { start: at, end: at },
                    text: format!("{indent}{count}{newline}"),
                });
            }
            None => open_up(text, block, &indent, newline, &count, &mut edits),
        }
    }
    let copied = edited(text, block.span, &edits)?;
    if made.comment.is_empty() {
        return Ok(copied);
    }
    let outer = trivia::line_indent(text, start);
    Ok(format!("{}{newline}{outer}{copied}", made.comment))
}

/// A block's text with edits in bytes of the whole file, its arguments aligned again.
///
/// # Errors
/// Returns an error if the edits don't fit together.
pub fn edited(text: &str, block: Span, edits: &[Edit]) -> Result<String, Issue> {
    Ok(laid::aligned(&residual::apply_within(text, block, edits)?))
}

/// The `count` of a gate.
pub fn count(gate: &Gate) -> String {
    counted(gate, "1")
}

fn counted(gate: &Gate, number: &str) -> String {
    let (yes, no) = if gate.negated { ("0", number) } else { (number, "0") };
    format!("{} ? {yes} : {no}", gate.text)
}

/// Joins the gate with `count` or `for_each` where the unit has one.
fn repeated(text: &str, made: &Made<'_>, gate: &Gate, edits: &mut Edits) -> Result<bool, Issue> {
    let repetition = &made.naming.repetition;
    let (attr, for_each) = match (&repetition.for_each, &repetition.count) {
        (Some(attr), _) => (attr, true),
        (None, Some(attr)) => (attr, false),
        (None, None) => return Ok(false),
    };
    if !for_each
        && made.late
        && let Some((arm, number)) = counting_arm(text, &attr.expr)
    {
        edits.push(Edit { span: arm, text: format!("({})", counted(gate, number)) });
        return Ok(true);
    }
    // What was already changed inside the expression is kept.
    let span = attr.expr.span;
    let own = residual::apply_within(text, span, edits)?;
    let new = if for_each {
        filtered(gate, &own, Clause { set: made.naming.over_set, late: made.late })
    } else {
        let number = own.parse::<u64>().map_or_else(|_| enclosed(&own), |_| own.clone());
        match made.late {
            true => format!("{number} == 0 ? 0 : ({})", counted(gate, &number)),
            false => counted(gate, &number),
        }
    };
    residual::replace(edits, Edit { span, text: new });
    Ok(true)
}

/// Returns the arm of a count `CONDITION ? N : 0`, or `CONDITION ? 0 : N`, that isn't 0. A gate in it is evaluated where the count is N
/// alone.
fn counting_arm<'t>(text: &'t str, count: &Expr) -> Option<(Span, &'t str)> {
    let ExprKind::Conditional(_, yes, no) = &count.kind else { return None };
    let number = |arm: &Expr| {
        let own = text.get(arm.span.range()).filter(|_| matches!(arm.kind, ExprKind::Number(_)))?;
        Some((own, own.parse::<u64>().ok()?))
    };
    match (number(yes)?, number(no)?) {
        ((own, 1..), (_, 0)) => Some((yes.span, own)),
        ((_, 0), (own, 1..)) => Some((no.span, own)),
        _ => None,
    }
}

/// An expression in parentheses; nothing may follow the end of a heredoc on its line.
fn enclosed(text: &str) -> String {
    emit::paren_if_needed(text, emit::strength::ALWAYS).unwrap_or_else(|_| format!("({text})"))
}

/// The space between `in` or `if` and a text: `terraform fmt` takes `in (` for a call, and writes it like one.
pub(in crate::specialise) fn behind_word(text: &str) -> &'static str {
    if text.starts_with('(') { "" } else { " " }
}

/// A collection reduced to the keys for which the gate holds.
fn filtered(gate: &Gate, collection: &str, clause: Clause) -> String {
    let collection = if collection.contains("<<") { &enclosed(collection) } else { collection };
    let (space, test) = (behind_word(collection), filter::test(gate, clause));
    let test = format!("{}{test}", behind_word(&test));
    if clause.set == Some(true) {
        format!("toset([for each_key in{space}{collection} : each_key if{test}])")
    } else {
        format!("{{ for each_key, each_value in{space}{collection} : each_key => each_value if{test} }}")
    }
}

/// A block on one line becomes one over several.
pub(in crate::specialise) fn open_up(
    text: &str,
    block: &In<Block>,
    indent: &str,
    newline: &str,
    count: &str,
    edits: &mut impl Extend<Edit>,
) {
    let (open, close) = (block.braces.start + 1, block.braces.end - 1);
    let outer = trivia::line_indent(text, block.span.start);
    let first = block.body.attributes().next().map_or(close, |a| a.span.start);
    let last = block.body.attributes().last().map_or(close, |a| a.span.end);
    let own = if first < close { indent } else { "" };
    let begin = Edit {
        span: Span { start: open, end: first },
        text: format!("{newline}{indent}{count}{newline}{own}"),
    };
    let end = if first < close { format!("{newline}{outer}") } else { outer.to_owned() };
    edits.extend([begin, Edit { span: Span { start: last, end: close }, text: end }]);
}
