//! Universes that a driver supplies for a field: those of the root variables whose own values reach it.
//!
//! What `phi.hcl` or a validation lists counts before them; environments, a type and a default after. Values that are not
//! in such a universe are kept out as those of any other that Terraform doesn't enforce.

use super::domain::Frame;
use super::universe::WORKSPACE;
use super::{Driven, Limits, Part, Tracer, Universe, Universes};
use crate::addr::FieldAddr;
use crate::config::Config;
use crate::config::phi::PhiConfig;
use crate::eval::{At, Bindings, Op, eval};
use crate::func::Surroundings;
use crate::value::{Type, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A field and the values that its driver can do.
#[derive(Clone, Debug)]
pub struct Supply {
    /// The field.
    pub driven: Driven,
    /// The values.
    pub values: Vec<Value>,
}

/// Universes with those that drivers supply. Several demands on one variable hold together.
pub fn supplied(
    config: &Config,
    phi: &PhiConfig,
    limits: Limits,
    universes: Universes,
    outside: &dyn Surroundings,
    supplies: &[Supply],
) -> Universes {
    let Some(root) = config.root() else { return universes };
    if supplies.is_empty() {
        return universes;
    }
    // Of the others only the origin matters here, not the values.
    let declared = |name: &str| {
        let bool = root.variables.get(name).is_some_and(|v| v.ty == Type::Bool);
        bool || name == WORKSPACE || phi.variables.contains_key(name)
    };
    let none = Universes::new();
    let mut inferring = Tracer::new(config, limits, &none, BTreeSet::new(), outside);
    inferring.inferring = true;
    let mut before = universes.clone();
    before.retain(|name, _| {
        declared(name) || root.variables.get(name).is_some_and(|v| inferring.validated(v).is_some())
    });
    let mut tracer = Tracer::new(config, limits, &before, BTreeSet::new(), outside);
    let mut found = Universes::new();
    for supply in supplies {
        for name in tracer.reaching(&supply.driven) {
            let Some(variable) = root.variables.get(&name) else { continue };
            let accepted = supply.values.iter().filter_map(|v| variable.accept(v).ok());
            let mut values: Vec<Value> = Vec::new();
            for value in accepted.map(|v| v.unmark_deep().0) {
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            match found.get_mut(&name) {
                Some(other) => {
                    let other: &mut Universe = other;
                    other.values.retain(|v| values.contains(v));
                }
                None => {
                    found.insert(name, Universe { values, enforced: false });
                }
            }
        }
    }
    found.retain(|_, u| !u.values.is_empty());
    let mut out = universes;
    out.extend(found);
    out
}

impl Tracer<'_> {
    /// The root variables without a universe whose own values a field may have.
    fn reaching(&mut self, driven: &Driven) -> BTreeSet<Arc<str>> {
        self.begin();
        let FieldAddr { module, target, .. } = &driven.field;
        let Some(instance) = self.instance_at(module) else { return BTreeSet::new() };
        let attr = &driven.site.attr;
        let at = At::new(attr.file, attr.expr.id, attr.expr.span);
        let iteration = self.axis(instance, target);
        let mut frame = Frame { tracer: self, instance, iteration };
        let mut value = eval(&mut frame, attr.file, &attr.expr, &Bindings::default());
        for name in &driven.site.rest {
            value = frame.operate(&Op::GetAttr(name), vec![value], at);
        }
        let Ok(alts) = self.flatten(&value) else { return BTreeSet::new() };
        let term = |part: &Part| match part {
            Part::Value(v) => self.origins.term_of(v),
            _ => None,
        };
        let terms = alts.iter().filter_map(|a| term(&a.part));
        terms.filter_map(|t| self.origins.info(t)?.variable.clone()).collect()
    }
}
