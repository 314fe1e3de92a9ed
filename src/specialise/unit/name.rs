//! What can be split, replaced or left out: a module call or a resource, by its name within its module.

use crate::addr::{Mode, ModulePath, Referent, ResourceAddr, Target};
use crate::config::{Decl, Module, Resource};
use crate::syntax::Block;
use std::fmt;
use std::sync::Arc;

/// The name of a unit within its module.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum UnitName {
    /// A module call.
    Call(Arc<str>),
    /// A resource or data source.
    Resource(ResourceAddr),
}

/// The unit as expressions and addresses name it, without a key.
impl fmt::Display for UnitName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnitName::Call(name) => write!(f, "module.{name}"),
            UnitName::Resource(addr) => addr.fmt(f),
        }
    }
}

impl UnitName {
    /// The unit that a name is of, or that holds what it is of.
    pub fn of(referent: &Referent) -> Option<UnitName> {
        match referent {
            Referent::Call(name, _) | Referent::Output { call: name, .. } => {
                Some(UnitName::Call(name.clone()))
            }
            Referent::Resource(addr) => Some(UnitName::Resource(addr.clone())),
            _ => None,
        }
    }

    /// The unit that a block of a module's file declares.
    pub fn of_block(block: &Block) -> Option<UnitName> {
        let label = |at: usize| block.label(at).map(Arc::from);
        let mode = match &*block.kind.text {
            "module" => return label(0).map(UnitName::Call),
            "resource" => Mode::Managed,
            "data" => Mode::Data,
            "ephemeral" => Mode::Ephemeral,
            _ => return None,
        };
        let (kind, name) = label(0).zip(label(1))?;
        Some(UnitName::Resource(ResourceAddr { mode, kind, name }))
    }

    /// The unit that a target is.
    pub fn of_target(target: &Target) -> Option<UnitName> {
        match target {
            Target::Call(call) => Some(UnitName::Call(call.name.clone())),
            Target::Resource(addr) => Some(UnitName::Resource(addr.clone())),
            Target::Output(_)
            | Target::Local(_)
            | Target::Variable(_)
            | Target::Provider(_)
            | Target::Block(_) => None,
        }
    }

    /// Returns true if a name refers to the unit or to something in it.
    pub fn holds(&self, referent: &Referent) -> bool {
        match (referent, self) {
            (Referent::Call(name, _) | Referent::Output { call: name, .. }, UnitName::Call(call)) => {
                name == call
            }
            (Referent::Resource(addr), UnitName::Resource(own)) => addr == own,
            _ => false,
        }
    }

    /// The name in its label.
    pub fn name(&self) -> &Arc<str> {
        match self {
            UnitName::Call(name) => name,
            UnitName::Resource(addr) => &addr.name,
        }
    }

    /// The same unit under another name.
    #[must_use]
    pub fn called(&self, name: &str) -> UnitName {
        match self {
            UnitName::Call(_) => UnitName::Call(name.into()),
            UnitName::Resource(addr) => {
                UnitName::Resource(ResourceAddr { name: name.into(), ..addr.clone() })
            }
        }
    }

    /// The unit as a target within its module.
    pub fn target(&self) -> Target {
        match self {
            UnitName::Call(name) => Target::Call(name.clone().into()),
            UnitName::Resource(addr) => Target::Resource(addr.clone()),
        }
    }

    /// Returns the module that is called, if it is a call in the module at a path.
    pub fn called_in(&self, scope: &ModulePath) -> Option<ModulePath> {
        match self {
            UnitName::Call(name) => Some(scope.child(name.clone())),
            UnitName::Resource(_) => None,
        }
    }

    /// The resource, unless it is a call.
    pub fn resource<'m>(&self, module: &'m Module) -> Option<&'m Resource> {
        match self {
            UnitName::Call(_) => None,
            UnitName::Resource(addr) => module.resources.get(addr),
        }
    }

    /// The declaration in its module.
    pub fn decl<'m>(&self, module: &'m Module) -> Option<&'m Decl> {
        match self {
            UnitName::Call(name) => module.calls.get(name).map(|call| &call.decl),
            UnitName::Resource(_) => self.resource(module).map(|resource| &resource.decl),
        }
    }
}
