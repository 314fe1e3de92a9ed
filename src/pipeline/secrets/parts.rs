//! What is secret of an argument's value by the names of attributes that are written out in it.

use super::route::{Route, joined};
use crate::addr::Target;
use crate::config::{is_secret_argument, is_secret_setting};
use crate::syntax::{Expr, ExprKind, ObjectKey};
use std::sync::Arc;

/// The parts of an argument's value that are secret by the names of attributes that are written out in it. `path`: the names that lead to the value. `depth`: how many of
/// them lead from the argument to it.
pub(super) fn secret_parts(
    target: &Target,
    path: &mut Vec<Arc<str>>,
    expr: &Expr,
    depth: usize,
    out: &mut Vec<Route>,
) {
    let items = match &expr.kind {
        ExprKind::Paren(inner) => return secret_parts(target, path, inner, depth, out),
        ExprKind::Conditional(_, yes, no) => {
            secret_parts(target, path, yes, depth, out);
            return secret_parts(target, path, no, depth, out);
        }
        ExprKind::Tuple(items) => return elements(target, path, items.iter(), depth, out),
        ExprKind::For(found) => {
            return elements(target, path, std::iter::once(&found.result), depth, out);
        }
        ExprKind::Object(items) => items,
        _ => return,
    };
    for item in items {
        let name = match &item.key {
            ObjectKey::Name(name) => name.text.clone(),
            ObjectKey::Expr(Expr { kind: ExprKind::String(text), .. }) => text.clone(),
            ObjectKey::Expr(_) => continue,
        };
        path.push(name);
        let names: Vec<&str> = path.iter().map(|name| &**name).collect();
        let is_secret = match target {
            Target::Resource(resource) => is_secret_argument(&resource.kind, &names),
            _ => is_secret_setting(&names),
        };
        if is_secret {
            let own = path.get(path.len().saturating_sub(depth + 1)..).unwrap_or_default();
            out.push(joined(own, &[]));
        } else {
            secret_parts(target, path, &item.value, depth + 1, out);
        }
        path.pop();
    }
}

/// The same of what makes elements: the whole is secret where one of them holds a secret.
fn elements<'e>(
    target: &Target,
    path: &mut Vec<Arc<str>>,
    items: impl Iterator<Item = &'e Expr>,
    depth: usize,
    out: &mut Vec<Route>,
) {
    let before = out.len();
    items.for_each(|item| secret_parts(target, path, item, depth + 1, out));
    if out.len() > before {
        out.truncate(before);
        out.push(Route::new());
    }
}
