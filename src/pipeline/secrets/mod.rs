//! What isn't to be shown although no mark says so: the values of arguments that are secret by their names, of what they come from, and of all that they go to.
//!
//! In: a configuration. Out: whether a field, a variable, or what repeats a declaration holds a secret. Backwards from a secret argument to what its value comes from, what hands it on as it is or
//! in another form counts, and not what is only a part of a text. Forwards from these everything counts that an expression names, whatever construct it
//! stands in (see [`shape`]). Absent on purpose: values, and marks, which travel with values themselves.

mod call;
mod flow;
mod roots;
mod route;
mod shape;
mod sites;

use super::every_field;
use crate::addr::{FieldAddr, ModulePath, Target};
use crate::config::{Config, is_secret_field};
use crate::host::threads;
use crate::text::Place;
use flow::Flow;
use route::{Route, is_around};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What is said of a field whose instances or entries are repeated by a secret.
pub const KEYS_HOLD_SECRET: &str = "its keys come from a secret, so that nothing of it is shown.";

/// What a configuration holds of secrets.
#[derive(Clone, Debug, Default)]
pub struct Secrets {
    /// The secret parts of what has a name.
    held: BTreeMap<(ModulePath, Target), Vec<Route>>,
    fields: FxHashSet<FieldAddr>,
    /// Fields in `dynamic` blocks that are repeated by a secret.
    entries: FxHashSet<FieldAddr>,
    /// Declarations that are repeated by a secret.
    repeated: FxHashSet<(ModulePath, Target)>,
    /// Modules in which a name of an iteration stands for a secret.
    iterated: FxHashSet<ModulePath>,
    /// Where values are written out that are secret.
    written: Vec<Place>,
    /// True if there is too much to tell them apart.
    all: bool,
}

impl Secrets {
    /// Finds them.
    pub fn of(config: &Config) -> Secrets {
        threads::inside(|| {
            let all = every_field::all(config);
            let mut flow = Flow::of(config, &all);
            flow.go_back();
            if flow.is_empty() {
                return Secrets::default();
            }
            let written = flow.written();
            flow.go_on();
            let mut secrets = flow.found();
            secrets.written = written;
            secrets
        })
    }

    /// Returns true if the value of a field isn't to be shown, whatever marks it carries.
    pub fn hides(&self, config: &Config, field: &FieldAddr) -> bool {
        let argument = match &field.target {
            Target::Call(call) => field
                .path
                .0
                .first()
                .map(|name| (field.module.child(call.clone()), Target::Variable(name.clone()))),
            Target::Resource(_) | Target::Provider(_) => None,
            _ => Some((field.module.clone(), field.target.clone())),
        };
        self.all
            || is_secret_field(config, field)
            || argument.is_some_and(|root| self.held.contains_key(&root))
            || is_among(&self.fields, field)
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

    /// Returns true if a secret is written out at a place, or around it.
    pub fn is_written_at(&self, place: Place) -> bool {
        self.all || self.written.iter().any(|own| own.file == place.file && own.span.contains(place.span))
    }

    /// Where values are written out that are secret, outside of arguments whose names say so.
    pub fn written(&self) -> &[Place] {
        &self.written
    }

    /// Returns true if a part of something is secret, or what it is a part of.
    fn holds(&self, module: &ModulePath, target: &Target, route: &Route) -> bool {
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

/// The routes to secrets in each root.
type Held = FxHashMap<usize, Vec<Route>>;
