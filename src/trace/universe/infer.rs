//! Universes that the configuration itself states: validation blocks and `bool`.
//!
//! A validation is evaluated like any expression, with its variable as a term: the values for which its condition can
//! hold are read off the formula. Whatever form the author chose, only a finite answer counts.

use crate::cond::{Bound, Cube, FormulaId, Range, TermId};
use crate::config::Variable;
use crate::eval::{At, Bindings, eval};
use crate::trace::{Decl, Guarded, Part, Tracer, Universe, Universes, tracer::instance::Instances};
use crate::value::{Distinct, Type, Value};

/// Longer ranges are not listed.
const LONGEST: i64 = 1000;

impl Tracer<'_> {
    /// The universe that a root variable's type leaves: only `bool` is finite.
    pub(in crate::trace) fn of_type(&self, variable: &Variable) -> Option<Universe> {
        if variable.ty != Type::Bool {
            return None;
        }
        let mut values = vec![Value::bool(true), Value::bool(false)];
        if variable.nullable {
            values.push(Value::null(Type::Bool));
        }
        Some(Universe::listed(values, true))
    }

    /// Leaves of a universe what the variable's own validations let through, asked for one by one: so a condition counts
    /// that says something of values and lists none. What is left is never empty.
    pub(in crate::trace) fn checked(&self, variable: &Variable, universe: &mut Universe) {
        if variable.validations.is_empty() || universe.values.is_empty() {
            return;
        }
        let listed = Universe::listed(universe.values.clone(), true);
        let universes = Universes::from([(variable.name.clone(), listed)]);
        let mut each = Tracer::new(
            self.inputs.config,
            self.inputs.limits,
            &universes,
            self.inputs.assumptions.clone(),
            self.inputs.outside,
        );
        each.scope.inferring = true;
        let Some(allowed) = each.allowed_by_any(variable) else { return };
        let mut kept = Distinct::default();
        for alt in each.value_of(variable).alts() {
            let Part::Value(value) = &alt.part else { return };
            if each.formulas.and(alt.when, allowed) != Ok(FormulaId::FALSE) {
                kept.add(&value.clone().unmark_deep().0);
            }
        }
        if !kept.is_empty() {
            universe.values.retain(|v| kept.contains(v));
        }
    }

    /// The universe that a root variable's validations leave.
    pub(in crate::trace) fn validated(&mut self, variable: &Variable) -> Option<Universe> {
        if variable.validations.is_empty() {
            return None;
        }
        let allowed = self.allowed_by_any(variable)?;
        let value = self.value_of(variable);
        let term = self.origins.term_of(value.single_value()?)?;
        let values = self.finite(term, allowed)?;
        Some(Universe::listed(values, true))
    }

    /// Returns the condition under which a root variable's validations may hold for any Terraform in question.
    fn allowed_by_any(&mut self, variable: &Variable) -> Option<FormulaId> {
        let known = self.inputs.outside.terraform();
        let mut allowed = FormulaId::FALSE;
        for version in crate::trace::guarded::wording::versions_among(known) {
            // Each by itself: where they differ, the one takes for an error what the other takes for false.
            let own = self.with_version(version, |tracer| tracer.allowed(variable));
            allowed = self.formulas.or(allowed, own?).ok()?;
        }
        Some(allowed)
    }

    /// Returns the condition under which a root variable's validations may hold.
    fn allowed(&mut self, variable: &Variable) -> Option<FormulaId> {
        let mut allowed = Vec::with_capacity(variable.validations.len());
        for validation in &variable.validations {
            let file = validation.condition.file;
            let at = At::new(validation.condition.place());
            let mut frame = self.frame(Instances::ROOT);
            let value = eval(&mut frame, file, &validation.condition, &Bindings::default());
            let alts = frame.bools(&value, at).ok()?;
            // What isn't known to fail may hold.
            let may_hold = alts.iter().filter(|alt| match &alt.part {
                Part::Value(v) => v.as_bool() != Some(false),
                Part::Failed(_) => false,
                Part::Object(_) | Part::Tuple(_) => true,
            });
            allowed.push(self.formulas.or_all(may_hold.map(|alt| alt.when)).ok()?);
        }
        self.formulas.and_all(allowed).ok()
    }

    /// A root variable's value.
    fn value_of(&mut self, variable: &Variable) -> Guarded {
        let at = At::new(variable.decl.block.place());
        self.declared(Instances::ROOT, Decl::Variable(variable.name.clone()), at)
    }

    /// The listed values of a term under a formula, where it lets no others through.
    fn finite(&mut self, term: TermId, formula: FormulaId) -> Option<Vec<Value>> {
        let mut values: Vec<Value> = Vec::new();
        let mut known = Distinct::default();
        let mut add = |value: Value| {
            if known.add(&value) {
                values.push(value);
            }
        };
        for cube in self.formulas.cubes(formula, 4096).ok()? {
            let literal = cube.iter().find(|l| l.term == term).filter(|l| !l.negated)?;
            if !literal.ranges.is_empty() && !self.is_whole(term, &cube) {
                return None;
            }
            literal.values.iter().cloned().for_each(&mut add);
            for range in &literal.ranges {
                whole_numbers(range)?.for_each(|n| add(Value::number(n)));
            }
        }
        (!values.is_empty()).then_some(values)
    }

    /// Returns true if a cube says besides that a term is a whole number.
    fn is_whole(&self, term: TermId, cube: &Cube) -> bool {
        let key = self.formulas.key(term);
        let rounded = ["floor", "ceil"].map(|f| format!("{f}({key})"));
        let same = rounded.iter().flat_map(|r| [format!("({r} == {key})"), format!("({key} == {r})")]);
        let same: Vec<String> = same.collect();
        let rest = format!("({key} % 1)");
        cube.iter().filter(|l| !l.negated && l.ranges.is_empty()).any(|l| match l.values.as_slice() {
            [only] if only.as_bool() == Some(true) => same.iter().any(|s| s == self.formulas.key(l.term)),
            [only] => *only == Value::number(0u64) && self.formulas.key(l.term) == rest,
            _ => false,
        })
    }
}

/// The whole numbers in a range that is not too long.
fn whole_numbers(range: &Range) -> Option<impl Iterator<Item = i64>> {
    let end = |b: &Option<Bound>| -> Option<(i64, bool)> {
        let bound = b.as_ref()?;
        Some((bound.value.as_number()?.as_i64()?, bound.inclusive))
    };
    let (low, high) = (end(&range.low)?, end(&range.high)?);
    let first = if low.1 { low.0 } else { low.0.checked_add(1)? };
    let last = if high.1 { high.0 } else { high.0.checked_sub(1)? };
    (last.checked_sub(first)? < LONGEST).then_some(first..=last)
}
