//! The way home: `moved` blocks that bring every object from the names of copies back to the original's addresses.
//!
//! In: the history, the original configuration, the values of its environments. Out: a chain for each instance of each unit, through
//! every address that a copy of it ever had. Copies of one object exclude each other in a state, so that one chain is right in every
//! state at once, whichever copy it holds (measured on Terraform 1.11). Invariant: no state is asked, so that the blocks are the same
//! for every workspace. Absent on purpose: keys that only a state can tell; the units that have such are named.

use super::chosen::attach_chosen;
use super::decide::Run;
use super::home_made::carry_home;
use super::home_sources::{Probe, find_one_sources, find_probes};
use super::home_unit::{Unit, UnitInstance};
use super::place::chain_start;
use super::recounted::find_recounted;
use super::released;
use super::session::Session;
use crate::addr::{self, Held, Key, ModuleInstance, ModulePath, ObjectAddr, ResourceAddr, Target};
use crate::config::{Config, View, variables};
use crate::host::Host;
use crate::moves::{self, Declared, Endpoint, Statement};
use crate::simulate::{self, Census};
use crate::specialise::moves::{Chain, OneSource, Released, prepend_chain};
use crate::specialise::record::history::{History, Keys};
use crate::specialise::{Rename, beginning, former_units, renames};
use crate::trace::{Assumptions, Standing, Tracer, Universes};
use std::collections::{BTreeMap, BTreeSet};

/// The blocks that lead home, and what they leave out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WayHome {
    /// Chains that end in addresses of the original.
    pub chains: Vec<Chain>,
    /// Units with keys that a state alone tells, each with the keys that are known.
    pub open: Vec<(String, Vec<String>)>,
    /// Units whose way home is right beside some sources that an expression chooses, and wrong beside others.
    pub one_source: Vec<OneSource>,
    /// What Terraform is to forget, and not to destroy, since this form of the configuration doesn't declare it.
    pub released: Vec<Released>,
    /// The reasons why Terraform would refuse the blocks beside the user's own.
    pub refusals: Vec<moves::Refusal>,
}

/// Finds the way home to the original, whatever form factor is on.
pub fn find_way_home_to_original<H: Host + Clone>(session: &mut Session<H>) -> WayHome {
    let Some(origin) = session.origin.take() else { return find_way_home(session) };
    let rewritten = std::mem::replace(&mut session.config, origin);
    let rewrite = session.rewrite.take();
    let way = find_way_home(session);
    session.origin = Some(std::mem::replace(&mut session.config, rewritten));
    session.rewrite = rewrite;
    way
}

/// Finds the way home of everything that the history knows, to the configuration as the form factor that is on has it.
pub fn find_way_home<H: Host + Clone>(session: &mut Session<H>) -> WayHome {
    let runs = runs_of_environments(session);
    let universes = session.universes();
    let session = &*session;
    let wide = attach_every_source(session);
    let choices: Vec<Config> = wide
        .iter()
        .flat_map(|w| (0..w.number_of_choices()).map(|choice| w.write_out_sources(choice)))
        .collect();
    let units = former_units(&session.config, &session.history);
    let mut finder = Finder::new(session, &universes);
    let mut way = WayHome::default();
    let mut by_end: Vec<(String, Vec<String>)> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut probes = Vec::new();
    let within = read_known_instances(session, &runs);
    for record in &units {
        let Some(unit) = Unit::new(&session.config, record) else { continue };
        let beside = wide.as_ref().and_then(|wide| Unit::new(wide, record));
        let instances = finder.instances(&unit, &runs);
        if finder.is_open(&unit) {
            let keys = instances.iter().map(|one| unit.address_of(one)).collect();
            way.open.push((unit.record.original.clone(), keys));
        }
        for one in &instances {
            let copies = unit.copies_of(one, finder.history);
            if copies.is_empty() {
                continue;
            }
            let end = finder.chain_end(&unit, one);
            probes.extend(beside.iter().flat_map(|unit| find_probes(unit, one, &copies, &within)));
            let place = *places.entry(end.clone()).or_insert(by_end.len());
            match by_end.get_mut(place) {
                Some((_, all)) => all.extend(copies),
                None => by_end.push((end, copies)),
            }
        }
    }
    way.chains =
        by_end.into_iter().map(|(end, copies)| Chain::new(copies.into_iter().chain([end]))).collect();
    let is_taken = |chain: &Chain| finder.refusals(std::slice::from_ref(chain)).is_empty();
    let led = carry_home(session, &mut way.chains, &runs, &finder.statements, &is_taken);
    way.refusals = finder.refusals(&way.chains);
    let recounted = finder.find_recounted(&within, &choices);
    recounted.into_iter().filter(is_taken).for_each(|chain| prepend_chain(&mut way.chains, chain));
    way.one_source = finder.find_one_sources(&choices, &way.chains, &probes);
    way.released = released::find_released(session, &led);
    // What is given up needs no keys.
    way.open.retain(|(unit, _)| way.released.iter().all(|released| released.address != *unit));
    way
}

/// The runs that the environments stand for; what is wrong with their values is said elsewhere.
fn runs_of_environments<H: Host + Clone>(session: &mut Session<H>) -> Vec<Run> {
    let mut runs = Vec::new();
    for env in session.named.clone() {
        let view = View { host: &session.host, overlay: &session.overlay };
        let (values, _) = variables::of_environment(view, &mut session.config, &env);
        let workspace = env.workspace.as_deref().unwrap_or("default");
        runs.extend(Run::of(session, values, workspace, &BTreeSet::new()));
    }
    runs
}

/// Reads the instances that may stand within copies, by the original's addresses: those that the history or the record tells, in each instance
/// that a run has of their module.
fn read_known_instances<H: Host + Clone>(session: &Session<H>, runs: &[Run]) -> Vec<ObjectAddr> {
    let recorded = session.record.iter().flat_map(|record| &record.within).map(String::as_str);
    let read = |address: &str| match addr::read(address).ok()? {
        (module, Some((resource, key))) => Some(ObjectAddr { module, resource, key }),
        _ => None,
    };
    let mut known: BTreeSet<ObjectAddr> = session.history.within().chain(recorded).filter_map(read).collect();
    let mut by_module: BTreeMap<ModulePath, BTreeSet<(ResourceAddr, Option<Key>)>> = BTreeMap::new();
    for object in &known {
        let form = (object.resource.clone(), object.key.clone());
        by_module.entry(object.module.path()).or_default().insert(form);
    }
    for run in runs {
        run.ask(session, |prover| {
            for path in session.config.paths.keys() {
                let Some(forms) = by_module.get(&path.plain()) else { continue };
                for Standing { module, .. } in prover.tracer().possible_standings(path) {
                    known.extend(forms.iter().cloned().map(|(resource, key)| ObjectAddr {
                        module: module.clone(),
                        resource,
                        key,
                    }));
                }
            }
        });
    }
    known.into_iter().collect()
}

/// What the instances are asked of.
struct Finder<'a, H> {
    session: &'a Session<H>,
    history: &'a History,
    statements: Vec<Statement>,
    renames: Vec<Rename>,
    declared: Census<'a>,
    universes: &'a Universes,
}

impl<'a, H: Host + Clone> Finder<'a, H> {
    fn new(session: &'a Session<H>, universes: &'a Universes) -> Finder<'a, H> {
        let tracer = open_tracer(session, universes);
        Finder {
            session,
            history: &session.history,
            statements: simulate::statements(&session.config),
            renames: renames(&session.config),
            declared: Census::new(&session.config, tracer),
            universes,
        }
    }

    /// The instances that a state may hold under copies' names: those that some state was seen to hold, those that environments
    /// have, and the one without keys.
    fn instances(&mut self, unit: &Unit<'_>, runs: &[Run]) -> BTreeSet<UnitInstance> {
        let applied = self.history.applied().filter(|a| a.entry.original == unit.record.original);
        let mut found: BTreeSet<UnitInstance> =
            applied.filter_map(|a| read_instance(&a.applied, &unit.target)).collect();
        let forms: BTreeSet<Keys> = unit.record.forms().map(|(_, keys)| keys).collect();
        for run in runs {
            run.ask(self.session, |prover| {
                for scope in &unit.scopes {
                    if forms.contains(&Keys::Gate) {
                        found.extend(prover.possible(scope, None));
                    }
                    if unit.is_declared(scope, &unit.target) {
                        found.extend(prover.possible(scope, Some(&unit.target)));
                    }
                }
            });
        }
        if !unit.is_within_repeated() {
            let keyless = |m: ModuleInstance, name: &crate::addr::CallName| m.child(name.name.clone(), None);
            found.insert((unit.scope.0.iter().fold(ModuleInstance::default(), keyless), None));
        }
        found
    }

    /// Returns true if a unit has keys that neither the configuration nor the history tells for sure.
    fn is_open(&self, unit: &Unit<'_>) -> bool {
        let repeated = unit.record.forms().any(|(_, keys)| keys == Keys::Own);
        if !repeated && !unit.is_within_repeated() {
            return false;
        }
        let mut tracer = open_tracer(self.session, self.universes);
        let mut is_known = |scope: &ModulePath| {
            let Ok(around) = tracer.module_standings(scope) else { return false };
            !repeated
                || unit.is_declared(scope, &unit.target) && tracer.standings(&around, &unit.target).is_ok()
        };
        let known = !unit.scopes.is_empty() && unit.scopes.iter().all(&mut is_known);
        !known
    }

    /// The address at which the chain of an instance ends: its own, or the one from which the user's own moves lead on.
    fn chain_end(&self, unit: &Unit<'_>, one: &UnitInstance) -> String {
        let original = unit.address_of(one);
        let Target::Resource(resource) = &unit.target else {
            let above = self.renames.iter().filter(|rename| rename.module.plain().contains(&unit.scope));
            return beginning(&above.collect::<Vec<_>>(), &original);
        };
        let object = ObjectAddr { module: one.0.clone(), resource: resource.clone(), key: one.1.clone() };
        let ends =
            moves::run(&Held::objects([object.clone()]), &self.statements, &self.declared).outcome.ends;
        let end = ends.get(&object).unwrap_or(&object);
        chain_start(&self.statements, &[], &object, end).to_string()
    }

    /// The chains for instances within copies whose form is another one by now, beside every source that expressions choose.
    fn find_recounted(&self, within: &[ObjectAddr], choices: &[Config]) -> BTreeSet<Chain> {
        let beside =
            |config| find_recounted(within, &simulate::statements(config), &self.count_instances(config));
        match choices.split_first() {
            None => find_recounted(within, &self.statements, &self.declared),
            Some((first, others)) => others
                .iter()
                .fold(beside(first), |found, config| found.intersection(&beside(config)).cloned().collect()),
        }
    }

    /// The units for which these chains aren't right beside every source that expressions choose.
    fn find_one_sources(&self, choices: &[Config], chains: &[Chain], probes: &[Probe]) -> Vec<OneSource> {
        if probes.is_empty() {
            return Vec::new();
        }
        find_one_sources(choices, probes, &statements_of(chains), &|config| self.count_instances(config))
    }

    /// Counts what a configuration declares.
    fn count_instances<'c>(&'c self, config: &'c Config) -> Census<'c> {
        let (limits, outside) = (self.session.limits(), self.session.outside());
        Census::new(config, Tracer::new(config, limits, self.universes, Assumptions::default(), outside))
    }

    /// What Terraform would refuse of these chains beside the user's moves, and not of those alone.
    fn refusals(&self, chains: &[Chain]) -> Vec<moves::Refusal> {
        let all: Vec<Statement> = self.statements.iter().cloned().chain(statements_of(chains)).collect();
        let declared: &dyn Declared = &self.declared;
        let before = moves::refusals(&self.statements, declared);
        moves::refusals(&all, declared).into_iter().filter(|refusal| !before.contains(refusal)).collect()
    }
}

/// The configuration with every source that an expression can choose, whatever values are given to variables; nothing where no source is
/// chosen.
fn attach_every_source<H: Host + Clone>(session: &Session<H>) -> Option<Config> {
    if session.config.chosen.is_empty() {
        return None;
    }
    let mut wide = session.config.without_chosen();
    let view = View { host: &session.host, overlay: &session.loaded };
    attach_chosen(view, &mut wide, session.limits(), &|_| Universes::default(), session.outside());
    // Of some expressions only the values say what they choose.
    let is_wider = wide.number_of_choices() >= session.config.number_of_choices();
    Some(if is_wider { wide } else { session.config.clone() })
}

/// The moves that chains say.
fn statements_of(chains: &[Chain]) -> Vec<Statement> {
    let pairs = chains.iter().flat_map(|c| c.addresses.iter().zip(c.addresses.iter().skip(1)));
    let one = |(from, to): (&String, &String)| {
        let ends = from.parse::<Endpoint>().ok().zip(to.parse::<Endpoint>().ok());
        ends.and_then(|(from, to)| Statement::new(ModulePath::ROOT, from, to))
    };
    pairs.filter_map(one).collect()
}

fn open_tracer<'a, H: Host + Clone>(session: &'a Session<H>, universes: &'a Universes) -> Tracer<'a> {
    Tracer::new(&session.config, session.limits(), universes, Assumptions::default(), session.outside())
}

/// Reads the address of an instance of a unit.
fn read_instance(text: &str, target: &Target) -> Option<UnitInstance> {
    match (addr::read(text).ok()?, target) {
        ((module, Some((_, key))), Target::Resource(_)) => Some((module, key)),
        ((mut module, None), Target::Call(_)) => {
            let (_, key) = module.0.pop()?;
            Some((module, key))
        }
        _ => None,
    }
}
