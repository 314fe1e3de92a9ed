//! The user's own blocks of addresses that are written anew for each run, beside the move chains.
//!
//! * `moved`: state reaches the active copy by the unit's chain, and from there the user's move goes on. A block of a called
//!   module is written once for each instance of that module, since only the root can say which copy is meant. Invariant: a
//!   block that names a split unit as its *destination* stays as it is; the chain begins at the unit's original address, so
//!   the user's `from` becomes one more former address.
//! * `import`: to the active copy, where no gate can say it in the root: it stands in another module, there are several, or
//!   it is sensitive.

use crate::addr::{Key, ModuleInstance, ModulePath};
use crate::specialise::SplitUnit;
use crate::specialise::active::Active;
use crate::specialise::moves;
use crate::specialise::moves::named::Segment;
use crate::specialise::unit::UnitName;
use std::sync::Arc;

/// A part of an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The thing that it names.
    named: UnitName,
    /// Its key.
    key: Option<Key>,
    /// The unit whose active copy takes its place.
    unit: Option<usize>,
}

/// A `moved` block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relocation {
    /// The module that holds it.
    pub scope: ModulePath,
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

/// An `import` block of the root module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Import {
    /// The parts of the address up to the last split unit.
    pub to: Vec<Part>,
    /// The block's text before these.
    pub before: String,
    /// And behind them.
    pub after: String,
}

impl Import {
    /// The block under the active copies; nothing where the address has no instance.
    pub fn text(&self, splits: &[SplitUnit], active: &[Vec<Active>]) -> Option<String> {
        let to = resolved(&self.to, &ModuleInstance::default(), splits, active)?;
        Some(format!("{}{}{}", self.before, to.join("."), self.after))
    }
}

impl Relocation {
    /// The block's two addresses under the active copies, in each instance of its module; nothing where the destination
    /// has no instance.
    ///
    /// A `from` without an instance keeps its words: then it is an address that was meant before.
    pub fn addresses(&self, splits: &[SplitUnit], active: &[Vec<Active>]) -> Vec<(String, String)> {
        let mut out = Vec::new();
        let calls = moves::Calls::of(splits, active);
        for module in self.instances(active) {
            let Some(to) = resolved(&self.to, &module, splits, active) else { continue };
            let from = resolved(&self.from, &module, splits, active).unwrap_or_else(|| plain(&self.from));
            let above = calls.renamed(&self.scope, &module);
            let whole = |own: Vec<String>| {
                let above = (!above.is_empty()).then(|| above.clone());
                above.into_iter().chain(own).collect::<Vec<_>>().join(".")
            };
            out.push((whole(from), whole(to)));
        }
        out
    }

    /// The instances of the block's module: those in which the units on its way have instances.
    fn instances(&self, active: &[Vec<Active>]) -> Vec<ModuleInstance> {
        let depth = self.scope.depth();
        if depth == 0 {
            return vec![ModuleInstance::default()];
        }
        let units = self.from.iter().chain(&self.to).filter_map(|part| part.unit);
        let mut out: Vec<ModuleInstance> = Vec::new();
        for one in units.filter_map(|unit| active.get(unit)).flatten() {
            let module = ModuleInstance(one.module.0.iter().take(depth).cloned().collect());
            if !out.contains(&module) {
                out.push(module);
            }
        }
        out
    }
}

fn resolved(
    parts: &[Part],
    module: &ModuleInstance,
    splits: &[SplitUnit],
    active: &[Vec<Active>],
) -> Option<Vec<String>> {
    let mut module = module.clone();
    let mut out = Vec::new();
    for part in parts {
        let key = part.key.as_ref().map(ToString::to_string);
        out.push(match part.unit {
            None => format!("{}{}", part.named, key.unwrap_or_default()),
            Some(unit) => {
                let one = active.get(unit)?.iter().find(|a| a.module == module && a.key == part.key)?;
                let address = splits.get(unit)?.addresses.get(one.copy?)?;
                let name = address.rsplit('.').next().unwrap_or(address);
                format!("{}{}", part.named.called(name), key.unwrap_or_else(|| "[0]".to_owned()))
            }
        });
        if let UnitName::Call(name) = &part.named {
            module = module.child(Arc::clone(name), part.key.clone());
        }
    }
    Some(out)
}

fn plain(parts: &[Part]) -> Vec<String> {
    let one =
        |p: &Part| format!("{}{}", p.named, p.key.as_ref().map(ToString::to_string).unwrap_or_default());
    parts.iter().map(one).collect()
}
