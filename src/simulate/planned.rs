//! What a run plans of a configuration, which is less than all where `-target` narrows it down.
//!
//! Terraform judges moves by what it has planned: that an object which moves away is still declared stops a plan only if the plan takes
//! it in (`postPlanValidateMoves`, measured on 1.11). In: the declarations, and the resources that are planned. Out: the same
//! declarations without the others. Absent on purpose: which resources those are; [`crate::graph`] knows.

use crate::addr::{ModuleInstance, ModulePath, ObjectAddr, ResourceAddr};
use crate::graph::Resources;
use crate::moves::{Declared, Repetition};
use std::sync::Arc;

/// A module, or a resource in it.
pub type Unit = (ModulePath, Option<ResourceAddr>);

/// The declarations of which a run plans some resources only.
pub struct Planned<'a> {
    /// All declarations.
    pub declared: &'a dyn Declared,
    /// The resources that are planned; `None` where all are.
    pub resources: Option<&'a Resources>,
    /// Returns the names in the original of a resource, or of a module.
    pub read: &'a dyn Fn(&ModulePath, Option<&ResourceAddr>) -> Option<Unit>,
}

impl Planned<'_> {
    fn has_planned(&self, module: &ModulePath, resource: Option<&ResourceAddr>) -> bool {
        let Some(resources) = self.resources else { return true };
        let Some((module, resource)) = (self.read)(module, resource) else { return true };
        resources.iter().any(|(path, addr)| match &resource {
            Some(one) => *path == module && addr == one,
            None => module.contains(path),
        }) || (module.is_root() && resource.is_none())
    }
}

impl Declared for Planned<'_> {
    fn repetition(&self, module: &ModulePath, resource: &ResourceAddr) -> Option<Repetition> {
        self.declared.repetition(module, resource)
    }

    fn has_module_instance(&self, module: &ModuleInstance) -> bool {
        self.has_planned(&module.path(), None) && self.declared.has_module_instance(module)
    }

    fn has_call(&self, module: &ModuleInstance, name: &str) -> bool {
        self.has_planned(&module.path().child(Arc::<str>::from(name)), None)
            && self.declared.has_call(module, name)
    }

    fn has_resource(&self, module: &ModuleInstance, resource: &ResourceAddr) -> bool {
        self.has_planned(&module.path(), Some(resource)) && self.declared.has_resource(module, resource)
    }

    fn has_instance(&self, object: &ObjectAddr) -> bool {
        self.has_planned(&object.module.path(), Some(&object.resource)) && self.declared.has_instance(object)
    }

    fn module_instances(&self, module: &ModulePath) -> Vec<ModuleInstance> {
        match self.has_planned(module, None) {
            true => self.declared.module_instances(module),
            false => Vec::new(),
        }
    }
}
