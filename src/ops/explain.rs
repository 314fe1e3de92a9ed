//! `tf-phi explain`: from an address in a plan back to why it is there.
//!
//! In: an address as a plan prints it; this run's variables, for which branch is active. Everything is decided anew, so
//! it holds for trees that are specialised and for those that are not yet. Absent: reading a plan or state.

use super::options::{Printed, RunValues};
use super::{Command, DONE, Outcome, Start};
use crate::addr::{FieldAddr, ModulePath};
use crate::config::nearest::{nearest, question};
use crate::issue::{Code, Issue};
use crate::ops::read::environment::under;
use crate::ops::read::session::Session;
use crate::ops::read::unlisted;
use crate::ops::run::as_recorded::find_doubt;
use crate::ops::run::decide::Decided;
use crate::pipeline::Traces;
use crate::pipeline::Veil;
use crate::report::explain::{Copy, Explained, FieldWhy, print};
use crate::report::issue::Format;
use crate::report::outcome::HIDDEN;
use crate::report::{page, services};
use crate::specialise::moves::originals;
use crate::specialise::record::Specialization;
use crate::specialise::{Active, SplitUnit};
use crate::trace::{Branch, Driven, Trace};
use crate::value::{hcl, json as value_json};
use clap::Args;

/// The arguments of `tf-phi explain`.
#[derive(Args, Clone, Debug)]
pub struct Request {
    #[command(flatten)]
    values: RunValues,
    /// As a plan prints it, with or without instance keys; or the code of a finding
    #[arg(value_name = "ADDRESS|CODE")]
    address: String,
    #[command(flatten)]
    printed: Printed,
}

impl Request {
    fn json(&self) -> bool {
        self.printed.format() == Format::Json
    }
}

impl Command for Request {
    fn run(&self, start: &Start) -> Outcome {
        let (start, vars) = &under(start, &self.values)?;
        // Every address has a dot, and no code has one.
        if !self.address.contains('.') {
            return code(start, self);
        }
        if super::stacks::is_stack(start) {
            return super::stacks::explained(start, &self.address, self.json());
        }
        let (mut session, driven) = Session::unblocked(start)?;
        let decided = session.decide(&driven, vars)?;
        session.print(start, Format::Text, &unlisted::warned(&decided.outside));
        session.print(start, Format::Text, &unlisted::warned(&decided.refused));
        session.print(start, Format::Text, find_doubt(start, &session).as_slice());
        let traced = Traces::of(&session, &decided.universes, &driven);
        let known = Known { session: &session, decided: &decided, driven: &driven, traces: &traced.traces };
        let replaced = session.rewrite.as_ref().map(|rewrite| {
            let all = rewrite.stand_ins(&originals::without_keys(&self.address));
            (services::stand_ins(&all, &rewrite.factor), all.iter().map(|r| r.address()).collect::<Vec<_>>())
        });
        let Some((text, calls)) = replaced.filter(|(_, calls)| !calls.is_empty()) else {
            return told(start, &session, &known, self, std::slice::from_ref(&self.address));
        };
        match self.json() {
            true => start.console.note(text.trim_end()),
            false => drop(start.console.report(&format!("{text}\n"))),
        }
        let split: Vec<String> = calls.into_iter().filter(|call| splits_hold(&decided, call)).collect();
        match split.as_slice() {
            [] => Ok(DONE),
            [call] => {
                told(start, &session, &known, &Request { address: call.clone(), ..self.clone() }, &split)
            }
            _ => told(start, &session, &known, self, &split),
        }
    }
}

/// Prints the page of a code; no configuration is read.
fn code(start: &Start, request: &Request) -> Outcome {
    let name = &request.address;
    let Some(code) = Code::ALL.iter().find(|c| c.name() == name) else {
        let near = nearest(name, Code::ALL.iter().map(|c| c.name()));
        let why = match near {
            Some(near) => format!("Did you mean {near}?"),
            None => "Findings carry codes such as no-universe; a plan prints addresses such as module.db[0]."
                .into(),
        };
        return Err(
            Issue::error(Code::Config, format!("{name} is neither a code nor an address"), why).into()
        );
    };
    if request.json() {
        start.console.json(&page::document(*code));
    } else {
        start.console.report(&page::text(*code));
    }
    Ok(DONE)
}

/// Returns true if anything was decided for what stands at an address, or for what leads to it.
fn splits_hold(decided: &Decided, address: &str) -> bool {
    let specialised = &decided.specialised;
    specialised.splits.iter().any(|s| within(address, &s.original))
        || specialised.record.specializations.iter().any(|s| s.gate.is_none() && within(address, &s.address))
}

/// Prints the copies that these addresses go through: that of the request, or the calls that stand in for it.
fn told(
    start: &Start,
    session: &Session,
    known: &Known<'_>,
    request: &Request,
    addresses: &[String],
) -> Outcome {
    let copies: Vec<Copy> = addresses.iter().flat_map(|address| known.copies(address)).collect();
    if copies.is_empty() {
        return Err(session.stopped(vec![known.unknown(&request.address)]));
    }
    let splits = &known.decided.specialised.splits;
    let explained = Explained {
        address: request.address.clone(),
        original: originals::original(splits, &request.address),
        copies,
        deployments: Vec::new(),
    };
    print(start.console, &explained, &session.config.sources, request.json());
    Ok(DONE)
}

struct Known<'a> {
    session: &'a Session,
    decided: &'a Decided,
    driven: &'a [Driven],
    traces: &'a [Trace],
}

impl Known<'_> {
    /// What isn't to be said of any field: a gate may speak of several.
    fn veil(&self) -> Veil<'_> {
        let (secrets, touched) = (self.session.secrets(), self.session.touched());
        Veil { secrets, touched, is_touched: !touched.is_empty(), hidden: false }
    }

    /// The copies that an address goes through; all copies of a unit that it names by the original's name.
    fn copies(&self, address: &str) -> Vec<Copy> {
        let splits = &self.decided.specialised.splits;
        let mut found: Vec<Copy> = originals::copies(splits, address)
            .into_iter()
            .filter_map(|(unit, active)| self.copy(unit, active.copy?, Some(&active)))
            .collect();
        let bare = originals::without_keys(address);
        if found.is_empty() {
            for (unit, split) in splits.iter().enumerate().filter(|(_, s)| within(&bare, &s.original)) {
                found.extend((0..split.addresses.len()).filter_map(|i| self.copy(unit, i, None)));
            }
        }
        let resolved = &self.decided.specialised.record.specializations;
        let resolved = resolved.iter().filter(|s| s.gate.is_none() && within(&bare, &s.address));
        found.extend(resolved.map(|s| Copy {
            address: s.address.clone(),
            original: s.address.clone(),
            gate: None,
            scope: s.scope.clone(),
            active: Some(true),
            unknown: None,
            version: s.compiler_version.clone(),
            fields: self.why(s, "").into_iter().collect(),
        }));
        found
    }

    fn copy(&self, unit: usize, at: usize, seen: Option<&Active>) -> Option<Copy> {
        let split = self.decided.specialised.splits.get(unit)?;
        let address = split.addresses.get(at)?;
        let gate = split.gates.get(at)?;
        let own = self.decided.specialised.record.specializations.iter().filter(|s| s.address == *address);
        let own: Vec<&Specialization> = own.collect();
        Some(Copy {
            address: address.clone(),
            original: split.original.clone(),
            gate: Some(match self.veil().condition(&gate.condition) {
                None if !self.veil().tells_in(&split.scope, &gate.text) => gate.shown(),
                _ => HIDDEN.to_owned(),
            }),
            scope: split.scope.plain().to_string(),
            active: self.is_active(unit, at, seen),
            unknown: self.decided.undecided.as_ref().map(|i| i.why.clone()),
            version: own.first().map(|s| s.compiler_version.clone()).unwrap_or_default(),
            fields: own.iter().filter_map(|s| self.why(s, &split.original)).collect(),
        })
    }

    /// Returns true if a copy is active; `None` also if no key was given and it differs from key to key.
    fn is_active(&self, unit: usize, at: usize, seen: Option<&Active>) -> Option<bool> {
        if self.decided.undecided.is_some() {
            return None;
        }
        let actives = self.decided.copies.get(unit)?;
        let meant = |a: &&Active| {
            seen.is_none_or(|s| {
                (s.module == a.module || a.module.path() == s.module.path())
                    && (s.key.is_none() || s.key == a.key)
            })
        };
        let states: Vec<bool> =
            actives.iter().filter(|a| a.there).filter(meant).map(|a| a.copy == Some(at)).collect();
        let first = *states.first()?;
        states.iter().all(|s| *s == first).then_some(first)
    }

    /// Why a field has its value: the branch of its trace, with places.
    fn why(&self, own: &Specialization, original: &str) -> Option<FieldWhy> {
        let matches = |field: &FieldAddr| decides(own, original, field);
        let is_value = |b: &&Branch| value_json::to_json(&b.value).is_ok_and(|v| v == own.branch_value);
        let pairs = self.driven.iter().zip(self.traces).filter(|(d, _)| matches(&d.field));
        let (field, branch) =
            pairs.filter_map(|(d, t)| Some((&d.field, t.branches().iter().find(is_value)?))).next()?;
        let mut why = FieldWhy {
            field: field.to_string(),
            text: hcl::to_hcl(&branch.value).unwrap_or_default(),
            value: own.branch_value.clone(),
            hops: self.veil().hops(&branch.hops, &branch.shown),
        };
        if self.session.hides(field) {
            why.conceal(&branch.value);
        }
        Some(why)
    }

    fn unknown(&self, address: &str) -> Issue {
        let splits = &self.decided.specialised.splits;
        let bare = originals::without_keys(address);
        let near = question(&bare, splits.iter().flat_map(SplitUnit::names));
        let why = format!("Nothing was specialised under this address.{near}");
        Issue::error(Code::Config, format!("\"{address}\" is no specialization"), why)
    }
}

/// Returns true if a field is the one that was decided, in a copy of what stands at `original`.
pub(super) fn decides(own: &Specialization, original: &str, field: &FieldAddr) -> bool {
    let local = FieldAddr { module: ModulePath::ROOT, ..field.clone() }.to_string();
    local == own.source_field && (original.is_empty() || within(&field.plain().to_string(), original))
}

/// Returns true if an address is another one, or lies in it.
fn within(address: &str, outer: &str) -> bool {
    address.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}
