//! Static analysis of expressions: reads them as keywords and addresses, and finds references, without evaluating.
//!
//! Semantics: hcl's `AbsTraversalForExpr`, `ExprAsKeyword`, and `Variables`. None of them looks through parentheses. Absent on purpose: what an address means.

use super::tree::{Expr, ExprKind, Ident};
use super::walk::Part;
use crate::text::Span;
use crate::value::Number;
use std::sync::Arc;

/// A constant reference: a root name and constant steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Traversal {
    /// The root name.
    pub root: Ident,
    /// The steps after it.
    pub steps: Vec<TraversalStep>,
    /// The bytes from the root to the last step.
    pub span: Span,
}

impl Traversal {
    /// The attributes directly behind the root, up to the first index.
    pub fn names(&self) -> impl Iterator<Item = &Ident> {
        self.steps.iter().map_while(|step| match step {
            TraversalStep::Attr(name) => Some(name),
            TraversalStep::Index(..) => None,
        })
    }
}

/// A step of a [`Traversal`].
#[derive(Clone, Debug, PartialEq)]
pub enum TraversalStep {
    /// `.name`
    Attr(Ident),
    /// `[key]` or `.0`; the span is the key's.
    Index(IndexKey, Span),
}

/// A constant key.
#[derive(Clone, Debug, PartialEq)]
pub enum IndexKey {
    /// `[0]`, `.0`
    Number(Number),
    /// `["k"]`
    String(Arc<str>),
}

/// The name that a lone identifier, `null`, `true` or `false` spells.
pub fn as_keyword(expr: &Expr) -> Option<Ident> {
    absolute_traversal(expr).filter(|t| t.steps.is_empty()).map(|t| t.root)
}

/// The expression as an address: a root name with attribute and constant index steps only.
///
/// `null`, `true` and `false` count as names here.
pub fn absolute_traversal(expr: &Expr) -> Option<Traversal> {
    constant_prefix(expr).filter(|t| t.1).map(|t| t.0)
}

/// The longest constant traversal at the root of `expr`, and whether it is the whole of it.
fn constant_prefix(expr: &Expr) -> Option<(Traversal, bool)> {
    // Steps are collected from the outside in; the first that is not constant discards those outside of it.
    let mut steps: Vec<(TraversalStep, Span)> = Vec::new();
    let mut whole = true;
    let mut at = expr;
    let name = loop {
        let step = match &at.kind {
            ExprKind::Variable(name) => break name.clone(),
            ExprKind::Null => break Arc::from("null"),
            ExprKind::Bool(b) => break Arc::from(if *b { "true" } else { "false" }),
            ExprKind::GetAttr(base, name) => (base, Some(TraversalStep::Attr(name.clone()))),
            ExprKind::LegacyIndex(base, number) => {
                let span = Span { start: base.span.end + 1, end: at.span.end };
                (base, Some(TraversalStep::Index(IndexKey::Number((**number).clone()), span)))
            }
            ExprKind::Index(base, key) => (base, constant_key(key)),
            _ => return None,
        };
        match step.1 {
            Some(found) => steps.push((found, at.span)),
            None => {
                steps.clear();
                whole = false;
            }
        }
        at = step.0;
    };
    let span = steps.first().map_or(at.span, |(_, span)| *span);
    let steps = steps.into_iter().rev().map(|(step, _)| step).collect();
    Some((Traversal { root: Ident { text: name, span: at.span }, steps, span }, whole))
}

fn constant_key(key: &Expr) -> Option<TraversalStep> {
    match &key.kind {
        ExprKind::Number(n) => Some(TraversalStep::Index(IndexKey::Number((**n).clone()), key.span)),
        ExprKind::String(s) => Some(TraversalStep::Index(IndexKey::String(s.clone()), key.span)),
        _ => None,
    }
}

/// Returns the names of an address, without the keys of instances.
pub fn address_names(expr: &Expr) -> Vec<Arc<str>> {
    match &expr.kind {
        ExprKind::Variable(root) => vec![root.clone()],
        ExprKind::Index(base, _) | ExprKind::LegacyIndex(base, _) => address_names(base),
        ExprKind::GetAttr(base, name) => {
            let mut names = address_names(base);
            names.push(name.text.clone());
            names
        }
        _ => Vec::new(),
    }
}

/// All references to names from outside, each with its longest constant prefix, in source order.
///
/// Names that an enclosing `for` expression or directive binds are left out. The source of a splat counts as a
/// reference without the steps that follow the splat.
pub fn variables(expr: &Expr) -> Vec<Traversal> {
    let mut finder = Finder { bound: Vec::new(), found: Vec::new() };
    finder.expr(expr);
    finder.found
}

/// The names of the variables that an expression refers to as `var.NAME`, in source order.
pub fn input_variables(expr: &Expr) -> impl Iterator<Item = Arc<str>> {
    names_under("var", expr)
}

/// The names that an expression refers to as `ROOT.NAME`, in source order.
pub fn names_under(root: &str, expr: &Expr) -> impl Iterator<Item = Arc<str>> {
    let named = variables(expr).into_iter().filter(move |name| *name.root.text == *root);
    named.filter_map(|name| match name.steps.into_iter().next() {
        Some(TraversalStep::Attr(name)) => Some(name.text),
        Some(TraversalStep::Index(..)) | None => None,
    })
}

struct Finder {
    bound: Vec<Arc<str>>,
    found: Vec<Traversal>,
}

impl Finder {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Variable(_) => self.reference(expr),
            ExprKind::GetAttr(base, _) | ExprKind::LegacyIndex(base, _) => self.chain(expr, base),
            ExprKind::Index(base, key) => {
                self.chain(expr, base);
                self.expr(key);
            }
            _ => expr.each_part(&mut |part, names| {
                let Part::Expr(child) = part else { return };
                let outside = self.bound.len();
                self.bound.extend_from_slice(names);
                self.expr(child);
                self.bound.truncate(outside);
            }),
        }
    }

    /// A step: the reference it is part of as a whole, or what its base refers to.
    fn chain(&mut self, expr: &Expr, base: &Expr) {
        match absolute_traversal(expr).filter(|_| !literal_root(expr)) {
            Some(_) => self.reference(expr),
            None => self.expr(base),
        }
    }

    fn reference(&mut self, expr: &Expr) {
        if let Some((traversal, _)) = constant_prefix(expr)
            && !self.bound.contains(&traversal.root.text)
        {
            self.found.push(traversal);
        }
    }
}

/// Returns true if a chain of steps starts at `null`, `true` or `false`, which refer to nothing.
fn literal_root(expr: &Expr) -> bool {
    let mut at = expr;
    loop {
        at = match &at.kind {
            ExprKind::GetAttr(base, _) | ExprKind::LegacyIndex(base, _) | ExprKind::Index(base, _) => base,
            ExprKind::Null | ExprKind::Bool(_) => return true,
            _ => return false,
        };
    }
}
