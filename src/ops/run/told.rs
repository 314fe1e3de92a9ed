//! Asks a first plan what data sources give, where a run without copies can't know a value before.
//!
//! In: a working directory, and the arguments of the run. Something that Terraform can read stands in for each value that isn't known, in a
//! copy of the directory; a plan there reads the data sources, and the fields are traced again with what they gave. Invariants: what a stand-in
//! may have changed is asked again with the value in its place, until two plans tell the same; of a data source nothing counts that is secret,
//! read during apply, or of a type that a plan doesn't tell. Absent on purpose: which value a field has.

use super::initialised;
use super::literals::{self, Opened};
use super::scratch_plan::{ScratchPlan, Words};
use super::terraformed::find;
use crate::addr::ObjectAddr;
use crate::config::variables::VarArg;
use crate::issue::{Code, Issue};
use crate::ops::{Start, Stop};
use crate::pipeline::literals::{DataValues, StandIn, becomes_literal};
use crate::report::progress::Progress;
use crate::terraform::args::RunArgs;
use crate::terraform::plan_json::{Plan, resources};
use crate::trace::{Universe, Universes};
use crate::value::{Value, json};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

/// A source that a data source chooses shows the next data source at most; nobody nests so many.
const MOST_PLANS: usize = 8;

/// The scalar values of attributes, by the address under which `phi.hcl` would list them.
type Answers = BTreeMap<String, Vec<Value>>;

/// Opens a working directory in which a run has no copies. `installs`: whether modules may be installed that can't be read without.
/// `asking`: the arguments of a plan that may be made for what only data sources tell.
///
/// # Errors
/// Fields without one value in this run; modules that can't be installed; a plan that fails.
pub fn open(
    start: &Start,
    vars: &[VarArg],
    installs: bool,
    asking: Option<&RunArgs>,
) -> Result<Opened, Box<Stop>> {
    let opened = literals::open(start, vars, installs, DataValues::Unasked);
    let mut opened = match (opened, asking) {
        (Err(_), Some(read)) => ask_first_plans(start, vars, installs, read)?,
        (opened, _) => opened?,
    };
    if opened.session.is_blocked() && opened.session.driven(start).iter().any(becomes_literal) {
        // Of what can't be read nobody knows the values, and Terraform would only reject the expressions.
        opened.session.judge()?;
    }
    Ok(opened)
}

/// Opens it with what a plan tells of data sources.
///
/// # Errors
/// Fields without one value in this run; a plan that fails, or tells something else each time.
fn ask_first_plans(
    start: &Start,
    vars: &[VarArg],
    installs: bool,
    read: &RunArgs,
) -> Result<Opened, Box<Stop>> {
    let mut answers = Answers::new();
    let mut is_settled = false;
    for _ in 0..MOST_PLANS {
        let told = list_answers(&answers);
        let mut opened = literals::open(start, vars, installs, DataValues::StandIns(&told))?;
        if opened.session.is_blocked() || opened.literals.stand_ins.is_empty() && is_settled {
            return Ok(opened);
        }
        let stand_ins = std::mem::take(&mut opened.literals.stand_ins);
        let now = read_answers(&plan_aside(start, &mut opened, &stand_ins, read)?);
        if now == answers {
            return literals::open(start, vars, installs, DataValues::Told(&told));
        }
        let is_kept = answers.iter().all(|(name, values)| now.get(name) == Some(values));
        is_settled = is_kept && stand_ins.iter().all(StandIn::is_inert);
        answers = now;
    }
    let why = "What they give chooses a source or a provider on which they depend themselves, so that each plan tells something else.";
    Err(Issue::error(Code::Unsupported, "data sources don't tell the values of this run", why)
        .fix("Choose the source or the provider by a variable, instead.", "")
        .into())
}

/// Plans a tree with what stands in.
fn plan_aside(
    start: &Start,
    opened: &mut Opened,
    stand_ins: &[StandIn],
    read: &RunArgs,
) -> Result<Plan, Box<Stop>> {
    let _progress = Progress::start(start.console, "asking data sources");
    let terraform = find(start, &opened.session)?;
    let tree = literals::tree(&mut opened.session, &opened.driven)?;
    initialised::check(&opened.session, &tree, read, &terraform)?;
    let scratch = ScratchPlan::new(&opened.session, &terraform)?;
    let planned = scratch.plan(&tree, &Words::Whole(read.clone()), "first");
    planned.map_err(|failed| match stand_ins.first() {
        None => failed.into(),
        Some(StandIn { issue, .. }) => {
            let why = format!("{} A first plan would tell it, and that failed:\n\n{}", issue.why, failed.why);
            opened.session.stop(vec![Issue { why, ..issue.clone() }])
        }
    })
}

/// Values that Terraform itself has told; there are no others.
fn list_answers(answers: &Answers) -> Universes {
    let universe = |values: &Vec<Value>| Universe::listed(values.clone(), true);
    answers.iter().map(|(name, values)| (name.as_str().into(), universe(values))).collect()
}

/// What data sources without repetition gave to a plan. An attribute counts that each instance of its module has.
fn read_answers(plan: &Plan) -> Answers {
    let is_data = |r: &&Json| r.get("mode").and_then(Json::as_str) == Some("data");
    let later = plan.resource_changes.iter().filter(|change| change.mode == "data");
    let later: BTreeSet<&str> = later.map(|change| &*change.address).collect();
    let mut instances: BTreeMap<String, Vec<Option<BTreeMap<String, Value>>>> = BTreeMap::new();
    let mut add = |address: &str, given: Option<&Json>| {
        let Some(addr) = address.parse::<ObjectAddr>().ok().filter(|addr| addr.key.is_none()) else { return };
        let found = given.filter(|_| !later.contains(address)).map(read_scalars);
        instances.entry(addr.module.path().address_of(&addr.resource)).or_default().push(found);
    };
    for resource in resources(plan.prior_state.pointer("/values/root_module")).into_iter().filter(is_data) {
        add(resource.get("address").and_then(Json::as_str).unwrap_or_default(), Some(resource));
    }
    later.iter().for_each(|address| add(address, None));
    let mut answers = Answers::new();
    for (data, all) in instances {
        let Some(all) = all.into_iter().collect::<Option<Vec<_>>>() else { continue };
        let Some(first) = all.first() else { continue };
        for name in first.keys() {
            let values: Option<Vec<&Value>> = all.iter().map(|one| one.get(name)).collect();
            let mut distinct: Vec<Value> = Vec::new();
            for value in values.iter().flatten() {
                if !distinct.contains(value) {
                    distinct.push((*value).clone());
                }
            }
            if values.is_some() {
                answers.insert(format!("{data}.{name}"), distinct);
            }
        }
    }
    answers
}

/// The scalars in an object, by the names that lead to them. What a list holds could be a set's, and an object's type needn't be the one that
/// Terraform has.
fn read_scalars(resource: &Json) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    let none = Json::Null;
    let secret = resource.get("sensitive_values").unwrap_or(&none);
    add_scalars(resource.get("values").unwrap_or(&none), secret, "", &mut found);
    found
}

fn add_scalars(value: &Json, secret: &Json, name: &str, found: &mut BTreeMap<String, Value>) {
    match value {
        _ if secret.as_bool() == Some(true) => {}
        Json::Object(entries) => {
            for (key, inner) in entries.iter().filter(|(key, _)| is_name(key)) {
                let secret = secret.get(key).unwrap_or(&Json::Null);
                let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                add_scalars(inner, secret, &name, found);
            }
        }
        Json::Bool(_) | Json::Number(_) | Json::String(_) => {
            found.extend(json::decode(&value.to_string()).ok().map(|value| (name.to_owned(), value)));
        }
        Json::Array(_) | Json::Null => {}
    }
}

/// Returns true for a key that an expression may name behind a dot.
fn is_name(key: &str) -> bool {
    let starts = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}
