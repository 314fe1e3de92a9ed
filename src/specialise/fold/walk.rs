//! The walk over a module's expressions and blocks that makes the edits.

use super::arms::Left;
use super::demands::{self, Demand};
use super::named::{By, Facts, Folder};
use super::place::Place;
use crate::specialise::residual::apply_within;
use crate::specialise::unit::UnitName;
use crate::syntax::{Attribute, Block, Body, Call, Expr, ExprKind, For, parse_expr, trivia};
use crate::text::{Edit, SourceId, Span};
use crate::value::{Data, hcl};
use std::collections::BTreeSet;

/// The result of folding a module.
#[derive(Default)]
pub struct Folded {
    /// The edits that driven values decide, in files. What is within blocks that go has none.
    pub edits: Vec<(SourceId, Edit)>,
    /// The expressions in which a name has to stay where a literal would take its place.
    pub references: Vec<(SourceId, Span)>,
    /// Blocks without instances that something still names, so that they have to stay.
    pub(super) held: BTreeSet<UnitName>,
    /// How many calls of `can` and `try` lie around: in these it shows whether an expression fails.
    asked: usize,
}

/// Folds a module.
pub fn folded(facts: &Facts<'_>) -> Folded {
    let mut out = Folded::default();
    let folder = Folder::of(facts);
    let is_driven = folder.is_some();
    let folder = folder.unwrap_or_default();
    for entry in &facts.module.files {
        let text = facts.config.sources.get(entry.source).map_or("", |source| &source.text);
        let walk =
            Walk { facts, folder: &folder, is_folded: is_driven && !entry.json, file: entry.source, text };
        walk.body(&entry.body, &mut Vec::new(), &mut out);
    }
    out
}

/// One file of a module.
struct Walk<'w> {
    facts: &'w Facts<'w>,
    folder: &'w Folder<'w>,
    /// True if something is driven, and the file isn't JSON.
    is_folded: bool,
    file: SourceId,
    text: &'w str,
}

impl Walk<'_> {
    fn body<'b>(&self, body: &'b Body, around: &mut Vec<&'b Block>, out: &mut Folded) {
        for attr in body.attributes() {
            let before = out.edits.len();
            if self.is_folded {
                self.folder.fold(&attr.expr, self.file, Place::of(self.facts, around, attr), out);
            }
            let own = out.edits.get(before..).unwrap_or_default();
            let left = if own.is_empty() { None } else { self.left(&attr.expr, own) };
            if !own.is_empty() && left.is_none() {
                self.unfold(&attr.expr, before, out);
            }
            if let Some(demand) = Demand::of(around, attr) {
                self.demanded(&demand, left.as_ref(), (attr, around), before, out);
            }
        }
        for block in body.blocks() {
            if around.is_empty() && self.facts.absent.declares(block) {
                continue;
            }
            if self.is_folded
                && &*block.kind.text == "dynamic"
                && self.makes_none(block.body.attribute("for_each"))
            {
                let span = trivia::item_with_blank(self.text, block.span);
                out.edits.push((self.file, Edit { span, text: String::new() }));
                continue;
            }
            around.push(block);
            self.body(&block.body, around, out);
            around.pop();
        }
    }

    /// Returns the expression after its edits, if it is still one. Behind a heredoc's end nothing may stand on its line.
    fn left(&self, expr: &Expr, edits: &[(SourceId, Edit)]) -> Option<Expr> {
        let own: Vec<Edit> = edits.iter().map(|(_, edit)| edit.clone()).collect();
        let text = apply_within(self.text, expr.span, &own).ok()?;
        // A heredoc ends with a line, which the argument's own may be.
        parse_expr(&format!("{text}\n")).or_else(|_| parse_expr(&text)).ok()
    }

    /// Takes an expression's edits back.
    fn unfold(&self, expr: &Expr, before: usize, out: &mut Folded) {
        out.edits.truncate(before);
        out.held.extend(self.folder.absent_in(expr, self.file));
    }

    /// Sees to it that a condition refers to something: one that is true goes with its block, another one is left as it was, and names
    /// what holds the driven value.
    fn demanded(
        &self,
        demand: &Demand,
        left: Option<&Expr>,
        (attr, around): (&Attribute, &[&Block]),
        before: usize,
        out: &mut Folded,
    ) {
        if demand.is_met(left.unwrap_or(&attr.expr), self.facts) {
            return;
        }
        self.unfold(&attr.expr, before, out);
        let value = self.folder.value(&attr.expr, self.file, &mut By::default()).filter(|_| self.is_folded);
        let is_true = value.is_some_and(|value| matches!(value.data, Data::Bool(true)));
        match demands::removable(around).filter(|_| is_true) {
            Some(span) => {
                let span = trivia::item_with_blank(self.text, span);
                out.edits.push((self.file, Edit { span, text: String::new() }));
            }
            None => out.references.push((self.file, attr.expr.span)),
        }
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
                    let arm = self.unwrapped(arm, file);
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
            ExprKind::Call(call) if demands::takes_direct(&call.name.text) => {
                return self.direct(call, file, out);
            }
            ExprKind::Call(call) if &*call.name.text == "can" => {
                if let [only] = call.args.as_slice()
                    && self.fails(only, file)
                {
                    return out.edits.push((file, Edit { span: expr.span, text: "false".to_owned() }));
                }
            }
            ExprKind::For(each)
                if (out.asked == 0 || !self.may_fail_when_empty(each, file))
                    && self.driven(|f| f.is_empty(&each.collection, file)) =>
            {
                let text = if each.result_key.is_some() { "{}" } else { "[]" };
                return out.edits.push((file, Edit { span: expr.span, text: text.to_owned() }));
            }
            _ => {}
        }
        let asks = usize::from(matches!(&expr.kind, ExprKind::Call(call) if is_asking(call)));
        out.asked += asks;
        expr.each_child(&mut |child| self.fold(child, file, Place::Any, out));
        out.asked -= asks;
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

    /// Folds the arguments of a function whose first one stays a name: there only keys are folded.
    fn direct(&self, call: &Call, file: SourceId, out: &mut Folded) {
        let mut args = call.args.iter();
        let mut name = args.next();
        while let Some(step) = name {
            name = match &step.kind {
                ExprKind::Index(base, key) => {
                    self.fold(key, file, Place::Any, out);
                    Some(base)
                }
                ExprKind::GetAttr(base, _) | ExprKind::LegacyIndex(base, _) => Some(base),
                _ => None,
            };
        }
        args.for_each(|arg| self.fold(arg, file, Place::Any, out));
        out.held.extend(call.args.first().map(|first| self.absent_in(first, file)).unwrap_or_default());
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
        out.asked += 1;
        stay.into_iter().for_each(|arg| self.fold(arg, file, Place::Any, out));
        out.asked -= 1;
    }

    /// Returns true if a `for` without elements may still fail. Terraform evaluates the condition once with an element that it doesn't know,
    /// also where there is none; and what has no elements for a condition of its own is made of something.
    fn may_fail_when_empty(&self, each: &For, file: SourceId) -> bool {
        each.condition.is_some() || self.value(&each.collection, file, &mut By::default()).is_none()
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

/// Returns true for a call whose result says whether its arguments fail.
fn is_asking(call: &Call) -> bool {
    let name = &*call.name.text;
    matches!(name.strip_prefix("core::").unwrap_or(name), "can" | "try")
}
