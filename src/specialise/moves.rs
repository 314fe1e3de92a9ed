//! Move chains: state comes along from every former address to the active one.
//!
//! One linear chain per unit: original address → every former address on record → each inactive branch → the active
//! branch. It works from every prior state; two moves into one address, or both directions between two, would be
//! errors (measured on Terraform 1.11 and 1.15). The addresses of a `moved` block are static, so the chain is
//! written per run; a stale one makes Terraform stop with "Moved object still exists".

use super::active::Active;
use super::plan::SplitUnit;
use super::record::UnitRecord;
use crate::addr::{ModuleInstance, ModulePath, Target};
use crate::syntax::emit::Writer;

/// The file in the root module.
pub const FILE: &str = "phi.moved.tf";

/// One unit's addresses in the order of the chain, the active one last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chain {
    /// Addresses, each once.
    pub addresses: Vec<String>,
}

impl Chain {
    /// The chain through these addresses; an address that comes again counts where it comes last.
    pub fn new(addresses: impl IntoIterator<Item = String>) -> Chain {
        let mut kept: Vec<String> = Vec::new();
        for address in addresses {
            kept.retain(|a| *a != address);
            kept.push(address);
        }
        Chain { addresses: kept }
    }
}

/// The chains of all units on record, by the active copies of those that are split.
///
/// Per instance of the holding module and per key of the unit: original → former → inactive → active. A unit that is no
/// longer split goes back to its original address.
pub fn chains(units: &[UnitRecord], splits: &[SplitUnit], active: &[Vec<Active>]) -> Vec<Chain> {
    let mut out = Vec::new();
    for unit in units {
        let Some(at) = splits.iter().position(|s| s.original == unit.original) else { continue };
        let Some(split) = splits.get(at).filter(|s| s.keeps_state()) else { continue };
        for one in active.get(at).into_iter().flatten() {
            let module = renamed(&split.scope, &one.module, splits, active);
            let address = |whole: &str| {
                let own =
                    whole.strip_prefix(&split.scope.to_string()).map_or(whole, |o| o.trim_start_matches('.'));
                if module.is_empty() { own.to_owned() } else { format!("{module}.{own}") }
            };
            let key = one.key.as_ref().map(ToString::to_string);
            let copy_key = key.clone().unwrap_or_else(|| "[0]".to_owned());
            let original = format!("{}{}", address(&unit.original), key.unwrap_or_default());
            if split.gates.is_empty() {
                let former = unit.former_addresses.iter().map(|a| format!("{}{copy_key}", address(a)));
                out.push(Chain::new(former.chain([original])));
                continue;
            }
            let taken = one.copy.unwrap_or(0);
            let inactive = unit.addresses.iter().enumerate().filter(|(i, _)| *i != taken).map(|(_, a)| a);
            let copies = unit.former_addresses.iter().chain(inactive).chain(unit.addresses.get(taken));
            let copies = copies.map(|a| format!("{}{copy_key}", address(a)));
            out.push(Chain::new([original].into_iter().chain(copies)));
        }
    }
    out
}

/// The same the other way round: from every copy to the original address, in the original's modules.
pub fn reversed(units: &[UnitRecord], splits: &[SplitUnit], active: &[Vec<Active>]) -> Vec<Chain> {
    let mut out = Vec::new();
    for unit in units {
        let Some(at) = splits.iter().position(|s| s.original == unit.original) else { continue };
        let Some(split) = splits.get(at).filter(|s| s.keeps_state()) else { continue };
        for one in active.get(at).into_iter().flatten() {
            let module = one.module.to_string();
            let address = |whole: &str| {
                let own = whole.strip_prefix(&split.scope.to_string()).unwrap_or(whole);
                let own = own.trim_start_matches('.');
                if module.is_empty() { own.to_owned() } else { format!("{module}.{own}") }
            };
            let key = one.key.as_ref().map(ToString::to_string);
            let copy_key = key.clone().unwrap_or_else(|| "[0]".to_owned());
            let original = format!("{}{}", address(&unit.original), key.unwrap_or_default());
            let copies = unit.former_addresses.iter().chain(&unit.addresses);
            let copies = copies.map(|a| format!("{}{copy_key}", address(a)));
            out.push(Chain::new(copies.chain([original])));
        }
    }
    out
}

/// The moves that state needs once the sources are what they were before: from every copy to the original address.
///
/// For units without repetition; one that is repeated needs the same per key.
pub fn back(units: &[UnitRecord]) -> Option<String> {
    let chains: Vec<Chain> = units
        .iter()
        .map(|unit| {
            let copies = unit.former_addresses.iter().chain(&unit.addresses).map(|a| format!("{a}[0]"));
            Chain::new(copies.chain([unit.original.clone()]))
        })
        .collect();
    let mut writer = Writer::new("", "\n");
    write_chains(&chains, &mut writer).then(|| writer.finish())
}

/// The address of a module instance in the tree as it will be: calls that are split go by their active copy's name.
fn renamed(
    scope: &ModulePath,
    module: &ModuleInstance,
    splits: &[SplitUnit],
    active: &[Vec<Active>],
) -> String {
    let mut parts = Vec::new();
    for (i, (name, key)) in module.0.iter().enumerate() {
        let here = ModulePath(scope.0.get(..i).unwrap_or_default().to_vec());
        let prefix = ModuleInstance(module.0.get(..i).unwrap_or_default().to_vec());
        let split = splits.iter().position(|s| s.scope == here && s.target == Target::Call(name.clone()));
        let copy = split.and_then(|at| {
            let one = active.get(at)?.iter().find(|a| a.module == prefix && a.key == *key)?;
            splits.get(at)?.addresses.get(one.copy.unwrap_or(0))
        });
        let own = match copy {
            Some(address) => address.rsplit('.').next().unwrap_or(address).to_owned(),
            None => name.to_string(),
        };
        let key = match (key, copy) {
            (Some(key), _) => key.to_string(),
            (None, Some(_)) => "[0]".to_owned(),
            (None, None) => String::new(),
        };
        parts.push(format!("module.{own}{key}"));
    }
    parts.join(".")
}

/// The text of the file; nothing where there is nothing to move.
pub fn text(chains: &[Chain]) -> Option<String> {
    let mut writer = Writer::new("", "\n");
    writer.comment("Written by tf-phi for this run's variables: which addresses state comes from.");
    write_chains(chains, &mut writer).then(|| writer.finish())
}

fn write_chains(chains: &[Chain], writer: &mut Writer) -> bool {
    let mut any = false;
    for chain in chains {
        for (from, to) in chain.addresses.iter().zip(chain.addresses.iter().skip(1)) {
            any = true;
            writer.blank();
            writer.block("moved", &[], |w| {
                w.attribute("from", from).attribute("to", to);
            });
        }
    }
    any
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_are_linear() {
        let chain = Chain::new(["x", "x_a[0]", "x_b[0]", "x_a[0]"].map(String::from));
        assert_eq!(chain.addresses, ["x", "x_b[0]", "x_a[0]"]);
        let text = text(&[chain]).unwrap();
        assert!(text.contains("moved {\n  from = x\n  to   = x_b[0]\n}"), "{text}");
        assert_eq!(super::text(&[]), None);
    }
}
