//! The walk over a module's expressions and blocks that makes the edits.

use super::arms::{self, Left};
use super::named::{By, Facts, Folder};
use super::place::Place;
use crate::specialise::residual::apply_within;
use crate::specialise::unit::UnitName;
use crate::syntax::{Attribute, Block, Body, Call, Expr, ExprKind, parse_expr, trivia};
use crate::text::{Edit, SourceId, Span};
use crate::value::hcl;
use std::collections::BTreeSet;

/// The result of folding a module.
#[derive(Default)]
pub(super) struct Folded {
    /// The edits, in files.
    pub edits: Vec<(SourceId, Edit)>,
    /// Blocks without instances that something still names, so that they have to stay.
    pub held: BTreeSet<UnitName>,
}

/// Returns the edits that a module's driven values decide. What is within blocks that go has none.
pub fn edits(facts: &Facts<'_>) -> Vec<(SourceId, Edit)> {
    folded(facts).edits
}

/// Returns the edits, with what something still names.
pub(super) fn folded(facts: &Facts<'_>) -> Folded {
    let mut out = Folded::default();
    let Some(folder) = Folder::of(facts) else { return out };
    for entry in facts.module.files.iter().filter(|f| !f.json) {
        let text = facts.config.sources.get(entry.source).map_or("", |source| &source.text);
        let walk = Walk { facts, folder: &folder, file: entry.source, text };
        walk.body(&entry.body, &mut Vec::new(), &mut out);
    }
    out
}

/// One file of a module.
struct Walk<'w> {
    facts: &'w Facts<'w>,
    folder: &'w Folder<'w>,
    file: SourceId,
    text: &'w str,
}

impl Walk<'_> {
    fn body<'b>(&self, body: &'b Body, around: &mut Vec<&'b Block>, out: &mut Folded) {
        for attr in body.attributes() {
            let place = Place::of(self.facts, around, attr);
            let before = out.edits.len();
            self.folder.fold(&attr.expr, self.file, place, out);
            if !self.is_expression(&attr.expr, out.edits.get(before..).unwrap_or_default()) {
                out.edits.truncate(before);
                out.held.extend(self.folder.absent_in(&attr.expr, self.file));
            }
        }
        for block in body.blocks() {
            if around.is_empty() && self.facts.absent.declares(block) {
                continue;
            }
            if &*block.kind.text == "dynamic" && self.makes_none(block.body.attribute("for_each")) {
                let span = trivia::item_with_blank(self.text, block.span);
                out.edits.push((self.file, Edit { span, text: String::new() }));
                continue;
            }
            around.push(block);
            self.body(&block.body, around, out);
            around.pop();
        }
    }

    /// Returns true if an expression is still one after its edits. Behind a heredoc's end nothing may stand on its line.
    fn is_expression(&self, expr: &Expr, edits: &[(SourceId, Edit)]) -> bool {
        let own: Vec<Edit> = edits.iter().map(|(_, edit)| edit.clone()).collect();
        // A heredoc ends with a line, which the argument's own may be.
        let parses = |text: String| parse_expr(&format!("{text}\n")).is_ok() || parse_expr(&text).is_ok();
        own.is_empty() || apply_within(self.text, expr.span, &own).is_ok_and(parses)
    }

    fn makes_none(&self, each: Option<&std::sync::Arc<Attribute>>) -> bool {
        each.is_some_and(|attr| self.folder.driven(|f| f.is_empty(&attr.expr, self.file)))
    }
}

impl Folder<'_> {
    /// Adds the edits of an expression that is evaluated.
    pub(super) fn fold(&self, expr: &Expr, file: SourceId, place: Place, out: &mut Folded) {
        if let Some(text) = self.decided(expr, file, place) {
            out.edits.push((file, Edit { span: expr.span, text }));
            return;
        }
        if self.fails(expr, file) {
            out.held.extend(self.absent_in(expr, file));
            return;
        }
        match &expr.kind {
            ExprKind::Conditional(test, yes, no) => match self.arm(test, yes, no, file, place) {
                Some(Left::Arm(arm, front, place)) => {
                    let arm = arms::unwrapped(arm);
                    let back = if front.is_empty() { "" } else { ")" };
                    self.keep(expr, arm, (front, back), file, out);
                    return self.fold(arm, file, place, out);
                }
                Some(Left::Text(text)) => {
                    return out.edits.push((file, Edit { span: expr.span, text: text.to_owned() }));
                }
                None => {}
            },
            ExprKind::Paren(inner) => return self.fold(inner, file, place, out),
            ExprKind::Tuple(items) => {
                let place = place.within();
                return items.iter().for_each(|item| self.fold(item, file, place, out));
            }
            ExprKind::Object(items) => {
                for item in items {
                    if let crate::syntax::ObjectKey::Expr(key) = &item.key {
                        self.fold(key, file, Place::Any, out);
                    }
                    self.fold(&item.value, file, place.within(), out);
                }
                return;
            }
            ExprKind::Call(call) if &*call.name.text == "try" && !call.expand_final => {
                return self.tried(expr, call, file, out);
            }
            ExprKind::Call(call) if &*call.name.text == "can" => {
                if let [only] = call.args.as_slice()
                    && self.fails(only, file)
                {
                    return out.edits.push((file, Edit { span: expr.span, text: "false".to_owned() }));
                }
            }
            ExprKind::For(each) if self.driven(|f| f.is_empty(&each.collection, file)) => {
                let text = if each.result_key.is_some() { "{}" } else { "[]" };
                return out.edits.push((file, Edit { span: expr.span, text: text.to_owned() }));
            }
            _ => {}
        }
        expr.each_child(&mut |child| self.fold(child, file, Place::Any, out));
    }

    /// Leaves one part of an expression, with text in place of what is in front of it and behind it.
    fn keep(&self, expr: &Expr, part: &Expr, (front, back): (&str, &str), file: SourceId, out: &mut Folded) {
        let before = Span { start: expr.span.start, end: part.span.start };
        let behind = Span { start: part.span.end, end: expr.span.end };
        let (behind, back) = match behind.is_empty() && !back.is_empty() {
            // An edit without a place of its own would be lost beside another one: the closing character goes along.
            true => {
                let close = self.closing(part, file).unwrap_or_default();
                let start = part.span.end.saturating_sub(1);
                (Span { start, end: part.span.end }, format!("{close}{back}"))
            }
            false => (behind, back.to_owned()),
        };
        for (span, text) in [(before, front.to_owned()), (behind, back)] {
            if !span.is_empty() || !text.is_empty() {
                out.edits.push((file, Edit { span, text }));
            }
        }
    }

    /// Leaves out the arguments of `try` that fail in this copy.
    fn tried(&self, expr: &Expr, call: &Call, file: SourceId, out: &mut Folded) {
        let (fail, stay): (Vec<&Expr>, Vec<&Expr>) = call.args.iter().partition(|arg| self.fails(arg, file));
        if let (false, [only]) = (fail.is_empty(), stay.as_slice()) {
            let loose =
                matches!(only.kind, ExprKind::Conditional(..) | ExprKind::Binary(..) | ExprKind::Unary(..));
            self.keep(expr, only, if loose { ("(", ")") } else { ("", "") }, file, out);
        } else {
            let mut next = call.args.iter().skip(1);
            for arg in &call.args {
                let next = next.next();
                if let (true, Some(next)) = (self.fails(arg, file), next) {
                    let span = Span { start: arg.span.start, end: next.span.start };
                    out.edits.push((file, Edit { span, text: String::new() }));
                } else if self.fails(arg, file) {
                    out.held.extend(self.absent_in(arg, file));
                }
            }
        }
        stay.into_iter().for_each(|arg| self.fold(arg, file, Place::Any, out));
    }

    /// Returns the text of an expression's value, if driven values and blocks without instances alone decide it.
    fn decided(&self, expr: &Expr, file: SourceId, place: Place) -> Option<String> {
        let mut by = By::default();
        let value = self.value(expr, file, &mut by)?;
        let decides = matches!(
            expr.kind,
            ExprKind::Binary(..) | ExprKind::Unary(..) | ExprKind::Conditional(..) | ExprKind::Index(..)
        );
        if !(decides || by.absent) {
            return None;
        }
        place.text(&value).filter(|_| hcl::to_hcl(&value).is_some())
    }
}
