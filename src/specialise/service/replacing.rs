//! What every step of replacing starts from, and what it is about.

use crate::addr::{ModulePath, ResourceAddr};
use crate::config::Config;
use crate::config::phi::{FormFactor, PhiConfig, Service, Templates};
use crate::func::Surroundings;
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

/// A resource that became a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replaced {
    /// The module that holds it.
    pub scope: ModulePath,
    /// The resource.
    pub resource: ResourceAddr,
    /// The call.
    pub call: Arc<str>,
    /// The service.
    pub service: Arc<str>,
}

impl Replaced {
    /// The resource's address, without keys.
    pub fn original(&self) -> String {
        within(&self.scope, &self.resource.to_string())
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

/// A resource whose type a service of a form factor replaces.
#[derive(Clone, Debug)]
pub struct Candidate<'a> {
    /// What it becomes, if the conditions of the service hold.
    pub replaced: Replaced,
    /// The service.
    pub service: &'a Service,
}
