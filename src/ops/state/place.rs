//! Leads the objects in state to their new addresses, and checks the outcome before anything is written.
//!
//! In: a decision. State is read, and the original address of each object found. Moves are written by unit where all objects of it
//! move alike, else object by object. Then the outcome is simulated ([`crate::simulate`]). Invariant: an object that the original
//! would keep arrives at exactly one instance, or the run stops and names it. Absent: how moves are written.

use crate::addr::ObjectAddr;
use crate::issue::Issue;
use crate::ops::read::session::Session;
use crate::ops::run::decide::{Decided, Tree, decide};
use crate::ops::run::{first, targets, terraformed};
use crate::ops::state::State;
use crate::ops::state::by_hand::StateCommands;
use crate::ops::state::whose;
use crate::ops::state::{hints, lost, would_destroy};
use crate::ops::{Start, Stop};
use crate::pipeline::{self, RunScope, original, stand_ins};
use crate::simulate::{Contents, Fault};
use crate::specialise::moves::originals;
use crate::specialise::record::history::Entry;
use crate::terraform::Terraform;
use crate::terraform::args::RunArgs;
use crate::trace::Driven;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// Leads what state holds. Gives the addresses in state.
///
/// # Errors
/// Returns an error if an object can't be led, has two possible readings, the state can't be read, or a first plan fails.
pub fn place(
    start: &Start,
    session: &mut Session,
    decided: &mut Decided,
    driven: &[Driven],
    read: &RunArgs,
    terraform: &Terraform,
) -> Result<Placed, Box<Stop>> {
    let is_narrowed = !read.targets.is_empty() || !read.excludes.is_empty();
    // A narrowed run doesn't ask the rules of variables that it doesn't need.
    if !is_narrowed && !decided.refused.is_empty() {
        return Err(session.stop(std::mem::take(&mut decided.refused)));
    }
    let state = State::of(session, decided, driven, read, terraform);
    let held = state.held()?;
    let whose = original(session, decided, |side| whose::objects(&state, side, &held));
    let mut whose = whose.map_err(|issues| session.stop(issues))?;
    let listed: Vec<String> = held.objects.iter().map(ToString::to_string).collect();
    session.held.clone_from(&listed);
    let concluded = std::mem::take(&mut whose.concluded);
    for object in &whose.objects {
        session.history.note_object(&object.held, &object.original);
    }
    let given_up = session.conclude_given_up(whose.objects.iter().map(|object| &object.original));
    for made in &given_up {
        start.note(&format!(
            "state holds {}, which by its name and the template of the service \"{}\" was made for {}, which is given up.",
            made.address, made.service, made.made_for
        ));
    }
    if !given_up.is_empty() {
        whose.read_again(&session.history);
    }
    if concluded.is_empty() && given_up.is_empty() {
        if !listed.is_empty() {
            decided.settle(session);
        }
    } else {
        conclude(start, session, concluded);
        *decided = session.decide(driven, &read.vars)?;
    }
    if is_narrowed {
        let splits = decided.specialised.splits.clone();
        decided.leave_given_up(session, &|address| targets::takes_in(&splits, read, address));
    }
    let contents = whose.contents(&session.history);
    if let Some(issue) = &decided.undecided {
        start.note(&format!("{}. {} So there is a first plan.", issue.summary, issue.why));
    }
    let planned = first::settle(session, decided, read, terraform)?;
    let targets: Vec<String> =
        read.targets.iter().map(|target| originals::original(&decided.specialised.splits, target)).collect();
    let scope = RunScope { planned: planned.as_ref(), targets: &targets };
    let faults = pipeline::mended(session, scope, decided, &contents);
    let issues = find_losses(session, decided, (scope, read, driven), &contents, &faults);
    if !issues.is_empty() {
        // With a value that is refused there is no copy to which anything could be led.
        let refused = std::mem::take(&mut decided.refused);
        return Err(session.stop(if refused.is_empty() { issues } else { refused }));
    }
    let (ends, kept) = pipeline::ends(session, decided, &contents);
    Ok(Placed { listed, contents, ends, kept })
}

/// What stops the run: what it would destroy, and moves that Terraform refuses.
fn find_losses(
    session: &Session,
    decided: &Decided,
    (scope, read, driven): (RunScope<'_>, &RunArgs, &[Driven]),
    contents: &Contents,
    faults: &[Fault],
) -> Vec<Issue> {
    let commands = StateCommands::new(session, driven, read);
    let write = |fault: &Fault| lost::issue(&session.config, &commands, fault);
    // Whoever destroys everything means it. Terraform refuses moves all the same.
    if read.destroy {
        return faults.iter().filter(|fault| matches!(fault, Fault::Invalid(_))).map(write).collect();
    }
    let gone = stand_ins::find_gone_objects(session, scope, decided, contents);
    // A run that only refreshes destroys nothing: what the configuration doesn't declare stays in state.
    let mut issues = match read.refresh_only {
        true => Vec::new(),
        false => would_destroy::write_issues(session, (read, &commands), &gone),
    };
    let is_said = |fault: &&Fault| {
        let about = fault.objects();
        about.is_empty() || about.iter().any(|o| gone.iter().all(|g| g.object.held != o.held))
    };
    issues.extend(faults.iter().filter(is_said).map(write));
    issues
}

/// Looks for copies in state where nothing is specialised, nor was as far as anything tells. Returns true if there are some: the history
/// knows them then.
///
/// # Errors
/// Objects of which two readings are possible. What can't be asked, Terraform says.
pub fn find_stray(start: &Start, session: &mut Session, read: &RunArgs) -> Result<bool, Box<Stop>> {
    let Ok(terraform) = terraformed::find(start, session) else { return Ok(false) };
    // Without copies the values in place make it one that Terraform reads.
    let tree: Tree = session.overlay.clone();
    let state = State {
        session,
        tree: &tree,
        splits: &[],
        written: &[],
        universes: None,
        driven: &[],
        read,
        terraform: &terraform,
        text: OnceCell::new(),
    };
    let Ok(held) = state.held() else { return Ok(false) };
    if !hints::any(&session.config, &held) {
        return Ok(false);
    }
    let known = session.issues.clone();
    let Ok(decided) = decide(session, &[], &read.vars) else {
        session.issues = known;
        return Ok(false);
    };
    let state = State::of(session, &decided, &[], read, &terraform);
    let found = original(session, &decided, |side| whose::objects(&state, side, &held));
    let found = found.map_err(|issues| session.stop(issues))?;
    let is_found = !found.concluded.is_empty();
    conclude(start, session, found.concluded);
    Ok(is_found)
}

/// Takes down what names and values say, and says so.
fn conclude(start: &Start, session: &mut Session, entries: Vec<Entry>) {
    let mut said = BTreeSet::new();
    for entry in entries {
        // Of each object in a copy the same is concluded.
        if said.insert((entry.address.clone(), entry.original.clone())) {
            start.note(&format!(
                "state holds {}, which by its name and values is a copy of {}.",
                entry.address, entry.original
            ));
        }
        session.history.add(entry);
    }
}

/// The objects in state, and where they belong.
pub struct Placed {
    /// Every address, as `terraform state list` prints it.
    pub listed: Vec<String>,
    /// The managed objects, and what can be in their way.
    pub contents: Contents,
    /// Each object's address in the original after the user's own moves, by its address in state.
    pub ends: BTreeMap<ObjectAddr, ObjectAddr>,
    /// The objects that the original keeps, by their addresses in state.
    pub kept: BTreeSet<ObjectAddr>,
}
