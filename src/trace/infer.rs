//! Universes that the configuration itself states: validation blocks and `bool`.
//!
//! A validation is evaluated like any expression, with its variable as a term: the values for which its condition can
//! hold are read off the formula. Whatever form the author chose, only a finite answer counts.

use super::domain::{Frame, Iteration};
use super::instance::Instances;
use super::{Part, Tracer, Universe};
use crate::cond::{FormulaId, TermId};
use crate::config::Variable;
use crate::eval::{At, Bindings, eval};
use crate::value::{Type, Value};

impl Tracer<'_> {
    /// The universe that a root variable's type leaves: only `bool` is finite.
    pub(super) fn of_type(&self, variable: &Variable) -> Option<Universe> {
        if variable.ty != Type::Bool {
            return None;
        }
        let mut values = vec![Value::bool(true), Value::bool(false)];
        if variable.nullable {
            values.push(Value::null(Type::Bool));
        }
        Some(Universe { values, enforced: true })
    }

    /// The universe that a root variable's validations leave.
    pub(super) fn validated(&mut self, variable: &Variable) -> Option<Universe> {
        if variable.validations.is_empty() {
            return None;
        }
        let mut allowed = FormulaId::TRUE;
        for validation in &variable.validations {
            let file = validation.condition.file;
            let at = At::new(file, validation.condition.id, validation.condition.span);
            let mut frame =
                Frame { tracer: self, instance: Instances::ROOT, iteration: Iteration::default() };
            let value = eval(&mut frame, file, &validation.condition, &Bindings::default());
            let alts = frame.bools(&value, at).ok()?;
            let mut holds = FormulaId::FALSE;
            for alt in alts {
                // What isn't known to fail may hold.
                let fails = match &alt.part {
                    Part::Value(v) => v.as_bool() == Some(false),
                    Part::Failed(_) => true,
                    Part::Object(_) | Part::Tuple(_) => false,
                };
                if !fails {
                    holds = self.formulas.or(holds, alt.when).ok()?;
                }
            }
            allowed = self.formulas.and(allowed, holds).ok()?;
        }
        let term = self.term_of_variable(variable)?;
        let values = self.finite(term, allowed)?;
        Some(Universe { values, enforced: true })
    }

    /// The term that stands for a root variable in its own validations.
    fn term_of_variable(&mut self, variable: &Variable) -> Option<TermId> {
        let at = At::new(variable.decl.block.file, crate::syntax::ExprId(u32::MAX), variable.decl.block.span);
        let name = variable.name.clone();
        let value = self.declared(Instances::ROOT, super::tracer::Decl::Variable(name), at);
        self.origins.term_of(value.single_value()?)
    }

    /// The listed values of a term under a formula, where it lets no others through.
    fn finite(&mut self, term: TermId, formula: FormulaId) -> Option<Vec<Value>> {
        let mut values: Vec<Value> = Vec::new();
        for cube in self.formulas.cubes(formula, 4096).ok()? {
            let literal =
                cube.iter().find(|l| l.term == term).filter(|l| !l.negated && l.ranges.is_empty())?;
            for value in &literal.values {
                if !values.contains(value) {
                    values.push(value.clone());
                }
            }
        }
        (!values.is_empty()).then_some(values)
    }
}
