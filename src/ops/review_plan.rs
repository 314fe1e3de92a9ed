//! `review --plan`: the plans of base and head, environment by environment.
//!
//! In: a directory as it is and a revision of it, each environment's variables and workspace. Out: what the two plans do otherwise,
//! in the original's addresses. Both are specialised and planned aside, with the state there is; a move of a copy is no
//! difference. Where a plan can't be made, that is said, and the others are made. Several are made at a time; what comes out doesn't depend on it. Absent: writing into the user's tree.

use super::review_committed::{add_committed, find_led_elsewhere};
use super::review_settled::is_settled;
use super::review_side::{Side, Task, unknown};
use super::{Start, Stop, roots};
use crate::addr::ObjectAddr;
use crate::config::variables::{Named, VarArg};
use crate::host::{capacity, threads};
use crate::issue::{Code, Issue};
use crate::matrix::review::{Action, Counts, PlanDifference, Planned, ResourceDifference, Review};
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::ops::run::scratch_plan::{self, ScratchPlan, Words};
use crate::ops::run::terraformed;
use crate::ops::run::told;
use crate::ops::run::write::whole;
use crate::ops::state::place;
use crate::report::progress::Progress;
use crate::specialise::moves::originals;
use crate::terraform::args::RunArgs;
use crate::terraform::git::Revision;
use crate::terraform::init;
use crate::terraform::plan_json::{Change, ResourceChange};
use crate::terraform::signals::is_asked_to_stop;
use crate::txn::Checkout;
use crate::value::hcl;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

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
    add_committed(made, &planned);
    for env in &mut made.environments {
        let mut side = |of_head| planned.remove(&(env.name.clone(), of_head)).transpose();
        env.plan = Some(match (side(false), side(true)) {
            (Ok(before), Ok(after)) => {
                let sides = [before.as_ref(), after.as_ref()];
                env.uncompared.retain(|field| !is_settled(field, sides));
                env.unled.retain(|name| sides.iter().flatten().any(|side| side.holds(name)));
                Planned::Made(Box::new(difference(sides)))
            }
            (Err(why), _) => Planned::Failed(format!("The base can't be planned. {why}")),
            (_, Err(why)) => Planned::Failed(format!("The head can't be planned. {why}")),
        });
    }
    Ok(())
}

/// The memory that Terraform itself takes, in bytes, with a margin.
const MEMORY: u64 = 128 << 20;

/// The memory that a plan may take. A provider takes about as much as its program is large (measured: 624 MiB with the AWS provider
/// of 674 MiB).
fn memory(host: &RootedHost) -> u64 {
    let providers = host.root.join(init::data_dir(host, Path::new(""))).join("providers");
    MEMORY.saturating_add(capacity::bytes_below(&providers))
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
        let opened = told::open(&start, &read.vars, false, Some(&read))?;
        (session, driven) = (opened.session, opened.driven);
    }
    session.judge()?;
    let terraform = terraformed::find(&start, &session)?;
    if session.is_idle(&driven) {
        let scratch = ScratchPlan::new(&session, &terraform)?;
        let (plan, text) = scratch.plan_shown(&session.loaded, &Words::Whole(read), "plan")?;
        return Ok(Side::of(plan, text, &str::to_owned));
    }
    let mut decided = session.decide(&driven, &read.vars)?;
    let placed = place::place(&start, &mut session, &mut decided, &driven, &read, &terraform)?;
    let scratch = ScratchPlan::new(&session, &terraform)?;
    let tree = scratch_plan::sources(&session, &decided);
    let (plan, text) = scratch.plan_shown(&tree, &Words::Whole(read), "plan")?;
    let elsewhere = find_led_elsewhere(&session, &mut decided, &placed.contents);
    let splits = &decided.specialised.splits;
    let back = |address: &str| {
        let held = address.parse::<ObjectAddr>().ok().and_then(|a| placed.ends.get(&a).cloned());
        match held {
            Some(end) => end.to_string(),
            None => originals::original(splits, address),
        }
    };
    let mut side = Side::of(plan, text, &back);
    side.elsewhere = elsewhere;
    Ok(side)
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

fn difference(sides: [Option<&Side>; 2]) -> PlanDifference {
    let none = BTreeMap::new();
    let [before, after] = sides;
    let [old, new] = sides.map(|side| side.map_or(&none, |side| &side.changes));
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let mut differing = Vec::new();
    for address in names {
        let (a, b) = (old.get(address), new.get(address));
        let (before, after) = (action(a), action(b));
        let attributes = attributes(a.map(|c| &c.change), b.map(|c| &c.change));
        if !is_same(before, after) || !attributes.is_empty() {
            differing.push(ResourceDifference { address: address.clone(), before, after, attributes });
        }
    }
    // What goes is said first.
    differing.sort_by(|a, b| (a.after, &a.address).cmp(&(b.after, &b.address)));
    let text = after.map(|side| side.text.clone()).unwrap_or_default();
    let outputs = outputs(before, after);
    PlanDifference { before: counts(old), after: counts(new), resources: differing, outputs, text }
}

fn is_same(before: Action, after: Action) -> bool {
    let is_idle = |action| matches!(action, Action::NoOp | Action::Absent);
    before == after || (is_idle(before) && is_idle(after))
}

/// The outputs that end otherwise.
fn outputs(before: Option<&Side>, after: Option<&Side>) -> Vec<String> {
    // A side that isn't there has none.
    let (Some(before), Some(after)) = (before, after) else { return Vec::new() };
    let end = |change: Option<&Change>| {
        let change = change.filter(|change| change.actions != ["delete"])?;
        let sensitive = unknown(&change.after_sensitive);
        Some((change.after.clone(), unknown(&change.after_unknown), sensitive))
    };
    let names: BTreeSet<&String> = before.outputs.keys().chain(after.outputs.keys()).collect();
    let differs = |name: &&&String| end(before.outputs.get(**name)) != end(after.outputs.get(**name));
    names.iter().filter(differs).map(|name| (*name).clone()).collect()
}

fn action(change: Option<&ResourceChange>) -> Action {
    let Some(change) = change else { return Action::Absent };
    let actions: Vec<&str> = change.change.actions.iter().map(String::as_str).collect();
    match actions.as_slice() {
        ["create"] => Action::Create,
        ["read"] => Action::Read,
        ["forget"] => Action::Forget,
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
            Action::Read | Action::Forget | Action::NoOp | Action::Absent => {}
        }
    }
    out
}

/// Stands among the attributes where another object is imported, or none.
const IMPORT: &str = "(import)";

/// The paths at which the two plans end otherwise. Values are none of it, so that nothing sensitive is.
fn attributes(before: Option<&Change>, after: Option<&Change>) -> Vec<String> {
    let (Some(before), Some(after)) = (before, after) else { return Vec::new() };
    let mut out = Vec::new();
    paths("", (&before.after, &before.after_unknown), (&after.after, &after.after_unknown), &mut out);
    if before.importing != after.importing {
        out.push(IMPORT.to_owned());
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terraform::plan_json::Plan;

    fn side(output: &str, actions: &str, importing: &str) -> Side {
        let text = format!(
            r#"{{"format_version":"1.2","resource_changes":[{{"address":"t.n","mode":"managed","type":"t","name":"n",
            "change":{{"actions":[{actions}],"before":null,"after":null,"importing":{importing}}}}},
            {{"address":"t.n","mode":"managed","type":"t","name":"n","deposed":"00","change":{{"actions":["delete"]}}}}],
            "output_changes":{{"same":{{"actions":["create"],"after":1}},"o":{{"actions":["update"],"after":"{output}"}}}}}}"#
        );
        Side::of(Plan::parse(text.as_bytes()).unwrap(), String::new(), &str::to_owned)
    }

    fn told(before: &Side, after: &Side) -> (Vec<String>, Vec<String>) {
        let made = difference([Some(before), Some(after)]);
        let one = |r: &ResourceDifference| format!("{} {} {:?}", r.address, r.after.name(), r.attributes);
        (made.resources.iter().map(one).collect(), made.outputs)
    }

    #[test]
    fn outputs_imports_and_what_is_forgotten_differ() {
        let base = side("a", "\"no-op\"", "null");
        assert_eq!(told(&base, &base), (vec![], vec![]));
        assert_eq!(told(&base, &side("b", "\"no-op\"", "null")), (vec![], vec!["o".to_owned()]));
        let imported = side("a", "\"no-op\"", "{\"id\":\"x\"}");
        assert_eq!(told(&base, &imported).0, ["t.n no-op [\"(import)\"]"]);
        assert_eq!(told(&base, &side("a", "\"forget\"", "null")).0, ["t.n forget []"]);
    }
}
