//! Assigns the parts of a root module to components.
//!
//! A part that isn't a component of its own goes into the module of a component that the proposal adds. If a part needs the output of
//! a component or a provider that itself needs another part, the two parts can't be in one component. So each part has a level, and
//! each level is a component. Invariant: a component takes values only from components of earlier levels.

use super::providers::{self, Handed};
use super::read::{Node, Root, arguments};
use crate::config::In;
use crate::issue::{Code, Issue};
use crate::syntax::{Block, Expr, traversal};
use crate::text::{Place, SourceId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The most passes in which levels are raised until resources that name each other in `replace_triggered_by` share one.
const ROUNDS: usize = 32;

/// The component of each part.
pub(super) struct Levels {
    /// The number of each part's component, counted from the first.
    of: BTreeMap<Node, usize>,
    /// The components' names.
    pub names: Vec<String>,
    /// The provider configurations of each part, and of each module call that is a component.
    pub providers: BTreeMap<Node, Vec<Handed>>,
}

impl Levels {
    /// # Errors
    /// Returns an error if parts refer to each other in a cycle.
    pub fn of(root: &Root<'_>) -> Result<Levels, Issue> {
        let providers: BTreeMap<Node, Vec<Handed>> =
            nodes(root).into_iter().map(|node| (node.clone(), providers::taken(root, &node))).collect();
        let mut floors: BTreeMap<Node, usize> = BTreeMap::new();
        let mut found = BTreeMap::new();
        for _ in 0..ROUNDS {
            let mut walk = Walk {
                root,
                providers: &providers,
                floors: &floors,
                of: BTreeMap::new(),
                open: BTreeSet::new(),
            };
            for node in nodes(root) {
                walk.level(&node)?;
            }
            found = walk.of;
            let mut raised = false;
            for (node, other) in beside(root) {
                let (own, wanted) = (found.get(&other).copied(), found.get(&node).copied());
                if own != wanted {
                    let most = own.max(wanted).unwrap_or_default();
                    floors.insert(node, most);
                    floors.insert(other, most);
                    raised = true;
                }
            }
            if !raised {
                break;
            }
        }
        found.retain(|node, _| root.is_inner(node));
        let there: BTreeSet<usize> = found.values().copied().collect();
        let number: BTreeMap<usize, usize> =
            there.iter().enumerate().map(|(at, level)| (*level, at)).collect();
        found.values_mut().for_each(|level| *level = number.get(level).copied().unwrap_or_default());
        Ok(Levels { of: found, names: names(root, there.len()), providers })
    }

    /// Returns the number of the component whose module holds a part; `None` for a part that no added component holds.
    pub fn at(&self, node: &Node) -> Option<usize> {
        self.of.get(node).copied()
    }

    /// Returns the name of the component with this number.
    pub fn name(&self, at: usize) -> &str {
        self.names.get(at).map_or("main", String::as_str)
    }
}

/// Returns `count` names for components that no module call has.
fn names(root: &Root<'_>, count: usize) -> Vec<String> {
    let mut base = "main".to_owned();
    let taken = |name: &str| root.module.calls.keys().any(|call| call.starts_with(name));
    while taken(&base) {
        base.push_str("_root");
    }
    match count {
        1 => vec![base],
        _ => (1..=count).map(|n| format!("{base}_{n}")).collect(),
    }
}

/// Returns every part of the root module.
pub(super) fn nodes(root: &Root<'_>) -> Vec<Node> {
    let module = root.module;
    let mut out: Vec<Node> = module.calls.keys().cloned().map(Node::Call).collect();
    out.extend(module.resources.keys().cloned().map(Node::Resource));
    out.extend(module.checks.iter().map(|check| Node::Check(check.name.clone())));
    out.extend(module.locals.keys().filter(|name| root.is_inner_local(name)).cloned().map(Node::Local));
    out.extend(root.parts.values().map(|(name, _)| Node::Part(name.clone())));
    out.extend(module.providers.iter().map(|p| Node::Provider(p.name.clone(), p.alias.clone())));
    out
}

/// Returns each resource with each part that its `replace_triggered_by` names. The two have to share a component.
fn beside(root: &Root<'_>) -> Vec<(Node, Node)> {
    let mut out = Vec::new();
    for resource in root.module.resources.values() {
        let Some(triggers) = &resource.lifecycle.replace_triggered_by else { continue };
        let own = Node::Resource(resource.addr.clone());
        for other in root.within(&triggers.expr, triggers.file) {
            if root.is_inner(&other) && other != own {
                out.push((own.clone(), other));
            }
        }
    }
    out
}

struct Walk<'w, 'a> {
    root: &'w Root<'a>,
    providers: &'w BTreeMap<Node, Vec<Handed>>,
    floors: &'w BTreeMap<Node, usize>,
    of: BTreeMap<Node, usize>,
    open: BTreeSet<Node>,
}

impl Walk<'_, '_> {
    /// Returns the level of a part. For a part that is in no added component, it is the first level that can use its values.
    fn level(&mut self, node: &Node) -> Result<usize, Issue> {
        if let Some(level) = self.of.get(node) {
            return Ok(*level);
        }
        if !self.open.insert(node.clone()) {
            let why =
                "The root module's parts refer to each other in a circle, which Terraform would reject.";
            return Err(Issue::error(Code::Cycle, "The root module can't be taken apart", why));
        }
        let inner = self.root.is_inner(node);
        let mut level = self.floors.get(node).copied().unwrap_or_default();
        for other in self.needs(node).into_iter().filter(|other| other != node) {
            let theirs = self.level(&other)?;
            let step = usize::from(!inner && self.root.is_inner(&other));
            level = level.max(theirs.saturating_add(step));
        }
        self.open.remove(node);
        self.of.insert(node.clone(), level);
        Ok(level)
    }

    fn needs(&self, node: &Node) -> BTreeSet<Node> {
        let root = self.root;
        let module = root.module;
        let mut out = match node {
            Node::Call(_) | Node::Resource(_) | Node::Check(_) | Node::Provider(..) => {
                root.decl(node).map(|decl| of_block(root, &decl.block)).unwrap_or_default()
            }
            Node::Local(name) => {
                module.locals.get(name).map(|l| root.within(&l.attr.expr, l.attr.file)).unwrap_or_default()
            }
            Node::Part(name) => {
                let own = root.parts.values().find(|(own, _)| own == name);
                own.map(|(_, expr)| root.within(expr, expr.file)).unwrap_or_default()
            }
        };
        for handed in self.providers.get(node).into_iter().flatten() {
            out.insert(Node::Provider(handed.name.clone(), handed.alias.clone()));
        }
        out
    }
}

fn of_block(root: &Root<'_>, block: &In<Block>) -> BTreeSet<Node> {
    arguments(block).iter().flat_map(|attr| root.of(&attr.expr, attr.file)).collect()
}

/// Returns the parts and texts in a list of addresses, such as that of `depends_on`.
pub(super) fn listed(root: &Root<'_>, expr: &Expr, file: SourceId) -> Vec<(Option<Node>, Arc<str>)> {
    let crate::syntax::ExprKind::Tuple(items) = &expr.kind else { return Vec::new() };
    let one = |item: &Expr| {
        let text = root.config.sources.slice(Place { file, span: item.span });
        let parsed = crate::syntax::parse_expr(text.trim_matches('"')).ok();
        let named = parsed.as_ref().and_then(traversal::absolute_traversal).is_some();
        let used = parsed.filter(|_| named).and_then(|e| crate::graph::uses_of(&e, file).into_iter().next());
        (used.and_then(|used| root.node(&used.referent)), Arc::from(text.trim_matches('"')))
    };
    items.iter().map(one).collect()
}
