//! Reading back: what a copy says in place of what was written is evaluated, and must be the same.
//!
//! In: a module's expressions with the edits that values and joins made in them. Out: the places where the text means something else,
//! which are faults of this program. Whatever isn't known stands for itself ([`super::stand_ins`]). Templates are compared part by
//! part, since a made-up value takes one arm of a directive alone. Where a place sees a value's type, a difference in type alone is
//! a fault, too.

use super::place::Place as Seen;
use super::stand_ins::{Names, Reread, attributes_of};
use crate::eval::standalone::eval_with;
use crate::eval::{Bindings, Outcome};
use crate::specialise::residual::{FileEdits, apply_within};
use crate::syntax::{Expr, ExprKind, Template, TemplatePart, parse_expr, walk};
use crate::text::{Edit, Place, SourceId, Span};
use crate::value::convert::convert;
use crate::value::{Data, Type, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Returns the places where a copy's text would mean something else.
pub fn misread(copy: &Reread<'_>, edits: &FileEdits) -> Vec<Place> {
    let mut out = Vec::new();
    let attributes = attributes_of(copy.facts.module);
    for entry in copy.facts.module.files.iter().filter(|entry| !entry.json) {
        let Some(own) = edits.get(&entry.source).filter(|own| !own.is_empty()) else { continue };
        let Some(source) = copy.facts.config.sources.get(entry.source) else { continue };
        let own = Placed::of(own);
        walk::walk_body(&entry.body, &mut |around, attr| {
            let span = attr.expr.span;
            let gone = own.is_gone(span);
            let inner = own.within(span);
            // A source is a folder's name, and no value.
            let is_source =
                &*attr.name.text == "source" && around.first().is_some_and(|b| &*b.kind.text == "module");
            if gone || inner.is_empty() || is_source {
                return;
            }
            let seen = Seen::of(copy.facts, around, attr);
            let (file, text) = (entry.source, &source.text);
            let same = |active: usize| {
                let check = Check { copy, file, text, edits: &inner, seen, attributes: &attributes, active };
                check.is_same(&attr.expr)
            };
            // Whichever copy has the instances: the first or the last.
            if !same(0) || !copy.joined.is_empty() && !same(usize::MAX) {
                out.push(Place { file: entry.source, span });
            }
        });
    }
    out
}

/// The edits of a file by place.
struct Placed<'e> {
    /// All of them; those at one place in the order of making.
    all: Vec<&'e Edit>,
    /// What is taken away: where each begins, and where the last ends of all that begin no later.
    gone: Vec<(u32, u32)>,
}

impl<'e> Placed<'e> {
    fn of(edits: &'e [Edit]) -> Placed<'e> {
        let mut all: Vec<&Edit> = edits.iter().collect();
        all.sort_by_key(|edit| (edit.span.start, edit.span.end));
        let mut gone: Vec<(u32, u32)> = Vec::new();
        for edit in all.iter().filter(|edit| edit.text.is_empty()) {
            let last = gone.last().map_or(0, |(_, end)| *end);
            gone.push((edit.span.start, last.max(edit.span.end)));
        }
        Placed { all, gone }
    }

    /// Returns true if what is taken away holds a span, and more than that.
    fn is_gone(&self, span: Span) -> bool {
        let reaches = |start: u32| {
            let at = self.gone.partition_point(|(from, _)| *from < start);
            at.checked_sub(1).and_then(|at| self.gone.get(at)).map_or(0, |(_, end)| *end)
        };
        let (before, with) = (reaches(span.start), reaches(span.start.saturating_add(1)));
        let begins_before = self.gone.first().is_some_and(|(from, _)| *from < span.start);
        (begins_before && before >= span.end) || with > span.end
    }

    /// Those within a span.
    fn within(&self, span: Span) -> Vec<Edit> {
        let from = self.all.partition_point(|edit| edit.span.start < span.start);
        let near = self.all.iter().skip(from).take_while(|edit| edit.span.start <= span.end);
        near.filter(|edit| span.contains(edit.span)).map(|edit| Edit::clone(edit)).collect()
    }
}

/// One expression with its edits.
struct Check<'c> {
    copy: &'c Reread<'c>,
    file: SourceId,
    text: &'c str,
    edits: &'c [Edit],
    /// How much of the value's type is seen where the argument stands.
    seen: Seen,
    attributes: &'c BTreeSet<Arc<str>>,
    /// The copy that has the instances.
    active: usize,
}

impl Check<'_> {
    fn is_same(&self, expr: &Expr) -> bool {
        let Some(new) = self.reread(expr.span) else { return false };
        if !self.agree(expr, &new, self.seen) {
            return false;
        }
        let mut all = true;
        walk::walk(expr, &mut |part| {
            if let ExprKind::Template(template) = &part.kind
                && self
                    .edits
                    .iter()
                    .all(|edit| part.span.contains(edit.span) || !overlaps(part.span, edit.span))
                && self.edits.iter().any(|edit| part.span.contains(edit.span) && part.span != edit.span)
            {
                all &= self.reread(part.span).is_some_and(|new| self.is_same_template(template, &new));
            }
            all
        });
        all
    }

    /// Returns a part of the text after its edits as an expression.
    fn reread(&self, span: Span) -> Option<Expr> {
        let text = apply_within(self.text, span, self.edits).ok()?;
        parse_expr(&format!("{text}\n")).or_else(|_| parse_expr(&text)).ok()
    }

    /// Returns true if two expressions have the same value, as far as it can be told.
    fn agree(&self, old: &Expr, new: &Expr, seen: Seen) -> bool {
        let same = |made_up: bool| {
            let old = self.value(old, false, made_up).ok()?;
            let new = self.value(new, true, made_up);
            Some(match new {
                Ok(new) => is_equal(&old, &new, seen),
                Err(e) => e.limit || !old.is_wholly_known(),
            })
        };
        same(true).or_else(|| same(false)).unwrap_or(true)
    }

    fn value(&self, expr: &Expr, is_new: bool, made_up: bool) -> Outcome {
        let Check { copy, active, attributes, .. } = *self;
        let names = Names { copy, is_new, made_up, active, attributes, depth: 0 };
        eval_with(expr, self.file, names, &Bindings::default())
    }

    fn is_same_template(&self, old: &Template, new: &Expr) -> bool {
        let parts = match &new.kind {
            ExprKind::Template(template) => self.pieces(&template.parts, true),
            ExprKind::String(text) if text.is_empty() => Vec::new(),
            ExprKind::String(text) => vec![Piece::Text(text.to_string())],
            _ => return false,
        };
        self.are_same(&self.pieces(&old.parts, false), &parts)
    }

    /// Returns a template's parts; what is a known text is one, and texts beside each other are one text.
    fn pieces<'e>(&self, parts: &'e [TemplatePart], is_new: bool) -> Vec<Piece<'e>> {
        let mut out: Vec<Piece<'e>> = Vec::new();
        for part in parts {
            let piece = match part {
                TemplatePart::Literal(text, _) => Piece::Text(text.to_string()),
                TemplatePart::Interpolation(expr, _) => match self.known_text(expr, is_new) {
                    Some(text) => Piece::Text(text),
                    None => Piece::Other(part),
                },
                _ => Piece::Other(part),
            };
            match (out.last_mut(), piece) {
                (_, Piece::Text(more)) if more.is_empty() => {}
                (Some(Piece::Text(text)), Piece::Text(more)) => text.push_str(&more),
                (_, piece) => out.push(piece),
            }
        }
        out
    }

    fn known_text(&self, expr: &Expr, is_new: bool) -> Option<String> {
        let value = self.value(expr, is_new, false).ok().filter(Value::is_wholly_known)?;
        convert(&value, &Type::String).ok()?.as_str().map(ToOwned::to_owned)
    }

    fn are_same(&self, old: &[Piece<'_>], new: &[Piece<'_>]) -> bool {
        let pair = |(old, new): (&Piece<'_>, &Piece<'_>)| match (old, new) {
            (Piece::Text(old), Piece::Text(new)) => old == new,
            (Piece::Other(old), Piece::Other(new)) => self.is_same_part(old, new),
            _ => false,
        };
        old.len() == new.len() && old.iter().zip(new).all(pair)
    }

    fn is_same_part(&self, old: &TemplatePart, new: &TemplatePart) -> bool {
        let parts = |old: &[TemplatePart], new: &[TemplatePart]| {
            self.are_same(&self.pieces(old, false), &self.pieces(new, true))
        };
        match (old, new) {
            (TemplatePart::Interpolation(old, _), TemplatePart::Interpolation(new, _)) => {
                self.agree(old, new, Seen::Converts)
            }
            (
                TemplatePart::If { condition, then, otherwise, .. },
                TemplatePart::If { condition: condition2, then: then2, otherwise: otherwise2, .. },
            ) => {
                self.agree(condition, condition2, Seen::Converts)
                    && parts(then, then2)
                    && parts(otherwise, otherwise2)
            }
            (
                TemplatePart::For { key, value, collection, body, .. },
                TemplatePart::For { key: key2, value: value2, collection: collection2, body: body2, .. },
            ) => {
                let names = |key: &Option<crate::syntax::Ident>| key.as_ref().map(|name| name.text.clone());
                value.text == value2.text
                    && names(key) == names(key2)
                    && self.agree(collection, collection2, Seen::Iterates)
                    && parts(body, body2)
            }
            _ => false,
        }
    }
}

/// A part of a template.
enum Piece<'e> {
    Text(String),
    Other(&'e TemplatePart),
}

fn overlaps(a: Span, b: Span) -> bool {
    a.start < b.end && b.start < a.end
}

/// Returns true if two values are the same where so much of their types is seen. What Terraform converts may be of another type:
/// an arm that stands alone is a tuple where the conditional was a list.
fn is_equal(old: &Value, new: &Value, seen: Seen) -> bool {
    if old == new || !old.is_wholly_known() {
        return true;
    }
    let as_other = |value: &Value, ty: &Type| convert(value, ty).ok();
    match seen {
        Seen::Any => false,
        Seen::Iterates => elements_of(old).is_some_and(|all| elements_of(new) == Some(all)),
        Seen::Converts => {
            as_other(new, &old.ty).as_ref() == Some(old) || as_other(old, &new.ty).as_ref() == Some(new)
        }
    }
}

/// Returns what instances or blocks are made of, with their keys.
fn elements_of(value: &Value) -> Option<Vec<(String, Value)>> {
    match &value.data {
        Data::Seq(all) if matches!(value.ty, Type::Set(_)) => {
            Some(all.iter().map(|v| (String::new(), v.clone())).collect())
        }
        Data::Seq(all) => Some(all.iter().enumerate().map(|(at, v)| (at.to_string(), v.clone())).collect()),
        Data::Map(all) => Some(all.iter().map(|(key, v)| (key.to_string(), v.clone())).collect()),
        _ => None,
    }
}
