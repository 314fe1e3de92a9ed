//! The names that a configuration declares, or declared before a rename or a removal.
//!
//! In: a configuration with its `moved` and `removed` blocks. Out: a module's calls and resources by name, with the old names of
//! such blocks; and the current name of something renamed. Absent on purpose: keys, which don't affect names.

use crate::addr::{FieldAddr, ModulePath, ResourceAddr};
use crate::config::{Config, Module};
use crate::moves::Endpoint;
use crate::specialise::moves::originals::without_keys;
use crate::specialise::{removals, renames};
use crate::trace::Repetition;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The names of a configuration.
pub struct Names<'a> {
    config: &'a Config,
    /// Addresses without keys, from and to.
    renames: Vec<(String, String)>,
    /// The addresses that `moved` and `removed` blocks name in `from`.
    former: Vec<Endpoint>,
}

impl<'a> Names<'a> {
    pub fn of(config: &'a Config) -> Names<'a> {
        let pairs = renames(config).into_iter();
        let renames: Vec<(String, String)> =
            pairs.map(|rename| (without_keys(&rename.from), without_keys(&rename.to))).collect();
        let removed = removals(config).into_iter().map(|from| without_keys(&from));
        let former = renames.iter().map(|(from, _)| from.clone()).chain(removed);
        let former = former.filter_map(|from| from.parse().ok()).collect();
        Names { config, renames, former }
    }

    /// The address that something goes by now.
    pub fn now(&self, address: &str) -> String {
        let mut now = address.to_owned();
        // No more steps than renames: what goes round Terraform refuses.
        for _ in &self.renames {
            let next = self.renames.iter().find_map(|(from, to)| {
                let rest = now.strip_prefix(from.as_str())?;
                (rest.is_empty() || rest.starts_with('.')).then(|| format!("{to}{rest}"))
            });
            let Some(next) = next else { break };
            now = next;
        }
        now
    }

    /// The modules at a path: several where an expression chooses the `source` of a call on the way.
    fn modules(&self, path: &ModulePath) -> Vec<&'a Module> {
        let at = |path: &ModulePath| -> Vec<&'a Module> {
            let all = self.config.paths.iter().filter(|(own, _)| own.plain() == *path);
            all.filter_map(|(_, id)| self.config.module(*id)).collect()
        };
        let found = at(path);
        if !found.is_empty() {
            return found;
        }
        let now = self.now(&path.to_string()).parse::<Endpoint>();
        now.map(|end| at(&end.module.path())).unwrap_or_default()
    }

    /// Returns true if what a module holds is known: of one that is gone nothing tells.
    pub fn knows(&self, path: &ModulePath) -> bool {
        !self.modules(path).is_empty()
    }

    /// Returns true if the resource or call of an address has a `count` or `for_each`, whatever it is called now.
    pub fn is_repeated(&self, address: &str) -> bool {
        let Ok(FieldAddr { module, target, .. }) = self.now(address).parse() else { return false };
        self.modules(&module).into_iter().any(|m| !Repetition::of(m, &target).is_none())
    }

    /// The calls of a module.
    pub fn calls(&self, path: &ModulePath) -> BTreeSet<Arc<str>> {
        let declared = self.modules(path).into_iter().flat_map(|m| m.calls.keys().cloned());
        let former = self.former.iter().map(|end| end.module.path());
        let below = former
            .filter(|p| path.contains(p))
            .filter_map(|p| p.0.get(path.depth()).map(|call| call.name.clone()));
        declared.chain(below).collect()
    }

    /// The resources of a module.
    pub fn resources(&self, path: &ModulePath) -> BTreeSet<ResourceAddr> {
        let declared = self.modules(path).into_iter().flat_map(|m| m.resources.keys().cloned());
        let there = self.former.iter().filter(|end| end.module.path() == *path);
        declared.chain(there.filter_map(|end| end.resource.clone()).map(|(resource, _)| resource)).collect()
    }
}
