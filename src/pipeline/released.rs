//! What a tree that tf-phi is taken out of gives up: objects that only another form of the configuration declares.
//!
//! A service's module is in the tree as long as its form factor is on, and what the service replaces as long as it isn't. A state of the
//! other form would lose its objects to a plain plan. That includes what stood in for something that the sources no longer declare: the
//! blocks outlive the sources of the day, and whoever takes the edit back wants the object. In: the history, the form factor that is on.
//! Out: addresses for `removed` blocks.
//! Invariant: nothing that the configuration declares is named. Absent on purpose: asking a state.

use super::carry::GivenUp;
use super::session::Session;
use crate::addr::{FieldAddr, Target};
use crate::config::Config;
use crate::host::Host;
use crate::simulate;
use crate::specialise::moves::{Released, copies_of};
use std::collections::BTreeSet;

/// What Terraform is to forget in states of another form; `led` are calls that go elsewhere by moves.
pub(super) fn find_released<H: Host + Clone>(session: &Session<H>, led: &BTreeSet<String>) -> Vec<Released> {
    let own = simulate::forgotten(&session.config);
    let given_up = GivenUp::of(session.origin.as_ref().unwrap_or(&session.config));
    let made = session.history.made_calls().filter(|made| !led.contains(&made.address));
    let made = made.map(|made| Released::made(made.clone()));
    let rewrite = session.rewrite.iter();
    let replaced = rewrite.flat_map(|rewrite| {
        let dropped = rewrite.dropped.iter().filter(|d| d.is_managed()).map(|d| d.original());
        rewrite.replaced.iter().map(|r| r.original()).chain(dropped).map(Released::replaced)
    });
    let units: Vec<(String, Vec<String>)> = session
        .history
        .units()
        .into_iter()
        .map(|unit| (unit.original.clone(), unit.forms().map(|(address, _)| address.to_owned()).collect()))
        .collect();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut out = Vec::new();
    for released in made.chain(replaced).filter(|r| !is_declared(&session.config, &r.address)) {
        let copies = copies_of(&released.address, &units);
        // `removed` names addresses after all moves.
        let ends: BTreeSet<String> = copies.iter().flat_map(|copy| given_up.follow_moves(copy)).collect();
        for address in ends {
            let theirs = own.iter().any(|o| address == *o || address.starts_with(&format!("{o}.")));
            if !theirs && !is_declared(&session.config, &address) && seen.insert(address.clone()) {
                let made = released.made.clone().filter(|_| address == released.address);
                out.push(Released { address, made });
            }
        }
    }
    out
}

/// Returns true if the configuration declares what an address without keys names.
fn is_declared(config: &Config, address: &str) -> bool {
    let Ok(FieldAddr { module, target, .. }) = address.parse() else { return false };
    config.at(&module).is_some_and(|m| match &target {
        Target::Resource(resource) => m.resources.contains_key(resource),
        Target::Call(call) => m.calls.contains_key(&call.name),
        _ => false,
    })
}
