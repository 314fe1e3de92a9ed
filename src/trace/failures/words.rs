//! For which inputs something fails, in words.
//!
//! The shortest that is right wins: the formula over all inputs together, or what the environments in which it fails have in
//! common. Values of sensitive variables don't occur in it.

use super::searched::{Searched, Way, way};
use super::settle::Of;
use super::{Assignment, Attribute};
use crate::addr::ModulePath;
use crate::cond::{Condition, FormulaId};
use crate::config::Config;
use crate::func::Surroundings;
use crate::syntax::emit::is_identifier;
use crate::trace::{Limits, Tracer, Universe, Universes, WORKSPACE, guarded::wording::site};
use crate::value::{Distinct, Value, hcl};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Longer conditions are said by the environments that they hold in.
const LONG: usize = 160;

/// In which environments something fails as they are, and whether it fails in nothing else.
pub(super) struct Seen {
    pub numbers: Vec<usize>,
    pub own: bool,
    /// True if it fails for other inputs in other versions, so that the formula is that of both.
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
        let listed = searched.free.iter().flat_map(|free| free.keys());
        let names = searched.wholes.iter().flat_map(|w| w.keys()).chain(listed);
        for name in names.collect::<BTreeSet<_>>() {
            let mut known = Distinct::default();
            let own = searched.wholes.iter().filter_map(|w| w.get(name));
            let all = own.chain(searched.free.iter().filter_map(|free| free.get(name)).flatten());
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
        let limits = limits(searched.limits);
        let mut tracer = Tracer::under_rules(searched.config, limits, &self.universes, self.outside);
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

/// Returns smaller limits: the words for a finding are worth less work than the finding.
fn limits(of: Limits) -> Limits {
    Limits { combinations: of.combinations.min(1024), ..of }
}

fn is_secret(config: &Config, name: &str) -> bool {
    config.root().and_then(|m| m.variables.get(name)).is_some_and(crate::config::Variable::is_hidden)
}

fn written(value: &Value) -> String {
    hcl::to_hcl(value).unwrap_or_else(|| "null".to_owned())
}

/// Returns what the environments in which something fails have in common, and the others don't.
pub(super) fn by_environment(searched: &Searched<'_>, seen: &Seen) -> (Arc<Condition>, String) {
    let all = searched.wholes.len();
    if seen.numbers.len() == all {
        return (Condition::always(), "true".to_owned());
    }
    let fails = |number: &usize| seen.numbers.binary_search(number).is_ok();
    let names: BTreeSet<&Arc<str>> = searched.wholes.iter().flat_map(|w| w.keys()).collect();
    let mut best: Option<(&Arc<str>, Vec<Value>)> = None;
    for name in names.into_iter().filter(|name| !is_secret(searched.config, name)) {
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
        if apart && best.as_ref().is_none_or(|(_, best)| best.len() > values.len()) {
            best = Some((name, values));
        }
    }
    match best {
        Some((name, values)) => {
            let each = values.iter().map(|v| equation(&subject(name), v));
            of_text(each.collect::<Vec<_>>().join(" || "))
        }
        None => {
            let one = seen.numbers.first().and_then(|n| searched.wholes.get(*n)).cloned().unwrap_or_default();
            let differs = |name: &Arc<str>| searched.wholes.iter().any(|w| w.get(name) != one.get(name));
            let own = one.iter().filter(|(name, v)| differs(name) && v.ty.is_primitive());
            let own = own.map(|(name, v)| (name.clone(), v.clone())).collect();
            values(searched, &own)
        }
    }
}

/// Some values, all of them.
pub(super) fn values(searched: &Searched<'_>, all: &Assignment) -> (Arc<Condition>, String) {
    let plain = |value: &Value| value.ty.is_primitive() || value.is_null();
    let shown = all.iter().filter(|(name, _)| !is_secret(searched.config, name));
    let each: Vec<String> = shown
        .flat_map(|(name, value)| match plain(value) {
            true => vec![equation(&subject(name), value)],
            // Of an object, what is listed for its attributes.
            false => searched.inputs.attributes.iter().filter_map(|a| a.equation(name, value)).collect(),
        })
        .collect();
    if each.is_empty() {
        return (Condition::always(), "true".to_owned());
    }
    of_text(each.join(" && "))
}

fn subject(name: &str) -> String {
    if name == WORKSPACE { name.to_owned() } else { format!("var.{name}") }
}

impl Attribute {
    /// Returns the text `attribute == value` for the attribute's value within a variable's value, if that is one of those listed.
    fn equation(&self, variable: &str, whole: &Value) -> Option<String> {
        let value =
            self.of(whole).filter(|value| *variable == *self.variable && self.values.contains(value))?;
        let step = |step: &Arc<str>| match is_identifier(step) {
            true => format!(".{step}"),
            false => format!("[{}]", hcl::quote(step)),
        };
        let path: String = self.path.iter().map(step).collect();
        Some(equation(&format!("var.{variable}{path}"), &value))
    }
}

fn equation(subject: &str, value: &Value) -> String {
    format!("{subject} == {}", written(value))
}

fn of_text(text: String) -> (Arc<Condition>, String) {
    (Arc::new(Condition::Existing(site(ModulePath::ROOT, text.clone(), FormulaId::TRUE))), text)
}
