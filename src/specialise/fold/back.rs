//! Reading back: what a copy says in place of what was written is evaluated, and must be the same.
//!
//! In: a module's expressions with the edits that values made in them. Out: the places where the text means something else, which are
//! faults of this program. Whatever isn't known stands for itself: one made-up value for each name, the same in both texts; where
//! that is no value for an operation, an unknown one. Templates are compared part by part, since a made-up value takes one arm of a
//! directive alone. Absent on purpose: names of split units, which are joined by [`crate::specialise::unit::join`].

use super::named::{Facts, is_prefix};
use crate::addr::Referent;
use crate::eval::concrete::Resolve;
use crate::eval::standalone::eval_with;
use crate::eval::{At, Bindings, EvalError, Outcome, Step};
use crate::graph;
use crate::specialise::residual::{FileEdits, apply_within};
use crate::specialise::unit::UnitName;
use crate::syntax::{Expr, ExprKind, Template, TemplatePart, Traversal, parse_expr, walk};
use crate::text::{Edit, Place, SourceId, Span};
use crate::value::convert::convert;
use crate::value::{Type, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many locals may lie within one another.
const DEPTH: usize = 16;

/// What is known of a copy beside the facts that its text was made from.
pub struct Reread<'a> {
    /// The facts.
    pub facts: &'a Facts<'a>,
    /// The value of `path.module` where the copy stands in a folder of its own.
    pub dir: Option<Value>,
    /// The texts of the locals that hold values.
    pub locals: &'a BTreeMap<String, String>,
}

/// Returns the places where a copy's text would mean something else.
pub fn misread(copy: &Reread<'_>, edits: &FileEdits) -> Vec<Place> {
    let mut out = Vec::new();
    for entry in copy.facts.module.files.iter().filter(|entry| !entry.json) {
        let own = edits.get(&entry.source).map_or(&[][..], Vec::as_slice);
        let Some(source) = copy.facts.config.sources.get(entry.source).filter(|_| !own.is_empty()) else {
            continue;
        };
        walk::walk_body(&entry.body, &mut |around, attr| {
            let span = attr.expr.span;
            let gone =
                own.iter().any(|edit| edit.span.contains(span) && edit.span != span && edit.text.is_empty());
            let inner: Vec<Edit> = own.iter().filter(|edit| span.contains(edit.span)).cloned().collect();
            // A source is a folder's name, and no value.
            let is_source =
                &*attr.name.text == "source" && around.first().is_some_and(|b| &*b.kind.text == "module");
            if gone || inner.is_empty() || is_source {
                return;
            }
            let check = Check { copy, file: entry.source, text: &source.text, edits: &inner };
            if !check.is_same(&attr.expr) {
                out.push(Place { file: entry.source, span });
            }
        });
    }
    out
}

/// One expression with its edits.
struct Check<'c> {
    copy: &'c Reread<'c>,
    file: SourceId,
    text: &'c str,
    edits: &'c [Edit],
}

impl Check<'_> {
    fn is_same(&self, expr: &Expr) -> bool {
        let Some(new) = self.reread(expr.span) else { return false };
        if !self.agree(expr, &new) {
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
    fn agree(&self, old: &Expr, new: &Expr) -> bool {
        let same = |made_up: bool| {
            let old = self.value(old, false, made_up).ok()?;
            let new = self.value(new, true, made_up);
            Some(match new {
                Ok(new) => is_equal(&old, &new),
                Err(e) => e.limit || !old.is_wholly_known(),
            })
        };
        same(true).or_else(|| same(false)).unwrap_or(true)
    }

    fn value(&self, expr: &Expr, is_new: bool, made_up: bool) -> Outcome {
        let names = Names { copy: self.copy, is_new, made_up, depth: 0 };
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
                self.agree(old, new)
            }
            (
                TemplatePart::If { condition, then, otherwise, .. },
                TemplatePart::If { condition: condition2, then: then2, otherwise: otherwise2, .. },
            ) => self.agree(condition, condition2) && parts(then, then2) && parts(otherwise, otherwise2),
            (
                TemplatePart::For { key, value, collection, body, .. },
                TemplatePart::For { key: key2, value: value2, collection: collection2, body: body2, .. },
            ) => {
                let names = |key: &Option<crate::syntax::Ident>| key.as_ref().map(|name| name.text.clone());
                value.text == value2.text
                    && names(key) == names(key2)
                    && self.agree(collection, collection2)
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

/// Returns true if two values are the same but for their types: an arm that stands alone may be a tuple where the conditional was a list,
/// and which of both a place sees, [`super::arms`] has proved with types alone.
fn is_equal(old: &Value, new: &Value) -> bool {
    if old == new || !old.is_wholly_known() {
        return true;
    }
    let as_other = |value: &Value, ty: &Type| convert(value, ty).ok();
    as_other(new, &old.ty).as_ref() == Some(old) || as_other(old, &new.ty).as_ref() == Some(new)
}

/// The values of names.
#[derive(Clone, Copy)]
struct Names<'c> {
    copy: &'c Reread<'c>,
    /// True in a text that was written.
    is_new: bool,
    made_up: bool,
    depth: usize,
}

impl Names<'_> {
    /// Returns a value of a type for a name.
    fn stand_in(&self, name: &str, ty: &Type) -> Value {
        match self.made_up {
            true => made_up(name, ty),
            false => Value::unknown(ty.clone()),
        }
    }

    fn local(&self, name: &str) -> Option<Outcome> {
        let inner = Names { depth: self.depth + 1, ..*self };
        if let Some(text) = self.copy.locals.get(name).filter(|_| self.is_new) {
            return Some(eval_with(&parse_expr(text).ok()?, SourceId(0), inner, &Bindings::default()));
        }
        let local = self.copy.facts.module.locals.get(name).filter(|local| !local.decl.json)?;
        // As it was written: its own text is read back where it stands.
        let old = Names { is_new: false, ..inner };
        (self.depth < DEPTH).then(|| eval_with(&local.attr.expr, local.attr.file, old, &Bindings::default()))
    }
}

impl Resolve for Names<'_> {
    fn resolve(&mut self, root: &str, steps: &[Step<'_>], _: At) -> (Outcome, usize) {
        let facts = self.copy.facts;
        let first = match steps.first() {
            Some(Step::Attr(name)) => &*name.text,
            _ => "",
        };
        let known = match root {
            "var" => match ((facts.value)(first), facts.module.variables.get(first)) {
                (Some(_), _) if self.is_new => {
                    Some(Err(EvalError::new("The variable has gone from this copy.")))
                }
                (Some(value), _) => Some(Ok(value.unmark_deep().0)),
                (None, Some(variable)) if !variable.ty.has_dynamic() => {
                    Some(Ok(self.stand_in(first, &variable.ty.without_optional())))
                }
                _ => None,
            },
            "local" => self.local(first),
            "path" if first == "module" => self.copy.dir.clone().map(Ok),
            _ => None,
        };
        if let Some(outcome) = known {
            return (outcome, 1);
        }
        if let Some((each, used)) = self.absent(root, steps) {
            let none = if each { Value::object::<&str>([]) } else { Value::tuple(Vec::new()) };
            return (Ok(none), used);
        }
        let mut name = root.to_owned();
        for step in steps {
            match step {
                Step::Attr(attr) => name.push_str(&format!(".{}", attr.text)),
                Step::Index(_) | Step::Legacy(_) => name.push_str("[]"),
            }
        }
        (Ok(self.stand_in(&name, &if self.made_up { Type::String } else { Type::Dynamic })), steps.len())
    }
}

impl Names<'_> {
    /// Returns whether a block without instances has `for_each`, and how many steps name it.
    fn absent(&self, root: &str, steps: &[Step<'_>]) -> Option<(bool, usize)> {
        let used = if is_prefix(root) { 2 } else { 1 };
        let names = steps.iter().take(used).map(|step| match step {
            Step::Attr(name) => Some((*name).clone()),
            _ => None,
        });
        let names: Vec<_> = names.collect::<Option<_>>()?;
        let last = names.last()?;
        let root = crate::syntax::Ident { text: Arc::from(root), span: last.span };
        let steps = names.into_iter().map(crate::syntax::TraversalStep::Attr).collect();
        let named = graph::reference(&Traversal { span: root.span, root, steps })?.referent;
        match &named {
            Referent::Variable(_) | Referent::Local(_) => None,
            named => Some((self.copy.facts.absent.get(&UnitName::of(named)?)?, used)),
        }
    }
}

/// Returns a value that no text spells by chance.
fn made_up(name: &str, ty: &Type) -> Value {
    match ty {
        Type::Bool => Value::bool(true),
        Type::Number => Value::number(7),
        Type::List(of) => Value::list((**of).clone(), vec![made_up(name, of)]),
        Type::Set(of) => Value::set((**of).clone(), vec![made_up(name, of)]),
        Type::Map(of) => Value::map((**of).clone(), [("key", made_up(name, of))]),
        Type::Tuple(all) => Value::tuple(all.iter().map(|ty| made_up(name, ty)).collect()),
        Type::Object(object) => {
            Value::object(object.attrs.iter().map(|(own, ty)| (own.clone(), made_up(own, ty))))
        }
        Type::String | Type::Dynamic => Value::string(format!("<{name}>")),
    }
}
