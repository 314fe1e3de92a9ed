//! The value of a module's variable in one copy of it.

use super::constant::keep_valid;
use crate::addr::ModulePath;
use crate::cond::FormulaId;
use crate::eval::At;
use crate::func::{Context, Work};
use crate::trace::{Decl, Guarded, Tracer, tracer::compared::is_plain};
use crate::value::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

impl Tracer<'_> {
    /// The values of an instance's variables, each under its condition, and whether it is chosen by something sensitive: of
    /// those that have one primitive value there, and can be taken out of the module's text.
    pub fn carried_values(
        &mut self,
        path: &ModulePath,
        names: &BTreeMap<Arc<str>, FormulaId>,
    ) -> BTreeMap<Arc<str>, (Value, bool)> {
        let mut out = BTreeMap::new();
        let config = self.inputs.config;
        let Some(module) = config.at(path) else { return out };
        let Some(instance) = self.instance_at(path) else { return out };
        if module.files.iter().any(|f| f.json) {
            return out;
        }
        for (name, when) in names {
            let Some(variable) = module.variables.get(name) else { continue };
            let plain =
                variable.validations.is_empty() && variable.decl.overrides.is_empty() && !variable.sensitive;
            if !plain || variable.ephemeral {
                continue;
            }
            let at = At::new(variable.decl.block.place());
            let value = self.declared(instance, Decl::Variable(name.clone()), at);
            if let Some(only) = self.only_value(&value, *when) {
                let sensitive = self.any_sensitive(value.alts().iter().map(|a| a.when));
                out.insert(name.clone(), (only, sensitive));
            }
        }
        let outside = self.surroundings();
        keep_valid((config, path), &mut out, Context { outside: &outside, work: &Work::default() });
        out
    }

    /// The one primitive value that a variable of an instance has under a condition.
    pub fn variable_under(&mut self, path: &ModulePath, name: &Arc<str>, when: FormulaId) -> Option<Value> {
        let variable = self.inputs.config.at(path)?.variables.get(name)?;
        let instance = self.instance_at(path)?;
        let at = At::new(variable.decl.block.place());
        let value = self.declared(instance, Decl::Variable(name.clone()), at);
        self.only_value(&value, when)
    }

    /// The one primitive value that is left under a condition.
    fn only_value(&mut self, value: &Guarded, when: FormulaId) -> Option<Value> {
        let mut only: Option<Value> = None;
        for alt in value.alts() {
            let both = self.formulas.and(alt.when, when).ok()?;
            if both == FormulaId::FALSE {
                continue;
            }
            let value = alt.part.value().filter(|v| is_plain(v) && only.is_none())?;
            only = Some(value.clone());
        }
        only
    }
}
