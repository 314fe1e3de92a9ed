//! Addresses as they are written in `moved`, `import` and `removed`, and the split units that they lead through.

use crate::addr::{Key, Mode, ResourceAddr};
use crate::specialise::decision::{Child, Node};
use crate::specialise::unit::UnitName;
use crate::syntax::{Expr, ExprKind, Ident, traversal};
use crate::text::Span;

/// A part of an address, with its key.
#[derive(Clone, Debug)]
pub struct Segment<'e> {
    /// The thing that it names.
    pub named: UnitName,
    /// The place of its own name.
    pub name: Span,
    /// The key's expression.
    pub key: Option<&'e Expr>,
}

impl Segment<'_> {
    /// The key, where it is a constant.
    pub fn constant_key(&self) -> Option<Key> {
        match &self.key?.kind {
            ExprKind::Number(n) => n.as_i64().map(Key::Index),
            ExprKind::String(s) => Some(Key::Name(s.clone())),
            _ => None,
        }
    }
}

enum Step<'e> {
    Name(Ident),
    Index(&'e Expr),
}

fn flatten<'e>(expr: &'e Expr, out: &mut Vec<Step<'e>>) -> Option<()> {
    match &expr.kind {
        ExprKind::GetAttr(base, name) => {
            flatten(base, out)?;
            out.push(Step::Name(name.clone()));
        }
        ExprKind::Index(base, key) => {
            flatten(base, out)?;
            out.push(Step::Index(key));
        }
        _ => out.push(Step::Name(traversal::as_keyword(expr)?)),
    }
    Some(())
}

/// The parts of an address; nothing where the expression is none.
pub fn segments(expr: &Expr) -> Option<Vec<Segment<'_>>> {
    let mut steps = Vec::new();
    flatten(expr, &mut steps)?;
    let mut steps = steps.into_iter().peekable();
    let mut out = Vec::new();
    while let Some(step) = steps.next() {
        let Step::Name(first) = step else { return None };
        let name = |steps: &mut std::iter::Peekable<std::vec::IntoIter<Step<'_>>>| match steps.next()? {
            Step::Name(name) => Some(name),
            Step::Index(_) => None,
        };
        let (named, span) = match &*first.text {
            "module" => {
                let call = name(&mut steps)?;
                (UnitName::Call(call.text), call.span)
            }
            prefix => {
                let mode = match prefix {
                    "data" => Mode::Data,
                    "ephemeral" => Mode::Ephemeral,
                    _ => Mode::Managed,
                };
                let prefixed = matches!(prefix, "data" | "ephemeral" | "resource");
                let kind = if prefixed { name(&mut steps)?.text } else { first.text.clone() };
                let own = name(&mut steps)?;
                (UnitName::Resource(ResourceAddr { mode, kind, name: own.text }), own.span)
            }
        };
        let key = match steps.peek() {
            Some(Step::Index(key)) => Some(*key),
            _ => None,
        };
        if key.is_some() {
            steps.next();
        }
        out.push(Segment { named, name: span, key });
    }
    Some(out)
}

/// The split units on the way of an address: index of the part, and index of the unit. Nothing where these differ from copy
/// to copy of a call, as its source does.
pub fn splits(node: &Node, segments: &[Segment<'_>]) -> Option<Vec<(usize, usize)>> {
    below(node, segments, 0)
}

fn below(node: &Node, segments: &[Segment<'_>], at: usize) -> Option<Vec<(usize, usize)>> {
    let Some(segment) = segments.get(at) else { return Some(Vec::new()) };
    match &segment.named {
        UnitName::Call(name) => match node.calls.get(name) {
            Some(Child::Split(split)) => {
                let mut inner = split.copies.iter().map(|copy| below(&copy.inner, segments, at + 1));
                let first = inner.next().unwrap_or_default()?;
                let alike = inner.all(|other| other.as_ref() == Some(&first));
                alike.then(|| [(at, split.unit)].into_iter().chain(first).collect())
            }
            Some(Child::Through(inner)) => below(inner, segments, at + 1),
            None => Some(Vec::new()),
        },
        UnitName::Resource(addr) => {
            Some(node.resources.get(addr).map(|split| (at, split.unit)).into_iter().collect())
        }
    }
}
