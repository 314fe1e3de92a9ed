//! What holds in a run, where every variable has one value: which instances there are, and which gates are true in them.
//!
//! In: a tracer whose universes are those of the run. Absent on purpose: copies and chains, which `specialise` decides.

use super::{Gate, Prover};
use crate::addr::{Key, ModuleInstance, ModulePath, Target};
use crate::cond::FormulaId;
use crate::syntax;
use crate::text::SourceId;
use crate::trace::{InstanceId, Standing};
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
    /// The instances of a declaration as far as they are known, and the first ones of what `count` may leave without any; with
    /// `None` in its place those of the module, without a key.
    pub fn possible(
        &mut self,
        scope: &ModulePath,
        target: Option<&Target>,
    ) -> Vec<(ModuleInstance, Option<Key>)> {
        let mut out = Vec::new();
        for Standing { instance, module, .. } in self.tracer.possible_standings(scope) {
            let keys = target.map_or_else(|| vec![None], |t| self.tracer.possible_keys(instance, t));
            out.extend(keys.into_iter().map(|key| (module.clone(), key)));
        }
        out
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
