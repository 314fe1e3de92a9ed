//! The resources behind a root output, as Terraform's graph has them.
//!
//! In: a configuration, and which of several modules a call has where an expression chooses its `source`. Out: every resource that an
//! output descends from. A reference to one output of a call leads to that output; any other reference to a call (`module.m[*].x`,
//! `module.m[each.key].x`) leads to all that is in it. Absent on purpose: instances, since before a plan Terraform's graph has none.

use crate::addr::{ModulePath, Referent, ResourceAddr};
use crate::config::{Config, Module};
use crate::graph::reference;
use crate::syntax::{Body, Expr, traversal};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Resources, each by its module without sources.
pub type Resources = BTreeSet<(ModulePath, ResourceAddr)>;

/// A declaration of the module at a path.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Variable(Arc<str>),
    Local(Arc<str>),
    Output(Arc<str>),
    /// The meta-arguments of a call.
    Call(Arc<str>),
    /// A call with all that is in it.
    Whole(Arc<str>),
    Resource(ResourceAddr),
}

/// Finds what lies behind declarations.
pub struct Behind<'c> {
    config: &'c Config,
    is_taken: &'c dyn Fn(&ModulePath) -> bool,
}

struct Walk<'c> {
    of: &'c Behind<'c>,
    seen: BTreeSet<(ModulePath, Name)>,
    open: Vec<(ModulePath, Name)>,
}

impl<'c> Behind<'c> {
    /// In this configuration, where a module is taken or isn't.
    pub fn new(config: &'c Config, is_taken: &'c dyn Fn(&ModulePath) -> bool) -> Behind<'c> {
        Behind { config, is_taken }
    }

    /// The resources that an output of the root descends from.
    pub fn output(&self, name: &str) -> Resources {
        self.of([(ModulePath::ROOT, Name::Output(name.into()))])
    }

    /// The resources at an address, or below it, with all that they need.
    pub fn targeted(&self, module: &ModulePath, resource: Option<&ResourceAddr>) -> Resources {
        let mut found = Vec::new();
        for (path, id) in self.config.paths.iter().filter(|(path, _)| (self.is_taken)(path)) {
            let (plain, own) = (path.plain(), self.config.module(*id));
            for addr in own.into_iter().flat_map(|m| m.resources.keys()) {
                let is = match resource {
                    Some(one) => plain == *module && addr == one,
                    None => module.contains(&plain),
                };
                if is {
                    found.push((path.clone(), Name::Resource(addr.clone())));
                }
            }
        }
        self.of(found)
    }

    fn of(&self, begin: impl IntoIterator<Item = (ModulePath, Name)>) -> Resources {
        let mut walk = Walk { of: self, seen: BTreeSet::new(), open: Vec::new() };
        begin.into_iter().for_each(|(path, name)| walk.add(&path, name));
        while let Some((path, name)) = walk.open.pop() {
            walk.look(&path, &name);
        }
        let resource = |(path, name): (ModulePath, Name)| match name {
            Name::Resource(addr) => Some((path.plain(), addr)),
            _ => None,
        };
        walk.seen.into_iter().filter_map(resource).collect()
    }

    /// The modules of a call.
    fn called(&self, path: &ModulePath, name: &str) -> Vec<ModulePath> {
        let is = |inner: &&ModulePath| {
            inner.parent().is_some_and(|(outer, call)| outer == *path && &*call.name == name)
        };
        self.config.paths.keys().filter(is).filter(|inner| (self.is_taken)(inner)).cloned().collect()
    }
}

impl Walk<'_> {
    fn add(&mut self, path: &ModulePath, name: Name) {
        let key = (path.clone(), name);
        if self.seen.insert(key.clone()) {
            self.open.push(key);
            // All that is in a module comes after what says how often that is called.
            if let Some((outer, call)) = path.parent() {
                self.add(&outer, Name::Call(call.name));
            }
        }
    }

    fn look(&mut self, path: &ModulePath, name: &Name) {
        let Some(module) = self.of.config.at(path) else { return };
        match name {
            Name::Local(name) => {
                let value = module.locals.get(name).map(|local| &local.attr.expr);
                value.into_iter().for_each(|e| self.expr(path, e));
            }
            Name::Output(name) => {
                let blocks = module.outputs.get(name).into_iter().flat_map(|o| o.decl.blocks());
                blocks.for_each(|b| self.body(path, &b.body));
            }
            Name::Resource(addr) => {
                for block in module.resource_named(addr).into_iter().flat_map(|r| r.decl.blocks()) {
                    // A `provider` names a configuration of one, and no resource.
                    let own = block.body.attributes().filter(|a| &*a.name.text != "provider");
                    own.for_each(|a| self.expr(path, &a.expr));
                    block.body.blocks().for_each(|b| self.body(path, &b.body));
                }
            }
            Name::Variable(name) => {
                let Some((outer, call)) = path.parent() else { return };
                let passed = self.of.config.at(&outer).and_then(|m| m.calls.get(&call.name)?.arg(name));
                passed.into_iter().for_each(|a| self.expr(&outer, &a.expr));
            }
            Name::Whole(name) => self.whole(path, name),
            Name::Call(name) => self.call(path, module, name),
        }
    }

    fn call(&mut self, path: &ModulePath, module: &Module, name: &str) {
        let Some(call) = module.calls.get(name) else { return };
        let all = [&call.count, &call.for_each, &call.enabled, &call.depends_on];
        all.into_iter().flatten().for_each(|a| self.expr(path, &a.expr));
    }

    fn whole(&mut self, path: &ModulePath, name: &str) {
        for inner in self.of.called(path, name) {
            let Some(called) = self.of.config.at(&inner) else { continue };
            called.resources.keys().for_each(|r| self.add(&inner, Name::Resource(r.clone())));
            called.outputs.keys().for_each(|o| self.add(&inner, Name::Output(o.clone())));
            called.calls.keys().for_each(|c| self.add(&inner, Name::Whole(c.clone())));
        }
        self.add(path, Name::Call(name.into()));
    }

    fn body(&mut self, path: &ModulePath, body: &Body) {
        body.attributes().for_each(|a| self.expr(path, &a.expr));
        body.blocks().for_each(|b| self.body(path, &b.body));
    }

    fn expr(&mut self, path: &ModulePath, expr: &Expr) {
        for found in traversal::variables(expr).iter().filter_map(reference) {
            match found.referent {
                Referent::Variable(name) => self.add(path, Name::Variable(name)),
                Referent::Local(name) => self.add(path, Name::Local(name)),
                Referent::Resource(addr) => self.add(path, Name::Resource(addr)),
                Referent::Call(call, _) => self.add(path, Name::Whole(call)),
                Referent::Output { call, name, .. } => {
                    self.add(path, Name::Call(call.clone()));
                    let inner = self.of.called(path, &call);
                    inner.iter().for_each(|inner| self.add(inner, Name::Output(name.clone())));
                }
                _ => {}
            }
        }
    }
}
