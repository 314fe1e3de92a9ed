//! The resources and module calls that are removed under a form factor: `drops` names them, or they become an argument.

use super::merged::Merged;
use crate::addr::{Mode, ModulePath, ResourceAddr};
use crate::specialise::unit::UnitName;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A resource or module call that is removed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dropped {
    /// The module that holds it.
    pub scope: ModulePath,
    /// The resource or call.
    pub unit: UnitName,
    /// The service that drops it; `None` if the form factor does.
    pub service: Option<Arc<str>>,
    /// The reason for reports.
    pub reason: Arc<str>,
    /// The argument that takes its place, if it isn't lost.
    pub merged: Option<Merged>,
}

impl Dropped {
    /// Returns its address, without keys.
    pub fn original(&self) -> String {
        self.scope.address_of(&self.unit)
    }

    /// Returns true for a managed resource or a call. State may hold an object of it, which Terraform would destroy.
    pub fn is_managed(&self) -> bool {
        self.resource().is_none_or(|own| own.mode == Mode::Managed)
    }

    /// Returns true if it is a call. Everything that state holds below it belongs to it.
    pub fn is_call(&self) -> bool {
        matches!(self.unit, UnitName::Call(_))
    }

    /// Returns the resource, unless it is a call.
    pub(super) fn resource(&self) -> Option<&ResourceAddr> {
        match &self.unit {
            UnitName::Resource(own) => Some(own),
            UnitName::Call(_) => None,
        }
    }

    /// Returns the module that is called, if it is a call.
    pub(super) fn called(&self) -> Option<ModulePath> {
        self.unit.called_in(&self.scope)
    }
}

/// The resources and calls that are removed, by module.
pub(super) type Going = BTreeMap<ModulePath, Vec<Dropped>>;
