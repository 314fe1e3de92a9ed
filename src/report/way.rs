//! The way to a value and its condition, in the words of the configuration.
//!
//! In: the hops of a branch, a gate. Out: lines of source with their places; `always`, `otherwise`, `not (…)`. Absent: the form
//! that JSON and records have, which is a contract ([`crate::trace::HopText`]'s own).

use super::Row;
use super::excerpt::source_line;
use super::outcome::line_of;
use super::wrap::flat;
use super::wrap::shortened;
use crate::syntax::ExprKind;
use crate::syntax::walk::walk;
use crate::text::{Place, Sources, Span};
use crate::trace::HopText;
use crate::value::hcl;

/// A longer condition, value or line is cut to this number of characters.
pub(super) const WIDEST: usize = 160;

/// Longer collections are left out of a long condition.
const LITERAL: usize = 40;

/// A place on the way from the field to the value, and its line of source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Hop {
    /// `file:line`; empty where it stands in no file.
    pub at: String,
    /// The line, or what happens there.
    pub line: String,
}

/// The lines that a value came by, the field's own first. Several hops in one line are one.
pub(super) fn lines<'h>(
    path: impl Iterator<Item = (&'h HopText, Option<Place>)>,
    sources: &Sources,
) -> Vec<Hop> {
    let mut out: Vec<Hop> = Vec::new();
    let mut before: Option<Place> = None;
    for (text, place) in path {
        // An attribute is taken out of the object around it: that is nowhere new.
        let around = before.zip(place).is_some_and(|(b, p)| b.file == p.file && p.span.contains(b.span));
        if around && matches!(text, HopText::Attribute(_)) {
            continue;
        }
        before = place.or(before);
        let at = place.and_then(|p| line_of(sources, p)).unwrap_or_default();
        if text.is_given() {
            out.push(Hop { at, line: words(text) });
            continue;
        }
        if at.is_empty() || out.last().is_none_or(|last| last.at != at) {
            let is_concealed = matches!(text, HopText::Concealed(_));
            let line = place.filter(|_| !is_concealed).and_then(|p| source_line(sources, p));
            out.push(Hop { at, line: line.unwrap_or_else(|| words(text)) });
        }
    }
    out
}

/// A hop whose line can't be shown.
fn words(hop: &HopText) -> String {
    match hop {
        HopText::Literal(value) => hcl::to_hcl(value).unwrap_or_else(|| "a value".to_owned()),
        HopText::Name(referent) => referent.to_string(),
        HopText::Attribute(name) => format!(".{name}"),
        HopText::Operator(op) => op.symbol().to_owned(),
        HopText::Call(name) => format!("{name}(…)"),
        HopText::Argument(name) => format!("the call's argument `{name}`"),
        HopText::Output { name, call } => format!("module.{call}.{name}"),
        HopText::Arm(yes, _) => format!("the conditional's {yes} arm"),
        HopText::Word(text) => said(text),
        HopText::Said(text) | HopText::Evaluated(text, _) | HopText::Concealed(text) => said(text),
    }
}

fn said(text: &str) -> String {
    let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
    flat(&match (kind, rest) {
        ("GenIter", "") => "each entry".to_owned(),
        ("GenIter", "count") => "each index of `count`".to_owned(),
        ("GenIter" | "Universe" | "Param" | "Call" | "Field" | "Given", rest) => rest.to_owned(),
        ("Default", rest) => format!("the default of {rest}"),
        ("Bin", rest) => format!("rounded to {rest}"),
        ("Unbounded", _) => "what isn't known".to_owned(),
        ("Prim", _) => "a value".to_owned(),
        _ => text.to_owned(),
    })
}

/// When a row's value is taken; `all` are the rows beside it, and all that can happen unless it `fails` in some cases.
pub(super) fn when(row: &Row, all: &[Row], fails: bool) -> String {
    let last = !fails
        && all.len() > 1
        && all.last().is_some_and(|last| last.gate == row.gate && last.scope == row.scope);
    match negated(&row.gate) {
        Some(_) if last => "otherwise".to_owned(),
        _ => condition(&row.gate),
    }
}

/// A gate as a condition.
pub(super) fn condition(gate: &str) -> String {
    match (gate, negated(gate)) {
        ("true", _) => "always".to_owned(),
        (_, Some(inner)) => negation(inner),
        _ => brief(gate),
    }
}

/// The opposite of a condition, in words.
pub fn negation(condition: &str) -> String {
    let simple = condition.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-'));
    let condition = brief(condition);
    if simple { format!("not {condition}") } else { format!("not ({condition})") }
}

/// An expression as far as one reads it: where it is long, collections that are written out in it are left out.
pub(super) fn brief(text: &str) -> String {
    let whole = flat(text);
    if whole.chars().count() <= WIDEST {
        return whole;
    }
    let mut out = whole.clone();
    if let Ok(expr) = crate::syntax::parse_expr(&whole) {
        let mut found: Vec<(Span, &str)> = Vec::new();
        walk(&expr, &mut |inner| {
            let ellipsis = match inner.kind {
                ExprKind::Object(_) => "{ … }",
                ExprKind::Tuple(_) => "[…]",
                _ => return true,
            };
            let long = inner.span.len() > LITERAL;
            found.extend(long.then_some((inner.span, ellipsis)));
            !long
        });
        for (span, ellipsis) in found.into_iter().rev() {
            out.replace_range(span.range(), ellipsis);
        }
    }
    shortened(&out, WIDEST)
}

/// Returns what a gate of the form `!(…)` negates.
fn negated(gate: &str) -> Option<&str> {
    let inner = gate.strip_prefix("!(")?.strip_suffix(')')?;
    // The brackets have to be each other's: `!(a) && (b)` negates no whole.
    crate::syntax::parse_expr(inner).is_ok().then_some(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_in_words() {
        for (gate, want) in [
            ("true", "always"),
            ("var.env == \"prod\"", "var.env == \"prod\""),
            ("!(var.protect)", "not var.protect"),
            ("!(var.env == \"prod\")", "not (var.env == \"prod\")"),
            ("!(a) && (b)", "!(a) && (b)"),
        ] {
            assert_eq!(condition(gate), want);
        }
        let long = format!("var.x == {:?}", "a".repeat(1000));
        assert_eq!(condition(&long).chars().count(), WIDEST + 1);
        let object = format!("var.x == tomap({{ a = {:?} }}) && var.y == \"b\"", "a".repeat(1000));
        assert_eq!(condition(&object), "var.x == tomap({ … }) && var.y == \"b\"");
    }

    #[test]
    fn hops_without_a_line_are_said() {
        for (hop, want) in [
            ("GenIter", "each entry"),
            ("GenIter each.key = \"a\"", "each.key = \"a\""),
            ("Param var.x", "var.x"),
            ("Default var.x", "the default of var.x"),
            ("Prim (compound)", "a value"),
            ("local.m [\"k\"]", "local.m [\"k\"]"),
            ("Given var.x = 1, given by -var", "var.x = 1, given by -var"),
        ] {
            assert_eq!(words(&HopText::from(hop.to_owned())), want);
        }
    }
}
