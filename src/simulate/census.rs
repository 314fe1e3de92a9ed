//! Which instances a configuration has in one run.
//!
//! In: a loaded configuration, a tracer that knows the run's values. Out: whether an address is declared and has an instance, as
//! far as that is known before a plan. It asks `count` and `for_each` as they are written, those of gates included, and knows
//! nothing of units or branches. It goes from call to call by itself: the tracer's own walk gives all instances of a module or none,
//! and the way to one object may be known where others aren't. Absent on purpose: anything about state.

use super::statements::{Taken, forgotten_where, statements_where};
use crate::addr::{CallName, Key, ModuleInstance, ModulePath, ObjectAddr, ResourceAddr, Target};
use crate::cond::FormulaId;
use crate::config::{Config, Module};
use crate::moves::{Declared, Repetition, Statement};
use crate::syntax::ExprKind;
use crate::syntax::traversal::{Traversal, variables};
use crate::trace::{self, InstanceId, Tracer};
use std::cell::RefCell;
use std::sync::Arc;

/// The instances of one configuration.
pub struct Census<'a> {
    config: &'a Config,
    tracer: RefCell<Tracer<'a>>,
}

/// A module instance on the way to an address.
enum Way {
    /// It is declared and has this instance.
    There(InstanceId, ModulePath),
    /// It isn't.
    Absent,
    /// It isn't known, or the module isn't installed.
    Unknown,
}

impl<'a> Census<'a> {
    /// Counts the instances of a configuration with a tracer of it.
    pub fn new(config: &'a Config, tracer: Tracer<'a>) -> Census<'a> {
        Census { config, tracer: RefCell::new(tracer) }
    }

    /// Returns true if the configuration has the instance; `None` if that isn't known.
    pub fn has(&self, object: &ObjectAddr) -> Option<bool> {
        let (at, path) = match self.way(&object.module) {
            Way::There(at, path) => (at, path),
            Way::Absent => return Some(false),
            Way::Unknown => return None,
        };
        if !self.config.at(&path)?.resources.contains_key(&object.resource) {
            return Some(false);
        }
        let keys = self.tracer.borrow_mut().keys(at, &Target::Resource(object.resource.clone())).ok()?;
        Some(keys.contains(&object.key))
    }

    /// Returns true if Terraform refuses to destroy an object of this resource; `None` if that isn't known. What is declared no more
    /// isn't protected.
    pub fn is_protected(&self, object: &ObjectAddr) -> Option<bool> {
        let module = object.module.path();
        let mut modules = self.config.paths.keys().filter(|path| path.plain() == module);
        // A call whose source is chosen has a module for each. What counts is the one that this run takes.
        let Some(path) = modules.find(|path| self.is_taken(path)) else {
            return (!self.is_called(&module)).then_some(false);
        };
        let Some(resource) = self.config.at(path)?.resources.get(&object.resource) else {
            return Some(false);
        };
        let Some(attr) = &resource.lifecycle.prevent_destroy else { return Some(false) };
        if let ExprKind::Bool(protects) = attr.expr.kind {
            return Some(protects);
        }
        // For an instance that is no more, nothing tells what its key would have given.
        let by_key = |v: &Traversal| matches!(&*v.root.text, "each" | "count");
        if variables(&attr.expr).iter().any(by_key) {
            return None;
        }
        let under = match self.way(&object.module) {
            Way::There(at, _) => Some((at, &None)),
            _ => None,
        };
        let open = under.is_none() && self.is_repeated(path);
        let text = self.config.sources.get(attr.file)?.text.get(attr.expr.span.range())?;
        let unit = Target::Resource(object.resource.clone());
        let gives = self.tracer.borrow_mut().outcome((text, false), (path, &unit), under)?;
        match (gives.yes, gives.failed, gives.open) {
            (FormulaId::TRUE, FormulaId::FALSE, FormulaId::FALSE) => Some(true),
            // An instance that is no more may have been the one for which it was true.
            (FormulaId::FALSE, FormulaId::FALSE, FormulaId::FALSE) => (!open).then_some(false),
            _ => None,
        }
    }

    /// Returns true if a call on the way to a module has a `count` or `for_each`.
    fn is_repeated(&self, path: &ModulePath) -> bool {
        let Some((above, own)) = path.parent() else { return false };
        let caller = self.config.at(&above);
        let call = Target::Call(own.plain());
        let repeated = |m: &Module| !trace::Repetition::of(m, &call).is_none();
        caller.is_none_or(repeated) || self.is_repeated(&above)
    }

    /// Returns true if there is a call for a module, which may not be installed.
    fn is_called(&self, module: &ModulePath) -> bool {
        let Some((above, own)) = module.parent() else { return true };
        let mut callers = self.config.paths.keys().filter(|path| path.plain() == above).peekable();
        if callers.peek().is_none() {
            return self.is_called(&above);
        }
        callers.filter_map(|path| self.config.at(path)).any(|caller| caller.call(&own).is_some())
    }

    /// The instance of a module, call by call.
    fn way(&self, module: &ModuleInstance) -> Way {
        let mut tracer = self.tracer.borrow_mut();
        let mut at = tracer.root_instance();
        let mut path = ModulePath::ROOT;
        for (name, key) in &module.0 {
            if self.config.at(&path).is_none_or(|m| !m.calls.contains_key(name)) {
                return Way::Absent;
            }
            let Ok(keys) = tracer.keys(at, &Target::Call(name.clone().into())) else { return Way::Unknown };
            if !keys.contains(key) {
                return Way::Absent;
            }
            let Some(own) = self.taken(&mut tracer, at, &path, name, key.as_ref()) else {
                return Way::Unknown;
            };
            let Some(child) = tracer.called(at, &own, key.clone()) else { return Way::Unknown };
            at = child;
            path = path.child(own);
        }
        Way::There(at, path)
    }

    /// The statements of the configuration in this run: of modules among which a `source` is chosen, only those of the one that is.
    pub fn statements(&self) -> Vec<Statement> {
        statements_where(self.config, &|path| self.where_taken(path))
    }

    /// The addresses that it gives up in this run without destroying the object.
    pub fn forgotten(&self) -> Vec<String> {
        forgotten_where(self.config, &|path| self.where_taken(path))
    }

    /// Returns false if a run chooses another `source` than that of a module for every instance.
    pub fn is_taken(&self, path: &ModulePath) -> bool {
        self.where_taken(path) != Taken::Only(Vec::new())
    }

    /// The instances in which a module is the one that its calls choose. As long as no key decides, Terraform's statements hold for
    /// instances that are no more as well.
    fn where_taken(&self, path: &ModulePath) -> Taken {
        let mut tracer = self.tracer.borrow_mut();
        let mut at = tracer.root_instance();
        for own in &path.0 {
            match tracer.is_taken(at, own, None) {
                Some(true) => {}
                Some(false) => return Taken::Only(Vec::new()),
                None => return by_key(&mut tracer, path).map_or(Taken::All, Taken::Only),
            }
            let Some(child) = tracer.called(at, own, None) else { return Taken::All };
            at = child;
        }
        Taken::All
    }

    /// The name of a call on a path: one of several where an expression chooses its source.
    fn taken(
        &self,
        tracer: &mut Tracer<'_>,
        at: InstanceId,
        path: &ModulePath,
        name: &Arc<str>,
        key: Option<&Key>,
    ) -> Option<CallName> {
        if self.config.at(&path.child(name.clone())).is_some() {
            return Some(name.clone().into());
        }
        let of = |p: &ModulePath| {
            p.parent().filter(|(parent, own)| parent == path && own.name == *name).map(|(_, own)| own)
        };
        let sources: Vec<CallName> = self.config.paths.keys().filter_map(of).collect();
        sources.into_iter().find(|own| tracer.is_taken(at, own, key) == Some(true))
    }
}

/// The instances of a module in which it is taken; `None` where that isn't known of one.
fn by_key(tracer: &mut Tracer<'_>, path: &ModulePath) -> Option<Vec<ModuleInstance>> {
    let mut found = vec![(tracer.root_instance(), ModuleInstance::default())];
    for own in &path.0 {
        let mut next = Vec::new();
        for (at, module) in found {
            for key in tracer.keys(at, &Target::Call(own.plain())).ok()? {
                if tracer.is_taken(at, own, key.as_ref())? {
                    let child = tracer.called(at, own, key.clone())?;
                    next.push((child, module.child(own.name.clone(), key)));
                }
            }
        }
        found = next;
    }
    Some(found.into_iter().map(|(_, module)| module).collect())
}

impl Declared for Census<'_> {
    fn repetition(&self, module: &ModulePath, resource: &ResourceAddr) -> Option<Repetition> {
        // A call whose source is chosen has a module for each. What counts is the one that this run takes.
        let modules = || self.config.paths.keys().filter(|path| path.plain() == *module);
        let holds =
            |path: &&ModulePath| self.config.at(path).is_some_and(|m| m.resources.contains_key(resource));
        let taken = || modules().filter(holds).find(|path| self.is_taken(path));
        let path = Some(module).filter(holds).or_else(taken).or_else(|| modules().find(holds))?;
        let said = trace::Repetition::of(self.config.at(path)?, &Target::Resource(resource.clone()));
        Some(match (&said.count, &said.for_each) {
            (Some(_), _) => Repetition::Count,
            (None, Some(_)) => Repetition::ForEach,
            (None, None) => Repetition::Single,
        })
    }

    fn has_module_instance(&self, module: &ModuleInstance) -> bool {
        matches!(self.way(module), Way::There(..))
    }

    fn has_call(&self, module: &ModuleInstance, name: &str) -> bool {
        let Way::There(_, path) = self.way(module) else { return false };
        self.config.at(&path).is_some_and(|m| m.calls.contains_key(name))
    }

    fn has_instance(&self, object: &ObjectAddr) -> bool {
        self.has(object) == Some(true)
    }

    fn has_resource(&self, module: &ModuleInstance, resource: &ResourceAddr) -> bool {
        let Way::There(_, path) = self.way(module) else { return false };
        self.config.at(&path).is_some_and(|m| m.resources.contains_key(resource))
    }

    fn module_instances(&self, path: &ModulePath) -> Vec<ModuleInstance> {
        let mut out = vec![ModuleInstance::default()];
        for name in &path.0 {
            let mut next = Vec::new();
            for module in out {
                let Way::There(at, here) = self.way(&module) else { continue };
                if self.config.at(&here).is_none_or(|m| m.call(name).is_none()) {
                    continue;
                }
                let keys = self.tracer.borrow_mut().keys(at, &Target::Call(name.clone()));
                next.extend(keys.into_iter().flatten().map(|key| module.child(name.name.clone(), key)));
            }
            out = next;
        }
        out
    }
}
