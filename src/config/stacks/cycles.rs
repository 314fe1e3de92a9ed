//! Finds components and locals of one Stack that depend on themselves.
//!
//! An embedded Stack gives each of its outputs as soon as what that takes is known, so that no way through one counts here.

use crate::config::Module;
use crate::issue::{Code, Issue};
use crate::syntax::traversal::{self, TraversalStep};
use crate::syntax::{Expr, ExprKind};
use crate::text::Place;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A component's or local's name as expressions name it, what it names itself, and where it stands.
type Nodes = BTreeMap<Arc<str>, (Vec<Arc<str>>, Place)>;

/// One issue for the first way back that is met.
pub(super) fn found(module: &Module) -> Option<Issue> {
    let nodes = nodes(module);
    let mut done: BTreeMap<&str, bool> = BTreeMap::new();
    for name in nodes.keys() {
        let mut way: Vec<&str> = Vec::new();
        if let Some(round) = follow(name, &nodes, &mut done, &mut way) {
            let place = nodes.get(round.first().copied().unwrap_or(name)).map(|(_, place)| *place)?;
            let why =
                format!("{} depend on each other: each takes its value from the next.", round.join(", "));
            return Some(Issue::error(Code::Cycle, "Self-dependent items in configuration", why).at(place));
        }
    }
    None
}

/// Depth first, without recursion: `done` is false while what a name leads to is looked at.
fn follow<'n>(
    start: &'n str,
    nodes: &'n Nodes,
    done: &mut BTreeMap<&'n str, bool>,
    way: &mut Vec<&'n str>,
) -> Option<Vec<&'n str>> {
    let mut open: Vec<(&'n str, usize)> = vec![(start, 0)];
    while let Some(&(name, next)) = open.last() {
        if next == 0 {
            if done.contains_key(name) {
                open.pop();
                continue;
            }
            done.insert(name, false);
            way.push(name);
        }
        let target = nodes.get(name).and_then(|(uses, _)| uses.get(next));
        open.last_mut().into_iter().for_each(|last| last.1 += 1);
        let Some(target) = target else {
            done.insert(name, true);
            way.pop();
            open.pop();
            continue;
        };
        if done.get(&**target) == Some(&false) {
            let from = way.iter().position(|n| *n == &**target).unwrap_or_default();
            return Some(way.split_off(from));
        }
        if nodes.contains_key(target) && !done.contains_key(&**target) {
            open.push((target, 0));
        }
    }
    None
}

fn nodes(module: &Module) -> Nodes {
    let mut nodes = Nodes::new();
    for local in module.locals.values() {
        let place = local.attr.at(local.attr.name.span);
        nodes.insert(format!("local.{}", local.name).into(), (uses(&local.attr.expr), place));
    }
    for call in module.calls.values().filter(|c| c.name.starts_with("component.")) {
        let own = call.args.iter().chain(&call.computed).chain(&call.for_each).chain(&call.depends_on);
        let uses = own.flat_map(|attr| uses(&attr.expr)).collect();
        nodes.insert(call.name.clone(), (uses, call.decl.place()));
    }
    nodes
}

/// The names of locals and components in an expression that was rewritten.
fn uses(expr: &Expr) -> Vec<Arc<str>> {
    // What `depends_on` lists is no value, and is named all the same.
    let listed = match &expr.kind {
        ExprKind::Tuple(items) => items.iter().filter_map(traversal::absolute_traversal).collect(),
        _ => Vec::new(),
    };
    let all = traversal::variables(expr).into_iter().chain(listed);
    let name = |found: traversal::Traversal| match (&*found.root.text, found.steps.first()) {
        ("local", Some(TraversalStep::Attr(name))) => Some(format!("local.{}", name.text).into()),
        ("module", Some(TraversalStep::Attr(name))) => Some(name.text.clone()),
        _ => None,
    };
    all.filter_map(name).collect()
}
