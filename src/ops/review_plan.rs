//! `review --plan`: the plans of base and head, environment by environment.
//!
//! In: a directory as it is and a revision of it, each environment's variables and workspace. Out: what the two plans do otherwise,
//! in the original's addresses. Both are specialised and planned aside, with the state there is; a move of a copy is no
//! difference. Where a plan can't be made, that is said, and the others are made. Several are made at a time; what comes out doesn't depend on it. Absent: writing into the user's tree.

use super::{Start, Stop, roots};
use crate::addr::ObjectAddr;
use crate::config::variables::{Named, VarArg};
use crate::host::{capacity, threads};
use crate::issue::{Code, Issue};
use crate::matrix::review::{Action, Counts, PlanDifference, Planned, ResourceDifference, Review};
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::ops::run::literals;
use crate::ops::run::scratch_plan::{self, ScratchPlan, Words};
use crate::ops::run::terraformed;
use crate::ops::run::write::whole;
use crate::ops::state::place;
use crate::report::progress::Progress;
use crate::specialise::moves::originals;
use crate::terraform::args::RunArgs;
use crate::terraform::git::Revision;
use crate::terraform::init;
use crate::terraform::plan_json::{Change, Plan, ResourceChange};
use crate::terraform::signals::is_asked_to_stop;
use crate::txn::Checkout;
use crate::value::hcl;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// Plans both sides in every environment of a review, `asked` of them at a time.
///
/// # Errors
/// Returns an error if the revision's files can't be put aside.
pub(super) fn plans(
    start: &Start,
    head: &Session,
    revision: &Revision,
    asked: Option<usize>,
    made: &mut Review,
) -> Result<(), Box<Stop>> {
    let files = revision
        .files()
        .map_err(|e| Issue::error(Code::Environment, "the revision's files can't be read", e.to_string()))?;
    let mut sides = Vec::new();
    for env in &made.environments {
        let there = [(false, env.before && revision.has_directory()), (true, env.after)];
        sides.extend(
            there.iter().filter(|(_, there)| *there).map(|(of_head, _)| (env.name.clone(), *of_head)),
        );
    }
    let at_once = roots::at_once(asked, sides.len(), || memory(&head.host));
    let progress = Progress::counted_to_the_end(start.console, "planning base and head", sides.len());
    // A request to stop is heard when what was put aside is gone.
    let planned = whole(|| {
        let checkout = Checkout::new(&files, revision.prefix(), &head.host.root)?;
        let beside = Some(head.host.root.clone());
        let base =
            Start { dir: checkout.dir().to_path_buf(), chdir: None, asks: true, beside, ..start.clone() };
        let head = Start { asks: true, ..start.clone() };
        Ok(threads::map_waiting(&sides, at_once, |(environment, of_head): &Task| {
            let done = one(if *of_head { &head } else { &base }, environment);
            progress.step();
            done
        }))
    })?;
    drop(progress);
    let mut planned: BTreeMap<Task, Result<Side, String>> = sides.into_iter().zip(planned).collect();
    for env in &mut made.environments {
        let mut side = |of_head| planned.remove(&(env.name.clone(), of_head)).transpose();
        env.plan = Some(match (side(false), side(true)) {
            (Ok(before), Ok(after)) => Planned::Made(Box::new(difference(before.as_ref(), after.as_ref()))),
            (Err(why), _) => Planned::Failed(format!("The base can't be planned. {why}")),
            (_, Err(why)) => Planned::Failed(format!("The head can't be planned. {why}")),
        });
    }
    Ok(())
}

/// One plan that is to be made: its environment, and whether it is the head's.
type Task = (Arc<str>, bool);

/// The memory that Terraform itself takes, in bytes, with a margin.
const MEMORY: u64 = 128 << 20;

/// The memory that a plan may take. A provider takes about as much as its program is large (measured: 624 MiB with the AWS provider
/// of 674 MiB).
fn memory(host: &RootedHost) -> u64 {
    let providers = host.root.join(init::data_dir(host, Path::new(""))).join("providers");
    MEMORY.saturating_add(capacity::bytes_below(&providers))
}

/// One side's plan, by addresses of the original.
struct Side {
    changes: BTreeMap<String, ResourceChange>,
    text: String,
}

/// Plans one side in one environment. The error is for people.
fn one(start: &Start, name: &str) -> Result<Side, String> {
    if is_asked_to_stop() {
        return Err("It was interrupted.".to_owned());
    }
    made(start, name).map_err(|stop| {
        let said = stop.issues.iter().filter(|i| i.is_error());
        said.map(|i| format!("{}\n{}", i.summary, i.why).trim().to_owned()).collect::<Vec<_>>().join("\n")
    })
}

fn made(start: &Start, name: &str) -> Result<Side, Box<Stop>> {
    let (start, mut session, read) = under(start, name)?;
    let mut driven = session.driven(&start);
    if !session.phi.settings.copies {
        let opened = literals::put(&start, session, &read.vars)?;
        (session, driven) = (opened.session, opened.driven);
    }
    session.judge()?;
    let terraform = terraformed::find(&start, &session)?;
    if session.is_idle(&driven) {
        let scratch = ScratchPlan::new(&session, &terraform)?;
        let (plan, text) = scratch.plan_shown(&session.loaded, &Words::Whole(read), "plan")?;
        return Ok(Side { text: masked(&plan, text), changes: by_address(plan, &str::to_owned) });
    }
    let mut decided = session.decide(&driven, &read.vars)?;
    let placed = place::place(&start, &mut session, &mut decided, &driven, &read, &terraform)?;
    let scratch = ScratchPlan::new(&session, &terraform)?;
    let tree = scratch_plan::sources(&session, &decided);
    let (plan, text) = scratch.plan_shown(&tree, &Words::Whole(read), "plan")?;
    let splits = &decided.specialised.splits;
    let back = |address: &str| {
        let held = address.parse::<ObjectAddr>().ok().and_then(|a| placed.ends.get(&a).cloned());
        match held {
            Some(end) => end.to_string(),
            None => originals::original(splits, address),
        }
    };
    Ok(Side { text: masked(&plan, text), changes: by_address(plan, &back) })
}

/// Terraform's text without what the plan calls sensitive somewhere: a provider's attribute may show it again unmarked, and a
/// review is read by more people than a log.
fn masked(plan: &Plan, text: String) -> String {
    let mut secrets = BTreeSet::new();
    for change in plan.resource_changes.iter().map(|c| &c.change) {
        secret_texts(&change.before, &change.before_sensitive, &mut secrets);
        secret_texts(&change.after, &change.after_sensitive, &mut secrets);
    }
    // Longer ones first, as one may hold another.
    let mut secrets: Vec<String> = secrets.into_iter().collect();
    secrets.sort_by_key(|s| std::cmp::Reverse(s.len()));
    secrets.iter().fold(text, |text, secret| {
        text.replace(&Json::from(secret.as_str()).to_string(), "(sensitive value)")
    })
}

/// The strings of a value that are marked, or lie in what is marked.
fn secret_texts(value: &Json, marks: &Json, out: &mut BTreeSet<String>) {
    let whole = marks == &Json::Bool(true);
    match value {
        Json::String(text) if whole && !text.is_empty() => {
            out.insert(text.clone());
        }
        Json::Array(items) => items.iter().enumerate().for_each(|(i, item)| {
            secret_texts(item, if whole { marks } else { marks.get(i).unwrap_or(&Json::Null) }, out);
        }),
        Json::Object(members) => members.iter().for_each(|(name, member)| {
            secret_texts(member, if whole { marks } else { marks.get(name).unwrap_or(&Json::Null) }, out);
        }),
        _ => {}
    }
}

/// A start and a session under an environment, with its variables as arguments.
fn under(start: &Start, name: &str) -> Result<(Start, Session, RunArgs), Box<Stop>> {
    let mut session = Session::open(start)?;
    session.judge()?;
    let Some(env) = session.named.iter().find(|n| *n.name == *name).cloned() else {
        let why = format!("There is no environment \"{name}\" there.");
        return Err(Issue::error(Code::Config, "no such environment", why).into());
    };
    let start = Start { workspace: env.workspace.clone(), ..start.clone() };
    let session = Session::open(&start)?;
    let read = RunArgs { vars: arguments(&env), lock: Some("false".into()), ..RunArgs::default() };
    Ok((start, session, read))
}

/// Returns an environment's values as options of a run.
pub(super) fn arguments(env: &Named) -> Vec<VarArg> {
    let files = env.files.iter().map(|path| VarArg::File(path.clone()));
    let one = |(name, value): (&std::sync::Arc<str>, &crate::value::Value)| {
        // A text is taken as it is where the variable's type is a primitive one.
        let text = match value.as_str() {
            Some(text) => text.to_owned(),
            None => hcl::to_hcl(value)?,
        };
        Some(VarArg::Var(format!("{name}={text}")))
    };
    let deployed = env.deployed().filter_map(|(name, value)| one((name, value)));
    files
        .chain(env.variables.iter().filter_map(|(name, (value, _))| one((name, value))))
        .chain(deployed)
        .collect()
}

fn by_address(plan: Plan, back: &dyn Fn(&str) -> String) -> BTreeMap<String, ResourceChange> {
    let current = plan.resource_changes.into_iter().filter(|c| c.deposed.is_none());
    current.map(|change| (back(&change.address), change)).collect()
}

fn difference(before: Option<&Side>, after: Option<&Side>) -> PlanDifference {
    let none = BTreeMap::new();
    let (old, new) = (before.map_or(&none, |s| &s.changes), after.map_or(&none, |s| &s.changes));
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let mut resources = Vec::new();
    for address in names {
        let (a, b) = (old.get(address), new.get(address));
        let (before, after) = (action(a), action(b));
        let attributes = attributes(a.map(|c| &c.change), b.map(|c| &c.change));
        let idle = |action| matches!(action, Action::NoOp | Action::Absent);
        let same = before == after || (idle(before) && idle(after));
        if !same || !attributes.is_empty() {
            resources.push(ResourceDifference { address: address.clone(), before, after, attributes });
        }
    }
    // What goes is said first.
    resources.sort_by(|a, b| (a.after, &a.address).cmp(&(b.after, &b.address)));
    let text = after.map(|s| s.text.clone()).unwrap_or_default();
    PlanDifference { before: counts(old), after: counts(new), resources, text }
}

fn action(change: Option<&ResourceChange>) -> Action {
    let Some(change) = change else { return Action::Absent };
    let actions: Vec<&str> = change.change.actions.iter().map(String::as_str).collect();
    match actions.as_slice() {
        ["create"] => Action::Create,
        ["read"] => Action::Read,
        ["update"] => Action::Update,
        ["delete"] => Action::Delete,
        [_, _] => Action::Replace,
        _ => Action::NoOp,
    }
}

fn counts(changes: &BTreeMap<String, ResourceChange>) -> Counts {
    let mut out = Counts::default();
    for change in changes.values() {
        match action(Some(change)) {
            Action::Create => out.add += 1,
            Action::Update => out.change += 1,
            Action::Delete => out.destroy += 1,
            Action::Replace => out.replace += 1,
            Action::Read | Action::NoOp | Action::Absent => {}
        }
    }
    out
}

/// The paths at which the two plans end otherwise. Values are none of it, so that nothing sensitive is.
fn attributes(before: Option<&Change>, after: Option<&Change>) -> Vec<String> {
    let (Some(before), Some(after)) = (before, after) else { return Vec::new() };
    let mut out = Vec::new();
    paths("", (&before.after, &before.after_unknown), (&after.after, &after.after_unknown), &mut out);
    out
}

fn paths(at: &str, old: (&Json, &Json), new: (&Json, &Json), out: &mut Vec<String>) {
    if old.0 == new.0 && unknown(old.1) == unknown(new.1) {
        return;
    }
    let known = |value: &Json, key: &str| value.get(key).cloned().unwrap_or(Json::Null);
    if let (Json::Object(a), Json::Object(b)) = (old.0, new.0) {
        let mut keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
        for marks in [old.1, new.1] {
            keys.extend(marks.as_object().into_iter().flat_map(|m| m.keys()));
        }
        for key in keys {
            let below = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
            let (a, b) = (known(old.0, key), known(new.0, key));
            let (ua, ub) = (known(old.1, key), known(new.1, key));
            paths(&below, (&a, &ua), (&b, &ub), out);
        }
        return;
    }
    if !at.is_empty() {
        out.push(at.to_owned());
    }
}

/// Returns the unknown parts of a mask, without those that are known.
fn unknown(mask: &Json) -> Json {
    match mask {
        Json::Bool(true) => Json::Bool(true),
        Json::Object(map) => {
            let left = map.iter().map(|(k, v)| (k.clone(), unknown(v))).filter(|(_, v)| !v.is_null());
            let left: serde_json::Map<String, Json> = left.collect();
            if left.is_empty() { Json::Null } else { Json::Object(left) }
        }
        Json::Array(items) => {
            let items: Vec<Json> = items.iter().map(unknown).collect();
            if items.iter().all(Json::is_null) { Json::Null } else { Json::Array(items) }
        }
        _ => Json::Null,
    }
}
