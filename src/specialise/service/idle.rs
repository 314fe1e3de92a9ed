//! Declarations that nothing uses any more once services have replaced what used them: variables with the arguments that callers
//! pass, locals, outputs, and calls of modules in which nothing is left.
//!
//! In: every module, and where its text goes. Out: further places that go. Invariants: nothing that stays refers to what goes; what
//! nothing used before stays, unless it refers to what goes itself. The root module's variables and outputs stay, as they are what
//! others rely on, and so do variables with validations and outputs with preconditions, which are the user's checks. Absent on
//! purpose: modules that an expression chooses, and JSON and override files, of which nothing goes.

use super::reference::{self, is_within};
use super::replacing::Replacing;
use crate::addr::{ModulePath, Referent, ResourceAddr, Target};
use crate::config::{Call, Decl, Module, Role};
use crate::graph::{self, Use};
use crate::specialise::unit::declared::{Declared, holder, named};
use crate::text::Place;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The declarations that are removed, by module.
#[derive(Default)]
pub(super) struct Idle(BTreeMap<ModulePath, BTreeSet<Target>>);

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
        self.0.get(path).is_some_and(|own| own.contains(&Target::Call(call.clone().into())))
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
                Target::Variable(name) => blocks.extend(module.variables.get(name).map(|v| &v.decl)),
                Target::Output(name) => blocks.extend(module.outputs.get(name).map(|o| &o.decl)),
                Target::Call(name) => blocks.extend(module.call(name).map(|c| &c.decl)),
                Target::Local(name) => {
                    let own = module.locals.get(name).map(|l| (&l.decl, l.attr.at(l.attr.span)));
                    attributes.extend(own);
                }
                Target::Resource(_) | Target::Provider(_) | Target::Block(_) => {}
            }
        }
        for (name, call) in module.calls.iter().filter(|(name, _)| !self.is_gone(path, name)) {
            let below = self.0.get(&path.child(name.clone()));
            let goes = |arg: &str| below.is_some_and(|own| own.contains(&Target::Variable(arg.into())));
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
    let own = |s: &Scope<'_>, call: &Arc<str>| (s.path.clone(), Target::Call(call.clone().into()));
    let mut calls: BTreeSet<Declared> =
        scopes.iter().flat_map(|s| s.calls.iter().map(|call| own(s, call))).collect();
    loop {
        let graph = Graph::of(r, scopes, &calls);
        let gone = graph.gone();
        let before = calls.len();
        let empty = scopes.iter().filter(|s| is_empty(r, s, &graph, &gone, &calls));
        let empty: Vec<_> = empty.filter_map(|s| s.path.parent()).collect();
        calls.extend(empty.into_iter().map(|(above, name)| (above, Target::Call(name))));
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
fn is_below(path: &ModulePath, (above, call): (&ModulePath, &Target)) -> bool {
    matches!(call, Target::Call(name) if above.child(name.clone()).contains(path))
}

/// Returns true if a module lost all its resources and calls, and no declaration that stays names its call.
fn is_empty(
    r: &Replacing<'_>,
    s: &Scope<'_>,
    graph: &Graph,
    gone: &BTreeSet<Declared>,
    calls: &BTreeSet<Declared>,
) -> bool {
    // Of a call with several sources, only one is empty.
    let Some((above, name)) = s.path.parent().filter(|(_, name)| name.source.is_none()) else { return false };
    let Some(call) = r.config.at(&above).and_then(|m| m.call(&name)) else { return false };
    let m = s.module;
    let own = |item: Target| (s.path.clone(), item);
    let went = |c: &Arc<str>| calls.contains(&own(Target::Call(c.clone().into())));
    let call_node = (above, Target::Call(name));
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
        && m.outputs.keys().all(|o| !graph.live.contains(&own(Target::Output(o.clone()))))
        && m.variables.values().all(|v| v.validations.is_empty())
}

/// Returns true if a call is written in one block of a `.tf` file and its source is a literal.
pub(super) fn is_plain(call: &Call) -> bool {
    !call.decl.json && call.decl.overrides.is_empty() && call.computed.is_none()
}

/// Returns the declarations of a module that are written in a form that can be removed.
fn free(r: &Replacing<'_>, s: &Scope<'_>) -> BTreeSet<Declared> {
    let m = s.module;
    if s.path.is_by_source() || m.role != Role::Module {
        return BTreeSet::new();
    }
    let once = |decl: &Decl| !decl.json && decl.overrides.is_empty();
    let above = s.path.parent();
    let call = above.and_then(|(above, name)| r.config.at(&above)?.call(&name));
    let variables = m.variables.values().filter(|v| once(&v.decl) && v.validations.is_empty());
    let outputs = m.outputs.values().filter(|o| once(&o.decl) && o.preconditions.is_empty());
    let locals = m.locals.values().filter(|l| !l.decl.json && !is_twice(m, &l.name));
    let variables =
        variables.filter(|_| call.is_some_and(is_plain)).map(|v| Target::Variable(v.name.clone()));
    let outputs = outputs.filter(|_| call.is_some()).map(|o| Target::Output(o.name.clone()));
    let locals = locals.map(|l| Target::Local(l.name.clone()));
    variables.chain(outputs).chain(locals).map(|item| (s.path.clone(), item)).collect()
}

/// Uses between the declarations of all modules.
#[derive(Default)]
struct Graph {
    /// The declarations that are written in a form that can be removed.
    free: BTreeSet<Declared>,
    /// The names in each declaration that can be removed, but for those that end up in `live`.
    names: BTreeMap<Declared, BTreeSet<Declared>>,
    /// The declarations that something outside of `free` uses, directly or through others.
    live: BTreeSet<Declared>,
    /// The declarations that lost a use.
    touched: BTreeSet<Declared>,
    /// The declarations that name a resource or call that is removed.
    tainted: BTreeSet<Declared>,
    /// Modules that change even if no declaration of theirs is removed.
    changed: BTreeSet<ModulePath>,
}

impl Graph {
    fn of(r: &Replacing<'_>, scopes: &[Scope<'_>], calls: &BTreeSet<Declared>) -> Graph {
        let free = scopes.iter().flat_map(|s| free(r, s)).collect();
        let mut graph = Graph { free, ..Graph::default() };
        let mut open: Vec<Declared> = Vec::new();
        for s in scopes {
            graph.changed.extend(s.changes.then(|| s.path.clone()));
            let gone_with = calls.iter().any(|(above, call)| is_below(s.path, (above, call)));
            let blocks = s
                .module
                .calls
                .values()
                .filter(|c| calls.contains(&(s.path.clone(), Target::Call(c.name.clone().into()))));
            let blocks: Vec<Place> = blocks.map(|c| c.decl.block.place()).collect();
            for used in s.uses.iter().chain(&graph::uses_in_json(s.module)) {
                let targets = targets(r, s, used);
                if gone_with || is_within(used, &s.gone) || is_within(used, &blocks) {
                    graph.touched.extend(targets);
                    continue;
                }
                let dropped = is_dropped(s, &used.referent);
                match holder(s.path, s.module, used).filter(|node| graph.free.contains(node)) {
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
    fn gone(&self) -> BTreeSet<Declared> {
        let free = |node: &&Declared| self.free.contains(*node) && !self.live.contains(*node);
        // Outputs are a module's interface: where nothing else of it changes they stay.
        let lost = |node: &&Declared| !matches!(node.1, Target::Output(_)) || self.changed.contains(&node.0);
        let touched = self.touched.iter().filter(lost);
        let mut open: Vec<Declared> = touched.chain(&self.tainted).filter(free).cloned().collect();
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
fn targets(r: &Replacing<'_>, s: &Scope<'_>, used: &Use) -> Vec<Declared> {
    let own = |item: Target| (s.path.clone(), item);
    let below = |call: &Arc<str>, name: &Arc<str>| (s.path.child(call.clone()), Target::Output(name.clone()));
    match &used.referent {
        Referent::Output { call, name, .. } => {
            vec![below(call, name), own(Target::Call(call.clone().into()))]
        }
        Referent::Call(call, _) => {
            let mut all = vec![own(Target::Call(call.clone().into()))];
            let outputs = r.config.child(s.path, call).into_iter().flat_map(|m| m.outputs.keys());
            match reference::attribute_of(s.module, used) {
                Some(name) => all.push(below(call, &name)),
                None if used.is_static() => {}
                None => all.extend(outputs.map(|name| below(call, name))),
            }
            all
        }
        other => named(other).map(own).into_iter().collect(),
    }
}

/// Returns true if a local is written more than once, as in an override file.
fn is_twice(module: &Module, name: &str) -> bool {
    let all = module.files.iter().flat_map(|f| f.body.blocks_of("locals"));
    all.filter(|b| b.body.attribute(name).is_some()).count() > 1
}
