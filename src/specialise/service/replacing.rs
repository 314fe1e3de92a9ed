//! The input of every step that replaces resources by services, and the types for resources and calls that are replaced.

use crate::addr::ModulePath;
use crate::config::phi::{FormFactor, PhiConfig, Service, Templates};
use crate::config::{Config, Decl, Resource};
use crate::func::Surroundings;
use crate::issue::{Code, Issue};
use crate::specialise::unit::UnitName;
use crate::text::Place;
use crate::trace::{Limits, Trace, Universes};
use std::sync::Arc;

/// Takes out of the issue for a trace what it tells of secrets.
pub type Concealment<'a> = dyn Fn(&Trace, Issue) -> Issue + 'a;

/// The input of every step: the configuration, the form factor with its services, and the means to trace conditions.
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
    /// The files and environment that Terraform's functions may read.
    pub outside: &'a dyn Surroundings,
    /// What takes out of the issue for a trace what it tells of secrets.
    pub conceal: Box<Concealment<'a>>,
}

/// A resource, or a call of another module, that became a call of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replaced {
    /// The module that holds it.
    pub scope: ModulePath,
    /// The resource or call in the original.
    pub unit: UnitName,
    /// The resource or call that it was split from, if a condition of services split it.
    pub origin: Option<UnitName>,
    /// The condition under which it stands for `origin`, in the words of its module.
    pub when: Option<Arc<str>>,
    /// The call of the template.
    pub call: Arc<str>,
    /// The service.
    pub service: Arc<str>,
}

impl Replaced {
    /// Returns the address in the original configuration, without keys.
    pub fn original(&self) -> String {
        self.scope.address_of(self.origin.as_ref().unwrap_or(&self.unit))
    }

    /// Returns the address of the resource or call after such a split, without keys.
    pub fn declared(&self) -> String {
        self.scope.address_of(&self.unit)
    }

    /// Returns true if a call was replaced. State then holds objects below the call's address.
    pub fn is_call(&self) -> bool {
        matches!(self.unit, UnitName::Call(_))
    }

    /// Returns the address of the template's call, without keys.
    pub fn address(&self) -> String {
        self.scope.child(self.call.clone()).to_string()
    }
}

/// An argument that a service does without.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Without {
    /// The resource's address, without keys.
    pub address: String,
    /// The argument, or the type of a block.
    pub argument: String,
    /// The reason, as the service gives it.
    pub reason: Arc<str>,
}

/// A resource or call that a service of a form factor replaces.
#[derive(Clone, Debug)]
pub struct Candidate<'a> {
    /// The resource or call with its template's call, for the case that the conditions of the service hold.
    pub replaced: Replaced,
    /// Its declaration.
    pub decl: &'a Decl,
    /// The resource, unless it is a call.
    pub resource: Option<&'a Resource>,
    /// The service.
    pub service: &'a Service,
}

impl Candidate<'_> {
    /// Returns the module of a call that is replaced.
    pub(super) fn called(&self) -> Option<ModulePath> {
        self.replaced.unit.called_in(&self.replaced.scope)
    }

    /// Returns an issue about it.
    pub(super) fn issue(&self, summary: String, why: impl Into<String>, place: Place) -> Issue {
        Issue::error(Code::Service, summary, why).at(place).about(self.replaced.original())
    }

    /// Returns the issue for a reason why it can't be replaced.
    pub(super) fn refusal(&self, why: impl Into<String>, place: Place) -> Issue {
        self.issue(format!("{} can't be replaced by a service", self.replaced.original()), why, place)
    }

    /// Returns the address of a resource in the same module, without keys.
    pub(super) fn beside(&self, resource: &Resource) -> String {
        self.replaced.scope.address_of(&resource.addr)
    }
}
