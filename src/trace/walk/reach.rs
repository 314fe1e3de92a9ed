//! Finds data sources that lie behind a managed resource.
//!
//! If a condition in the data source's `lifecycle` names `self`, Terraform doesn't read it until all resources before it have no
//! pending changes, even if it uses none of their values (measured, 1.11: the condition counts as a reference to the data source
//! itself, and so to all its ancestors). Absent on purpose: values. A call that can't be followed counts as one with resources.

use crate::addr::{Mode, ModulePath, Referent, ResourceAddr};
use crate::config::{Config, Module};
use crate::graph;
use crate::syntax::traversal;
use crate::syntax::{Body, Expr};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A declaration of the module at a path that is still to be visited.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Variable(Arc<str>),
    Local(Arc<str>),
    Output(Arc<str>),
    /// The meta-arguments of a call.
    Call(Arc<str>),
    /// A call with all that is in it.
    Whole(Arc<str>),
    Data(ResourceAddr),
}

/// Walks names, each once.
struct Walk<'c> {
    config: &'c Config,
    seen: BTreeSet<(ModulePath, Name)>,
    open: Vec<(ModulePath, Name)>,
    /// The name that was found.
    found: Option<String>,
}

/// The first managed resource that the data source at a path needs, or needs in turn; or what can't be looked into.
pub(in crate::trace) fn resource_before(
    config: &Config,
    path: &ModulePath,
    data: &ResourceAddr,
) -> Option<String> {
    let mut walk = Walk { config, seen: BTreeSet::new(), open: Vec::new(), found: None };
    walk.add(path, Name::Data(data.clone()));
    while let Some((path, name)) = walk.open.pop().filter(|_| walk.found.is_none()) {
        walk.look(&path, &name);
    }
    walk.found
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
        let config = self.config;
        let Some(module) = config.at(path) else {
            self.found = Some(path.plain().to_string());
            return;
        };
        match name {
            Name::Local(name) => {
                if let Some(local) = module.locals.get(name) {
                    self.expr(path, module, &local.attr.expr);
                }
            }
            Name::Output(name) => {
                if let Some(value) = module.outputs.get(name).and_then(|o| o.value.as_ref()) {
                    self.expr(path, module, &value.expr);
                }
            }
            Name::Data(data) => {
                for block in module.resource_named(data).into_iter().flat_map(|r| r.decl.blocks()) {
                    // A `provider` names a configuration of one, and no resource.
                    let own = block.body.attributes().filter(|a| &*a.name.text != "provider");
                    own.for_each(|a| self.expr(path, module, &a.expr));
                    block.body.blocks().for_each(|b| self.body(path, module, &b.body));
                }
            }
            Name::Variable(name) => {
                let Some((outer, call)) = path.parent() else { return };
                let Some(caller) = config.at(&outer) else {
                    self.found = Some(outer.plain().to_string());
                    return;
                };
                if let Some(passed) = caller.call(&call).and_then(|c| c.arg(name)) {
                    self.expr(&outer, caller, &passed.expr);
                }
            }
            Name::Whole(name) => self.call(path, module, name.clone()),
            Name::Call(name) => {
                let Some(call) = module.calls.get(name) else { return };
                for attr in
                    [&call.count, &call.for_each, &call.enabled, &call.depends_on].into_iter().flatten()
                {
                    self.expr(path, module, &attr.expr);
                }
            }
        }
    }

    fn body(&mut self, path: &ModulePath, module: &Module, body: &Body) {
        body.attributes().for_each(|a| self.expr(path, module, &a.expr));
        body.blocks().for_each(|b| self.body(path, module, &b.body));
    }

    fn expr(&mut self, path: &ModulePath, module: &Module, expr: &Expr) {
        let found = traversal::variables(expr).into_iter().filter_map(|name| graph::reference(&name));
        found.for_each(|reference| self.refer(path, module, reference.referent));
    }

    /// All of a call. Where it is split, what joins its copies names each as a whole, and so does a key that isn't constant, or
    /// a `for`; and for a call as a whole Terraform waits until all resources in it are done, whatever its outputs are made of.
    fn call(&mut self, path: &ModulePath, module: &Module, name: Arc<str>) {
        let inner = path.child(name.clone());
        let Some(called) = self.config.at(&inner).filter(|_| module.calls.contains_key(&name)) else {
            self.found = Some(inner.plain().to_string());
            return;
        };
        for addr in called.resources.keys() {
            match addr.mode {
                Mode::Data => self.add(&inner, Name::Data(addr.clone())),
                _ => self.found = Some(inner.plain().address_of(addr)),
            }
        }
        called.outputs.keys().for_each(|o| self.add(&inner, Name::Output(o.clone())));
        called.calls.keys().for_each(|c| self.add(&inner, Name::Whole(c.clone())));
        self.add(path, Name::Call(name));
    }

    fn refer(&mut self, path: &ModulePath, module: &Module, to: Referent) {
        match to {
            Referent::Variable(name) => self.add(path, Name::Variable(name)),
            Referent::Local(name) => self.add(path, Name::Local(name)),
            Referent::Resource(addr) if addr.mode == Mode::Data => self.add(path, Name::Data(addr)),
            Referent::Resource(addr) => self.found = Some(path.plain().address_of(addr)),
            Referent::Output { call, .. } | Referent::Call(call, _) => self.call(path, module, call),
            _ => {}
        }
    }
}
