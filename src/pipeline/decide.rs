//! From a session to the tree as it is to be: trace, specialise, find the active copies.

use super::instead;
pub use super::kept::Tree;

use super::carry;
use super::kept;
use super::recounted::{list_forms, list_instances};
use super::releases::clashes;
use super::session::Session;
use super::strangers::find_strangers;
use super::traces::Traces;
use crate::addr::{FieldAddr, Target};
use crate::config::Config;
use crate::config::variables::{self, VarArg, VarValues};
use crate::gate::{GateCache, Prover};
use crate::host::Host;
use crate::issue::{Code, Issue};
use crate::specialise::record::history;
use crate::specialise::record::history::{History, Made, PhiBlock};
use crate::specialise::{
    AbsentInstances, Active, Instances, Open, Record, Specialised, SplitUnit, Undecided, active,
    find_refused, moves, outside, record, run_universes,
};
use crate::syntax::{parse_expr, traversal};
use crate::trace::{Assumptions, Driven, Guard, Tracer, Universes, declared, warning_of};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// This program, as records name it.
const VERSION: &str = concat!("tf-phi ", env!("CARGO_PKG_VERSION"));

/// The active copies of each split unit.
pub type Copies = Vec<Vec<Active>>;

/// The same, where that isn't known of each.
pub type Known = Vec<Option<Vec<Active>>>;

/// The texts to be written, and everything that goes with them.
pub struct Decided {
    /// The files.
    pub tree: Tree,
    /// The same, all but the move chains.
    pub specialised: Specialised,
    /// The active copies of each split unit, those of instances that this run doesn't have included.
    pub copies: Copies,
    /// The copies of instances that this run doesn't have.
    pub others: Copies,
    /// The same as `copies`; `None` for a unit of which it isn't known what this run has.
    pub known: Known,
    /// Why it isn't known of some unit which copy is active; it has no move chain then.
    pub undecided: Option<Issue>,
    /// Warnings.
    pub warnings: Vec<Issue>,
    /// A note on another place for the split, if that would write much less.
    pub instead: Option<String>,
    /// A variable that this run gives no value, and that the choice may depend on.
    pub unset: Option<Arc<str>>,
    /// This run's values of variables.
    pub run: Run,
    /// The universes under which the driven fields were traced.
    pub universes: Universes,
    /// Values of this run that aren't specialised.
    pub outside: Vec<Issue>,
    /// Values of this run that the rules of their own variables refuse, so that Terraform stops at them.
    pub refused: Vec<Issue>,
    /// What services made in earlier runs.
    pub made: Vec<Made>,
}

/// The values that a run gives to the root variables.
pub struct Run {
    values: VarValues,
    /// The same as universes of one value each, with the workspace.
    universes: Universes,
    /// Variables that count as their default, since a field has their own value.
    pinned: BTreeSet<Arc<str>>,
}

impl Run {
    /// Builds it from values that are given.
    ///
    /// # Errors
    /// Values that their variables don't take.
    pub(super) fn of<H: Host + Clone>(
        session: &Session<H>,
        values: VarValues,
        workspace: &str,
        pinned: &BTreeSet<Arc<str>>,
    ) -> Result<Run, Vec<Issue>> {
        let universes = run_universes(&session.config, &values, workspace)?;
        // A pinned variable counts as its default, unless this run says otherwise.
        let pinned = pinned.iter().filter(|n| !universes.contains_key(*n)).cloned().collect();
        Ok(Run { values, universes, pinned })
    }

    /// The values.
    pub(super) fn values(&self) -> &VarValues {
        &self.values
    }

    /// The same as universes of one value each, with the workspace.
    pub(super) fn universes(&self) -> &Universes {
        &self.universes
    }

    /// A tracer that knows this run's values, of any form of the session's configuration.
    pub fn tracer<'a, H: Host + Clone>(&'a self, session: &'a Session<H>, config: &'a Config) -> Tracer<'a> {
        let assumptions = Assumptions::defaults(self.pinned.clone());
        Tracer::new(config, session.limits(), &self.universes, assumptions, session.outside())
    }

    /// The values that the rules of their own variables refuse, by variable.
    pub(super) fn find_refused<H: Host + Clone>(&self, session: &Session<H>) -> Vec<(Arc<str>, Issue)> {
        self.ask(session, |prover| {
            find_refused(&session.config, prover.tracer(), &self.values, &|place| session.name_line(place))
        })
    }

    /// Answers a question about the instances and gates of the session's configuration under this run's values.
    pub fn ask<H: Host + Clone, T>(
        &self,
        session: &Session<H>,
        question: impl FnOnce(&mut Prover<'_, '_>) -> T,
    ) -> T {
        question(&mut Prover::new(&mut self.tracer(session, &session.config), &mut GateCache::default()))
    }
}

/// Decides what the working directory is to hold; in this workspace, with these options for variables.
///
/// # Errors
/// Stack issues.
pub fn decide<H: Host + Clone>(
    session: &mut Session<H>,
    driven: &[Driven],
    vars: &[VarArg],
    workspace: &str,
) -> Result<Decided, Vec<Issue>> {
    let universes = session.universes();
    let values = run_values(session, vars);
    if session.is_blocked() {
        return Err(Vec::new());
    }
    let session = &*session;
    let mut traced = Traces::of(session, &universes, driven);
    let mut issues = traced.issues(session, driven);
    issues.extend(session.find_unreadable_sources(driven));
    if !issues.is_empty() {
        return Err(issues);
    }
    let mut warnings: Vec<Issue> = traced.traces.iter().filter_map(warning_of).collect();
    let mut specialised = traced.specialise(session, driven, VERSION)?;
    let units = &specialised.record.units;
    specialised.record.within = list_forms(&session.config, &session.history, units);
    specialised.made = carry::find_released_calls(session);
    let instead = instead::sentence(session, &mut traced, driven, &specialised, VERSION);
    let run = Run::of(session, values, workspace, &traced.assumptions.pinned)?;
    let clashes = clashes(session, &mut run.tracer(session, &session.config));
    if !clashes.is_empty() {
        return Err(clashes);
    }
    run.ask(session, |prover| specialised.note_run(prover));
    let (outside, refused) = find_unspecialised(session, &specialised, driven, &run);
    let (known, others, undecided) = active_copies(session, &specialised, &run);
    let copies: Copies = known.iter().cloned().map(Option::unwrap_or_default).collect();
    let finished = specialised.clone().finished(&copies);
    let mut foreign = foreign(session, &finished.record);
    foreign.extend(session.find_unread_originals());
    let recorded = session.record.iter().flat_map(Record::created_paths);
    foreign.extend(find_strangers(&session.host, &recorded.chain(finished.record.created_paths()).collect()));
    if !foreign.is_empty() {
        return Err(foreign);
    }
    let free = variables::unset(&session.config, &run.values).into_iter().find(|v| !v.ephemeral);
    let unset = free.map(|v| v.name.clone());
    let tree = tree(session, finished);
    warnings.extend(kept::warning(&session.lost(&tree)));
    Ok(Decided {
        tree,
        specialised,
        copies,
        others,
        known,
        undecided,
        warnings,
        instead,
        unset,
        run,
        universes,
        outside,
        refused,
        made: session.history.made_calls().cloned().collect(),
    })
}

/// The values of a run that aren't specialised, and those that the rules of their own variables refuse: these nobody lists.
fn find_unspecialised<H: Host + Clone>(
    session: &Session<H>,
    specialised: &Specialised,
    driven: &[Driven],
    run: &Run,
) -> (Vec<Issue>, Vec<Issue>) {
    let refused = run.find_refused(session);
    let is_refused = |guard: &Guard| {
        let subject = guard.subject.to_string();
        refused.iter().any(|(name, _)| **name == *declared(&subject))
    };
    let guards: Vec<Guard> = specialised.guards.iter().filter(|guard| !is_refused(guard)).cloned().collect();
    let outside = run.ask(session, |p| outside(&session.config, (&guards, driven), p, &run.values));
    (outside, refused.into_iter().map(|(_, issue)| issue).collect())
}

/// What copies there would be with other driven fields; nothing where these can't be specialised.
pub fn specialise_as_pinned<H: Host + Clone>(
    session: &Session<H>,
    universes: &Universes,
    driven: &[Driven],
) -> Option<Specialised> {
    let mut traced = Traces::of(session, universes, driven);
    if !traced.issues(session, driven).is_empty() {
        return None;
    }
    traced.specialise(session, driven, VERSION).ok()
}

impl Decided {
    /// Finds the active copies anew, now that the session knows what state holds.
    pub fn settle<H: Host + Clone>(&mut self, session: &Session<H>) {
        let (known, others, undecided) = active_copies(session, &self.specialised, &self.run);
        self.copies = known.iter().cloned().map(Option::unwrap_or_default).collect();
        (self.known, self.others, self.undecided) = (known, others, undecided);
        self.finish(session);
    }

    /// Leaves out of the moves what the original gives up and a narrowed run doesn't take in: it isn't destroyed then.
    pub fn leave_given_up<H: Host + Clone>(
        &mut self,
        session: &Session<H>,
        is_taken_in: &dyn Fn(&str) -> bool,
    ) {
        let stays = |split: &SplitUnit, one: &Active| {
            !one.given_up || is_taken_in(&split.address_of_instance(&one.module, one.key.as_ref()))
        };
        let before = self.copies.clone();
        let others = self.others.iter_mut();
        for (split, copies) in self.specialised.splits.iter().zip(&mut self.copies) {
            copies.retain(|one| stays(split, one));
        }
        for (split, copies) in self.specialised.splits.iter().zip(others) {
            copies.retain(|one| stays(split, one));
        }
        for (split, copies) in self.specialised.splits.iter().zip(&mut self.known) {
            if let Some(copies) = copies {
                copies.retain(|one| stays(split, one));
            }
        }
        if self.copies != before {
            self.finish(session);
        }
    }

    /// Notes in the session's history what state will hold after this run, and writes the tree anew.
    pub fn note_applied<H: Host + Clone>(&mut self, session: &mut Session<H>) {
        let splits = self.specialised.splits.iter().zip(&self.copies);
        let applied: Vec<_> = splits
            .flat_map(|(split, active)| split.applied_instances(active).map(move |one| (split, one)))
            .collect();
        for (_, instance) in &applied {
            session.history.note_applied(instance.clone());
        }
        let calls = applied.iter().filter(|(split, _)| matches!(split.target, Target::Call(_)));
        let copied: BTreeSet<String> = calls.map(|(_, instance)| instance.applied.clone()).collect();
        let within = self.run.ask(session, |prover| {
            list_instances(&session.config, &session.history, &copied, prover.tracer())
        });
        session.history.note_within(within);
        session.history.note_applied_services(&self.specialised.record.services);
        self.finish(session);
    }

    /// Writes the tree anew, with the moves as they are decided now.
    pub fn finish<H: Host + Clone>(&mut self, session: &Session<H>) {
        self.tree = tree(session, self.specialised.clone().finished(&self.copies));
    }
}

/// Files that would be created, but are there already and not on record: somebody else's.
fn foreign<H: Host + Clone>(session: &Session<H>, record: &Record) -> Vec<Issue> {
    let created = record.files.iter().filter(|f| f.created);
    let led_home = |path: &str| path == moves::FILE && session.overlay.get(Path::new(path)) == Some(&None);
    let recorded =
        |path: &str| session.record.iter().flat_map(|r| &r.files).any(|f| f.created && f.path == path);
    let ours = |path: &str| recorded(path) || led_home(path);
    created
        .filter(|f| !ours(&f.path) && session.host.kind(&record::unslashed(&f.path)).is_some())
        .map(|f| {
            let why =
                "tf-phi would write a file of this name, and the one that is there is not on its record.";
            Issue::error(Code::Edited, "a file is in the way", why).in_path(f.path.clone()).fix(
                "Rename or remove it. If tf-phi wrote it, bring `.phi/provenance.json` back as well.",
                "",
            )
        })
        .collect()
}

/// Returns the values that this run gives to variables. Warnings that Terraform gives itself are left out.
pub(super) fn run_values<H: Host + Clone>(session: &mut Session<H>, vars: &[VarArg]) -> VarValues {
    let known = std::mem::take(&mut session.issues);
    let values = session.values(vars);
    session.issues.retain(Issue::is_error);
    let found = std::mem::replace(&mut session.issues, known);
    session.extend(found);
    values
}

/// The active copies of each split unit, where that is known before a plan; and why not of the first other.
fn active_copies<H: Host + Clone>(
    session: &Session<H>,
    specialised: &Specialised,
    run: &Run,
) -> (Known, Copies, Option<Issue>) {
    let splits = &specialised.splits;
    if splits.is_empty() {
        return (Vec::new(), Vec::new(), None);
    }
    let chain = session.chain();
    let state = (session.held.as_slice(), chain.as_deref());
    let absent = AbsentInstances::new(splits, &specialised.record.units, &specialised.renames, state);
    let found = run.ask(session, |prover| active(&session.config, splits, prover, &absent));
    let first = found.iter().find_map(|f| f.run.as_ref().err());
    let issue = first.map(|undecided| undecided_issue(session, undecided, &run.values));
    let whole = |f: &Instances| {
        let run = f.run.as_ref().ok()?;
        Some(run.iter().chain(&f.others).cloned().collect())
    };
    let known = found.iter().map(whole).collect();
    (known, found.into_iter().map(|f| f.others).collect(), issue)
}

fn undecided_issue<H: Host + Clone>(
    session: &Session<H>,
    undecided: &Undecided,
    values: &VarValues,
) -> Issue {
    let unit = undecided.unit.as_str();
    let summary = format!("which copy of {unit} is active isn't known");
    let module = unit.parse::<FieldAddr>().map(|unit| unit.module).unwrap_or_default();
    let touched = session.touched();
    let (subject, expr) = match &undecided.open {
        Open::Gate(gate) => {
            let shown = gate.split_whitespace().collect::<Vec<_>>().join(" ");
            let is_secret = touched.is_told(&module, &shown) || touched.is_quoted_in(&shown);
            let subject = match is_secret {
                true => "The gate, in which a secret has a part,".to_owned(),
                false => format!("The gate `{shown}`"),
            };
            (subject, parse_expr(gate).ok())
        }
        Open::Repetition => ("Its `count` or `for_each`, or that of a module around it,".to_owned(), None),
    };
    let missing: Vec<String> =
        variables::unset(&session.config, values).iter().map(|v| v.name.to_string()).collect();
    if missing.is_empty() {
        let why = format!("{subject} has no value before a plan.");
        return Issue::error(Code::Unsupported, summary, why).about(unit);
    }
    // The gate may depend on a variable by way of others; Terraform would ask for each of them anyway.
    let own: BTreeSet<Arc<str>> = expr.iter().flat_map(traversal::input_variables).collect();
    let named: Vec<String> = missing.iter().filter(|n| own.contains(n.as_str())).cloned().collect();
    let names = if named.is_empty() { missing } else { named };
    let why = format!("{subject} depends on var.{}, and this run gives it no value.", names.join(", var."));
    let issue = Issue::error(Code::MissingValue, summary, why).about(unit);
    names.iter().fold(issue, |issue, n| {
        issue.fix("Give it one, here or in a variable file:", format!("-var '{n}=…'"))
    })
}

/// Objects that are led to an address beside their own to be destroyed there: that where each ends, and the one beside it.
type Apart = BTreeSet<(String, String)>;

/// The original sources, and over them what is specialised, with what the user typed into it.
pub fn tree<H: Host + Clone>(session: &Session<H>, specialised: Specialised) -> Tree {
    let apart = specialised.apart;
    assembled(session, (specialised.files, &apart), specialised.record)
}

/// The same of these texts, with this record of them.
pub fn assembled<H: Host + Clone>(
    session: &Session<H>,
    (files, apart): (BTreeMap<PathBuf, String>, &Apart),
    record: Record,
) -> Tree {
    let mut tree: Tree = session.overlay.clone();
    let nothing = record.specializations.is_empty() && record.units.is_empty() && record.files.is_empty();
    remember_with(session, (&record, apart), &mut tree);
    tree.extend(files.into_iter().map(|(path, text)| (path, Some(text))));
    kept::keep(session, &mut tree, record);
    if nothing {
        tree.insert(PathBuf::from(record::FILE), None);
    }
    tree
}

/// Adds the history with a record's units and services to a tree. A file that holds the same in another order stays as it is.
pub fn remember<H: Host + Clone>(session: &Session<H>, record: &Record, tree: &mut Tree) {
    remember_with(session, (record, &Apart::new()), tree);
}

/// The same, with what is led beside its own address.
fn remember_with<H: Host + Clone>(session: &Session<H>, (record, apart): (&Record, &Apart), tree: &mut Tree) {
    let mut all = session.history.clone();
    // Nobody may have run tf-phi where this tree was applied, and what its record tells goes with it.
    let forms = session.record.iter().flat_map(|older| older.within.difference(&record.within));
    all.note_within(forms.cloned());
    let objects = apart.iter().filter_map(|(end, beside)| end.parse().ok().zip(beside.parse().ok()));
    objects.for_each(|(end, beside)| all.note_object(&beside, &end));
    all.add_units(&record.units);
    all.add_services(&record.services);
    if let Some(rewrite) = session.rewrite.as_ref().filter(|_| !record.services.is_empty()) {
        rewrite.once.iter().for_each(|name| all.add_operator(name, &rewrite.factor));
        let services = rewrite.replaced.iter().map(|r| ("service", &*r.service));
        let used: BTreeSet<(&str, &str)> = services.chain([("form_factor", &*rewrite.factor)]).collect();
        for (kind, label) in used {
            let text = session.phi_block(kind, label);
            let named = |text| PhiBlock { block: history::name_block(kind, label), text };
            // Where all that is written stays, the block that is noted makes it still.
            let stays = session.record.as_ref().is_some_and(|older| older.is_alike(record));
            let known = session.history.find_block(kind, label).filter(|_| stays);
            text.filter(|_| known.is_none()).map(named).into_iter().for_each(|block| all.note_block(block));
        }
    }
    if all.is_empty() {
        return;
    }
    let read = |path: &str| String::from_utf8(session.host.read(Path::new(path)).ok()?).ok();
    let known = read(history::FILE).filter(|text| !text.contains("<<<<<<<"));
    if known.and_then(|text| History::parse(&text).ok()).is_none_or(|known| known != all) {
        tree.insert(PathBuf::from(history::FILE), Some(all.to_text()));
    }
    let (path, text) = history::ATTRIBUTES;
    if read(path).is_none_or(|now| history::FORMER_ATTRIBUTES.contains(&&*now)) {
        tree.insert(PathBuf::from(path), Some(text.to_owned()));
    }
    if read(history::FORMER).is_some() {
        tree.insert(PathBuf::from(history::FORMER), None);
    }
}
