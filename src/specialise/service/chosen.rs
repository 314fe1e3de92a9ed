//! Decides which resources and calls are replaced, by tracing the conditions in `when` like any field.

use super::candidates::candidates;
use super::dropped;
use super::dropped_calls;
use super::going::Going;
use super::idle::Idle;
use super::replacing::{Candidate, Replaced, Replacing};
use crate::addr::{FieldAddr, FieldPath, ModulePath};
use crate::config::Config;
use crate::config::phi::{Placed, SplitAt};
use crate::gate::{GateCache, Prover};
use crate::issue::{Code, Issue};
use crate::specialise::guard;
use crate::specialise::unit::UnitName;
use crate::trace::site::locate_all;
use crate::trace::{Driven, Driver, Guard, Subject, Trace, Traced, issue_of, trace_driven};
use crate::value::{Value, convert, hcl};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The resources and calls to replace, with everything that follows from it.
pub(super) struct Chosen<'a> {
    /// The resources and calls, by module.
    pub choices: BTreeMap<ModulePath, Vec<Candidate<'a>>>,
    /// The resources that are removed with them, by module.
    pub dropped: Going,
    /// The declarations that nothing uses any more.
    pub idle: Idle,
    /// Guards that reject the values under which other resources would be replaced.
    pub guards: Vec<Guard>,
}

impl Chosen<'_> {
    /// Returns true if anything is replaced or removed in a module, or in a module below it.
    pub fn changes(&self, path: &ModulePath) -> bool {
        let own = self.choices.keys().chain(self.dropped.keys()).any(|scope| path.contains(scope));
        own || self.idle.changes(path)
    }

    /// Returns true if a module is removed with a replaced or dropped call above it.
    pub fn goes(&self, path: &ModulePath) -> bool {
        is_below(&self.choices, path)
            || dropped_calls::modules(&self.dropped).iter().any(|call| call.contains(path))
    }
}

/// Returns true if a module is one whose call is replaced, or is called from there.
fn is_below(choices: &BTreeMap<ModulePath, Vec<Candidate<'_>>>, path: &ModulePath) -> bool {
    choices.values().flatten().filter_map(Candidate::called).any(|call| call.contains(path))
}

/// A condition of a service: the wanted value, and the index of the field; `None` if the original doesn't set it.
type Asked<'a> = (&'a Value, Option<usize>);

/// The conditions that hold in some cases only: what they ask for is split by them first, where it stands.
pub fn bounded(r: &Replacing<'_>) -> Vec<Driven> {
    let all = candidates(r.config, r.phi, r.factor);
    let mut calls: Vec<ModulePath> = all.iter().filter_map(Candidate::called).collect();
    calls.extend(dropped_calls::by_factor(r, &all));
    let (mut driven, mut wanted) = (Vec::new(), Vec::new());
    for candidate in &all {
        let scope = &candidate.replaced.scope;
        if scope.is_by_source() || calls.iter().any(|call| call.contains(scope)) {
            continue;
        }
        for (field, value) in &candidate.service.when {
            if let Ok(Some(mut found)) = ask(r.config, candidate, field) {
                found.at = Some(SplitAt::Resource);
                driven.push(found);
                wanted.push(&value.0);
            }
        }
    }
    if driven.is_empty() {
        return driven;
    }
    let (_, traces, _) = trace_driven(r.config, r.limits, r.universes, r.outside, &driven);
    let differs = |(trace, wanted): (&Trace, &&Value)| {
        let branches = trace.branches();
        let equal = branches.iter().filter(|b| same(&b.value, wanted)).count();
        !trace.never_instantiated && equal > 0 && equal < branches.len()
    };
    let found = traces.iter().zip(&wanted).map(differs);
    let mut out: Vec<Driven> = driven.iter().zip(found).filter(|(_, d)| *d).map(|(d, _)| d.clone()).collect();
    out.sort_by(|a, b| a.field.cmp(&b.field));
    out.dedup_by(|a, b| a.field == b.field);
    out
}

/// Decides which candidates are replaced, and what is removed with them.
///
/// # Errors
/// Returns an error for each condition of a service that can't be decided.
pub(super) fn chosen<'a>(r: &Replacing<'a>) -> Result<Chosen<'a>, Vec<Issue>> {
    let is_call = |c: &Candidate<'_>| c.replaced.is_call();
    let mut all = candidates(r.config, r.phi, r.factor);
    let gone = dropped_calls::by_factor(r, &all);
    all.retain(|c| !gone.iter().any(|call| call.contains(&c.replaced.scope)));
    let (mut calls, resources): (Vec<_>, Vec<_>) = all.into_iter().partition(is_call);
    calls.sort_by_key(|c| c.replaced.scope.0.len());
    let mut found = Found::default();
    // What stands in a module whose call is replaced goes with it, whatever it is.
    found.decide(r, &calls);
    let stays = |c: &Candidate<'_>| !is_below(&found.choices, &c.replaced.scope);
    let resources: Vec<Candidate<'a>> = resources.into_iter().filter(stays).collect();
    found.decide(r, &resources);
    let Found { mut choices, guards, issues } = found;
    if !issues.is_empty() {
        return Err(issues);
    }
    let (dropped, idle) = dropped::dropped(r, &choices, &|path| is_below(&choices, path))?;
    let gone = dropped_calls::modules(&dropped);
    choices.retain(|path, _| !gone.iter().any(|call| call.contains(path)));
    Ok(Chosen { choices, dropped, idle, guards: guard::merged(guards) })
}

/// The decisions so far.
#[derive(Default)]
struct Found<'a> {
    choices: BTreeMap<ModulePath, Vec<Candidate<'a>>>,
    guards: Vec<Guard>,
    issues: Vec<Issue>,
}

impl<'a> Found<'a> {
    fn decide(&mut self, r: &Replacing<'a>, candidates: &[Candidate<'a>]) {
        if candidates.is_empty() {
            return;
        }
        let mut driven = Vec::new();
        let mut asked: Vec<Vec<Asked<'_>>> = Vec::new();
        for candidate in candidates {
            let mut own = Vec::new();
            for (field, wanted) in &candidate.service.when {
                match ask(r.config, candidate, field) {
                    Ok(found) => {
                        own.push((&wanted.0, found.is_some().then_some(driven.len())));
                        driven.extend(found);
                    }
                    Err(issue) => self.issues.push(*issue),
                }
            }
            asked.push(own);
        }
        let (mut tracer, traces, assumptions) =
            trace_driven(r.config, r.limits, r.universes, r.outside, &driven);
        for (candidate, asked) in candidates.iter().zip(&asked) {
            self.take(candidate, verdict(r, candidate, asked, &traces));
        }
        for trace in &traces {
            if let Traced::Resolved(branch) = &trace.result {
                match Prover::new(&mut tracer, &mut GateCache::default()).guards_of(branch.when) {
                    Some(found) if found.iter().all(|g| g.subject != Subject::Workspace) => {
                        self.guards.extend(found);
                    }
                    _ => self.issues.push(open(trace)),
                }
            }
        }
        match guard::defaults(r.config, &assumptions.pinned) {
            Ok(found) => self.guards.extend(found),
            Err(issue) => self.issues.push(*issue),
        }
    }

    fn take(&mut self, candidate: &Candidate<'a>, is_replaced: Result<bool, Box<Issue>>) {
        let scope = &candidate.replaced.scope;
        match is_replaced {
            _ if is_below(&self.choices, scope) => {}
            Err(issue) => self.issues.push(*issue),
            Ok(false) => {}
            Ok(true) if scope.is_by_source() => self.issues.push(behind_choice(candidate)),
            Ok(true) => {
                let here = self.choices.entry(scope.clone()).or_default();
                match here.iter().find(|c| c.replaced.unit == candidate.replaced.unit) {
                    Some(other) => self.issues.push(twice(other, candidate)),
                    None => here.push(candidate.clone()),
                }
            }
        }
    }
}

/// The field of a condition; nothing where the original doesn't set it.
fn ask(config: &Config, candidate: &Candidate<'_>, field: &str) -> Result<Option<Driven>, Box<Issue>> {
    let Replaced { scope, unit, .. } = &candidate.replaced;
    let field = FieldAddr { module: scope.clone(), target: unit.target(), path: FieldPath::from_text(field) };
    let Some(module) = config.at(scope) else { return Ok(None) };
    let found = locate_all(module, &field.target, &field.path.0).unwrap_or_default();
    let Some((_, site)) = found.first() else { return Ok(None) };
    if found.len() == 1 && site.dynamics.is_empty() {
        return Ok(Some(Driven {
            site: site.clone(),
            field,
            driver: Driver::Pin,
            said: None,
            at: None,
            copies: false,
        }));
    }
    let why = "Several nested blocks or a `dynamic` block set it.";
    let issue = Issue::error(Code::Service, format!("{field} is not one argument"), why).at(site.block);
    Err(Box::new(issue.about(field.to_string())))
}

/// Returns true if all conditions of a candidate hold, false if one doesn't. An error says of one that it can't be decided.
fn verdict(
    r: &Replacing<'_>,
    candidate: &Candidate<'_>,
    asked: &[Asked<'_>],
    traces: &[Trace],
) -> Result<bool, Box<Issue>> {
    let mut stopped = None;
    for (wanted, driven) in asked {
        let Some(trace) = driven.and_then(|at| traces.get(at)) else {
            if wanted.is_null() {
                continue;
            }
            return Ok(false);
        };
        let branches = trace.branches();
        let equal = branches.iter().filter(|b| same(&b.value, wanted)).count();
        match equal {
            _ if trace.never_instantiated => return Ok(false),
            _ if branches.is_empty() => {
                stopped =
                    stopped.or_else(|| issue_of(trace).map(|i| undecided((r.conceal)(trace, i), candidate)));
            }
            0 => return Ok(false),
            all if all == branches.len() => {}
            _ => stopped = stopped.or_else(|| Some(split(candidate, trace, wanted))),
        }
    }
    stopped.map_or(Ok(true), |issue| Err(Box::new(issue)))
}

/// Returns true if a value equals the wanted one, after Terraform's type conversion.
fn same(value: &Value, wanted: &Value) -> bool {
    value == wanted || convert::convert(wanted, &value.ty).is_ok_and(|wanted| wanted == *value)
}

fn undecided(issue: Issue, candidate: &Candidate<'_>) -> Issue {
    let why = format!(
        "{} The service \"{}\" replaces {} only under its `when`.",
        issue.why, candidate.service.name, candidate.replaced.unit
    );
    // A pin is no way out: what is asked for here is the condition of a service.
    let fixes = issue.fixes.into_iter().filter(|f| !f.title.contains("`specialize`")).collect();
    Issue { why, fixes, ..issue }
}

fn split(candidate: &Candidate<'_>, trace: &Trace, wanted: &Value) -> Issue {
    let service = &candidate.service.name;
    let resource = candidate.replaced.original();
    let wanted = hcl::to_hcl(wanted).unwrap_or_default();
    let field = &trace.field.path;
    let why = format!(
        "The service \"{service}\" replaces it where {field} is {wanted}, and {field} has other values besides. It is \
         replaced as a whole, or not at all."
    );
    let head = match &candidate.replaced.unit {
        UnitName::Resource(own) => format!("resource \"{}\" \"{}_service\"", own.kind, own.name),
        UnitName::Call(name) => format!("module \"{name}_service\""),
    };
    let fix = format!(
        "Declare it twice, each with its own {field} as a literal, and choose between the two by `count`; the service then \
         replaces one of them:"
    );
    let paste = format!("{head} {{\n  count = CONDITION ? 1 : 0\n  {field} = {wanted}\n}}");
    let summary = format!("whether {resource} is replaced differs from case to case");
    Issue::error(Code::Service, summary, why).at(trace.at).about(trace.field.to_string()).fix(fix, paste)
}

fn behind_choice(candidate: &Candidate<'_>) -> Issue {
    let chosen = candidate.replaced.scope.by_sources().next();
    let (call, source) = chosen.map_or_else(Default::default, |(above, name)| {
        (above.child(name.plain()), name.source.as_deref().unwrap_or_default())
    });
    let address = candidate.replaced.scope.plain().address_of(&candidate.replaced.unit);
    let why = format!(
        "It stands in {source}, which is one of the modules that {call} may call, as the expression of its `source` says. \
         Where that is one of several folders, none can be put in its place."
    );
    Issue::error(Code::Service, format!("{address} can't be replaced by a service"), why)
        .at(candidate.service.place)
        .about(address)
        .fix("Declare one call for each source, with `count`.", "")
}

fn open(trace: &Trace) -> Issue {
    let why = "It has one value under the values that are listed, and nothing can keep others out.";
    let summary = format!("{} decides on a service, and can't be relied on", trace.field);
    Issue::error(Code::Service, summary, why).at(trace.at).about(trace.field.to_string())
}

fn twice(first: &Candidate<'_>, second: &Candidate<'_>) -> Issue {
    let address = second.replaced.scope.address_of(&second.replaced.unit);
    let why = format!(
        "The services \"{}\" and \"{}\" both replace it under this form factor.",
        first.service.name, second.service.name
    );
    let place: &Placed<Arc<str>> = &second.service.replaces;
    Issue::error(Code::Service, format!("{address} is replaced twice"), why)
        .at(place.1)
        .about(address)
        .fix("Tell them apart by `when`, or take one out of the form factor's `services`.", "")
}
