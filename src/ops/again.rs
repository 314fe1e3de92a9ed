//! Plans split units once more after a plan that nobody saves, to say what it destroys there.
//!
//! Terraform ends a plan with `-out` in other words than one without, so tf-phi never adds `-out`: the user sees Terraform's
//! output, byte for byte. Terraform's exit status tells whether anything changes. If so, and if state holds objects of split units,
//! these alone are planned again in a copy of the working directory. In: a run that has ended. Out: a plan of these units.
//! Invariant: if that plan fails, nothing is said, since Terraform has reported already. Absent on purpose: what the plan destroys.

use super::Start;
use super::decide::Tree;
use super::ready::Ready;
use super::scratch_plan::{ScratchPlan, Words};
use super::targets;
use super::terraformed::{Request, read_words};
use crate::host::Machine;
use crate::issue::Issue;
use crate::report::issue::Format;
use crate::report::progress::Progress;
use crate::report::summary::Detail;
use crate::specialise::{moves, originals};
use crate::terraform::args;
use crate::terraform::plan_json::Plan;
use crate::terraform::signals::uninterrupted;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Returns true if a run is one after which that would be said.
pub(super) fn is_wanted(start: &Start, request: &Request, ready: &Ready) -> bool {
    let read = &ready.read;
    let shown = request.issues.format() == Format::Text && start.detail != Detail::Quiet;
    let whole = !(read.destroy || read.refresh_only || read.json || read.help);
    request.command == "plan" && shown && whole && read.out.is_none() && !held(ready).is_empty()
}

/// The split units of which state holds an object.
fn held(ready: &Ready) -> BTreeSet<&str> {
    let objects: Vec<String> = ready.placed.contents.objects.iter().map(|o| o.original.to_string()).collect();
    let units = ready.decided.specialised.splits.iter().map(|split| split.original.as_str());
    units.filter(|unit| objects.iter().any(|o| originals::covers(unit, o))).collect()
}

/// Plans them once more; everything where Terraform wants more than them. Nothing where no plan can be made.
pub(super) fn plan(start: &Start, request: &Request, ready: &Ready) -> Option<Plan> {
    let _progress = Progress::start(start.console, "looking at what this plan takes away");
    // A plan holds secrets: it is gone before a request to stop is heard.
    uninterrupted(|| planned(request, ready)).ok()?
}

fn planned(request: &Request, ready: &Ready) -> Option<Plan> {
    let words = words(request).ok()?;
    let scratch = ScratchPlan::new(&ready.session, &ready.terraform).ok()?;
    let mut tree: Tree = ready.session.loaded.clone();
    tree.insert(PathBuf::from(moves::FILE), None);
    tree.extend(ready.decided.tree.clone());
    let own: Vec<String> = held(ready).into_iter().map(|unit| format!("-target={unit}")).collect();
    // A run that is narrowed down already is planned as it was.
    let narrowed = !ready.read.targets.is_empty() || !ready.read.excludes.is_empty();
    let narrower = (!narrowed).then(|| [words.clone(), own].concat());
    narrower.into_iter().chain([words]).find_map(|words| {
        let objects = &ready.placed.contents.objects;
        let words = targets::translated(&words, &ready.decided, objects);
        let words = args::without(&words, &["lock", "lock-timeout", "generate-config-out"]);
        let words = [words, vec!["-lock=false".to_owned()]].concat();
        scratch.plan(&tree, &Words::All(words), "again").ok()
    })
}

/// The words of the run, those of the environment included.
fn words(request: &Request) -> Result<Vec<String>, Issue> {
    let (own, _) = read_words(request.command, &request.args)?;
    args::words_of(&Machine, request.command, &own)
}
