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

/// What goes, by module.
#[derive(Default)]
pub(super) struct Idle(BTreeMap<ModulePath, BTreeSet<Item>>);

/// A module as it stands before anything goes.
pub(super) struct Scope<'a> {
    pub path: &'a ModulePath,
    pub module: &'a Module,
    /// Every use outside of JSON files.
    pub uses: &'a [Use],
    /// Where text goes.
    pub gone: Vec<Place>,
    /// The resources that go.
    pub dropped: Vec<&'a ResourceAddr>,
    /// Whether anything is replaced in it or below it, or goes there.
    pub changes: bool,
    /// Whether a call in it is replaced.
    pub replaced: bool,
}

impl Idle {
    /// Whether anything goes in a module, or below it.
    pub fn changes(&self, path: &ModulePath) -> bool {
        self.0.keys().any(|scope| path.contains(scope))
    }

    /// Whether a module goes with a call.
    pub fn is_within(&self, path: &ModulePath) -> bool {
        let mut calls = self.0.iter().flat_map(|(above, own)| own.iter().map(move |item| (above, item)));
        calls.any(|(above, item)| is_below(path, (above, item)))
    }

    /// Whether a call goes.
    pub fn is_gone(&self, path: &ModulePath, call: &Arc<str>) -> bool {
        self.0.get(path).is_some_and(|own| own.contains(&Item::Call(call.clone())))
    }

    /// The blocks of a module that go, and the arguments and locals, with the block that each stands in.
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

    /// Where text of a module goes.
    pub fn places(&self, path: &ModulePath, module: &Module) -> Vec<Place> {
        let (blocks, attributes) = self.declarations(path, module);
        blocks.into_iter().map(|d| d.block.place()).chain(attributes.into_iter().map(|(_, p)| p)).collect()
    }
}

/// What nothing uses any more.
pub(super) fn idle(r: &Replacing<'_>, scopes: &[Scope<'_>]) -> Idle {
    let mut calls: BTreeSet<Node> = BTreeSet::new();
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

/// Whether a module goes with a call.
fn is_below(path: &ModulePath, (above, call): (&ModulePath, &Item)) -> bool {
    matches!(call, Item::Call(name) if above.child(name.clone()).contains(path))
}

/// Whether nothing is left in a module, and nothing that stays names its call.
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

/// Whether a call stands in one block that can be rewritten.
fn is_plain(call: &Call) -> bool {
    !call.decl.json && call.decl.overrides.is_empty() && call.computed.is_none()
}

/// The declarations of a module that may go, as far as their form is concerned.
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

/// Who uses what.
#[derive(Default)]
struct Graph {
    /// What may go as far as its form is concerned.
    free: BTreeSet<Node>,
    /// What each declaration names that isn't used by what stays.
    names: BTreeMap<Node, BTreeSet<Node>>,
    /// What is used by what stays, in the end.
    live: BTreeSet<Node>,
    /// What lost a use.
    touched: BTreeSet<Node>,
    /// What names a resource that goes.
    tainted: BTreeSet<Node>,
    /// Modules that change in any case.
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
                let dropped = matches!(&used.referent, Referent::Resource(a) if s.dropped.contains(&a));
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

    /// What goes: what nothing that stays uses, and what lost a use or names what goes.
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

/// What a use names of what may go.
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

/// The declaration that holds a use: an argument of a call belongs to the variable behind it.
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

/// Whether a local is written twice, as override files do.
fn is_twice(module: &Module, name: &str) -> bool {
    let all = module.files.iter().flat_map(|f| f.body.blocks_of("locals"));
    all.filter(|b| b.body.attribute(name).is_some()).count() > 1
}
