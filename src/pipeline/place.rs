//! Places the objects in state, before anything is written.
//!
//! In: a decision, and what state holds. Out: moves that lead object by object what moves by units don't bring home, and the faults
//! that are left. It may be repeated with another state: nothing is traced again. Absent on purpose: asking for the state.

use super::carry;
use super::decide::Decided;
use super::session::Session;
use crate::addr::{Held, ModuleInstance, ModulePath, ObjectAddr, ResourceAddr};
use crate::config::{Config, Overlay, load_with};
use crate::graph::{Behind, Resources};
use crate::host::Host;
use crate::moves::{self as steps, Endpoint, Statement};
use crate::simulate::{self, Census, Contents, Fault, Object, Planned, Side};
use crate::specialise::moves::originals;
use crate::specialise::record::history::History;
use crate::specialise::{Led, SplitUnit, moves};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What is known of a run before it is planned.
#[derive(Clone, Copy, Default)]
pub struct RunScope<'a> {
    /// The instances that a first plan shows, where there was one.
    pub planned: Option<&'a BTreeSet<ObjectAddr>>,
    /// The addresses of the original that narrow it down; none where nothing does.
    pub targets: &'a [String],
}

impl RunScope<'_> {
    /// The resources of the original that are planned; `None` for all.
    fn planned_resources(&self, original: &Config, census: &Census<'_>) -> Option<Resources> {
        if self.targets.is_empty() {
            return None;
        }
        let is_taken = |path: &ModulePath| census.is_taken(path);
        let behind = Behind::new(original, &is_taken);
        let ends: Option<Vec<Endpoint>> = self.targets.iter().map(|target| target.parse().ok()).collect();
        let planned =
            |end: Endpoint| behind.targeted(&end.module.path(), end.resource.as_ref().map(|(a, _)| a));
        Some(ends?.into_iter().flat_map(planned).collect())
    }
}

/// The faults that are left once objects that units' moves don't bring home are led by themselves.
pub fn mended<H: Host + Clone>(
    session: &Session<H>,
    scope: RunScope<'_>,
    decided: &mut Decided,
    contents: &Contents,
) -> Vec<Fault> {
    let objects = contents.objects.as_slice();
    let (mut found, mut ends) = faults(session, scope, decided, contents);
    if found.iter().any(|fault| matches!(fault, Fault::NotDestroyed { .. })) {
        decided.specialised.apart.extend(found.iter().filter_map(|fault| set_apart(session, fault)));
        decided.finish(session);
        (found, ends) = faults(session, scope, decided, contents);
    }
    // What Terraform refuses in the original no move of ours makes right.
    if found.is_empty() || found.iter().any(|fault| matches!(fault, Fault::Invalid(_))) {
        return found;
    }
    let standing = simulate::statements(&specialised(session, decided, false));
    let husks = contents.held().husks;
    let brought: BTreeMap<&ObjectAddr, &ObjectAddr> = found.iter().filter_map(brought_to).collect();
    let concerned: BTreeSet<&ObjectAddr> = found.iter().flat_map(Fault::objects).map(|o| &o.held).collect();
    // Refused moves are about no object: then all that have to move are led by themselves.
    let is = |o: &Object| concerned.is_empty() || concerned.contains(&o.held);
    let moves = |o: &Object, end: &ObjectAddr| o.held != *end || concerned.contains(&o.held);
    let first = objects.iter().zip(&ends).enumerate();
    let first: BTreeSet<usize> =
        first.filter(|(_, (o, end))| is(o) && moves(o, end)).map(|(i, _)| i).collect();
    let copies = decided.copies.clone();
    let before = decided.specialised.led.clone();
    let attempt = |decided: &mut Decided, from: &dyn Fn(&Object) -> ObjectAddr| {
        let led = objects
            .iter()
            .zip(&ends)
            .map(|(o, end)| lead_object(decided, (&standing, &husks), (o, from(o)), end));
        let led: Vec<Led> = led.collect();
        decided.specialised.led.clone_from(&before);
        decided.specialised.lead(&led, first.clone(), &copies);
        // At a name that stands in the model alone nothing is declared: what ends there is given up where it is.
        decided.specialised.led.retain(|led| carry::is_written(&led.to));
        decided.finish(session);
        faults(session, scope, decided, contents).0
    };
    // From where it is. Where the user's moves take it along, with its module for one, Terraform takes that for a cycle; then from where the
    // moves by units bring it.
    let held = |o: &Object| o.held.clone();
    let left = attempt(decided, &held);
    if left.is_empty()
        || attempt(decided, &|o| brought.get(&o.held).map_or_else(|| held(o), |end| (*end).clone()))
            .is_empty()
    {
        return Vec::new();
    }
    attempt(decided, &held)
}

/// Where the moves by units bring the object of a fault that may be led on.
fn brought_to(fault: &Fault) -> Option<(&ObjectAddr, &ObjectAddr)> {
    match fault {
        Fault::Lost { object, end, .. } | Fault::Astray { object, end, .. } => Some((&object.held, end)),
        _ => None,
    }
}

/// Where an object ends that is to be destroyed, and an address beside that which no `removed` block names, and no state holds: an
/// apply that failed may have left something at the last one.
fn set_apart<H>(session: &Session<H>, fault: &Fault) -> Option<(String, String)> {
    let Fault::NotDestroyed { end, .. } = fault else { return None };
    let mut beside = end.clone();
    let name = format!("{}_given_up", end.resource.name);
    let config = session.origin.as_ref().unwrap_or(&session.config);
    let is_free = |name: &String| {
        let resource = ResourceAddr { name: name.as_str().into(), ..end.resource.clone() };
        let declared = config.at(&end.module.path()).is_some_and(|m| m.resources.contains_key(&resource));
        !declared && !session.history.is_known(&end.module.path().address_of(&resource))
    };
    let mut names = std::iter::once(name.clone()).chain((2..).map(|n| format!("{name}_{n}")));
    beside.resource.name = names.find(is_free).unwrap_or(name).into();
    Some((end.to_string(), beside.to_string()))
}

/// Leads an object by itself to where the original has it, by the user's own moves where these lead there; else from an address to which
/// it comes. `husks` are resources without instances in state: no move of a whole resource or module leads to one.
fn lead_object(
    decided: &Decided,
    (standing, husks): (&[Statement], &[(ModuleInstance, ResourceAddr)]),
    (object, from): (&Object, ObjectAddr),
    end: &ObjectAddr,
) -> Led {
    // Where calls on the way are split, the user's moves stand in the modules of their copies.
    let active = originals::expanded(&decided.specialised.splits, &end.to_string(), Some(&decided.copies));
    let copy = active.and_then(|all| all.into_iter().next()?.parse::<ObjectAddr>().ok());
    let place = |address: &ObjectAddr| match &copy {
        Some(copy) if address.module == end.module => {
            ObjectAddr { module: copy.module.clone(), ..address.clone() }
        }
        _ => address.clone(),
    };
    let arrives = place(end);
    let beginning = chain_start(standing, husks, &place(&object.original), &arrives);
    if beginning != arrives {
        let (from, to) = (object.held.to_string(), end.to_string());
        return Led { from, to, begins: beginning.to_string(), arrives: arrives.to_string() };
    }
    let to = end.to_string();
    Led { from: from.to_string(), begins: to.clone(), arrives: to.clone(), to }
}

/// Returns the address of each object in the original, and the objects that it keeps, by their addresses in the
/// state.
pub fn ends<H: Host + Clone>(
    session: &Session<H>,
    decided: &Decided,
    contents: &Contents,
) -> (BTreeMap<ObjectAddr, ObjectAddr>, BTreeSet<ObjectAddr>) {
    original(session, decided, |side| {
        let moved = simulate::ends(side, contents);
        let end = |o: &Object| moved.get(&o.original).unwrap_or(&o.original).clone();
        let ends: BTreeMap<_, _> = contents.objects.iter().map(|o| (o.held.clone(), end(o))).collect();
        let stays = ends.iter().filter(|(_, end)| (side.has)(end) == Some(true));
        let kept = stays.map(|(held, _)| held.clone()).collect();
        (ends, kept)
    })
}

/// Returns the faults of the tree as it is decided, with this text in place of the moves that were written for the run.
pub fn find_faults_with<H: Host + Clone>(
    session: &Session<H>,
    decided: &mut Decided,
    contents: &Contents,
    text: String,
) -> Vec<Fault> {
    let path = PathBuf::from(moves::FILE);
    let own = decided.tree.insert(path.clone(), Some(text));
    let found = faults(session, RunScope::default(), decided, contents).0;
    match own {
        Some(own) => drop(decided.tree.insert(path, own)),
        None => drop(decided.tree.remove(&path)),
    }
    found
}

/// Returns the faults of the tree as it is decided, and the address of each object in the original.
fn faults<H: Host + Clone>(
    session: &Session<H>,
    scope: RunScope<'_>,
    decided: &Decided,
    contents: &Contents,
) -> (Vec<Fault>, Vec<ObjectAddr>) {
    let origin = session.origin.as_ref().unwrap_or(&session.config);
    let whole = Census::new(origin, decided.run.tracer(session, origin));
    ask_sides(session, scope, decided, |original, specialised, history| {
        let faults = simulate::faults(original, specialised, contents, history);
        let faults = faults.into_iter().filter_map(|fault| judge_spared(&whole, fault)).collect();
        let ends = simulate::ends(original, contents);
        let end = |o: &Object| ends.get(&o.original).unwrap_or(&o.original).clone();
        (faults, contents.objects.iter().map(end).collect())
    })
}

/// What a `removed` block spares is spared rightly where the original keeps it, whatever services replace.
fn judge_spared(whole: &Census<'_>, fault: Fault) -> Option<Fault> {
    let Fault::NotDestroyed { object, kept, end } = fault else { return Some(fault) };
    if whole.has(&kept) != Some(false) {
        return None;
    }
    match whole.is_protected(&kept) {
        Some(true) => Some(Fault::Unprotected { object, end, wanted: true }),
        Some(false) => Some(Fault::NotDestroyed { object, kept, end }),
        None => None,
    }
}

/// Asks something of the original, under the form factor that is on, and of the tree as it is decided. The history is the one with
/// what this run adds.
pub(super) fn ask_sides<H: Host + Clone, T>(
    session: &Session<H>,
    scope: RunScope<'_>,
    decided: &Decided,
    ask: impl FnOnce(&Side<'_>, &Side<'_>, &History) -> T,
) -> T {
    let config = specialised(session, decided, true);
    let own = Census::new(&session.config, decided.run.tracer(session, &session.config));
    let census = Census::new(&config, decided.run.tracer(session, &config));
    let mut history = session.history.clone();
    history.add_units(&decided.specialised.record.units);
    let planned = scope.planned;
    let resources = scope.planned_resources(&session.config, &own);
    let as_written =
        |module: &ModulePath, resource: Option<&ResourceAddr>| Some((module.clone(), resource.cloned()));
    let splits = &decided.specialised.splits;
    let as_split =
        |module: &ModulePath, resource: Option<&ResourceAddr>| read_original(splits, module, resource);
    let wanted = Planned { declared: &own, resources: resources.as_ref(), read: &as_written };
    let written_now = Planned { declared: &census, resources: resources.as_ref(), read: &as_split };
    let known = |a: &ObjectAddr| planned.map(|all| all.contains(a));
    let stands: Option<BTreeSet<ObjectAddr>> =
        planned.map(|all| all.iter().flat_map(|a| history.readings(a)).collect());
    let has = |a: &ObjectAddr| own.has(a).or_else(|| stands.as_ref().map(|all| all.contains(a)));
    let has_now = |a: &ObjectAddr| census.has(a).or_else(|| known(a));
    let is_protected = |a: &ObjectAddr| own.is_protected(a);
    let is_protected_now = |a: &ObjectAddr| census.is_protected(a);
    let (written, given_up) = (moves_of(session, &own), forgotten_of(session, &own));
    let (statements, forgotten) = (simulate::statements(&config), simulate::forgotten(&config));
    let original = Side {
        statements: &written,
        declared: &own,
        planned: &wanted,
        has: &has,
        forgotten: &given_up,
        is_protected: &is_protected,
    };
    let specialised = Side {
        statements: &statements,
        declared: &census,
        planned: &written_now,
        has: &has_now,
        forgotten: &forgotten,
        is_protected: &is_protected_now,
    };
    ask(&original, &specialised, &history)
}

/// The original's names of a module of the specialised tree, or of a resource in it.
fn read_original(
    splits: &[SplitUnit],
    module: &ModulePath,
    resource: Option<&ResourceAddr>,
) -> Option<(ModulePath, Option<ResourceAddr>)> {
    let own = resource.map_or_else(|| module.to_string(), |resource| module.address_of(resource));
    let end: Endpoint = originals::original(splits, &own).parse().ok()?;
    Some((end.module.path(), end.resource.map(|(resource, _)| resource)))
}

/// The moves of the original: its own, and the same for what services made.
fn moves_of<H: Host + Clone>(session: &Session<H>, census: &Census<'_>) -> Vec<Statement> {
    let mut all = census.statements();
    all.extend(carry::carry_statements(session, &all));
    all
}

/// The addresses that the original gives up without destroying what they name, those of what services made for it included.
fn forgotten_of<H: Host + Clone>(session: &Session<H>, census: &Census<'_>) -> Vec<String> {
    let mut all = census.forgotten();
    all.extend(carry::find_released_calls(session));
    all
}

/// The configuration that is to be written, with or without the moves of this run.
pub(super) fn specialised<H: Host + Clone>(session: &Session<H>, decided: &Decided, moved: bool) -> Config {
    let mut overlay: Overlay = session.overlay.clone();
    overlay.extend(decided.tree.clone());
    if !moved {
        overlay.insert(PathBuf::from(moves::FILE), None);
    }
    load_with(&session.host, &overlay, Path::new("")).0
}

/// Asks something of the original in its own form.
pub fn original<H: Host + Clone, T>(
    session: &Session<H>,
    decided: &Decided,
    ask: impl FnOnce(&Side<'_>) -> T,
) -> T {
    let census = Census::new(&session.config, decided.run.tracer(session, &session.config));
    let (written, forgotten) = (moves_of(session, &census), forgotten_of(session, &census));
    let has = |a: &ObjectAddr| census.has(a);
    let is_protected = |a: &ObjectAddr| census.is_protected(a);
    ask(&Side {
        statements: &written,
        declared: &census,
        planned: &census,
        has: &has,
        forgotten: &forgotten,
        is_protected: &is_protected,
    })
}

/// The address from which the statements lead an object of the original to where the original has it.
///
/// That is its own address, where the statements alone lead on from there: then what they move as a whole stays whole. What
/// Terraform moves by itself, it moves only from where an object is in state. Where a statement leads to the address in turn,
/// nothing else may, so that the way begins where that one does.
pub fn chain_start(
    statements: &[Statement],
    husks: &[(ModuleInstance, ResourceAddr)],
    original: &ObjectAddr,
    end: &ObjectAddr,
) -> ObjectAddr {
    let alone = Held { objects: vec![original.clone()], husks: husks.to_vec() };
    let alone = steps::apply(&alone, statements).ends;
    let mut begins = if alone.get(original) == Some(end) { original } else { end }.clone();
    // No more steps than statements: what goes round Terraform refuses.
    for _ in statements {
        let Some(earlier) = statements.iter().find_map(|s| earlier(s, &begins)) else { break };
        begins = earlier;
    }
    begins
}

/// Returns the address of an object before a statement that moves just this instance, or the resource whose only instance it is.
fn earlier(statement: &Statement, object: &ObjectAddr) -> Option<ObjectAddr> {
    let above = ModuleInstance(object.module.0.get(..statement.scope.depth())?.to_vec());
    if above.path() != statement.scope {
        return None;
    }
    let is_end = statement.to.within(&above).only_object().as_ref() == Some(object);
    statement.from.within(&above).only_object().filter(|_| is_end)
}
