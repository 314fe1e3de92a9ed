//! `tf-phi verify`: whether the specialised tree plans what the original plans.
//!
//! Both are planned in one copy of the working directory, one after the other, so that paths are the same, too. The
//! user's tree is not written. The specialised tree is planned with the state as it is; the original with a copy of it in which
//! each object has its address in the original, as history tells, so that a fault in the moves shows as a difference. What a service
//! made has no address there: it is put where the original's own moves would lead it, and given up where the original gives up what it
//! stood in for.

use super::compare::{Difference, compare};
use super::options::TERRAFORMS;
use super::state::State;
use super::{Command, DIFFERENT, DONE, Outcome, Start};
use crate::addr::ObjectAddr;
use crate::host::Machine;
use crate::issue::{Code, Issue};
use crate::ops::read::session::Session;
use crate::ops::run::decide::{Decided, Tree};
use crate::ops::run::scratch_plan::{self, ScratchPlan, Words};
use crate::ops::run::targets;
use crate::ops::run::terraformed::{find, read_words};
use crate::ops::run::values::with_values;
use crate::ops::state::place::Placed;
use crate::report::Reader;
use crate::report::diff::unified;
use crate::report::progress::Progress;
use crate::specialise::moves::originals;
use crate::specialise::service::{Replaced, Rewrite};
use crate::terraform::plan_json::{Plan, ResourceChange};
use crate::terraform::state_json::{self, Readdressed};
use crate::terraform::{Terraform, args};
use clap::Args;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

/// The arguments of `tf-phi verify`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Exit status: 0 where the plans are equal, 3 where they differ, 1 where one can't be made."
)]
pub struct Request {
    /// Give the variables and the workspace of this environment; in a Stack, the deployment
    #[arg(long = "env", value_name = "NAME")]
    environment: Option<String>,
    /// Arguments of terraform plan
    #[arg(id = "arguments", value_name = TERRAFORMS, num_args(0..), allow_hyphen_values = true, trailing_var_arg = true)]
    args: Vec<OsString>,
}

impl Command for Request {
    fn run(&self, start: &Start) -> Outcome {
        let (start, args) =
            &crate::ops::read::environment::given(start, self.environment.as_deref(), &self.args)?;
        let (words, read) = read_words("plan", args)?;
        let start = &Start { console: start.console.plain_if(read.no_color), ..start.clone() };
        if !Session::open(start)?.phi.settings.copies {
            return super::verify_values::run(start, &read, words);
        }
        let (mut session, driven) = Session::unblocked(start)?;
        if session.is_idle(&driven) {
            start.console.note("nothing to verify: no field is driven, so nothing is specialised and both plans are one. To see it, type: tf-phi plan");
            return Ok(DONE);
        }
        let mut decided = session.decide(&driven, &read.vars)?;
        let progress = Progress::start(start.console, "planning the original and the specialised tree");
        let terraform = find(start, &session)?;
        let placed =
            crate::ops::state::place::place(start, &mut session, &mut decided, &driven, &read, &terraform)?;
        let words = args::words_of(&Machine, "plan", &words)?;
        targets::check(
            &decided,
            &targets::translated(&words, &decided, &placed.contents.objects),
            &read,
            &placed.listed,
            &|| {
                let own = (self.environment.as_deref(), self.args.as_slice());
                with_values(targets::MOVES, start, &session.config, own)
            },
        )?;
        let state = readdressed(&State::of(&session, &decided, &driven, &read, &terraform), &placed)?;
        let (original, specialised) =
            plans(&session, &decided, &terraform, words, state.as_deref(), &placed)?;
        drop(progress);
        if let Some(rewrite) = &session.rewrite {
            start.console.report(&replaced(rewrite));
        }
        let splits = &decided.specialised.splits;
        let away = away(&specialised, &placed);
        let back = |address: &str| {
            away.get(address).cloned().unwrap_or_else(|| originals::original(splits, address))
        };
        let (count, differences) = compare(&original, &specialised, &back);
        if differences.is_empty() {
            start
                .console
                .report(&format!("The two plans are equal: {count} resources and outputs compared.\n"));
            return Ok(DONE);
        }
        show(start, count, &differences);
        Ok(DIFFERENT)
    }
}

/// The original's addresses of what is destroyed or forgotten: its copy may be one that the tree no longer declares, and the
/// object may be on its way.
fn away(plan: &Plan, placed: &Placed) -> BTreeMap<String, String> {
    let goes =
        |change: &&ResourceChange| change.change.actions == ["delete"] || change.change.actions == ["forget"];
    let one = |change: &ResourceChange| {
        let held = change.previous_address.as_ref().unwrap_or(&change.address);
        let end = placed.ends.get(&held.parse::<ObjectAddr>().ok()?)?;
        Some((change.address.clone(), end.to_string()))
    };
    plan.resource_changes.iter().filter(goes).filter_map(one).collect()
}

/// Returns the list of resources that services replace, which can't be compared.
fn replaced(rewrite: &Rewrite) -> String {
    let one = |r: &Replaced| format!("  {} by {} (service {})\n", r.original(), r.address(), r.service);
    let all: String = rewrite.replaced.iter().map(one).collect();
    format!(
        "Replaced under the form factor \"{}\", and compared with the templates as they are before they are \
         specialised:\n{all}",
        rewrite.factor
    )
}

/// The state with every object under its address in the original; nothing where they all have that already.
///
/// The original is planned with it, so that what it would do is asked of Terraform and of no moves of ours.
fn readdressed(state: &State<'_>, placed: &Placed) -> Result<Option<Vec<u8>>, Issue> {
    let is_made = |address: &ObjectAddr| {
        let address = originals::without_keys(&address.to_string());
        let mut made = state.session.history.made_calls();
        made.any(|made| originals::covers(&made.address, &address))
    };
    let known = placed.contents.objects.iter().map(|o| {
        let end = placed.ends.get(&o.held).filter(|_| is_made(&o.original));
        (&o.held, end.unwrap_or(&o.original))
    });
    let known: BTreeMap<&ObjectAddr, &ObjectAddr> = known.collect();
    if known.iter().all(|(held, address)| held == address) {
        return Ok(None);
    }
    let new = |held: &ObjectAddr| match known.get(held) {
        Some(original) => Readdressed::As((*original).clone()),
        // What data sources give is read again.
        None if state.session.history.readings(held).len() > 1 => Readdressed::Dropped,
        None => Readdressed::Same,
    };
    state_json::readdressed(state.pull()?, &new).map(Some)
}

fn plans(
    session: &Session,
    decided: &Decided,
    terraform: &Terraform,
    words: Vec<String>,
    state: Option<&[u8]>,
    placed: &Placed,
) -> Result<(Plan, Plan), Issue> {
    let scratch = ScratchPlan::new(session, terraform)?;
    // Under a form factor, the original is the tree with what services replace replaced.
    let tree = &with_given_up(session, decided);
    let own = targets::original(&words, decided);
    let original = match state {
        None => scratch.plan(tree, &Words::All(own), "original"),
        Some(state) => scratch.plan_with(tree, own, state, "original"),
    };
    let original = original.map_err(unplannable)?;
    let tree = scratch_plan::sources(session, decided);
    let words = Words::All(targets::translated(&words, decided, &placed.contents.objects));
    // State is asked where it lies: nothing that the first plan was given is left.
    let scratch = if state.is_some() { ScratchPlan::new(session, terraform)? } else { scratch };
    let specialised = scratch.plan(&tree, &words, "specialised").map_err(|issue| Issue {
        summary: "the specialised tree can't be planned, although the original can".to_owned(),
        ..issue
    })?;
    Ok((original, specialised))
}

/// The original under its form factor, which gives up what services made for what it gives up itself.
fn with_given_up(session: &Session, decided: &Decided) -> Tree {
    let mut tree = session.loaded.clone();
    let one = |call: &String| {
        format!("removed {{\n  from = {call}\n\n  lifecycle {{\n    destroy = false\n  }}\n}}\n")
    };
    let text: String = decided.specialised.made.iter().map(one).collect();
    if !text.is_empty() {
        tree.insert(PathBuf::from("phi.given_up.tf"), Some(text));
    }
    tree
}

fn unplannable(issue: Issue) -> Issue {
    let why = format!(
        "Terraform says so of the original sources, and then there is nothing to compare with. That is so wherever an \
         argument takes no expression, which is what specialising is for.\n\n{}",
        issue.why
    );
    Issue::error(Code::Terraform, "the original can't be planned", why)
}

fn show(start: &Start, count: usize, differences: &[Difference]) {
    for one in differences {
        let text = unified(
            &one.address,
            one.original.as_deref(),
            one.specialised.as_deref(),
            start.console.out,
            Reader::People,
        );
        if !start.console.report(&text) {
            return;
        }
    }
    let summary = format!(
        "\nThe two plans differ in {} of {count} resources and outputs (a: original, b: specialised).\n",
        differences.len()
    );
    start.console.report(&summary);
}
