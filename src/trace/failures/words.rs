//! For which inputs something fails, in words.
//!
//! The shortest that is right wins: the formula over all inputs together, or what the environments in which it fails have in
//! common. Values of sensitive variables don't occur in it.

use super::Assignment;
use super::search::{Searched, Way, way};
use super::settle::Of;
use crate::cond::{Condition, FormulaId};
use crate::config::Config;
use crate::func::Surroundings;
use crate::trace::gate::site;
use crate::trace::{Limits, Meant, Tracer, Universe, Universes, WORKSPACE};
use crate::value::{Distinct, Value, hcl};
use std::sync::Arc;

/// Longer conditions are said by the environments that they hold in.
const LONG: usize = 160;

/// In which environments something fails as they are, and whether it fails in nothing else.
pub(super) struct Seen {
    pub numbers: Vec<usize>,
    pub own: bool,
    /// Whether it fails for other inputs in other versions, so that the formula is that of both.
    pub apart: bool,
}

/// A tracer over all inputs together.
pub(super) struct Words<'s, 'a> {
    searched: &'s Searched<'a>,
    outside: &'s dyn Surroundings,
    universes: Universes,
}

impl<'s, 'a> Words<'s, 'a> {
    pub fn of(searched: &'s Searched<'a>, outside: &'s dyn Surroundings) -> Words<'s, 'a> {
        let mut universes = Universes::new();
        let names = searched.wholes.iter().flat_map(|w| w.keys()).chain(searched.free.keys());
        for name in names.collect::<std::collections::BTreeSet<_>>() {
            let mut known = Distinct::default();
            let own = searched.wholes.iter().filter_map(|w| w.get(name));
            let all = own.chain(searched.free.get(name).into_iter().flatten());
            let values: Vec<Value> = all.filter(|v| known.add(v)).cloned().collect();
            universes.insert(name.clone(), Universe::listed(values, true));
        }
        Words { searched, outside, universes }
    }

    /// For which inputs a check fails in a way, as a condition and as HCL.
    pub fn of_way(
        &mut self,
        check: usize,
        way: &Way,
        seen: &Seen,
        input: &Assignment,
        picks: &Assignment,
    ) -> (Arc<Condition>, String) {
        let together = if seen.apart { None } else { self.together(check, way, input) };
        match together {
            Some((condition, text)) if text.len() <= LONG || !seen.own => (condition, text),
            _ if seen.own || picks.is_empty() => by_environment(self.searched, seen),
            _ => values(self.searched, picks),
        }
    }

    fn together(&mut self, check: usize, of: &Way, input: &Assignment) -> Option<(Arc<Condition>, String)> {
        let searched = self.searched;
        let check = searched.checks.get(check)?;
        let mut tracer = Tracer::new(
            searched.config,
            limits(searched.limits),
            &self.universes,
            Meant::default(),
            self.outside,
        );
        tracer.holds = Some(Vec::new());
        let faults = tracer.faults(check);
        if faults.undecided {
            return None;
        }
        let own: Vec<FormulaId> = faults.list.iter().filter(|f| way(f) == *of).map(|f| f.when).collect();
        let when = tracer.formulas.or_all(own).ok()?;
        let mut when = tracer.whatever_else(when)?;
        let holds = tracer.formulas.evaluate(when, &|term| match tracer.kind_of(term) {
            Of::Input(name) => input.get(&name).cloned(),
            _ => None,
        });
        if holds == Some(false) || when == FormulaId::FALSE {
            return None;
        }
        for term in tracer.formulas.terms(when).iter().copied() {
            let hidden = match tracer.kind_of(term) {
                Of::Input(name) => is_secret(searched.config, &name),
                Of::Key | Of::Other => true,
            };
            if hidden {
                when = tracer.formulas.for_some(when, term).ok()?;
            }
        }
        let condition = tracer.spelled(when)?;
        let text = condition.text(crate::cond::Writing::Operators, &written)?;
        Some((condition, text))
    }
}

/// What is said of a finding is worth less work than whether there is one.
fn limits(of: Limits) -> Limits {
    Limits { combinations: of.combinations.min(1024), ..of }
}

fn is_secret(config: &Config, name: &str) -> bool {
    config.root().and_then(|m| m.variables.get(name)).is_some_and(|v| v.sensitive || v.ephemeral)
}

fn written(value: &Value) -> String {
    hcl::to_hcl(value).unwrap_or_else(|| "null".to_owned())
}

/// What the environments in which something fails have in common, and the others haven't.
pub(super) fn by_environment(searched: &Searched<'_>, seen: &Seen) -> (Arc<Condition>, String) {
    let all = searched.wholes.len();
    if seen.numbers.len() == all {
        return (Condition::always(), "true".to_owned());
    }
    let fails = |number: &usize| seen.numbers.contains(number);
    let names: Vec<Arc<str>> = searched
        .wholes
        .iter()
        .flat_map(|w| w.keys().cloned())
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect();
    let mut best: Option<Vec<Value>> = None;
    let mut by: Option<Arc<str>> = None;
    for name in names.iter().filter(|name| !is_secret(searched.config, name)) {
        let (mut inside, mut outside) = (Distinct::default(), Distinct::default());
        let mut values = Vec::new();
        let mut complete = true;
        for (number, whole) in searched.wholes.iter().enumerate() {
            match (whole.get(name), fails(&number)) {
                (Some(value), true) => {
                    if inside.add(value) {
                        values.push(value.clone());
                    }
                }
                (Some(value), false) => {
                    outside.add(value);
                }
                (None, _) => complete = false,
            }
        }
        let plain = values.iter().all(|v| v.ty.is_primitive());
        let apart = complete && plain && values.iter().all(|v| !outside.contains(v));
        if apart && best.as_ref().is_none_or(|b| b.len() > values.len()) {
            best = Some(values);
            by = Some(name.clone());
        }
    }
    match (best, by) {
        (Some(values), Some(name)) => {
            let each = values.iter().map(|v| equation(&name, v));
            of_text(each.collect::<Vec<_>>().join(" || "))
        }
        _ => {
            let one = seen.numbers.first().and_then(|n| searched.wholes.get(*n)).cloned().unwrap_or_default();
            let differs = |name: &Arc<str>| searched.wholes.iter().any(|w| w.get(name) != one.get(name));
            let own = one.iter().filter(|(name, v)| differs(name) && v.ty.is_primitive());
            let own = own.map(|(name, v)| (name.clone(), v.clone())).collect();
            values_text(searched, &own)
        }
    }
}

/// Some values, all of them.
pub(super) fn values(searched: &Searched<'_>, picks: &Assignment) -> (Arc<Condition>, String) {
    values_text(searched, picks)
}

fn values_text(searched: &Searched<'_>, all: &Assignment) -> (Arc<Condition>, String) {
    let plain = |value: &Value| value.ty.is_primitive() || value.is_null();
    let shown = all.iter().filter(|(name, v)| plain(v) && !is_secret(searched.config, name));
    let each: Vec<String> = shown.map(|(name, value)| equation(name, value)).collect();
    if each.is_empty() {
        return (Condition::always(), "true".to_owned());
    }
    of_text(each.join(" && "))
}

fn equation(name: &str, value: &Value) -> String {
    let left = if name == WORKSPACE { name.to_owned() } else { format!("var.{name}") };
    format!("{left} == {}", written(value))
}

fn of_text(text: String) -> (Arc<Condition>, String) {
    (Arc::new(Condition::Existing(site(String::new(), text.clone(), FormulaId::TRUE))), text)
}
