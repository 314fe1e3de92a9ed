//! Declarations that nothing uses any more once services have replaced what used them: variables with the arguments that callers
//! pass, locals, outputs, and calls of modules in which nothing is left.
//!
//! In: every module, and where its text goes. Out: further places that go. Invariants: nothing that stays refers to what goes; what
//! nothing used before stays, unless it refers to what goes itself. The root module's variables and outputs stay, as they are what
//! others rely on, and so do variables with validations and outputs with preconditions, which are the user's checks. Absent on
//! purpose: modules that an expression chooses, and JSON and override files, of which nothing goes.

use super::reference::{self, is_within};
use super::replacing::Replacing;
use crate::addr::{ModulePath, Referent, ResourceAddr};
use crate::config::{Call, Decl, Module, Role};
use crate::graph::{self, Use};
use crate::text::Place;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A declaration of a module that may go.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Item {
    Variable(Arc<str>),
    Local(Arc<str>),
    Output(Arc<str>),
    Call(Arc<str>),
}

/// A declaration and its module.
type Node = (ModulePath, Item);

/// The declarations that are removed, by module.
#[derive(Default)]
pub(super) struct Idle(BTreeMap<ModulePath, BTreeSet<Item>>);

/// A module as it stands before anything goes.
pub(super) struct Scope<'a> {
    pub path: &'a ModulePath,
    pub module: &'a Module,
    /// Every use outside of JSON files.
    pub uses: &'a [Use],
    /// The places whose text is removed.
    pub gone: Vec<Place>,
    /// The resources that are removed.
    pub dropped: Vec<&'a ResourceAddr>,
    /// The calls that are removed because `drops` names their module.
    pub calls: Vec<&'a Arc<str>>,
    /// True if anything is replaced or removed in the module, or in a module below it.
    pub changes: bool,
    /// True if a resource or call in the module is replaced.
    pub replaced: bool,
}

impl Idle {
    /// Returns true if a declaration is removed in the module, or in a module below it.
    pub fn changes(&self, path: &ModulePath) -> bool {
        self.0.keys().any(|scope| path.contains(scope))
    }

    /// Returns true if a module is removed with a call above it.
    pub fn is_within(&self, path: &ModulePath) -> bool {
        let mut calls = self.0.iter().flat_map(|(above, own)| own.iter().map(move |item| (above, item)));
        calls.any(|(above, item)| is_below(path, (above, item)))
    }

    /// Returns true if a call is removed.
    pub fn is_gone(&self, path: &ModulePath, call: &Arc<str>) -> bool {
        self.0.get(path).is_some_and(|own| own.contains(&Item::Call(call.clone())))
    }

    /// Returns the blocks of a module that are removed; then the arguments and locals, each with the block around it.
    pub fn declarations<'m>(
        &self,
        path: &ModulePath,
        module: &'m Module,
    ) -> (Vec<&'m Decl>, Vec<(&'m Decl, Place)>) {
        let (mut blocks, mut attributes) = (Vec::new(), Vec::new());
        for item in self.0.get(path).into_iter().flatten() {
            match item {
                Item::Variable(name) => blocks.extend(module.variables.get(name).map(|v| &v.decl)),
                Item::Output(name) => blocks.extend(module.outputs.get(name).map(|o| &o.decl)),
                Item::Call(name) => blocks.extend(module.calls.get(name).map(|c| &c.decl)),
                Item::Local(name) => {
                    let own = module.locals.get(name).map(|l| (&l.decl, l.attr.at(l.attr.span)));
                    attributes.extend(own);
                }
            }
        }
        for (name, call) in module.calls.iter().filter(|(name, _)| !self.is_gone(path, name)) {
            let below = self.0.get(&path.child(name.clone()));
            let goes = |arg: &str| below.is_some_and(|own| own.contains(&Item::Variable(arg.into())));
            let own = call.decl.block.body.attributes().filter(|a| goes(&a.name.text));
            attributes.extend(own.map(|a| (&call.decl, call.decl.block.at(a.span))));
        }
        (blocks, attributes)
    }

    /// Returns the places of a module whose text is removed.
    pub fn places(&self, path: &ModulePath, module: &Module) -> Vec<Place> {
        let (blocks, attributes) = self.declarations(path, module);
        blocks.into_iter().map(|d| d.block.place()).chain(attributes.into_iter().map(|(_, p)| p)).collect()
    }
}

/// Returns the declarations that nothing uses any more. Removing a call may leave more of them, so this is repeated until no further
/// call is empty.
pub(super) fn idle(r: &Replacing<'_>, scopes: &[Scope<'_>]) -> Idle {
    let own = |s: &Scope<'_>, call: &Arc<str>| (s.path.clone(), Item::Call(call.clone()));
    let mut calls: BTreeSet<Node> =
        scopes.iter().flat_map(|s| s.calls.iter().map(|call| own(s, call))).collect();
    loop {
        let graph = Graph::of(r, scopes, &calls);
        let gone = graph.gone();
        let before = calls.len();
        let empty = scopes.iter().filter(|s| is_empty(r, s, &graph, &gone, &calls));
        let empty: Vec<_> = empty.filter_map(|s| s.path.parent()).collect();
        calls.extend(empty.into_iter().map(|(above, name)| (above, Item::Call(name))));
        if calls.len() == before {
            let mut out = Idle::default();
            let below = |path: &ModulePath| calls.iter().any(|(above, call)| is_below(path, (above, call)));
            for (path, item) in gone.into_iter().chain(calls.clone()).filter(|(path, _)| !below(path)) {
                out.0.entry(path).or_default().insert(item);
            }
            return out;
        }
    }
}

/// Returns true if `path` is the module of a call, or a module below it.
fn is_below(path: &ModulePath, (above, call): (&ModulePath, &Item)) -> bool {
    matches!(call, Item::Call(name) if above.child(name.clone()).contains(path))
}

/// Returns true if a module lost all its resources and calls, and no declaration that stays names its call.
fn is_empty(
    r: &Replacing<'_>,
    s: &Scope<'_>,
    graph: &Graph,
    gone: &BTreeSet<Node>,
    calls: &BTreeSet<Node>,
) -> bool {
    let Some((above, name)) = s.path.parent() else { return false };
    let Some(call) = r.config.at(&above).and_then(|m| m.calls.get(&name)) else { return false };
    let m = s.module;
    let own = |item: Item| (s.path.clone(), item);
    let went = |c: &Arc<str>| calls.contains(&own(Item::Call(c.clone())));
    let call_node = (above, Item::Call(name));
    let named = graph.live.contains(&call_node)
        || graph.names.iter().any(|(user, names)| !gone.contains(user) && names.contains(&call_node));
    let others = [&m.moved, &m.removed, &m.imports, &m.others];
    let plain = m.role == Role::Module && m.files.iter().all(|f| !f.json) && is_plain(call);
    let had_any = !s.dropped.is_empty() || !m.calls.is_empty();
    let bare = m.providers.is_empty() && m.checks.is_empty() && others.iter().all(|all| all.is_empty());
    let needed = named || s.replaced;
    plain
        && had_any
        && bare
        && !needed
        && m.resources.keys().all(|addr| s.dropped.contains(&addr))
        && m.calls.keys().all(went)
        && m.outputs.keys().all(|o| !graph.live.contains(&own(Item::Output(o.clone()))))
        && m.variables.values().all(|v| v.validations.is_empty())
}

/// Returns true if a call is written in one block of a `.tf` file and its source is a literal.
pub(super) fn is_plain(call: &Call) -> bool {
    !call.decl.json && call.decl.overrides.is_empty() && call.computed.is_none()
}

/// Returns the declarations of a module that are written in a form that can be removed.
fn free(r: &Replacing<'_>, s: &Scope<'_>) -> BTreeSet<Node> {
    let m = s.module;
    if s.path.is_by_source() || m.role != Role::Module {
        return BTreeSet::new();
    }
    let once = |decl: &Decl| !decl.json && decl.overrides.is_empty();
    let above = s.path.parent();
    let call = above.and_then(|(above, name)| r.config.at(&above)?.calls.get(&name));
    let variables = m.variables.values().filter(|v| once(&v.decl) && v.validations.is_empty());
    let outputs = m.outputs.values().filter(|o| once(&o.decl) && o.preconditions.is_empty());
    let locals = m.locals.values().filter(|l| !l.decl.json && !is_twice(m, &l.name));
    let variables = variables.filter(|_| call.is_some_and(is_plain)).map(|v| Item::Variable(v.name.clone()));
    let outputs = outputs.filter(|_| call.is_some()).map(|o| Item::Output(o.name.clone()));
    let locals = locals.map(|l| Item::Local(l.name.clone()));
    variables.chain(outputs).chain(locals).map(|item| (s.path.clone(), item)).collect()
}

/// Uses between the declarations of all modules.
#[derive(Default)]
struct Graph {
    /// The declarations that are written in a form that can be removed.
    free: BTreeSet<Node>,
    /// The names in each declaration that can be removed, but for those that end up in `live`.
    names: BTreeMap<Node, BTreeSet<Node>>,
    /// The declarations that something outside of `free` uses, directly or through others.
    live: BTreeSet<Node>,
    /// The declarations that lost a use.
    touched: BTreeSet<Node>,
    /// The declarations that name a resource or call that is removed.
    tainted: BTreeSet<Node>,
    /// Modules that change even if no declaration of theirs is removed.
    changed: BTreeSet<ModulePath>,
}

impl Graph {
    fn of(r: &Replacing<'_>, scopes: &[Scope<'_>], calls: &BTreeSet<Node>) -> Graph {
        let free = scopes.iter().flat_map(|s| free(r, s)).collect();
        let mut graph = Graph { free, ..Graph::default() };
        let mut open: Vec<Node> = Vec::new();
        for s in scopes {
            graph.changed.extend(s.changes.then(|| s.path.clone()));
            let gone_with = calls.iter().any(|(above, call)| is_below(s.path, (above, call)));
            let blocks = s
                .module
                .calls
                .values()
                .filter(|c| calls.contains(&(s.path.clone(), Item::Call(c.name.clone()))));
            let blocks: Vec<Place> = blocks.map(|c| c.decl.block.place()).collect();
            for used in s.uses.iter().chain(&graph::uses_in_json(s.module)) {
                let targets = targets(r, s, used);
                if gone_with || is_within(used, &s.gone) || is_within(used, &blocks) {
                    graph.touched.extend(targets);
                    continue;
                }
                let dropped = is_dropped(s, &used.referent);
                match holder(s, used).filter(|node| graph.free.contains(node)) {
                    Some(node) => {
                        graph.tainted.extend(dropped.then(|| node.clone()));
                        graph.names.entry(node).or_default().extend(targets);
                    }
                    None => open.extend(targets),
                }
            }
        }
        while let Some(node) = open.pop() {
            open.extend(graph.names.remove(&node).into_iter().flatten());
            graph.live.insert(node);
        }
        graph
    }

    /// Returns the declarations to remove: those that nothing live uses, if they lost a use or name something that is removed.
    fn gone(&self) -> BTreeSet<Node> {
        let free = |node: &&Node| self.free.contains(*node) && !self.live.contains(*node);
        // Outputs are a module's interface: where nothing else of it changes they stay.
        let lost = |node: &&Node| !matches!(node.1, Item::Output(_)) || self.changed.contains(&node.0);
        let touched = self.touched.iter().filter(lost);
        let mut open: Vec<Node> = touched.chain(&self.tainted).filter(free).cloned().collect();
        let mut out = BTreeSet::new();
        while let Some(node) = open.pop() {
            if !out.insert(node.clone()) {
                continue;
            }
            let used = self.names.get(&node).into_iter().flatten().filter(lost);
            let users = self.names.iter().filter(|(_, names)| names.contains(&node)).map(|(user, _)| user);
            open.extend(used.chain(users).filter(free).cloned());
        }
        out
    }
}

/// Returns true if a resource or call is one that `drops` names.
fn is_dropped(s: &Scope<'_>, named: &Referent) -> bool {
    match named {
        Referent::Resource(addr) => s.dropped.contains(&addr),
        Referent::Call(call, _) | Referent::Output { call, .. } => s.calls.contains(&call),
        _ => false,
    }
}

/// Returns the declarations that a use names: a variable, a local, or a call with its outputs.
fn targets(r: &Replacing<'_>, s: &Scope<'_>, used: &Use) -> Vec<Node> {
    let own = |item: Item| (s.path.clone(), item);
    let below = |call: &Arc<str>, name: &Arc<str>| (s.path.child(call.clone()), Item::Output(name.clone()));
    match &used.referent {
        Referent::Variable(name) => vec![own(Item::Variable(name.clone()))],
        Referent::Local(name) => vec![own(Item::Local(name.clone()))],
        Referent::Output { call, name, .. } => vec![below(call, name), own(Item::Call(call.clone()))],
        Referent::Call(call, _) => {
            let mut all = vec![own(Item::Call(call.clone()))];
            let outputs = r.config.child(s.path, call).into_iter().flat_map(|m| m.outputs.keys());
            match reference::attribute_of(s.module, used) {
                Some(name) => all.push(below(call, &name)),
                None if used.is_static() => {}
                None => all.extend(outputs.map(|name| below(call, name))),
            }
            all
        }
        _ => Vec::new(),
    }
}

/// Returns the declaration that contains a use. An argument of a call counts as part of the variable that it sets.
fn holder(s: &Scope<'_>, used: &Use) -> Option<Node> {
    let m = s.module;
    let name = &used.context.attribute;
    let holds = |decl: &Decl| decl.block.file == used.file && decl.block.span.contains(used.traversal.span);
    match used.context.blocks.first().map(|kind| &**kind)? {
        "locals" => {
            let own = m.locals.get(name).filter(|l| l.attr.span == used.context.span)?;
            Some((s.path.clone(), Item::Local(own.name.clone())))
        }
        "output" => {
            let own = m.outputs.values().find(|o| holds(&o.decl))?;
            Some((s.path.clone(), Item::Output(own.name.clone())))
        }
        "module" if used.context.blocks.len() == 1 => {
            let call = m.calls.values().find(|c| holds(&c.decl))?;
            Some((s.path.child(call.name.clone()), Item::Variable(name.clone())))
        }
        _ => None,
    }
}

/// Returns true if a local is written more than once, as in an override file.
fn is_twice(module: &Module, name: &str) -> bool {
    let all = module.files.iter().flat_map(|f| f.body.blocks_of("locals"));
    all.filter(|b| b.body.attribute(name).is_some()).count() > 1
}
