//! Entries of written-out objects whose names may be a secret's, whatever construct they stand in.
//!
//! In: an expression. Out: such entries, and the way to each as far as it can be told. What an entry is handed to decides whether its name makes it a secret.
//! Invariant: none is passed over because of the construct around it; where the way isn't known, the name alone counts. Absent on purpose: values, and
//! names that are computed.

use super::call::is_keeping;
use super::compared::add_literals;
use super::route::{DEEPEST, EACH, Route, step_to};
use super::shape::{Finder, Shape};
use crate::config::may_name_secret;
use crate::syntax::{Expr, ExprKind, ObjectKey, TemplatePart};
use crate::text::Span;
use std::sync::Arc;

/// An entry whose name may be a secret's.
pub(super) struct Member {
    /// The keys that lead to it.
    pub names: Vec<Arc<str>>,
    /// The way to it; its name alone where that isn't known.
    pub route: Route,
    /// What it comes from.
    pub shape: Shape,
    /// Where its value is written.
    pub span: Span,
    /// True if something is written out there, and not only named.
    pub is_written_out: bool,
}

/// Finds such entries.
pub(super) struct Members<'f, 'r, 'c> {
    pub finder: &'f mut Finder<'r, 'c>,
    pub found: Vec<Member>,
    names: Vec<Arc<str>>,
}

/// Those of an expression.
pub(super) fn members_of(finder: &mut Finder<'_, '_>, expr: &Expr) -> Vec<Member> {
    let mut members = Members { finder, found: Vec::new(), names: Vec::new() };
    members.look_through(expr, Some(Route::new()));
    members.found
}

impl Members<'_, '_, '_> {
    fn look_through(&mut self, expr: &Expr, route: Option<Route>) {
        match &expr.kind {
            ExprKind::Paren(inner) => self.look_through(inner, route),
            ExprKind::Conditional(condition, yes, no) => {
                self.look_through(condition, None);
                self.look_through(yes, route.clone());
                self.look_through(no, route);
            }
            ExprKind::Tuple(items) => {
                items.iter().for_each(|item| self.look_through(item, step_under(&route, EACH)))
            }
            ExprKind::Object(items) => {
                items.iter().for_each(|item| self.look_at_entry(&item.key, &item.value, &route))
            }
            ExprKind::For(of) => {
                self.look_through(&of.collection, None);
                let collection = self.finder.shape(&of.collection);
                let outside = self.finder.names.len();
                self.finder.bind(of.key.as_ref().map(|key| &key.text), &of.value.text, &collection);
                let result = if of.group { step_under(&route, EACH) } else { route };
                match &of.result_key {
                    Some(key) => self.look_at_key(key, &of.result, &result),
                    None => self.look_through(&of.result, step_under(&result, EACH)),
                }
                self.finder.names.truncate(outside);
            }
            ExprKind::Call(call) if is_keeping(&call.name.text) => {
                call.args.iter().for_each(|arg| self.look_through(arg, route.clone()));
            }
            ExprKind::Template(template)
                if matches!(template.parts.as_slice(), [TemplatePart::Interpolation(..)]) =>
            {
                expr.each_child(&mut |inner| self.look_through(inner, route.clone()));
            }
            _ => expr.each_child(&mut |inner| self.look_through(inner, None)),
        }
    }

    fn look_at_entry(&mut self, key: &ObjectKey, value: &Expr, route: &Option<Route>) {
        match key {
            ObjectKey::Name(name) => self.add_member(&name.text, value, route),
            ObjectKey::Expr(key) => self.look_at_key(key, value, route),
        }
    }

    fn look_at_key(&mut self, key: &Expr, value: &Expr, route: &Option<Route>) {
        match &key.kind {
            ExprKind::String(name) => self.add_member(name, value, route),
            ExprKind::Paren(inner) => self.look_at_key(inner, value, route),
            _ => {
                self.look_through(key, None);
                self.look_through(value, step_under(route, EACH));
            }
        }
    }

    fn add_member(&mut self, name: &Arc<str>, value: &Expr, route: &Option<Route>) {
        self.names.push(name.clone());
        let own = step_under(route, &step_to(name));
        if may_name_secret(name) {
            let shape = self.finder.shape(value);
            let route = own.clone().unwrap_or_else(|| vec![name.clone()]);
            let mut literals = Vec::new();
            add_literals(value, &mut literals);
            self.found.push(Member {
                names: self.names.clone(),
                route,
                shape,
                span: value.span,
                is_written_out: !literals.is_empty(),
            });
        }
        self.look_through(value, own);
        self.names.pop();
    }
}

fn step_under(route: &Option<Route>, step: &str) -> Option<Route> {
    route.as_ref().map(|route| put_last(route, &[step.into()]))
}

/// A way with more steps behind it. Where it gets too long, the last one stays.
pub(super) fn put_last(route: &[Arc<str>], more: &[Arc<str>]) -> Route {
    let mut all: Route = route.iter().chain(more).cloned().collect();
    if let Some(last) = all.last().filter(|_| all.len() > DEEPEST).cloned() {
        all.truncate(DEEPEST - 1);
        all.push(last);
    }
    all
}
