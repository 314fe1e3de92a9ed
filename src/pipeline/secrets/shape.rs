//! What an expression hands on: which part of its value comes from which part of what it names.
//!
//! In: an expression, and what the names stand for that are bound around it. Out: edges. The flow follows every reference, whatever construct it stands in;
//! what a construct or a function isn't known for, it hands on whole. Cut off are only what a value is compared with or counted by, functions of
//! [`TELLING_LITTLE`], and what `nonsensitive` says of it. Invariant: an expression has no more than [`MOST_EDGES`]; with more, each is one of whole values.
//! Absent on purpose: values.

use super::roots::Roots;
use super::route::{EACH, KEYS, Route, joined, may_meet, step_to};
use crate::syntax::{BinaryOp, Expr, ExprKind, For, ObjectKey, SplatStep, TemplatePart, UnaryOp};
use std::sync::Arc;

/// More of one expression aren't told apart.
const MOST_EDGES: usize = 512;

/// How much of a part of a value comes to where it is handed on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Handing {
    /// The part as it is, with its own parts.
    Same,
    /// The part in another form, which leads back to it.
    Changed,
    /// Something that it is a part of, as a text around it.
    Within,
}

/// A part of a value, and the part of a named value that it comes from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Edge {
    /// From the value of the expression to the part.
    pub to: Route,
    /// What is named.
    pub root: usize,
    /// From its value to the part that is handed on.
    pub from: Route,
    /// How.
    pub handing: Handing,
}

/// The edges of an expression.
pub(super) type Shape = Vec<Edge>;

/// Names that are bound around an expression: by `for`, `dynamic`, and `each`. The last one of a name counts.
pub(super) type Names = Vec<(Arc<str>, Shape)>;

/// Finds edges within one module.
pub(super) struct Finder<'r, 'c> {
    pub roots: &'r mut Roots<'c>,
    /// The module, by its number among the roots' modules.
    pub module: usize,
    pub names: Names,
    /// True where what only decides counts, too: conditions, what is compared or counted, and keys that something is picked by.
    pub deciding: bool,
}

impl Finder<'_, '_> {
    /// The edges of an expression; none once too much was looked at.
    pub fn shape(&mut self, expr: &Expr) -> Shape {
        if self.roots.is_spent() {
            return Shape::new();
        }
        let shape = bounded(self.unbounded(expr));
        self.roots.work += shape.len() + 1;
        shape
    }

    fn unbounded(&mut self, expr: &Expr) -> Shape {
        match &expr.kind {
            ExprKind::Null | ExprKind::Bool(_) | ExprKind::Number(_) | ExprKind::String(_) => Shape::new(),
            ExprKind::Paren(inner) => self.shape(inner),
            ExprKind::Variable(name) => self.name(name),
            ExprKind::GetAttr(inner, name) => match self.declared(expr) {
                Some(found) => found,
                None => part(&self.shape(inner), &name.text),
            },
            ExprKind::LegacyIndex(inner, _) => part(&self.shape(inner), EACH),
            ExprKind::Index(inner, key) => {
                let step = match &key.kind {
                    ExprKind::String(text) => step_to(text),
                    _ => EACH.into(),
                };
                let source = self.shape(inner);
                let mut found = part(&source, &step);
                found.extend(whole(self.shape(key), Handing::Within));
                found.extend(self.picked_by(&source));
                found
            }
            ExprKind::Splat(splat) => {
                let source = self.shape(&splat.source);
                // What is no list counts as its only element.
                let mut each = part(&source, EACH);
                each.extend(source);
                put_under(&self.steps(each, &splat.each), EACH)
            }
            ExprKind::Unary(UnaryOp::Not, inner) => self.decided_by(inner),
            ExprKind::Unary(_, inner) => whole(self.shape(inner), Handing::Changed),
            ExprKind::Binary(op, left, right) => match op {
                BinaryOp::Add
                | BinaryOp::Subtract
                | BinaryOp::Multiply
                | BinaryOp::Divide
                | BinaryOp::Modulo => {
                    let mut found = whole(self.shape(left), Handing::Within);
                    found.extend(whole(self.shape(right), Handing::Within));
                    found
                }
                _ => {
                    let mut found = self.decided_by(left);
                    found.extend(self.decided_by(right));
                    found
                }
            },
            ExprKind::Conditional(condition, yes, no) => {
                let mut found = self.shape(yes);
                found.extend(self.shape(no));
                found.extend(self.decided_by(condition));
                found
            }
            ExprKind::Call(call) => self.call(call),
            ExprKind::Template(template) => match template.parts.as_slice() {
                [TemplatePart::Interpolation(inner, _)] => self.shape(inner),
                parts => self.parts(parts),
            },
            ExprKind::Tuple(items) => {
                let mut found = Gathered::default();
                items.iter().for_each(|item| found.add(put_under(&self.shape(item), EACH)));
                found.shape
            }
            ExprKind::Object(items) => {
                let mut found = Gathered::default();
                for item in items {
                    let step = match &item.key {
                        ObjectKey::Name(name) => step_to(&name.text),
                        ObjectKey::Expr(Expr { kind: ExprKind::String(text), .. }) => step_to(text),
                        ObjectKey::Expr(key) => {
                            found.add(put_under(&whole(self.shape(key), Handing::Within), KEYS));
                            EACH.into()
                        }
                    };
                    found.add(put_under(&self.shape(&item.value), &step));
                }
                found.shape
            }
            ExprKind::For(found) => self.for_each(found),
        }
    }

    /// The edges of what only decides; none where that doesn't count.
    pub(super) fn decided_by(&mut self, expr: &Expr) -> Shape {
        if self.deciding { whole(self.shape(expr), Handing::Within) } else { Shape::new() }
    }

    /// The edges of the keys by which a part of a value is picked; none where what only decides doesn't count.
    pub(super) fn picked_by(&mut self, source: &Shape) -> Shape {
        if self.deciding { whole(self.keys(source), Handing::Within) } else { Shape::new() }
    }

    /// What a name without steps stands for.
    fn name(&mut self, name: &str) -> Shape {
        let bound = self.names.iter().rev().find(|(own, _)| **own == *name);
        bound.map(|(_, shape)| shape.clone()).unwrap_or_default()
    }

    /// What an attribute stands for whose name is that of a declaration: `var.x`, `module.m`, `data.t.n`.
    fn declared(&mut self, expr: &Expr) -> Option<Shape> {
        let mut names: Vec<&Arc<str>> = Vec::new();
        let mut at = expr;
        while let ExprKind::GetAttr(inner, name) = &at.kind {
            names.push(&name.text);
            if names.len() > 2 {
                return None;
            }
            at = inner;
        }
        let ExprKind::Variable(first) = &at.kind else { return None };
        if self.names.iter().any(|(own, _)| own == first) {
            return None;
        }
        names.reverse();
        let root = self.roots.named(self.module, first, &names)?;
        Some(vec![Edge { to: Route::new(), root, from: Route::new(), handing: Handing::Same }])
    }

    fn steps(&mut self, mut at: Shape, steps: &[SplatStep]) -> Shape {
        for step in steps {
            at = match step {
                SplatStep::Attr(name) => part(&at, &name.text),
                SplatStep::Index(Expr { kind: ExprKind::String(text), .. }) => part(&at, &step_to(text)),
                SplatStep::Index(key) => {
                    let mut found = part(&at, EACH);
                    found.extend(whole(self.shape(key), Handing::Within));
                    found.extend(self.picked_by(&at));
                    found
                }
                SplatStep::LegacyIndex(..) => part(&at, EACH),
                SplatStep::Splat(inner) => {
                    let mut each = part(&at, EACH);
                    each.extend(at);
                    put_under(&self.steps(each, &inner.each), EACH)
                }
            };
            at = bounded(at);
        }
        at
    }

    /// Texts of several parts: each stands within the whole.
    fn parts(&mut self, parts: &[TemplatePart]) -> Shape {
        let mut found = Gathered::default();
        for part in parts {
            match part {
                TemplatePart::Literal(..) => {}
                TemplatePart::Interpolation(inner, _) => {
                    found.add(whole(self.shape(inner), Handing::Within));
                }
                TemplatePart::If { condition, then, otherwise, .. } => {
                    found.add(self.decided_by(condition));
                    found.add(self.parts(then));
                    found.add(self.parts(otherwise));
                }
                TemplatePart::For { key, value, collection, body, .. } => {
                    let collection = self.shape(collection);
                    let outside = self.names.len();
                    self.bind(key.as_ref().map(|key| &key.text), &value.text, &collection);
                    found.add(self.parts(body));
                    self.names.truncate(outside);
                }
            }
        }
        found.shape
    }

    fn for_each(&mut self, of: &For) -> Shape {
        let collection = self.shape(&of.collection);
        let outside = self.names.len();
        self.bind(of.key.as_ref().map(|key| &key.text), &of.value.text, &collection);
        let mut value = self.shape(&of.result);
        if of.group {
            value = put_under(&value, EACH);
        }
        let mut found = put_under(&value, EACH);
        if let Some(key) = &of.result_key {
            found.extend(put_under(&whole(self.shape(key), Handing::Within), KEYS));
        }
        if let Some(condition) = &of.condition {
            found.extend(self.decided_by(condition));
        }
        self.names.truncate(outside);
        found
    }

    /// Binds the names of an iteration over a collection.
    pub(super) fn bind(&mut self, key: Option<&Arc<str>>, value: &Arc<str>, collection: &Shape) {
        if let Some(key) = key {
            let keys = self.keys(collection);
            self.names.push((key.clone(), keys));
        }
        self.names.push((value.clone(), part(collection, EACH)));
    }

    /// What a name stands for that has `key` and `value`: `each`, and those of `dynamic` blocks.
    pub fn entry(&mut self, collection: &Shape) -> Shape {
        let mut entry = put_under(&self.keys(collection), "key");
        entry.extend(put_under(&part(collection, EACH), "value"));
        bounded(entry)
    }

    /// The keys of a collection. Those of a set are its elements.
    pub fn keys(&mut self, collection: &Shape) -> Shape {
        let mut found = part(collection, KEYS);
        for edge in collection {
            if edge.to.is_empty() && edge.handing == Handing::Same && self.roots.is_set(edge.root, &edge.from)
            {
                found.extend(part(std::slice::from_ref(edge), EACH));
            }
        }
        bounded(found)
    }
}

/// Edges that come one by one.
#[derive(Default)]
pub(super) struct Gathered {
    pub shape: Shape,
    /// The number at which they are looked through next.
    next: usize,
}

impl Gathered {
    pub fn add(&mut self, more: Shape) {
        self.shape.extend(more);
        if self.shape.len() > self.next {
            self.shape = bounded(std::mem::take(&mut self.shape));
            self.next = (2 * self.shape.len()).max(2 * MOST_EDGES);
        }
    }
}

/// The edges of a part of a value.
pub(super) fn part(of: &[Edge], step: &str) -> Shape {
    let one = |edge: &Edge| match edge.to.split_first() {
        Some((first, rest)) => may_meet(first, step).then(|| Edge { to: rest.to_vec(), ..edge.clone() }),
        None if edge.handing == Handing::Same => {
            Some(Edge { from: joined(&edge.from, &[step.into()]), ..edge.clone() })
        }
        None => Some(edge.clone()),
    };
    bounded(of.iter().filter_map(one).collect())
}

/// The edges of a value that has another one as a part.
pub(super) fn put_under(of: &[Edge], step: &str) -> Shape {
    let step: [Arc<str>; 1] = [step.into()];
    let one = |edge: &Edge| {
        let deep = edge.to.len() >= super::route::DEEPEST;
        let handing = if deep { edge.handing.max(Handing::Changed) } else { edge.handing };
        Edge { to: joined(&step, &edge.to), handing, ..edge.clone() }
    };
    of.iter().map(one).collect()
}

/// The edges of what is made of a whole value.
pub(super) fn whole(of: Shape, handing: Handing) -> Shape {
    of.into_iter().map(|edge| Edge { to: Route::new(), handing: edge.handing.max(handing), ..edge }).collect()
}

/// Each edge once; too many are edges of whole values.
fn bounded(mut shape: Shape) -> Shape {
    if shape.len() > MOST_EDGES {
        for edge in &mut shape {
            edge.to.clear();
            edge.from.clear();
            edge.handing = edge.handing.max(Handing::Changed);
        }
    }
    if shape.len() > 1 {
        shape.sort_unstable();
        shape.dedup();
    }
    shape
}
