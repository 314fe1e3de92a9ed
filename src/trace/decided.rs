//! Variables of a module that have one value in one copy of it.

use super::{Guarded, Part, Tracer};
use crate::addr::ModulePath;
use crate::cond::FormulaId;
use crate::eval::At;
use crate::func::{Context, Work};
use crate::value::{Type, Value};
use std::sync::Arc;

impl Tracer<'_> {
    /// The variables of an instance that differ between branches in general, but have one primitive value under
    /// `when`; only such as can be taken out of the module's text.
    pub fn decided_variables(
        &mut self,
        path: &ModulePath,
        when: FormulaId,
    ) -> std::collections::BTreeMap<Arc<str>, (Value, bool)> {
        let mut out = std::collections::BTreeMap::new();
        let config = self.config;
        let Some(module) = config.at(path) else { return out };
        let Some(instance) = self.instance_at(path) else { return out };
        if module.files.iter().any(|f| f.json) {
            return out;
        }
        let call = path.parent().and_then(|(outer, name)| config.at(&outer)?.call(&name));
        for (name, variable) in &module.variables {
            let passed = call.is_some_and(|c| c.arg(name).is_some());
            let plain =
                variable.validations.is_empty() && variable.decl.overrides.is_empty() && !variable.sensitive;
            if !passed || !plain || variable.ephemeral {
                continue;
            }
            let at =
                At::new(variable.decl.block.file, crate::syntax::ExprId(u32::MAX), variable.decl.block.span);
            let value = self.declared(instance, super::tracer::Decl::Variable(name.clone()), at);
            if value.alts().len() < 2 {
                continue;
            }
            if let Some(only) = self.only_value(&value, when) {
                let sensitive = self.any_sensitive(value.alts().iter().map(|a| a.when));
                out.insert(name.clone(), (only, sensitive));
            }
        }
        let outside = self.surroundings();
        super::constant::keep_valid(module, &mut out, Context { outside: &outside, work: &Work::default() });
        out
    }

    /// The one primitive value that is left under a condition.
    fn only_value(&mut self, value: &Guarded, when: FormulaId) -> Option<Value> {
        let mut only: Option<Value> = None;
        for alt in value.alts() {
            let both = self.formulas.and(alt.when, when).ok()?;
            if both == FormulaId::FALSE {
                continue;
            }
            let Part::Value(v) = &alt.part else { return None };
            let primitive = matches!(v.ty, Type::String | Type::Number | Type::Bool);
            let usable = primitive && v.is_wholly_known() && !v.is_null() && v.marks.is_empty();
            if !usable || only.is_some() {
                return None;
            }
            only = Some(v.clone());
        }
        only
    }
}
