//! The subject of a statement: the module, resource or instance that it moves.

use crate::addr::{ModuleInstance, ObjectAddr, ResourceAddr};
use std::fmt;
use std::sync::Arc;

/// The address at one end of a statement, relative to the module that declares the statement. Relative to the root it
/// is absolute.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Subject {
    /// All instances of a module call.
    Call {
        /// The module that holds the call.
        module: ModuleInstance,
        /// The call's name.
        name: Arc<str>,
    },
    /// A module instance.
    Module(ModuleInstance),
    /// All instances of a resource.
    Resource {
        /// The module that holds the resource.
        module: ModuleInstance,
        /// The resource.
        resource: ResourceAddr,
    },
    /// A resource instance.
    Instance(ObjectAddr),
}

impl Subject {
    /// The same subject seen from the root, where it is seen from `base` now.
    #[must_use]
    pub fn within(&self, base: &ModuleInstance) -> Subject {
        match self {
            Subject::Call { module, name } => {
                Subject::Call { module: joined(base, module), name: name.clone() }
            }
            Subject::Module(module) => Subject::Module(joined(base, module)),
            Subject::Resource { module, resource } => {
                Subject::Resource { module: joined(base, module), resource: resource.clone() }
            }
            Subject::Instance(object) => {
                Subject::Instance(ObjectAddr { module: joined(base, &object.module), ..object.clone() })
            }
        }
    }

    /// The module steps, without those of a call.
    pub(super) fn module(&self) -> &ModuleInstance {
        match self {
            Subject::Call { module, .. } | Subject::Module(module) | Subject::Resource { module, .. } => {
                module
            }
            Subject::Instance(object) => &object.module,
        }
    }

    /// Returns true if it is a module call or a module instance.
    pub(super) fn is_module(&self) -> bool {
        matches!(self, Subject::Call { .. } | Subject::Module(_))
    }
}

/// The second module instance inside the first.
pub(super) fn joined(base: &ModuleInstance, inner: &ModuleInstance) -> ModuleInstance {
    ModuleInstance(base.0.iter().chain(&inner.0).cloned().collect())
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let within = |f: &mut fmt::Formatter<'_>, module: &ModuleInstance| {
            let dot = if module.0.is_empty() { "" } else { "." };
            write!(f, "{module}{dot}")
        };
        match self {
            Subject::Call { module, name } => {
                within(f, module)?;
                write!(f, "module.{name}")
            }
            Subject::Module(module) => module.fmt(f),
            Subject::Resource { module, resource } => {
                within(f, module)?;
                resource.fmt(f)
            }
            Subject::Instance(object) => object.fmt(f),
        }
    }
}
