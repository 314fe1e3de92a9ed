//! What `each.value` is of a declaration that a secret repeats.

use super::super::every_field;
use super::flow::Flow;
use super::found::Secrets;
use super::roots::Roots;
use super::route::{EACH, Route};
use super::shape::{Finder, Names, part};
use super::touched::known_secrets;
use crate::addr::{ModulePath, Target};
use crate::config::Config;
use crate::host::threads;
use crate::trace::Repetition;
use std::sync::Arc;

impl Secrets {
    /// The same with what a mark makes secret, and with root variables that are to be taken for such.
    #[must_use]
    pub fn with_marks_and(&self, config: &Config, variables: &[Arc<str>]) -> Secrets {
        let whole = || vec![Route::new()];
        let given = variables.iter().map(|name| (ModulePath::ROOT, Target::Variable(name.clone()), whole()));
        let known = known_secrets(config, self).chain(given);
        let mut found = threads::inside(|| {
            let mut flow = Flow::of(config, &every_field::all(config), false);
            flow.start_from(known);
            flow.go_on();
            flow.found()
        });
        found.all |= self.all;
        found
    }

    /// Returns true if a part of `each.value` is secret in a declaration of a module.
    pub fn are_in_each_value(&self, config: &Config, path: &ModulePath, target: &Target) -> bool {
        let mut roots = Roots::of(config);
        let Some(module) = roots.modules.iter().position(|(own, _)| *own == path) else { return true };
        let found = roots.modules.get(module).and_then(|(_, found)| Repetition::of(found, target).for_each);
        let Some(for_each) = found else { return self.all };
        let shape =
            Finder { roots: &mut roots, module, names: Names::new(), deciding: false }.shape(&for_each.expr);
        let is_secret = |root: usize, from: &Route| {
            let target = roots.all.get(root).map(|(_, target)| target);
            target.is_none_or(|target| self.holds(path, target, from))
        };
        self.all || part(&shape, EACH).iter().any(|edge| is_secret(edge.root, &edge.from))
    }
}
