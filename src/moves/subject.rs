//! The subject of a statement: the module, resource or instance that it moves.

use crate::addr::{Key, ModuleInstance, ObjectAddr, ResourceAddr};
use std::fmt;
use std::sync::Arc;

/// The thing that an address names within a module instance.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Named {
    /// All instances of a call.
    Call(Arc<str>),
    /// The module instance itself.
    Module,
    /// All instances of a resource.
    Resource(ResourceAddr),
    /// A resource instance.
    Instance(ResourceAddr, Option<Key>),
}

/// The address at one end of a statement, relative to the module that declares the statement. Relative to the root it
/// is absolute.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Subject {
    /// The thing.
    pub named: Named,
    /// The module instance that holds it, or that it is.
    pub module: ModuleInstance,
}

impl Subject {
    /// The same subject seen from the root, where it is seen from `base` now.
    #[must_use]
    pub fn within(&self, base: &ModuleInstance) -> Subject {
        Subject { named: self.named.clone(), module: joined(base, &self.module) }
    }

    /// Returns the address of a resource instance; `None` for anything else.
    pub fn object(&self) -> Option<ObjectAddr> {
        let Named::Instance(resource, key) = &self.named else { return None };
        Some(ObjectAddr { module: self.module.clone(), resource: resource.clone(), key: key.clone() })
    }

    /// Returns the address of a resource instance, of a whole resource that of the instance without a key; `None` for anything else.
    pub fn only_object(&self) -> Option<ObjectAddr> {
        match &self.named {
            Named::Resource(resource) => {
                Some(ObjectAddr { module: self.module.clone(), resource: resource.clone(), key: None })
            }
            _ => self.object(),
        }
    }

    /// Returns true if it is a module call or a module instance.
    pub(super) fn is_module(&self) -> bool {
        matches!(self.named, Named::Call(_) | Named::Module)
    }

    /// Returns the module instance as a subject.
    pub(super) fn of_module(module: ModuleInstance) -> Subject {
        Subject { named: Named::Module, module }
    }
}

impl From<ObjectAddr> for Subject {
    fn from(object: ObjectAddr) -> Subject {
        Subject { named: Named::Instance(object.resource, object.key), module: object.module }
    }
}

/// The second module instance inside the first.
pub(super) fn joined(base: &ModuleInstance, inner: &ModuleInstance) -> ModuleInstance {
    ModuleInstance(base.0.iter().chain(&inner.0).cloned().collect())
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.module.fmt(f)?;
        if !self.module.0.is_empty() && self.named != Named::Module {
            f.write_str(".")?;
        }
        match &self.named {
            Named::Call(name) => write!(f, "module.{name}"),
            Named::Module => Ok(()),
            Named::Resource(resource) | Named::Instance(resource, None) => resource.fmt(f),
            Named::Instance(resource, Some(key)) => write!(f, "{resource}{key}"),
        }
    }
}
