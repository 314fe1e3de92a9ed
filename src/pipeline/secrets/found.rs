//! What was found of secrets, and questions to it.
//!
//! In: what [`super::flow`] found. Out: whether something is to be shown. Absent on purpose: how it is found.

use super::places::Places;
use super::route::{Route, is_around};
use crate::addr::{FieldAddr, ModulePath, Target};
use crate::config::{Config, is_secret_field};
use crate::text::Place;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is said of a field whose instances or entries are repeated by a secret.
pub const KEYS_HOLD_SECRET: &str = "its keys come from a secret, so that nothing of it is shown.";

/// What a configuration holds of secrets.
#[derive(Clone, Debug, Default)]
pub struct Secrets {
    /// The secret parts of what has a name.
    pub(super) held: BTreeMap<(ModulePath, Target), Vec<Route>>,
    /// Those of them that secret arguments come from.
    pub(super) led_to: BTreeMap<(ModulePath, Target), Vec<Route>>,
    pub(super) fields: FxHashSet<FieldAddr>,
    /// Fields in `dynamic` blocks that are repeated by a secret.
    pub(super) entries: FxHashSet<FieldAddr>,
    /// Declarations that are repeated by a secret.
    pub(super) repeated: FxHashSet<(ModulePath, Target)>,
    /// Modules in which a name of an iteration stands for a secret.
    pub(super) iterated: FxHashSet<ModulePath>,
    /// Where values are written out that are secret.
    pub(super) written: Places,
    /// Where literals are written out that secrets are compared with.
    pub(super) compared: Places,
    /// True if there is too much to tell them apart.
    pub(super) all: bool,
}

impl Secrets {
    /// Returns true if the value of a field isn't to be shown, whatever marks it carries.
    pub fn hides(&self, config: &Config, field: &FieldAddr) -> bool {
        let argument = match &field.target {
            Target::Call(call) => field
                .path
                .0
                .first()
                .map(|name| (field.module.child(call.clone()), Target::Variable(name.clone()))),
            Target::Resource(_) | Target::Provider(_) | Target::Block(_) => None,
            _ => Some((field.module.clone(), field.target.clone())),
        };
        self.all
            || is_secret_field(config, field)
            || argument.is_some_and(|root| self.held.contains_key(&root))
            || self.hides_chosen(config, field)
            || is_among(&self.fields, field)
    }

    /// Returns true for an argument of a call that chooses among sources, where the variable of one of the modules holds a secret.
    fn hides_chosen(&self, config: &Config, field: &FieldAddr) -> bool {
        let (Target::Call(call), Some(name)) = (&field.target, field.path.0.first()) else { return false };
        let variables = config.behind(&field.module, call).into_iter().filter_map(|m| m.variables.get(name));
        variables.into_iter().any(|variable| variable.is_hidden())
    }

    /// Returns true if a secret stands in a field's value.
    pub(super) fn has_field(&self, field: &FieldAddr) -> bool {
        self.all || is_among(&self.fields, field)
    }

    /// Returns true if the keys of a field's instances or entries aren't to be shown.
    pub fn hides_keys(&self, field: &FieldAddr) -> bool {
        self.all || is_among(&self.entries, field) || self.hides_instances(&field.module, &field.target)
    }

    /// Returns true if the keys of a declaration's instances aren't to be shown, or those of a module around it.
    pub fn hides_instances(&self, module: &ModulePath, target: &Target) -> bool {
        if self.all {
            return true;
        }
        if self.repeated.is_empty() {
            return false;
        }
        let is_one =
            |module: &ModulePath, target: &Target| self.repeated.contains(&(module.clone(), target.clone()));
        let own = match target {
            Target::Call(call) => is_one(module, &Target::Call(call.plain())),
            target => is_one(module, target),
        };
        let mut around = module.clone();
        let mut found = own;
        while let Some((parent, call)) = around.parent() {
            found = found || is_one(&parent, &Target::Call(call.plain()));
            around = parent;
        }
        found
    }

    /// The variables that hold what isn't to be shown.
    pub fn variables(&self) -> impl Iterator<Item = (&ModulePath, &str)> {
        self.held.keys().filter_map(|(path, target)| match target {
            Target::Variable(name) => Some((path, &**name)),
            _ => None,
        })
    }

    /// Returns true if a variable of a module holds what isn't to be shown.
    pub fn has_variable(&self, module: &ModulePath, name: &Arc<str>) -> bool {
        self.all || self.held.contains_key(&(module.clone(), Target::Variable(name.clone())))
    }

    /// Returns true if there are none but arguments that are secret by their names.
    pub fn is_empty(&self) -> bool {
        !self.all
            && self.held.is_empty()
            && self.repeated.is_empty()
            && self.entries.is_empty()
            && self.fields.is_empty()
    }

    /// Returns true if anything is repeated by a secret.
    pub fn has_secret_keys(&self) -> bool {
        self.all || !self.iterated.is_empty()
    }

    /// Returns true if a secret is written out at a place, or around it, or what one is compared with.
    pub fn is_written_at(&self, place: Place) -> bool {
        self.is_value_at(place) || self.compared.hold(place)
    }

    /// Returns true if the value of a secret is written out at a place, or around it.
    pub(super) fn is_value_at(&self, place: Place) -> bool {
        self.all || self.written.hold(place)
    }

    /// Where values are written out that are secret or that secrets are compared with, outside of arguments whose names say so.
    pub fn written(&self) -> impl Iterator<Item = Place> + '_ {
        self.written.all().chain(self.compared.all())
    }

    /// Returns true if a part of something is secret, or what it is a part of.
    pub(super) fn holds(&self, module: &ModulePath, target: &Target, route: &Route) -> bool {
        let held = self.held.get(&(module.clone(), target.clone()));
        held.is_some_and(|held| held.iter().any(|own| is_around(own, route)))
    }
}

/// Returns true if a field is among others, or a part of one.
fn is_among(fields: &FxHashSet<FieldAddr>, field: &FieldAddr) -> bool {
    if fields.is_empty() {
        return false;
    }
    let mut own = field.clone();
    while !own.path.0.is_empty() {
        if fields.contains(&own) || fields.contains(&own.plain()) {
            return true;
        }
        own.path.0.pop();
    }
    false
}

/// A call by its name alone.
pub(super) fn without_source(target: &Target) -> Target {
    match target {
        Target::Call(call) => Target::Call(call.plain()),
        target => target.clone(),
    }
}
