//! The user's own `moved` blocks whose addresses lead through split units.
//!
//! Such a block is written anew for each run, beside the move chains: state reaches the active copy by the unit's chain,
//! and from there the user's move goes on. Invariant: a block that names a split unit as its *destination* stays as it
//! is; the chain begins at the unit's original address, so the user's `from` becomes one more former address.

use super::SplitUnit;
use super::active::Active;
use super::named::{Named, Segment};
use crate::addr::{Key, ModuleInstance};
use std::sync::Arc;

/// One part of an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// What it names.
    named: Named,
    /// Its key.
    key: Option<Key>,
    /// The unit whose active copy takes its place.
    unit: Option<usize>,
}

/// One `moved` block, in the root module's terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relocation {
    /// `from`
    pub from: Vec<Part>,
    /// `to`
    pub to: Vec<Part>,
}

/// The parts of an address; `units` are the parts that active copies take the place of.
pub fn parts(segments: &[Segment<'_>], units: &[(usize, usize)]) -> Vec<Part> {
    let one = |(at, segment): (usize, &Segment<'_>)| Part {
        named: segment.named.clone(),
        key: segment.constant_key(),
        unit: units.iter().find(|(i, _)| *i == at).map(|(_, unit)| *unit),
    };
    segments.iter().enumerate().map(one).collect()
}

impl Relocation {
    /// The block's two addresses under the active copies; nothing where the destination has no instance.
    ///
    /// A `from` without an instance keeps its words: then it is an address that was meant before.
    pub fn addresses(&self, splits: &[SplitUnit], active: &[Vec<Active>]) -> Option<(String, String)> {
        let to = resolved(&self.to, splits, active)?;
        let from = resolved(&self.from, splits, active).unwrap_or_else(|| plain(&self.from));
        Some((from, to))
    }
}

fn resolved(parts: &[Part], splits: &[SplitUnit], active: &[Vec<Active>]) -> Option<String> {
    let mut module = ModuleInstance::default();
    let mut out = Vec::new();
    for part in parts {
        let key = part.key.as_ref().map(ToString::to_string);
        out.push(match part.unit {
            None => format!("{}{}", part.named.text(), key.unwrap_or_default()),
            Some(unit) => {
                let one = active.get(unit)?.iter().find(|a| a.module == module && a.key == part.key)?;
                let address = splits.get(unit)?.addresses.get(one.copy?)?;
                let name = address.rsplit('.').next().unwrap_or(address);
                format!("{}{}", part.named.called(name), key.unwrap_or_else(|| "[0]".to_owned()))
            }
        });
        if let Named::Call(name) = &part.named {
            module = module.child(Arc::clone(name), part.key.clone());
        }
    }
    Some(out.join("."))
}

fn plain(parts: &[Part]) -> String {
    let one = |p: &Part| {
        format!("{}{}", p.named.text(), p.key.as_ref().map(ToString::to_string).unwrap_or_default())
    };
    parts.iter().map(one).collect::<Vec<_>>().join(".")
}
