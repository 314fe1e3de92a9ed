//! The way home of what services made, for who leaves with the form factor on: the user's own moves, carried over.
//!
//! In: the moves of the configuration as the form factor has it. Out: chains for the calls that services put in. A state that was last
//! applied before a `moved` block of the user's came holds them under their old addresses. Invariant: what is led is declared no more.
//! Absent: the keys that only a state can tell, as for all ways home.

use super::carry;
use super::decide::Run;
use super::session::Session;
use crate::addr::{ModuleInstance, ModulePath};
use crate::host::Host;
use crate::moves::Statement;
use crate::specialise::moves::{Chain, prepend_chain};
use std::collections::{BTreeMap, BTreeSet};

/// Adds them to chains, and returns the calls that they lead away from as a whole, by their addresses without keys. `is_taken` says if
/// Terraform takes a chain beside the configuration.
pub(super) fn carry_home<H: Host + Clone>(
    session: &Session<H>,
    chains: &mut Vec<Chain>,
    runs: &[Run],
    statements: &[Statement],
    is_taken: &dyn Fn(&Chain) -> bool,
) -> BTreeSet<String> {
    let mut led: BTreeSet<String> = BTreeSet::new();
    let mut next: BTreeMap<String, String> = BTreeMap::new();
    let carried = carry::carry_written(session, statements);
    for statement in &carried {
        for scope in find_instances(session, runs, &statement.scope) {
            let end = |subject: &crate::moves::Subject| subject.within(&scope).to_string();
            next.insert(end(&statement.from), end(&statement.to));
        }
    }
    for from in next.keys().filter(|from| carry::is_written(from)) {
        let mut to = next.get(from);
        // What goes round ends nowhere.
        for _ in 0..next.len() {
            to = to.and_then(|name| if carry::is_written(name) { Some(name) } else { next.get(name) });
        }
        let chain = to.filter(|to| carry::is_written(to)).map(|to| Chain::new([from.clone(), to.clone()]));
        let Some(chain) = chain.filter(is_taken) else { continue };
        led.insert(from.clone());
        prepend_chain(chains, chain);
    }
    let whole = carried.iter().filter(|s| !carry::moves_instance(s));
    let whole = whole.filter(|s| {
        let scopes = find_instances(session, runs, &s.scope);
        scopes.iter().any(|scope| led.contains(&s.from.within(scope).to_string()))
    });
    whole.map(|s| carry::name_unit(&s.scope, &s.from)).collect()
}

/// The instances of a module that environments have.
fn find_instances<H: Host + Clone>(
    session: &Session<H>,
    runs: &[Run],
    scope: &ModulePath,
) -> BTreeSet<ModuleInstance> {
    if scope.0.is_empty() {
        return BTreeSet::from([ModuleInstance::default()]);
    }
    let found = runs.iter().flat_map(|run| run.ask(session, |prover| prover.possible(scope, None)));
    found.map(|(module, _)| module).collect()
}
