//! The owners of objects in state: each object belongs to a component, or to a `removed` block.

use super::names;
use crate::addr::ModuleInstance;
use crate::issue::{Code, Issue};
use crate::specialise::moves::originals::without_keys;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The components and `removed` blocks that own objects in state.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    /// The address of each component's instance, by the names of the calls that lead to it.
    pub components: BTreeMap<Vec<String>, String>,
    /// The components and Stacks that `removed` blocks name.
    pub gone: Vec<Gone>,
}

impl Claims {
    /// Returns the calls whose objects Terraform is to forget without destroying them, each by the names of the calls that lead to it.
    /// `held` are the names of calls that lead to objects in state.
    pub fn released(&self, held: &BTreeSet<Vec<String>>) -> BTreeSet<Vec<String>> {
        let mut out = BTreeSet::new();
        for gone in self.gone.iter().filter(|g| !g.destroys) {
            let own = gone.steps.iter().map(|(name, key)| names::call(name, key.as_deref()));
            out.insert(gone.above.iter().cloned().chain(own).collect());
            let depth = gone.depth();
            out.extend(
                held.iter().filter(|h| gone.leads_to(h)).map(|h| h.iter().take(depth).cloned().collect()),
            );
        }
        let stays = |labels: &Vec<String>| {
            self.components.keys().any(|own| own.starts_with(labels) || labels.starts_with(own))
        };
        out.retain(|labels| !stays(labels));
        out
    }

    /// Returns an address of the Stack as addresses of the root module, one for each instance of a component that it names. Without a
    /// key it names all instances. The list is empty if it names none.
    pub fn addresses(&self, named: &str) -> Vec<String> {
        let found = |is_keyless: bool| -> Vec<String> {
            let one = |(labels, own): (&Vec<String>, &String)| {
                let own = if is_keyless { without_keys(own) } else { own.as_str().into() };
                let rest = match named.strip_prefix(&*own) {
                    Some(rest) => rest,
                    // What is within an embedded Stack.
                    None => {
                        own.strip_prefix(named).filter(|rest| rest.starts_with(['.', '['])).map(|_| "")?
                    }
                };
                let fits = rest.is_empty() || rest.starts_with('.');
                fits.then(|| format!("{}{rest}", address(labels)))
            };
            self.components.iter().filter_map(one).collect()
        };
        let exact = found(false);
        if exact.is_empty() { found(true) } else { exact }
    }

    /// Returns the names of calls that lead to objects without an owner.
    fn unclaimed<'h>(&self, held: &'h BTreeSet<Vec<String>>) -> Vec<&'h Vec<String>> {
        held.iter().filter(|labels| !self.has_owner(labels)).collect()
    }

    /// Returns true if what these names of calls lead to has an owner.
    pub fn has_owner(&self, labels: &[String]) -> bool {
        self.components.keys().any(|own| labels.starts_with(own))
            || self.gone.iter().any(|gone| gone.leads_to(labels))
    }
}

/// A component or Stack that a `removed` block names, in one instance of the Stack with the block.
#[derive(Clone, Debug)]
pub struct Gone {
    /// The names of the calls that lead to its Stack.
    pub above: Vec<String>,
    /// The components or Stacks from there on, with their keys. Without a key, every instance is meant.
    pub steps: Vec<(Arc<str>, Option<Arc<str>>)>,
    /// True if the objects are destroyed, false if Terraform only forgets them.
    pub destroys: bool,
}

impl Gone {
    /// Returns true if these names of calls lead to the removed component or Stack, or below it.
    pub fn leads_to(&self, labels: &[String]) -> bool {
        let Some(rest) = labels.strip_prefix(self.above.as_slice()) else { return false };
        rest.len() >= self.steps.len()
            && self.steps.iter().zip(rest).all(|((name, key), label)| match key {
                Some(key) => *label == names::call(name, Some(key)),
                None => names::is_of(label, name),
            })
    }

    /// Returns the number of calls that lead to the removed component or Stack.
    pub fn depth(&self) -> usize {
        self.above.len() + self.steps.len()
    }
}

/// Returns the address of what these names of calls lead to.
pub fn address(labels: &[String]) -> String {
    labels.iter().map(|label| format!("module.{label}")).collect::<Vec<_>>().join(".")
}

/// Returns the names of the calls that lead to a module. The list is empty for the root module.
pub fn labels(module: &ModuleInstance) -> Vec<String> {
    module.0.iter().map(|(name, _): &(Arc<str>, _)| name.to_string()).collect()
}

/// Returns an issue for each component instance that has objects in state and no owner. `known` are the addresses of an earlier
/// run; `removal` returns the words for the `removed` block of an address, and the block, if it can be written.
pub fn unclaimed(
    claims: &Claims,
    held: &BTreeSet<Vec<String>>,
    known: &BTreeMap<Vec<String>, String>,
    removal: &dyn Fn(&str) -> Option<(&'static str, String)>,
) -> Vec<Issue> {
    let mut named = BTreeSet::new();
    for labels in claims.unclaimed(held) {
        let own = known.iter().find(|(own, _)| labels.starts_with(own.as_slice()));
        named.insert(own.map_or_else(|| address(labels), |(_, address)| address.clone()));
    }
    let one = |address: String| {
        let why = format!(
            "The component instance {address} is not claimed by any component or removed block in the configuration. Make sure it is \
             instantiated by a component block, or targeted for removal by a removed block."
        );
        let issue = Issue::error(Code::Invalid, "Unclaimed component instance", why);
        match removal(&address) {
            Some((title, paste)) => issue.fix(title, paste),
            None => issue.fix("To have its objects destroyed, add a removed block with the source and the providers that it had.", ""),
        }
    };
    named.into_iter().map(one).collect()
}
