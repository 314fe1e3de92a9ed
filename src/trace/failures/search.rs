//! The search: each environment as it is, then with values that no environment has.

use super::checks::{self, Check, Kind};
use super::faults::Fault;
use super::inputs::{filled, universes};
use super::searched::{Searched, Way, way};
use super::words::{Seen, Words};
use super::{Assignment, Environment, Failure, Found, Inputs, Unreadable, Witness};
use crate::cond::Condition;
use crate::config::Config;
use crate::eval::{Asked, Like};
use crate::func::Surroundings;
use crate::host::threads;
use crate::text::Place;
use crate::trace::wording::versions_among;
use crate::trace::{Limits, MOST_WORK, Tracer, Universes, WORKSPACE};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// A tracer with more formulas than this begins anew.
const MOST_FORMULAS: usize = 200_000;

/// The faults under one input.
#[derive(Clone, Debug)]
struct Failing {
    check: usize,
    fault: Fault,
    /// The message of a rule that is false.
    message: Option<String>,
    environment: usize,
    /// The values that differ from the environment.
    picks: Assignment,
    before_lazy: bool,
}

impl Failing {
    fn way(&self) -> Way {
        way(&self.fault)
    }
}

/// The numbers of the checks that couldn't be decided.
#[derive(Default)]
struct Undecided {
    all: BTreeSet<usize>,
    /// Those of them for which no work was left.
    left_out: BTreeSet<usize>,
}

impl Undecided {
    fn leave_out(&mut self, numbers: impl IntoIterator<Item = usize>) {
        for at in numbers {
            self.all.insert(at);
            self.left_out.insert(at);
        }
    }
}

/// A fault that may be one for an input which isn't an environment as it is.
type Candidate = (usize, Assignment);

/// Finds every input under which Terraform would stop.
pub fn failures(config: &Config, limits: Limits, inputs: &Inputs, outside: &dyn Surroundings) -> Found {
    failures_within(MOST_WORK, config, limits, inputs, outside)
}

/// The same with so much work on all expressions in all environments.
pub(super) fn failures_within(
    most: u64,
    config: &Config,
    limits: Limits,
    inputs: &Inputs,
    outside: &dyn Surroundings,
) -> Found {
    let wholes: Vec<Assignment> = inputs.environments.iter().map(|e| inputs.whole(config, e)).collect();
    let free = inputs.free(config, &wholes);
    let as_they_are = wholes.iter().map(|_| OnceLock::new()).collect();
    let searched =
        Searched { most, config, limits, inputs, checks: checks::all(config), wholes, free, as_they_are };
    // Before and since `&&` and `||` leave out what doesn't matter.
    let each: Vec<_> = versions_among(outside.terraform())
        .map(|versions| Asked { outside, version: Like(versions) })
        .collect();
    let mut each = each.iter().map(|asked| asked as &dyn Surroundings);
    let (first, second) = (each.next().unwrap_or(outside), each.next());
    let numbers: Vec<usize> = (0..inputs.environments.len()).collect();
    let each = threads::map(numbers, |number| searched.environment(number, first, second));
    let mut undecided = Undecided::default();
    let mut ways: BTreeMap<Way, Vec<Failing>> = BTreeMap::new();
    for (failing, open) in each {
        undecided.all.extend(open.all);
        undecided.left_out.extend(open.left_out);
        for one in failing {
            ways.entry(one.way()).or_default().push(one);
        }
    }
    let mut failures: Vec<Failure> = searched.unsuitable();
    failures.extend(searched.unreadable());
    let mut words = threads::inside(|| Words::of(&searched, first));
    for (way, all) in ways {
        let (before, always): (Vec<Failing>, Vec<Failing>) = all.into_iter().partition(|f| f.before_lazy);
        // Beside what fails in every version, what fails in some is worth a finding where it is an environment.
        let both = !always.is_empty() && before.iter().any(|f| f.picks.is_empty());
        if !always.is_empty() {
            failures.extend(searched.failure(&way, &always, both, &mut words));
        }
        if both || always.is_empty() {
            failures.extend(searched.failure(&way, &before, both, &mut words));
        }
    }
    failures.sort_by(|a, b| {
        let at = |f: &Failure| (config.sources.get(f.place.file).map(|s| s.path.clone()), f.place.span.start);
        at(a).cmp(&at(b))
    });
    let left_out = undecided.left_out.len();
    let undecided = undecided.all.into_iter().filter_map(|at| Some(address(searched.checks.get(at)?)));
    let inputs = searched.failing_environments(&failures);
    Found { failures, undecided: undecided.collect(), left_out, checked: searched.checks.len(), inputs }
}

/// The address of what a check is about.
fn address(check: &Check<'_>) -> String {
    check.path.address_of(&check.name)
}

/// An assignment with some values otherwise.
fn with(own: &Assignment, picks: &Assignment) -> Assignment {
    own.iter().chain(picks).map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// What tells an assignment from others.
fn to_assignment_key(picks: &Assignment) -> String {
    format!("{picks:?}")
}

/// The checks to evaluate under each input that differs from an environment.
fn by_input(all: impl IntoIterator<Item = Candidate>) -> Vec<(Assignment, Vec<usize>)> {
    let mut out: BTreeMap<String, (Assignment, Vec<usize>)> = BTreeMap::new();
    for (at, picks) in all {
        let key = to_assignment_key(&picks);
        let checks = &mut out.entry(key).or_insert_with(|| (picks, Vec::new())).1;
        if checks.last() != Some(&at) {
            checks.push(at);
        }
    }
    out.into_values().collect()
}

impl<'a> Searched<'a> {
    /// Returns the failures in an environment and beside it, and the numbers of the checks that couldn't be decided.
    fn environment(
        &self,
        number: usize,
        outside: &dyn Surroundings,
        lazy: Option<&dyn Surroundings>,
    ) -> (Vec<Failing>, Undecided) {
        let Some((own, free)) = self.wholes.get(number).zip(self.free.get(number)) else {
            return Default::default();
        };
        let is_evaluated = |environment: &Environment| environment.unreadable.is_empty();
        if !self.inputs.environments.get(number).is_some_and(is_evaluated) {
            return Default::default();
        }
        let mut undecided = Undecided::default();
        // Equal shares: what comes out doesn't depend on which environment is done first.
        let mut left = self.most / u64::try_from(self.wholes.len()).unwrap_or(u64::MAX).max(1);
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut found = Vec::new();
        let all: Vec<usize> = (0..self.checks.len()).collect();
        // A variable without a value may still have listed ones; these are tried as values that no environment has.
        let open = |name: &Arc<str>| !own.contains_key(name);
        let listed = free.iter().filter(|(name, _)| open(name)).map(|(n, v)| (n.clone(), v.clone()));
        let only = universes(own, &listed.collect());
        let first = (&only, outside);
        self.pass(first, &all, &mut left, &mut undecided, &mut |tracer, at, fault| {
            let Some(choices) = tracer.choices(fault.when) else { return false };
            let mut own = false;
            for picks in choices {
                if picks.is_empty() && !own {
                    own = true;
                    found.push(self.failing(tracer, at, fault.clone(), (number, Assignment::new())));
                } else {
                    candidates.push((at, picks));
                }
            }
            true
        });
        let mut known: BTreeSet<Way> = BTreeSet::new();
        if !free.is_empty() {
            let wide = universes(own, free);
            known.extend(found.iter().map(Failing::way));
            self.pass((&wide, outside), &all, &mut left, &mut undecided, &mut |tracer, at, fault| {
                let Some(choices) = tracer.choices(fault.when) else { return false };
                let others = choices.into_iter().map(|picks| self.beside(own, picks));
                candidates.extend(others.filter(|picks| !picks.is_empty()).map(|picks| (at, picks)));
                true
            });
        }
        let confirmed = self.confirmed(number, candidates, outside, (&mut left, &mut undecided));
        found.extend(confirmed.into_iter().filter(|f| !known.contains(&f.way())));
        if let Some(lazy) = lazy {
            self.told_apart(number, &mut found, lazy, (&mut left, &mut undecided));
        }
        (found, undecided)
    }

    /// Returns the choices that differ from an assignment.
    fn beside(&self, own: &Assignment, picks: Assignment) -> Assignment {
        picks.into_iter().filter(|(name, value)| own.get(name) != Some(value)).collect()
    }

    /// Traces some checks in universes and hands their faults on; `take` says whether one could be settled.
    fn pass(
        &self,
        (universes, outside): (&Universes, &dyn Surroundings),
        numbers: &[usize],
        left: &mut u64,
        undecided: &mut Undecided,
        take: &mut dyn FnMut(&mut Tracer<'_>, usize, &Fault) -> bool,
    ) {
        let new = |left| Tracer::under_rules(self.config, self.limits, universes, outside).within(left);
        let mut tracer = new(*left);
        for at in numbers {
            let Some(check) = self.checks.get(*at) else { continue };
            if tracer.formulas.size() > MOST_FORMULAS {
                *left = left.saturating_sub(tracer.spent());
                tracer = new(*left);
            }
            if tracer.spent() > *left {
                undecided.leave_out([*at]);
                continue;
            }
            let faults = tracer.faults(check);
            let mut open = faults.undecided;
            for fault in &faults.list {
                open |= !take(&mut tracer, *at, fault);
            }
            if open {
                undecided.all.insert(*at);
            }
        }
        *left = left.saturating_sub(tracer.spent());
    }

    fn failing(
        &self,
        tracer: &mut Tracer<'_>,
        check: usize,
        fault: Fault,
        (environment, picks): (usize, Assignment),
    ) -> Failing {
        let of = self.checks.get(check).filter(|_| fault.is_false);
        let message = of.and_then(|of| tracer.message(of, fault.when));
        Failing { check, fault, message, environment, picks, before_lazy: false }
    }

    /// Candidates that fail under their input alone. What there is no work left for isn't decided.
    fn confirmed(
        &self,
        number: usize,
        candidates: Vec<Candidate>,
        outside: &dyn Surroundings,
        (left, undecided): (&mut u64, &mut Undecided),
    ) -> Vec<Failing> {
        let Some(own) = self.wholes.get(number) else { return Vec::new() };
        let mut found = Vec::new();
        for (picks, numbers) in by_input(candidates) {
            if *left > 0 {
                // Something stands for what is open.
                let all =
                    filled(self.config, (&with(own, &picks), &self.inputs.listed), self.limits, outside);
                let universes = universes(&all, &BTreeMap::new());
                let under = (&universes, outside);
                self.pass(under, &numbers, left, &mut Undecided::default(), &mut |tracer, at, fault| {
                    if tracer.choices(fault.when).is_some_and(|choices| !choices.is_empty()) {
                        found.push(self.failing(tracer, at, fault.clone(), (number, picks.clone())));
                    }
                    true
                });
            }
            if *left == 0 {
                undecided.leave_out(numbers);
            }
        }
        found
    }

    /// Notes what is no error since `&&` and `||` leave out what doesn't matter. What there is no work left for isn't decided.
    fn told_apart(
        &self,
        number: usize,
        found: &mut Vec<Failing>,
        lazy: &dyn Surroundings,
        (left, undecided): (&mut u64, &mut Undecided),
    ) {
        let Some(own) = self.wholes.get(number) else { return };
        let mut under: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        found
            .iter()
            .enumerate()
            .for_each(|(at, f)| under.entry(to_assignment_key(&f.picks)).or_default().push(at));
        let mut open: BTreeSet<usize> = BTreeSet::new();
        for (picks, numbers) in by_input(found.iter().map(|f| (f.check, f.picks.clone()))) {
            let universes = universes(&with(own, &picks), &BTreeMap::new());
            let mut still: BTreeSet<(usize, Way)> = BTreeSet::new();
            if *left > 0 {
                self.pass(
                    (&universes, lazy),
                    &numbers,
                    left,
                    &mut Undecided::default(),
                    &mut |tracer, at, fault| {
                        if tracer.choices(fault.when).is_some_and(|choices| !choices.is_empty()) {
                            still.insert((at, way(fault)));
                        }
                        true
                    },
                );
            }
            if *left == 0 {
                undecided.leave_out(numbers);
                open.extend(under.get(&to_assignment_key(&picks)).into_iter().flatten());
            }
            for at in under.get(&to_assignment_key(&picks)).into_iter().flatten() {
                let Some(failing) = found.get_mut(*at) else { continue };
                failing.before_lazy = !still.contains(&(failing.check, failing.way()));
            }
        }
        let mut numbers = 0..;
        found.retain(|_| !numbers.next().is_some_and(|at: usize| open.contains(&at)));
    }

    /// Values in environments that their variables don't take.
    fn unsuitable(&self) -> Vec<Failure> {
        let mut out: Vec<Failure> = Vec::new();
        let mut known: BTreeMap<(Place, String), usize> = BTreeMap::new();
        for (number, environment) in self.inputs.environments.iter().enumerate() {
            for bad in &environment.unsuitable {
                let variable = self.config.root().and_then(|m| m.variables.get(&bad.name));
                let Some(place) = bad.place.or_else(|| Some(variable?.decl.place())) else { continue };
                let error = bad.error.clone();
                let at = *known.entry((place, error.clone())).or_insert(out.len());
                if let Some(same) = out.get_mut(at) {
                    same.environments.push(environment.name.clone());
                    continue;
                }
                let mut witness = self.witness(number, &Assignment::new());
                witness.variables.insert(bad.name.clone(), bad.value.clone());
                let only = Assignment::from([(bad.name.clone(), bad.value.clone())]);
                let (condition, gate) = super::words::values(self, &only);
                out.push(Failure {
                    field: format!("var.{}", bad.name),
                    of: format!("var.{}", bad.name).parse().ok(),
                    error,
                    place,
                    warning: false,
                    before_lazy: false,
                    kept_out: false,
                    condition,
                    gate,
                    witness,
                    environments: vec![environment.name.clone()],
                });
            }
        }
        out
    }

    /// What Terraform refuses in the variable files of environments.
    fn unreadable(&self) -> Vec<Failure> {
        let mut out: Vec<Failure> = Vec::new();
        let mut known: BTreeMap<(Place, String), usize> = BTreeMap::new();
        for (number, environment) in self.inputs.environments.iter().enumerate() {
            for refused in &environment.unreadable {
                let Unreadable { of, error, place } = refused.clone();
                let at = *known.entry((place, error.clone())).or_insert(out.len());
                if let Some(same) = out.get_mut(at) {
                    same.environments.push(environment.name.clone());
                    continue;
                }
                out.push(Failure {
                    of: of.parse().ok(),
                    field: of,
                    error,
                    place,
                    warning: false,
                    before_lazy: false,
                    kept_out: false,
                    condition: Condition::always(),
                    gate: "true".to_owned(),
                    witness: self.witness(number, &Assignment::new()),
                    environments: vec![environment.name.clone()],
                });
            }
        }
        out
    }

    /// `apart`: whether it fails for other inputs in other versions.
    fn failure(&self, way: &Way, all: &[Failing], apart: bool, words: &mut Words<'_, 'a>) -> Option<Failure> {
        // An environment as it is says most.
        let first = all.iter().min_by_key(|f| (!f.picks.is_empty(), f.picks.len()))?;
        let check = self.checks.get(first.check)?;
        let numbers: Vec<usize> = {
            let own = all.iter().filter(|f| f.picks.is_empty());
            let set: BTreeSet<usize> = own.map(|f| f.environment).collect();
            set.into_iter().collect()
        };
        let witness = self.witness(first.environment, &first.picks);
        let summary = first.fault.error.trim_end();
        let error = match &first.message {
            Some(message) => format!("{summary}: {}", message.trim_end()),
            None => summary.to_owned(),
        };
        let seen = Seen { numbers, own: all.iter().all(|f| f.picks.is_empty()), apart };
        let input = self.wholes.get(first.environment).map(|own| with(own, &first.picks));
        let (condition, gate) =
            words.of_way(first.check, way, &seen, &input.unwrap_or_default(), &first.picks);
        let name = |n: &usize| self.inputs.environments.get(*n).map(|e| e.name.clone());
        let given = match (&check.kind, seen.numbers.first().copied()) {
            (Kind::Rule(_, checks::Rule::Validation(variable, None)), Some(number))
                if check.path.is_root() =>
            {
                self.inputs.environments.get(number).and_then(|e| e.places.get(&variable.name).copied())
            }
            _ => None,
        };
        Some(Failure {
            field: address(check),
            of: check.field.clone(),
            error,
            place: given.unwrap_or(first.fault.place),
            warning: matches!(check.kind, Kind::Rule(_, checks::Rule::Assert)) && first.fault.is_false,
            before_lazy: first.before_lazy,
            kept_out: first.fault.is_false && self.is_only_typed(&first.picks),
            condition,
            gate,
            witness,
            environments: seen.numbers.iter().filter_map(name).collect(),
        })
    }

    /// Returns true if something differs from an environment, by nothing but values of `bool`s that nobody listed.
    fn is_only_typed(&self, picks: &Assignment) -> bool {
        !picks.is_empty() && picks.keys().all(|name| self.inputs.by_type.contains(name))
    }

    /// The environments in which something fails, as inputs.
    fn failing_environments(&self, failures: &[Failure]) -> BTreeMap<Arc<str>, Witness> {
        let failing: BTreeSet<&Arc<str>> = failures.iter().flat_map(|f| &f.environments).collect();
        let all = self.inputs.environments.iter().enumerate().filter(|(_, e)| failing.contains(&e.name));
        all.map(|(number, environment)| {
            let mut witness = self.witness(number, &Assignment::new());
            let refused = environment.unsuitable.iter().map(|bad| (bad.name.clone(), bad.value.clone()));
            witness.variables.extend(refused);
            (environment.name.clone(), witness)
        })
        .collect()
    }

    /// An environment with some values otherwise, as an input.
    fn witness(&self, number: usize, picks: &Assignment) -> Witness {
        match self.as_they_are.get(number).filter(|_| picks.is_empty()) {
            Some(known) => known.get_or_init(|| self.made_witness(number, picks)).clone(),
            None => self.made_witness(number, picks),
        }
    }

    fn made_witness(&self, number: usize, picks: &Assignment) -> Witness {
        let environment: Environment = self.inputs.environments.get(number).cloned().unwrap_or_default();
        let own = self.wholes.get(number).cloned().unwrap_or_default();
        let all = filled(
            self.config,
            (&with(&own, picks), &self.inputs.listed),
            self.limits,
            &crate::func::NoSurroundings,
        );
        let root = self.config.root();
        let variables = root.map(|m| &m.variables);
        let secret = variables.into_iter().flatten().filter(|(_, v)| v.is_hidden());
        let workspace = all.get(WORKSPACE).and_then(|v| v.as_str()).unwrap_or("default").into();
        let said = |name: &Arc<str>| {
            let declared = root.and_then(|m| m.variables.get(name));
            let given = environment.values.contains_key(name) || picks.contains_key(name);
            given || declared.is_some_and(|v| v.default.is_none())
        };
        let unsuitable: BTreeSet<&str> = environment.unsuitable.iter().map(|bad| &*bad.name).collect();
        let refused = |name: &Arc<str>| unsuitable.contains(&**name);
        let open =
            |name: &&Arc<str>| !own.contains_key(*name) && !picks.contains_key(*name) && !refused(name);
        let open: Vec<Arc<str>> =
            all.keys().filter(open).filter(|name| &***name != WORKSPACE).cloned().collect();
        let set = picks.keys().filter(|name| &***name != WORKSPACE).chain(&open).cloned().collect();
        Witness {
            workspace,
            secret: secret.map(|(name, _)| name.clone()).collect(),
            variables: all.into_iter().filter(|(name, _)| &**name != WORKSPACE && said(name)).collect(),
            environment: picks.is_empty().then(|| environment.name.clone()),
            beside: (!picks.is_empty()).then(|| environment.name.clone()),
            set,
            open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Found, Inputs, failures_within};
    use crate::config::load;
    use crate::func::NoSurroundings;
    use crate::host::memory::MemoryHost;
    use crate::trace::Limits;
    use crate::trace::failures::Environment;
    use std::path::Path;

    /// The search in a tree of locals, each of which names the one before twice, with so much work.
    fn search_doubling(locals: usize, most: u64) -> Found {
        let each = |i: usize| format!("  l{i} = [local.l{}, local.l{}]\n", i - 1, i - 1);
        let lines: String = (1..locals).map(each).collect();
        let text = format!("variable \"a\" {{}}\nlocals {{\n  l0 = [var.a]\n{lines}}}\n");
        let (config, _) = load(&MemoryHost::new([("main.tf", text.as_str())]), Path::new(""));
        let environments = vec![Environment { name: "one".into(), ..Environment::default() }];
        let inputs = Inputs { environments, ..Inputs::default() };
        failures_within(most, &config, Limits::default(), &inputs, &NoSurroundings)
    }

    #[test]
    fn locals_that_double_spend_what_there_is_for_all_of_them() {
        let most = 4 << 20;
        let (some, more) = (search_doubling(50, most), search_doubling(100, most));
        let looked_at = |found: &Found| found.checked - found.left_out;
        assert!(some.left_out > 0 && some.failures.is_empty());
        assert_eq!(looked_at(&some), looked_at(&more), "{} {}", some.left_out, more.left_out);
        // What is left out is not decided, and is told apart from what is looked at and too large.
        assert!(some.undecided.len() >= some.left_out);
        assert_eq!(search_doubling(10, most).left_out, 0);
    }
}
