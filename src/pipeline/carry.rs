//! The moves of the original, carried over to what services made.
//!
//! A service's objects stand in for the original's and go where those go: the user's `moved` blocks, and a `count` that comes or goes,
//! are as good for the service's calls. In: the history, which says what was made for what, and the form factor that is on. Out:
//! statements of the model, which no file holds; calls that the original gives up. Invariant: no name is compared but with the
//! history's. Absent on purpose: writing moves.

use super::session::Session;
use crate::addr::{FieldAddr, Key, ModuleInstance, ModulePath, Target};
use crate::config::Config;
use crate::host::Host;
use crate::moves::{Endpoint, Named, Statement, Subject};
use crate::simulate;
use crate::specialise::record::history::{History, Made};
use crate::specialise::service::Rewrite;
use crate::trace::Repetition;
use std::collections::{BTreeMap, BTreeSet};

/// What parts the name that a user gave from the service, in a name that was never written and stands in the model alone.
const IN_MODEL: char = '\u{1}';

/// Returns true if an address can stand in a file.
pub(super) fn is_written(address: &str) -> bool {
    !address.contains(IN_MODEL)
}

/// The resource or call that one end of a statement names, without keys.
pub(super) fn name_unit(scope: &ModulePath, subject: &Subject) -> String {
    let mut path = scope.clone();
    path.0.extend(subject.module.path().0);
    match &subject.named {
        Named::Resource(own) | Named::Instance(own, _) => path.address_of(own),
        Named::Call(name) => path.address_of(format_args!("module.{name}")),
        Named::Module => path.to_string(),
    }
}

/// The same end for a service's call in the same module. Where a condition chooses the service the call has a gate, so that an instance
/// without a key has the gate's.
fn make_endpoint(subject: &Subject, call: &str, is_gated: bool) -> Endpoint {
    let (mut module, key) = (subject.module.clone(), subject.named.clone());
    let key = match key {
        Named::Instance(_, key) => key,
        Named::Resource(_) | Named::Call(_) => None,
        Named::Module => module.0.pop().and_then(|(_, key)| key),
    };
    let key = key.or(is_gated.then_some(Key::Index(0)));
    Endpoint { module: module.child(call, key), resource: None }
}

/// Returns true if a statement moves one instance, and not all of a resource or call.
pub(super) fn moves_instance(statement: &Statement) -> bool {
    let has_key = |subject: &Subject| match &subject.named {
        Named::Instance(_, key) => key.is_some(),
        Named::Resource(_) | Named::Call(_) => false,
        Named::Module => subject.module.0.last().is_some_and(|(_, key)| key.is_some()),
    };
    has_key(&statement.from) || has_key(&statement.to)
}

/// A call that a service made.
struct MadeCall<'a> {
    /// What it stands in for: a name that this has, or had in a module that has been moved since.
    unit: String,
    made: &'a Made,
}

/// The calls of services by what they stand in for.
struct Calls<'a> {
    made: Vec<MadeCall<'a>>,
    rewrite: &'a Rewrite,
}

impl<'a> Calls<'a> {
    fn new(history: &'a History, rewrite: &'a Rewrite, written: &[Statement]) -> Calls<'a> {
        let names = |s: &Statement| (name_unit(&s.scope, &s.from), name_unit(&s.scope, &s.to));
        let calls = written.iter().filter(|s| matches!(s.from.named, Named::Call(_) | Named::Module));
        let around = Moves(calls.map(names).collect());
        let each = |made: &'a Made| {
            let units =
                around.follow_names(&made.made_for).into_iter().map(move |unit| MadeCall { unit, made });
            // Its own name comes first: the others are later ones.
            let (own, moved): (Vec<_>, Vec<_>) = units.partition(|call| call.unit == made.made_for);
            own.into_iter().chain(moved)
        };
        Calls { made: history.made_calls().flat_map(each).collect(), rewrite }
    }

    /// Returns true if a condition chooses, or chose, the service that stands in for a resource or call.
    fn is_chosen(&self, unit: &str) -> bool {
        let now = self.rewrite.replaced.iter().any(|r| r.origin.is_some() && r.original() == *unit);
        let of_unit = self.made.iter().filter(|call| call.unit == *unit).map(|call| call.made);
        let made: BTreeSet<(&str, &str)> = of_unit
            .filter(|m| m.form_factor == *self.rewrite.factor)
            .map(|m| (m.service.as_str(), m.address.as_str()))
            .collect();
        now || made.iter().any(|(service, _)| made.iter().any(|(other, _)| other != service))
    }

    /// The names of the calls that ever stood in for a resource or call, with their service; this run's last.
    fn collect_names(&self) -> Names {
        let mut out = Names::new();
        let made = self.made.iter().filter(|call| !call.made.is_operator());
        let made = made.map(|call| (call.unit.clone(), call.made.service.clone(), call.made.address.clone()));
        let now = self.rewrite.replaced.iter();
        let now = now.map(|r| (r.original(), r.service.to_string(), r.address()));
        for (unit, service, address) in made.chain(now) {
            let name = address.rsplit('.').next().unwrap_or(&address).to_owned();
            let names = out.entry((unit, service)).or_default();
            names.retain(|known| *known != name);
            names.push(name);
        }
        out
    }
}

/// The calls that ever stood in for a unit, by it and the service.
type Names = BTreeMap<(String, String), Vec<String>>;

/// The moves that are written in the original as they are for what services made.
pub(super) fn carry_written<H: Host + Clone>(session: &Session<H>, written: &[Statement]) -> Vec<Statement> {
    let Some(rewrite) = &session.rewrite else { return Vec::new() };
    let known = Calls::new(&session.history, rewrite, written);
    carry_each(&known, &mut known.collect_names(), written).0
}

/// The same, and the units that they are of.
fn carry_each(
    known: &Calls<'_>,
    calls: &mut Names,
    written: &[Statement],
) -> (Vec<Statement>, BTreeSet<String>) {
    let mut out = Vec::new();
    let mut explicit: BTreeSet<String> = BTreeSet::new();
    // What a resource was called on the way may never have been written; then the name stands in the model alone.
    for _ in written {
        let mut new = Vec::new();
        for statement in written {
            let (from, to) =
                (name_unit(&statement.scope, &statement.from), name_unit(&statement.scope, &statement.to));
            for (_, service) in calls.keys().filter(|(unit, _)| *unit == from) {
                let key = (to.clone(), service.clone());
                if !calls.contains_key(&key) {
                    let name = to.rsplit('.').next().unwrap_or(&to);
                    new.push((key, vec![format!("{name}{IN_MODEL}{service}")]));
                }
            }
        }
        if new.is_empty() {
            break;
        }
        calls.extend(new);
    }
    let ending = find_ending(calls, written);
    for statement in written {
        let (from, to) =
            (name_unit(&statement.scope, &statement.from), name_unit(&statement.scope, &statement.to));
        for ((_, service), names) in calls.iter().filter(|((unit, _), _)| *unit == from) {
            let there = calls.get(&(to.clone(), service.clone())).and_then(|names| names.last());
            let (Some(own), Some(there)) = (names.last(), there) else { continue };
            // What ends where nothing is declared is given up where it is. Of what is still declared Terraform moves nothing away, and says so.
            let stands = known.rewrite.replaced.iter().any(|r| r.original() == from);
            if !stands && !ending.contains(&(to.clone(), service.clone())) {
                continue;
            }
            let is_one = moves_instance(statement);
            // A name in between is the user's alone; its form is that of what led there.
            let gated = |unit: &str| {
                is_one
                    && (known.is_chosen(unit) || (unit == to && !is_written(there) && known.is_chosen(&from)))
            };
            let ends = (
                make_endpoint(&statement.from, own, gated(&from)),
                make_endpoint(&statement.to, there, gated(&to)),
            );
            explicit.extend([from.clone(), to.clone()]);
            if ends.0 != ends.1 {
                out.extend(Statement::new(statement.scope.clone(), ends.0, ends.1));
            }
        }
    }
    (out, explicit)
}

/// The units, with their service, that have a name which was or is written, or come to one by the moves.
fn find_ending(calls: &Names, written: &[Statement]) -> BTreeSet<(String, String)> {
    let has_name = |names: &[String]| names.last().is_some_and(|name| is_written(name));
    let named = calls.iter().filter(|(_, names)| has_name(names)).map(|(key, _)| key.clone());
    let mut before: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for s in written {
        before.entry(name_unit(&s.scope, &s.to)).or_default().insert(name_unit(&s.scope, &s.from));
    }
    let mut open: Vec<(String, String)> = named.collect();
    let mut out: BTreeSet<(String, String)> = open.iter().cloned().collect();
    while let Some((unit, service)) = open.pop() {
        for from in before.get(&unit).into_iter().flatten() {
            let key = (from.clone(), service.clone());
            if out.insert(key.clone()) {
                open.push(key);
            }
        }
    }
    out
}

/// The moves of the original as they are for what services made, those that Terraform makes by itself included.
pub(super) fn carry_statements<H: Host + Clone>(
    session: &Session<H>,
    written: &[Statement],
) -> Vec<Statement> {
    let Some(rewrite) = &session.rewrite else { return Vec::new() };
    let known = Calls::new(&session.history, rewrite, written);
    let mut calls = known.collect_names();
    let is_split = |unit: &str| rewrite.replaced.iter().any(|r| r.origin.is_some() && r.original() == *unit);
    let (mut out, explicit) = carry_each(&known, &mut calls, written);
    for ((unit, _), names) in calls.iter().filter(|((unit, _), _)| !is_split(unit)) {
        let Some(scope) = unit.parse::<FieldAddr>().ok().map(|field| field.module) else { continue };
        let call = |name: &String, key| Endpoint {
            module: ModuleInstance::default().child(name.as_str(), key),
            resource: None,
        };
        for (before, after) in names.iter().zip(names.iter().skip(1)) {
            out.extend(Statement::new(scope.clone(), call(before, None), call(after, None)));
        }
        // As Terraform does for a resource by itself.
        let now = rewrite.replaced.iter().find(|r| r.original() == *unit);
        let (Some(now), false) = (now, explicit.contains(unit)) else { continue };
        let target = Target::Call(now.call.as_ref().into());
        let Some(module) = session.config.at(&scope) else { continue };
        let said = Repetition::of(module, &target);
        let (single, first) =
            (call(&now.call.to_string(), None), call(&now.call.to_string(), Some(Key::Index(0))));
        out.extend(match (&said.count, &said.for_each) {
            (Some(_), _) => Statement::new(scope, single, first),
            (None, None) => Statement::new(scope, first, single),
            (None, Some(_)) => None,
        });
    }
    out
}

/// What a configuration gives up by `removed` blocks, at once or after it was moved.
pub(super) struct GivenUp {
    forgotten: Vec<String>,
    moves: Moves,
}

/// The units that `moved` blocks name, without keys.
struct Moves(Vec<(String, String)>);

/// The number of names that a unit may come to by `moved` blocks.
const MOST_NAMES: usize = 1_000;

impl GivenUp {
    /// Reads the blocks.
    pub fn of(config: &Config) -> GivenUp {
        let statements = simulate::statements(config);
        let names = |s: &Statement| (name_unit(&s.scope, &s.from), name_unit(&s.scope, &s.to));
        GivenUp {
            forgotten: simulate::forgotten(config),
            moves: Moves(statements.iter().map(names).collect()),
        }
    }

    /// Returns true if what had this address once, without keys, is given up.
    pub fn has(&self, unit: &str) -> bool {
        self.follow_moves(unit).iter().any(|name| self.forgotten.iter().any(|of| within(name, of).is_some()))
    }

    /// Returns an address without keys, and those that `moved` blocks lead it to.
    pub fn follow_moves(&self, unit: &str) -> BTreeSet<String> {
        self.moves.follow_names(unit)
    }
}

impl Moves {
    fn follow_names(&self, unit: &str) -> BTreeSet<String> {
        let mut names = BTreeSet::from([unit.to_owned()]);
        let mut open = vec![unit.to_owned()];
        while let Some(name) = open.pop() {
            for (from, to) in &self.0 {
                let moved = within(&name, from).map(|rest| format!("{to}{rest}"));
                let moved = moved.filter(|_| names.len() < MOST_NAMES);
                open.extend(moved.filter(|next| names.insert(next.clone())));
            }
        }
        names
    }
}

/// Returns the part of an address after an outer one, with its dot.
fn within<'a>(address: &'a str, outer: &str) -> Option<&'a str> {
    address.strip_prefix(outer).filter(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The calls of services that the original's `removed` blocks give up, with what they stood in for, also where the user's `moved` blocks lead
/// them first: `removed` names addresses after all moves.
pub(super) fn find_released_calls<H: Host + Clone>(session: &Session<H>) -> Vec<String> {
    let given_up = GivenUp::of(&session.config);
    let now =
        |address: &String| session.rewrite.iter().flat_map(|r| &r.replaced).any(|r| r.address() == *address);
    let made = session.history.made_calls().filter(|m| given_up.has(&m.made_for) && !now(&m.address));
    let ends = made.flat_map(|m| given_up.follow_moves(&m.address));
    ends.filter(|end| !now(end)).collect::<BTreeSet<_>>().into_iter().collect()
}
