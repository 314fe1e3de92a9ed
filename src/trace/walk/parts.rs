//! Root variables that are objects or maps, followed attribute by attribute.
//!
//! An object that environments or a default give to a variable lists the values of each of its attributes. A field that
//! reads one attribute depends on that one alone, and a guard holds no other. Where a field needs the whole (`for_each`, say), it
//! is traced again with the whole values ([`crate::trace::Assumptions::whole`]).

use super::apply::op_name;
use crate::cond::TermId;
use crate::config::Variable;
use crate::eval::standalone::eval_constant;
use crate::eval::{At, EvalError, Op, Outcome};
use crate::trace::{Alt, Excess, Frame, Guarded, Hops, Part, Tracer, Universe, tracer::terms::Parts};
use crate::value::{Data, Distinct, Type, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The root variable that a name is of: `cfg` of `cfg.version`.
pub fn declared(name: &str) -> &str {
    name.find(['.', '[']).and_then(|end| name.get(..end)).unwrap_or(name)
}

impl Tracer<'_> {
    /// Returns the whole values of a root variable that is followed attribute by attribute.
    pub(in crate::trace) fn in_parts(&self, variable: &Variable) -> Option<Universe> {
        let listed_whole = |u: &Universe| !u.environments && !u.values.is_empty();
        if self.inputs.assumptions.whole.contains(&variable.name)
            || variable.sensitive
            || variable.ephemeral
            || self.inputs.universes.get(&variable.name).is_some_and(listed_whole)
        {
            return None;
        }
        let listed = match self.universe_of(&variable.name) {
            Some(universe) => Some(universe).filter(|u| u.environments)?,
            None => self.pinned(variable)?,
        };
        listed.values.iter().all(has_parts).then_some(listed)
    }

    /// The default of a variable that counts as it.
    fn pinned(&self, variable: &Variable) -> Option<Universe> {
        let default =
            variable.default.as_ref().filter(|_| self.inputs.assumptions.pinned.contains(&variable.name))?;
        let value = variable.accept(&eval_constant(&default.expr, default.file).ok()?).ok()?;
        Some(Universe { places: vec![default.place()], ..Universe::listed(vec![value], false) })
    }

    /// The root variables that count as their default wherever they were met as a whole.
    pub fn defaulted(&self) -> &BTreeSet<Arc<str>> {
        &self.terms.defaulted
    }

    /// The same by the variable's name.
    pub(in crate::trace) fn is_in_parts(&self, name: &str) -> bool {
        let variable = self.inputs.config.root().and_then(|m| m.variables.get(name));
        variable.is_some_and(|v| self.in_parts(v).is_some())
    }

    /// Notes that a term is a root variable.
    pub(in crate::trace) fn has_attributes(
        &mut self,
        term: TermId,
        name: &Arc<str>,
        universe: Option<Universe>,
    ) {
        self.terms.parts.entry(term).or_insert_with(|| Parts {
            name: name.clone(),
            universe,
            expanded: false,
            through: None,
        });
    }

    /// The attribute of a root variable that an operation takes.
    pub(in crate::trace) fn attribute_taken(&self, op: &Op<'_>, args: &[Value]) -> Option<Parts> {
        let of = args.first().filter(|v| !v.is_known())?;
        let of = self
            .terms
            .parts
            .get(&self.origins.term_of(of)?)
            .filter(|of| !of.expanded && of.through.is_none())?;
        let (step, name) = match (op, args) {
            (Op::GetAttr(step), _) => ((*step).to_owned(), format!("{}.{step}", of.name)),
            (Op::Index, [_, key]) => match &key.data {
                Data::String(step) if key.is_plain() => {
                    (step.to_string(), format!("{}[{}]", of.name, crate::value::hcl::to_hcl(key)?))
                }
                _ => return None,
            },
            _ => return None,
        };
        let universe = match self.universe_of(&name) {
            Some(listed) => Some(listed),
            None => of.universe.as_ref().and_then(|u| projected(u, &step)),
        };
        let expanded = universe.as_ref().is_some_and(|u| !u.values.iter().all(has_fixed_parts));
        Some(Parts { name: name.into(), universe, expanded, through: None })
    }
}

impl Frame<'_, '_> {
    /// Notes what a module's variable makes of a term that is followed attribute by attribute: an object of other types, or with
    /// defaults filled in. Either is done to each attribute by itself.
    pub fn passed_in_parts(&mut self, variable: &Variable, from: &Guarded, made: &Guarded) {
        let (Some(from), Some(made)) = (from.single_value(), made.single_value()) else { return };
        let origins = &self.tracer.origins;
        let unknown = |v: &Value| !v.is_known();
        let (Some(of), Some(term)) = (origins.term_of(from), origins.term_of(made)) else { return };
        let listed = self.tracer.terms.parts.get(&of).filter(|p| !p.expanded && p.universe.is_some());
        if let Some(listed) = listed.filter(|_| of != term && unknown(from) && unknown(made))
            && matches!(variable.ty, Type::Object(_))
        {
            let through = Some((from.clone(), Box::new(variable.clone())));
            let parts = Parts { through, ..listed.clone() };
            self.tracer.terms.parts.insert(term, parts);
        }
    }

    /// An attribute of such an object: that of the term behind it, as the variable takes it.
    pub fn attribute_through(&mut self, op: &Op<'_>, args: &[Guarded], at: At) -> Option<Guarded> {
        let (Op::GetAttr(name), [of]) = (op, args) else { return None };
        let term = self.tracer.origins.term_of(of.single_value().filter(|v| !v.is_known())?)?;
        let (behind, variable) = self.tracer.terms.parts.get(&term)?.through.clone()?;
        let Type::Object(taken) = &variable.ty else { return None };
        let given = matches!(&behind.ty, Type::Object(has) if has.attrs.contains_key(*name));
        if !given || !taken.attrs.contains_key(*name) {
            return None;
        }
        let behind = Guarded::of(behind);
        let attribute = self.operate(op, vec![behind], at);
        let accept = |value: &Value| -> Outcome {
            let others = taken.attrs.keys().filter(|key| &***key != *name);
            let nulls = others.map(|key| (key.clone(), Value::null(Type::Dynamic)));
            let whole = Value::object(nulls.chain([(Arc::from(*name), value.clone())]));
            let whole = variable.accept(&whole).map_err(EvalError::from)?;
            let Data::Map(entries) = &whole.data else { return Ok(Value::unknown(Type::Dynamic)) };
            Ok(entries.get(*name).cloned().unwrap_or_else(|| Value::null(Type::Dynamic)))
        };
        Some(self.by_alternative(&attribute, at, &mut |frame, alt| {
            // What isn't known may be null, and have the default then: it is no more than what the variable gives.
            let filled =
                variable.defaults.is_some() && alt.part.value().is_some_and(|v| !v.is_wholly_known());
            let made = match filled {
                true => frame.each_combination(op, args, at),
                false => frame.each_combination(&Op::Custom(&accept), &[alt.alone()], at),
            };
            made.map(Guarded::new)
        }))
    }

    /// An attribute of a root variable whose values are listed, as one alternative for each.
    pub fn listed_attribute_of(
        &mut self,
        op: &Op<'_>,
        alt: &Alt,
        at: At,
    ) -> Result<Option<Vec<Alt>>, Excess> {
        if !matches!(op, Op::GetAttr(_) | Op::Index) {
            return Ok(None);
        }
        let Part::Value(value) = &alt.part else { return Ok(None) };
        let Some(term) = self.tracer.origins.term_of(value).filter(|_| !value.is_known()) else {
            return Ok(None);
        };
        let Some(parts) = self.tracer.terms.parts.get(&term).filter(|parts| parts.expanded) else {
            return Ok(None);
        };
        let (Some(universe), Some(info)) = (parts.universe.clone(), self.tracer.origins.info(term).cloned())
        else {
            return Ok(None);
        };
        let key = self.tracer.formulas.key(term).to_owned();
        let marks = value.marks.without_origins();
        let all = self.tracer.over_universe(&key, info, &universe, &marks, at);
        let mut out = Vec::new();
        let hop = |from: &Hops| match op_name(op) {
            Some(name) => from.before(name, Some(at.place())),
            None => from.clone(),
        };
        self.tracer.extend_hopped(&mut out, &all, (alt.when, &alt.shown), &hop)?;
        Ok(Some(out))
    }
}

/// The values that an attribute has in those of a universe; nothing where one of them has no such attribute.
fn projected(of: &Universe, step: &str) -> Option<Universe> {
    let (mut values, mut places) = (Vec::new(), Vec::new());
    let mut known = Distinct::default();
    for (at, value) in of.values.iter().enumerate() {
        let Data::Map(entries) = &value.data else { return None };
        let part = entries.get(step)?;
        if known.add(part) {
            values.push(part.clone());
            places.extend(of.places.get(at).copied());
        }
    }
    Some(Universe { places, environments: of.environments, ..Universe::listed(values, false) })
}

fn has_parts(value: &Value) -> bool {
    value.is_wholly_known() && !value.is_null() && matches!(value.ty, Type::Object(_) | Type::Map(_))
}

/// Returns true if it has the attributes that it has in every run, so that each may be followed by itself.
fn has_fixed_parts(value: &Value) -> bool {
    has_parts(value) && matches!(value.ty, Type::Object(_))
}
