//! What state holds is led to where it belongs, and nothing is written before that is certain.
//!
//! In: a decision. State is asked, each object's address in the original found, the moves written by units where that does, and
//! object by object where it doesn't. Then the outcome is simulated ([`crate::simulate`]). Invariant: an object that the original
//! would keep arrives at exactly one instance, or the run stops and names it. Absent: how moves are written.

use super::decide::{Decided, Tree, decide};
use super::session::Session;
use super::state::State;
use super::whose;
use super::{Start, Stop, first, hints, home, lost, plan};
use crate::addr::ObjectAddr;
use crate::config::{Config, Overlay, load_with};
use crate::issue::Issue;
use crate::moves::Statement;
use crate::simulate::{self, Census, Contents, Fault, Object, Side};
use crate::specialise::{Led, moves};
use crate::terraform::Terraform;
use crate::terraform::args::RunArgs;
use crate::trace::Driven;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Leads what state holds. Gives the addresses in state.
///
/// # Errors
/// What can't be led; two possible readings; a state that can't be read; where a first plan is needed and fails.
pub(super) fn place(
    start: &Start,
    session: &mut Session,
    decided: &mut Decided,
    driven: &[Driven],
    read: &RunArgs,
    terraform: &Terraform,
) -> Result<Placed, Box<Stop>> {
    let led = super::held::led_along(session, driven, &decided.specialised.splits);
    let state = State::of(session, decided, driven, read, terraform, &led);
    let held = state.held()?;
    let whose = home::on(session, decided, |side| whose::objects(&state, side, &held));
    let mut whose = match whose {
        Ok(whose) => whose,
        Err(issues) => return Err(stopped(session, issues)),
    };
    let listed: Vec<String> = held.objects.iter().map(ToString::to_string).collect();
    session.held.clone_from(&listed);
    let concluded = std::mem::take(&mut whose.concluded);
    if concluded.is_empty() {
        if !listed.is_empty() {
            decided.settle(session);
        }
    } else {
        for entry in concluded {
            start.console.note(&format!(
                "state holds {}, which by its name and values is a copy of {}.",
                entry.address, entry.original
            ));
            session.history.add(entry);
        }
        *decided = decide(session, driven, &plan::vars(read)).map_err(|issues| stopped(session, issues))?;
    }
    let contents = whose.contents(&session.history);
    if decided.undecided.is_some() {
        start.console.note("data decides which copy is active, so there is a first plan.");
    }
    let planned = first::settle(session, decided, read, terraform)?;
    let written = simulate::statements(&session.config);
    let forgotten = simulate::forgotten(&session.config);
    let run = Simulation { session: &*session, written: &written, forgotten: &forgotten, planned };
    let faults = run.mended(decided, &contents);
    if !faults.is_empty() && !read.destroy {
        let issues = faults.iter().map(|fault| lost::issue(&session.config, fault)).collect();
        return Err(stopped(session, issues));
    }
    let (ends, kept) = run.original(decided, &contents);
    Ok(Placed { listed, contents, ends, kept })
}

/// Stops where nothing is specialised, and was as far as anything tells, and state holds what may be a copy all the same.
///
/// # Errors
/// Objects of which two readings are possible. What can't be asked, Terraform says.
pub(super) fn stray(start: &Start, session: &mut Session, read: &RunArgs) -> Result<(), Box<Stop>> {
    let Ok(terraform) = plan::find(start, session) else { return Ok(()) };
    let tree = Tree::new();
    let state = State {
        session,
        tree: &tree,
        splits: &[],
        driven: &[],
        led: &[],
        read,
        terraform: &terraform,
        text: OnceCell::new(),
    };
    let Ok(held) = state.held() else { return Ok(()) };
    if !hints::any(&session.config, &held) {
        return Ok(());
    }
    let known = session.issues.clone();
    let Ok(decided) = decide(session, &[], &plan::vars(read)) else {
        session.issues = known;
        return Ok(());
    };
    let state = State::of(session, &decided, &[], read, &terraform, &[]);
    let found = home::on(session, &decided, |side| whose::objects(&state, side, &held));
    found.map(drop).map_err(|issues| stopped(session, issues))
}

/// What state holds.
pub(super) struct Placed {
    /// Every address, as Terraform lists them.
    pub listed: Vec<String>,
    /// The managed objects, and what can be in their way.
    pub contents: Contents,
    /// Where the original has each of them once its own moves are done, by their addresses in state.
    pub ends: BTreeMap<ObjectAddr, ObjectAddr>,
    /// Those that the original keeps, by their addresses in state.
    pub kept: BTreeSet<ObjectAddr>,
}

fn stopped(session: &mut Session, issues: Vec<Issue>) -> Box<Stop> {
    session.extend(issues);
    Box::new(Stop { issues: session.issues.clone(), sources: session.config.sources.clone() })
}

/// What one run is simulated with.
struct Simulation<'a> {
    session: &'a Session,
    /// The user's own statements.
    written: &'a [Statement],
    /// What the user's `removed` blocks give up.
    forgotten: &'a [String],
    /// The instances that a first plan shows, where there was one.
    planned: Option<BTreeSet<ObjectAddr>>,
}

impl Simulation<'_> {
    /// The faults that are left once objects that units' moves don't bring home are led by themselves.
    fn mended(&self, decided: &mut Decided, contents: &Contents) -> Vec<Fault> {
        let objects = contents.objects.as_slice();
        let (faults, ends) = self.faults(decided, contents);
        if faults.is_empty() {
            return faults;
        }
        let standing = simulate::statements(&specialised(self.session, decided, false));
        let led = |(o, end): (&Object, &ObjectAddr)| Led {
            from: o.held.to_string(),
            to: end.to_string(),
            begins: home::begins(&standing, &o.original, end).to_string(),
        };
        let led: Vec<Led> = objects.iter().zip(&ends).map(led).collect();
        let concerned: BTreeSet<&ObjectAddr> =
            faults.iter().flat_map(Fault::objects).map(|o| &o.held).collect();
        // Refused moves are about no object: then all that have to move are led by themselves.
        let is = |o: &Object| concerned.is_empty() || concerned.contains(&o.held);
        let moves = |o: &Object, end: &ObjectAddr| o.held != *end || concerned.contains(&o.held);
        let first = objects.iter().zip(&ends).enumerate();
        let first = first.filter(|(_, (o, end))| is(o) && moves(o, end)).map(|(i, _)| i).collect();
        let copies = decided.copies.clone();
        decided.specialised.lead(&led, first, &copies);
        decided.finish(self.session);
        self.faults(decided, contents).0
    }

    /// Where the original has each object, and those that it keeps; by their addresses in state.
    fn original(
        &self,
        decided: &Decided,
        contents: &Contents,
    ) -> (BTreeMap<ObjectAddr, ObjectAddr>, BTreeSet<ObjectAddr>) {
        home::on(self.session, decided, |side| {
            let moved = simulate::ends(side, contents);
            let end = |o: &Object| moved.get(&o.original).unwrap_or(&o.original).clone();
            let ends: BTreeMap<_, _> = contents.objects.iter().map(|o| (o.held.clone(), end(o))).collect();
            let stays = ends.iter().filter(|(_, end)| (side.has)(end) == Some(true));
            let kept = stays.map(|(held, _)| held.clone()).collect();
            (ends, kept)
        })
    }

    /// What the tree as it is decided would do wrong, and where the original has each object.
    fn faults(&self, decided: &Decided, contents: &Contents) -> (Vec<Fault>, Vec<ObjectAddr>) {
        let session = self.session;
        let config = specialised(session, decided, true);
        let own = Census::new(&session.config, decided.run.tracer(session, &session.config));
        let census = Census::new(&config, decided.run.tracer(session, &config));
        let mut history = session.history.clone();
        history.add_units(&decided.specialised.record.units);
        let known = |a: &ObjectAddr| self.planned.as_ref().map(|all| all.contains(a));
        let stands: Option<BTreeSet<ObjectAddr>> =
            self.planned.as_ref().map(|all| all.iter().flat_map(|a| history.readings(a)).collect());
        let has = |a: &ObjectAddr| own.has(a).or_else(|| stands.as_ref().map(|all| all.contains(a)));
        let has_now = |a: &ObjectAddr| census.has(a).or_else(|| known(a));
        let statements = simulate::statements(&config);
        let forgotten = simulate::forgotten(&config);
        let original =
            Side { statements: self.written, declared: &own, has: &has, forgotten: self.forgotten };
        let specialised =
            Side { statements: &statements, declared: &census, has: &has_now, forgotten: &forgotten };
        let faults = simulate::faults(&original, &specialised, contents, &history);
        let ends = simulate::ends(&original, contents);
        let end = |o: &Object| ends.get(&o.original).unwrap_or(&o.original).clone();
        (faults, contents.objects.iter().map(end).collect())
    }
}

/// The configuration that is to be written, with or without the moves of this run.
fn specialised(session: &Session, decided: &Decided, moved: bool) -> Config {
    let mut overlay: Overlay = session.overlay.clone();
    overlay.extend(decided.tree.clone());
    if !moved {
        overlay.insert(PathBuf::from(moves::FILE), None);
    }
    load_with(&session.host, &overlay, Path::new("")).0
}
