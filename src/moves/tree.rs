//! The objects of a state by module, resource and key, as moves change it.

use super::subject::joined;
use super::{Named, Statement, Subject};
use crate::addr::{CallName, Key, ModuleInstance, ModulePath, ObjectAddr, ResourceAddr};
use std::collections::BTreeMap;
use std::sync::Arc;

/// For each resource of a module instance, its instances with the numbers of their objects. A husk has no instances.
type Resources = BTreeMap<ResourceAddr, BTreeMap<Option<Key>, usize>>;

/// A module instance. One counts as being in state where it holds resources itself; those below are others.
#[derive(Clone, Default)]
pub(super) struct Tree {
    below: BTreeMap<(Arc<str>, Option<Key>), Tree>,
    resources: Resources,
}

impl Tree {
    /// Returns what a statement moves in a state, with the destination of each.
    pub(super) fn matches(&self, statement: &Statement) -> Vec<(Subject, Subject)> {
        let mut found = Vec::new();
        for scope in self.scopes(&statement.scope) {
            self.moved(&statement.from.within(&scope), &statement.to.within(&scope), &mut found);
        }
        found
    }

    pub(super) fn of<'a>(
        objects: impl IntoIterator<Item = &'a ObjectAddr>,
        husks: &[(ModuleInstance, ResourceAddr)],
    ) -> Tree {
        let mut tree = Tree::default();
        for (number, object) in objects.into_iter().enumerate() {
            tree.put(&object.module, &object.resource, &object.key, number);
        }
        for (module, resource) in husks {
            tree.grown(module).resources.entry(resource.clone()).or_default();
        }
        tree
    }

    fn put(&mut self, module: &ModuleInstance, resource: &ResourceAddr, key: &Option<Key>, number: usize) {
        self.grown(module).resources.entry(resource.clone()).or_default().insert(key.clone(), number);
    }

    fn at(&self, module: &ModuleInstance) -> Option<&Tree> {
        module.0.iter().try_fold(self, |node, step| node.below.get(step))
    }

    fn grown(&mut self, module: &ModuleInstance) -> &mut Tree {
        module.0.iter().fold(self, |node, step| node.below.entry(step.clone()).or_default())
    }

    /// Lets `change` work on a module instance, and takes away what is empty thereafter.
    fn cut<T>(
        &mut self,
        module: &[(Arc<str>, Option<Key>)],
        change: impl FnOnce(&mut Resources) -> Option<T>,
    ) -> Option<T> {
        let Some((step, rest)) = module.split_first() else { return change(&mut self.resources) };
        let below = self.below.get_mut(step)?;
        let out = below.cut(rest, change);
        if below.below.is_empty() && below.resources.is_empty() {
            self.below.remove(step);
        }
        out
    }

    /// Returns true if something in state stands at that very address. A call never does.
    pub(super) fn has(&self, subject: &Subject) -> bool {
        let Some(node) = self.at(&subject.module) else { return false };
        match &subject.named {
            Named::Call(_) => false,
            Named::Module => !node.resources.is_empty(),
            Named::Resource(resource) => node.resources.contains_key(resource),
            Named::Instance(resource, key) => {
                node.resources.get(resource).is_some_and(|keys| keys.contains_key(key))
            }
        }
    }

    /// Takes what stands at one address and puts it at another one of the same sort, where nothing stands.
    pub(super) fn shift(&mut self, from: &Subject, to: &Subject) {
        let above = &from.module.0;
        match (&from.named, &to.named) {
            (Named::Module, Named::Module) => {
                if let Some(resources) = self.cut(above, |all| Some(std::mem::take(all))) {
                    self.grown(&to.module).resources = resources;
                }
            }
            (Named::Resource(resource), Named::Resource(new)) => {
                if let Some(instances) = self.cut(above, |all| all.remove(resource)) {
                    self.grown(&to.module).resources.insert(new.clone(), instances);
                }
            }
            (Named::Instance(resource, key), Named::Instance(new, to_key)) => {
                let taken = self.cut(above, |all| {
                    let instances = all.get_mut(resource)?;
                    let number = instances.remove(key);
                    if instances.is_empty() {
                        all.remove(resource);
                    }
                    number
                });
                if let Some(number) = taken {
                    self.put(&to.module, new, to_key, number);
                }
            }
            _ => {}
        }
    }

    /// Puts what stands at one address at another one too, beside what stands there. Gives whether anything is new.
    pub(super) fn copy(&mut self, from: &Subject, to: &Subject) -> bool {
        let all = self.at(&from.module).into_iter().flat_map(|node| &node.resources);
        let keys = |keys: &BTreeMap<Option<Key>, usize>| keys.keys().cloned().collect::<Vec<_>>();
        let copied: Vec<(ResourceAddr, Vec<Option<Key>>)> = match (&from.named, &to.named) {
            (Named::Module, _) => all.map(|(r, k)| (r.clone(), keys(k))).collect(),
            (Named::Resource(resource), Named::Resource(new)) => {
                all.filter(|(r, _)| *r == resource).map(|(_, k)| (new.clone(), keys(k))).collect()
            }
            (_, Named::Instance(resource, key)) => vec![(resource.clone(), vec![key.clone()])],
            _ => Vec::new(),
        };
        let node = self.grown(&to.module);
        let mut new = false;
        for (resource, keys) in copied {
            new |= !node.resources.contains_key(&resource);
            let there = node.resources.entry(resource).or_default();
            for key in keys {
                new |= there.insert(key, 0).is_none();
            }
        }
        new
    }

    /// The instances of a module that are in state or hold something that is.
    pub(super) fn scopes(&self, path: &ModulePath) -> Vec<ModuleInstance> {
        let mut found = vec![(ModuleInstance::default(), self)];
        for CallName { name, .. } in &path.0 {
            let mut next = Vec::new();
            for (module, node) in found {
                next.extend(
                    node.named(name)
                        .map(|((_, key), below)| (module.child(name.clone(), key.clone()), below)),
                );
            }
            found = next;
        }
        found.into_iter().map(|(module, _)| module).collect()
    }

    fn named<'a>(
        &'a self,
        name: &'a Arc<str>,
    ) -> impl Iterator<Item = (&'a (Arc<str>, Option<Key>), &'a Tree)> {
        self.below.range((name.clone(), None)..).take_while(move |((other, _), _)| other == name)
    }

    /// Collects what a move between two absolute addresses moves in the state, with the destination of each: module
    /// instances one by one, else what is at the address itself.
    pub(super) fn moved(&self, from: &Subject, to: &Subject, out: &mut Vec<(Subject, Subject)>) {
        let mut whole = |node: &Tree, from: &ModuleInstance, to: &ModuleInstance| {
            node.each_module(&mut ModuleInstance::default(), &mut |inner, _| {
                let both = [from, to].map(|base| Subject::of_module(joined(base, inner)));
                out.push(both.into());
            });
        };
        let node = self.at(&from.module);
        match (&from.named, &to.named) {
            (Named::Call(name), Named::Call(new)) => {
                for ((_, key), node) in node.into_iter().flat_map(|node| node.named(name)) {
                    let from = from.module.child(name.clone(), key.clone());
                    whole(node, &from, &to.module.child(new.clone(), key.clone()));
                }
            }
            (Named::Module, Named::Module) => {
                node.into_iter().for_each(|node| whole(node, &from.module, &to.module));
            }
            _ if self.has(from) => out.push((from.clone(), to.clone())),
            _ => {}
        }
    }

    /// Gives each module instance that is in state, with what it holds.
    fn each_module(&self, here: &mut ModuleInstance, give: &mut impl FnMut(&ModuleInstance, &Resources)) {
        if !self.resources.is_empty() {
            give(here, &self.resources);
        }
        for (step, node) in &self.below {
            here.0.push(step.clone());
            node.each_module(here, give);
            here.0.pop();
        }
    }

    /// Every object's number and address.
    pub(super) fn objects(&self) -> Vec<(usize, ObjectAddr)> {
        let mut out = Vec::new();
        self.each_module(&mut ModuleInstance::default(), &mut |module, resources| {
            for (resource, keys) in resources {
                for (key, number) in keys {
                    let (module, resource, key) = (module.clone(), resource.clone(), key.clone());
                    out.push((*number, ObjectAddr { module, resource, key }));
                }
            }
        });
        out
    }
}
