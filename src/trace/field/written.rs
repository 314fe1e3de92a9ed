//! Finds the line of one entry of a map or list.
//!
//! A collection whose parts are all plain is one value, and only the place of the whole is known. Here its text is read again.
//! Deliberately absent: entries that are computed, which keep the place of the whole.

use crate::syntax::{self, Expr, ExprKind, ObjectItem, ObjectKey};
use crate::text::{Place, Span};
use crate::trace::{Alt, Frame, Guarded, HopText, Hops, Part};
use crate::value::Value;

impl Frame<'_, '_> {
    /// The entries of a plain collection, each with the way to it and its own place.
    pub fn where_written(&self, of: &Alt, entries: Vec<(Value, Guarded)>) -> Vec<(Value, Guarded)> {
        if !matches!(of.part, Part::Value(_)) {
            return entries;
        }
        let mut way: Vec<(HopText, Option<Place>)> = of.hops.iter().map(|(t, p)| (t.clone(), p)).collect();
        let whole = way.iter().rev().find_map(|(_, place)| *place);
        // The last hop is the collection itself; a call around it may have put several together.
        let texts: Vec<(Place, Expr)> = way
            .iter()
            .rev()
            .filter_map(|(_, place)| {
                let place = (*place)?;
                let expr = syntax::parse_expr(self.tracer.inputs.config.sources.slice(place)).ok()?;
                Some((place, expr))
            })
            .collect();
        way.pop();
        let taken = way.iter().rev().filter_map(|(text, _)| match text {
            HopText::Attribute(name) => Some(&**name),
            _ => None,
        });
        let taken: Vec<&str> = taken.collect();
        let one = |(key, part): (Value, Guarded)| {
            let Some(Part::Value(value)) = part.single() else { return (key, part) };
            let own = texts.iter().find_map(|(at, expr)| {
                let span = entry(descend(expr, &taken)?, &key)?;
                let (start, end) = (at.span.start + span.start, at.span.start + span.end);
                Some(Place { file: at.file, span: Span { start, end } })
            });
            let last = Hops::one(HopText::Literal(value.clone()), own.or(whole));
            let hops = way.iter().rev().fold(last, |hops, (text, place)| hops.before(text.clone(), *place));
            let placed = Guarded::always(Part::Value(value.clone()), hops);
            (key, placed)
        };
        entries.into_iter().map(one).collect()
    }
}

/// The constructor of an attribute of an attribute, and so on.
fn descend<'e>(expr: &'e Expr, names: &[&str]) -> Option<&'e Expr> {
    let Some((first, rest)) = names.split_first() else { return Some(expr) };
    match &expr.kind {
        ExprKind::Paren(inner) => descend(inner, names),
        ExprKind::Object(items) => descend(&item(items, first)?.value, rest),
        _ => None,
    }
}

fn item<'e>(items: &'e [ObjectItem], name: &str) -> Option<&'e ObjectItem> {
    items.iter().rev().find(|item| match &item.key {
        ObjectKey::Name(n) => &*n.text == name,
        ObjectKey::Expr(e) => matches!(&e.kind, ExprKind::String(s) if &**s == name),
    })
}

/// Returns the place at which a constructor, or one in a function's argument, gives a key its value.
fn entry(expr: &Expr, key: &Value) -> Option<Span> {
    match &expr.kind {
        ExprKind::Paren(inner) => entry(inner, key),
        ExprKind::Call(call) => call.args.iter().rev().find_map(|arg| entry(arg, key)),
        ExprKind::Tuple(items) => items.get(key.as_number()?.as_usize()?).map(|item| item.span),
        ExprKind::Object(items) => Some(item(items, key.as_str()?)?.value.span),
        _ => None,
    }
}
