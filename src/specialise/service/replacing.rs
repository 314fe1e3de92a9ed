//! What every step of replacing starts from, and what it is about.

use crate::addr::ModulePath;
use crate::config::phi::{FormFactor, PhiConfig, Service, Templates};
use crate::config::{Config, Decl, Module, Resource};
use crate::func::Surroundings;
use crate::specialise::unit::UnitName;
use crate::trace::{Limits, Universes};
use std::sync::Arc;

/// What is replaced, and by what.
pub struct Replacing<'a> {
    /// The configuration in its original form.
    pub config: &'a Config,
    /// `phi.hcl`
    pub phi: &'a PhiConfig,
    /// The form factor that is on.
    pub factor: &'a FormFactor,
    /// The templates of its services.
    pub templates: &'a Templates,
    /// The limits of tracing.
    pub limits: Limits,
    /// The universes of the root variables.
    pub universes: &'a Universes,
    /// What functions may see.
    pub outside: &'a dyn Surroundings,
}

/// A resource, or a call of another module, that became a call of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replaced {
    /// The module that holds it.
    pub scope: ModulePath,
    /// The resource or call in the original.
    pub unit: UnitName,
    /// What it was before it was split by a condition of services, if it was.
    pub origin: Option<UnitName>,
    /// The call of the template.
    pub call: Arc<str>,
    /// The service.
    pub service: Arc<str>,
}

impl Replaced {
    /// The original's address, without keys.
    pub fn original(&self) -> String {
        within(&self.scope, &self.origin.as_ref().unwrap_or(&self.unit).to_string())
    }

    /// The address that it has once it is split, without keys.
    pub fn declared(&self) -> String {
        within(&self.scope, &self.unit.to_string())
    }

    /// Returns true if it is a call, with everything that state holds below it.
    pub fn is_call(&self) -> bool {
        matches!(self.unit, UnitName::Call(_))
    }

    /// The call's address, without keys.
    pub fn address(&self) -> String {
        self.scope.child(self.call.clone()).to_string()
    }
}

/// An address within a module.
pub(super) fn within(scope: &ModulePath, own: &str) -> String {
    if scope.is_root() { own.to_owned() } else { format!("{scope}.{own}") }
}

/// An argument that a service does without.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Without {
    /// The resource's address, without keys.
    pub address: String,
    /// The argument, or the type of a block.
    pub argument: String,
    /// Why.
    pub reason: Arc<str>,
}

/// The declaration of what is replaced.
#[derive(Clone, Copy)]
pub(super) struct Original<'m> {
    /// Its block.
    pub decl: &'m Decl,
    /// The rest of it, if it is a resource.
    pub resource: Option<&'m Resource>,
    /// True if it has a `count` or `for_each`.
    pub repeated: bool,
}

impl<'m> Original<'m> {
    /// The declaration of a unit in its module.
    pub fn of(module: &'m Module, unit: &UnitName) -> Option<Original<'m>> {
        Some(match unit {
            UnitName::Resource(addr) => {
                let own = module.resources.get(addr)?;
                let repeated = own.count.is_some() || own.for_each.is_some();
                Original { decl: &own.decl, resource: Some(own), repeated }
            }
            UnitName::Call(name) => {
                let own = module.calls.get(name)?;
                let repeated = own.count.is_some() || own.for_each.is_some();
                Original { decl: &own.decl, resource: None, repeated }
            }
        })
    }
}

/// A resource or call that a service of a form factor replaces.
#[derive(Clone, Debug)]
pub struct Candidate<'a> {
    /// What it becomes, if the conditions of the service hold.
    pub replaced: Replaced,
    /// The service.
    pub service: &'a Service,
}

impl Candidate<'_> {
    /// The address of a resource beside it, without keys.
    pub(super) fn beside(&self, resource: &Resource) -> String {
        within(&self.replaced.scope, &resource.addr.to_string())
    }
}
