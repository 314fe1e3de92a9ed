//! What holds in a run, where every variable has one value: which instances there are, and which gates are true in them.
//!
//! In: a tracer whose universes are those of the run. Absent on purpose: copies and chains, which `specialise` decides.

use super::{Gate, Prover};
use crate::addr::{Key, ModuleInstance, ModulePath, Target};
use crate::cond::FormulaId;
use crate::config::Config;
use crate::syntax;
use crate::text::SourceId;
use crate::trace::{InstanceId, Repetition};
use crate::value::Value;

/// The place of a module's instance.
pub enum Whereabouts {
    /// In the module.
    In(InstanceId),
    /// In the module of another source.
    OtherSource,
    /// It isn't known.
    Unknown,
}

impl Prover<'_, '_> {
    /// The instances of a module; `None` where they aren't known.
    pub fn instances(&mut self, scope: &ModulePath) -> Option<Vec<(InstanceId, ModuleInstance)>> {
        self.within(scope, None)
    }

    /// The instances of a declaration as far as they are known, and the first ones of what `count` may leave without any; with
    /// `None` in its place those of the module, without a key.
    pub fn possible(
        &mut self,
        config: &Config,
        scope: &ModulePath,
        target: Option<&Target>,
    ) -> Vec<(ModuleInstance, Option<Key>)> {
        let mut out = Vec::new();
        for (at, module) in self.within(scope, Some(config)).unwrap_or_default() {
            let keys = target.map_or_else(|| vec![None], |target| self.possible_keys(config, at, target));
            out.extend(keys.into_iter().map(|key| (module.clone(), key)));
        }
        out
    }

    /// The instances of a module. With a configuration, those that aren't known are left out, and a `count` has at least one.
    fn within(
        &mut self,
        scope: &ModulePath,
        possible: Option<&Config>,
    ) -> Option<Vec<(InstanceId, ModuleInstance)>> {
        let mut out = vec![(self.tracer.root_instance(), ModuleInstance::default())];
        for name in &scope.0 {
            let call = Target::Call(name.clone());
            let mut next = Vec::new();
            for (at, module) in out {
                let keys = match possible {
                    Some(config) => self.possible_keys(config, at, &call),
                    None => self.keys(at, &call)?,
                };
                for key in keys {
                    let child = match self.tracer.is_taken(at, name, key.as_ref()) {
                        Some(false) => continue,
                        Some(true) => self.tracer.called(at, name, key.clone()),
                        None => None,
                    };
                    match child {
                        Some(child) => next.push((child, module.child(ModulePath::call_name(name), key))),
                        None if possible.is_some() => {}
                        None => return None,
                    }
                }
            }
            out = next;
        }
        Some(out)
    }

    /// The keys of what is repeated in this run; of a `count` at least the first.
    fn possible_keys(&mut self, config: &Config, at: InstanceId, target: &Target) -> Vec<Option<Key>> {
        let mut keys = self.keys(at, target).unwrap_or_default();
        let module = self.tracer.instance(at).and_then(|instance| config.module(instance.module));
        if keys.is_empty() && module.is_some_and(|m| Repetition::of(m, target).count.is_some()) {
            keys.push(Some(Key::Index(0)));
        }
        keys
    }

    /// The keys of a declaration in an instance of its module; `None` where they aren't known.
    pub fn keys(&mut self, at: InstanceId, target: &Target) -> Option<Vec<Option<Key>>> {
        self.tracer.keys(at, target)
    }

    /// The keys of a declaration in the root module; `None` where they aren't known.
    pub fn keys_in_root(&mut self, target: &Target) -> Option<Vec<Option<Key>>> {
        self.tracer.keys(self.tracer.root_instance(), target)
    }

    /// The place of a module's instance, which this run may not have.
    pub fn whereabouts(&mut self, scope: &ModulePath, module: &ModuleInstance) -> Whereabouts {
        let mut at = self.tracer.root_instance();
        for (name, (_, key)) in scope.0.iter().zip(&module.0) {
            if self.tracer.is_taken(at, name, key.as_ref()) == Some(false) {
                return Whereabouts::OtherSource;
            }
            let Some(child) = self.tracer.called(at, name, key.clone()) else { return Whereabouts::Unknown };
            at = child;
        }
        Whereabouts::In(at)
    }

    /// Returns the value of a gate; `None` if it isn't decided.
    pub fn decided_gate(
        &mut self,
        gate: &Gate,
        (scope, unit): (&ModulePath, &Target),
        instance: InstanceId,
        key: &Option<Key>,
    ) -> Option<bool> {
        let under = Some((instance, key));
        let gives = self.tracer.outcome((&gate.text, gate.negated), (scope, unit), under)?;
        if gives.failed != FormulaId::FALSE || gives.open != FormulaId::FALSE {
            return None;
        }
        let decided = [(FormulaId::TRUE, true), (FormulaId::FALSE, false)];
        decided.into_iter().find_map(|(when, is)| (gives.yes == when).then_some(is))
    }

    /// The value of an expression in the root module, without its marks; `None` where it isn't wholly known.
    pub fn value_of(&mut self, text: &str) -> Option<Value> {
        let expr = syntax::parse_expr(text).ok()?;
        let own = self.tracer.trace_expr(&expr, SourceId(u32::MAX));
        let own = own.single_value().filter(|v| v.is_wholly_known())?;
        Some(own.clone().unmark_deep().0)
    }
}
