//! One end of a statement as a pattern of module steps, and the index over many of them.
//!
//! The scope's calls and a whole call fit with any key; every other step has the key that is written, or none. Two patterns
//! meet where, step by step, the names are the same and so are the keys, unless either fits with any.

use super::{Named, Statement, Subject};
use crate::addr::{Key, ModuleInstance, ResourceAddr};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A key in a pattern.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Wanted {
    Any,
    Exactly(Option<Key>),
}

/// A step of a path.
pub(super) type Step = (Arc<str>, Wanted);

/// The module steps of an end, a call's own among them.
pub(super) fn path(statement: &Statement, end: &Subject) -> Vec<Step> {
    let scope = statement.scope.0.iter().map(|call| (call.name.clone(), Wanted::Any));
    let own = end.module.0.iter().map(|(name, key)| (name.clone(), Wanted::Exactly(key.clone())));
    let mut steps: Vec<Step> = scope.chain(own).collect();
    if let Named::Call(name) = &end.named {
        steps.push((name.clone(), Wanted::Any));
    }
    steps
}

/// Returns true if the steps match the beginning of a module instance's path.
pub(super) fn begins(path: &[Step], module: &ModuleInstance) -> bool {
    let fits = |(wanted, (name, key)): (&Step, &(Arc<str>, Option<Key>))| {
        wanted.0 == *name && (wanted.1 == Wanted::Any || matches!(&wanted.1, Wanted::Exactly(k) if k == key))
    };
    path.len() <= module.0.len() && path.iter().zip(&module.0).all(fits)
}

/// One end of a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct End {
    pub statement: usize,
    pub is_to: bool,
}

/// The relation of an end that the index returns to the one that is looked up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    /// Both name the same sort of thing, and may name the same one.
    Same,
    /// The one asked for may lie within it.
    Around,
}

/// Ends by their steps.
#[derive(Default)]
pub(super) struct Index<'a> {
    below: BTreeMap<Step, Index<'a>>,
    calls: Vec<End>,
    modules: Vec<End>,
    resources: FxHashMap<&'a ResourceAddr, Vec<End>>,
    instances: FxHashMap<(&'a ResourceAddr, &'a Option<Key>), Vec<End>>,
}

impl<'a> Index<'a> {
    pub(super) fn insert(&mut self, path: &[Step], subject: &'a Subject, end: End) {
        let mut node = self;
        for step in path {
            node = node.below.entry(step.clone()).or_default();
        }
        match &subject.named {
            Named::Call(_) => node.calls.push(end),
            Named::Module => node.modules.push(end),
            Named::Resource(resource) => node.resources.entry(resource).or_default().push(end),
            Named::Instance(resource, key) => node.instances.entry((resource, key)).or_default().push(end),
        }
    }

    /// Gives every end that may name the same as this one, or what this one lies within.
    pub(super) fn around(&self, path: &[Step], subject: &Subject, give: &mut impl FnMut(End, Relation)) {
        let mut all = |ends: &[End], relation| ends.iter().for_each(|end| give(*end, relation));
        let same = path.is_empty() && subject.is_module();
        let relation = if same { Relation::Same } else { Relation::Around };
        all(&self.modules, relation);
        all(&self.calls, relation);
        // An instance of a call is the same as the call for a chain, and lies within it besides.
        if same && subject.named == Named::Module {
            all(&self.calls, Relation::Around);
        }
        let Some(((name, wanted), rest)) = path.split_first() else {
            match &subject.named {
                Named::Resource(resource) => {
                    all(self.resources.get(resource).map_or(&[], Vec::as_slice), Relation::Same);
                }
                Named::Instance(resource, key) => {
                    all(self.resources.get(resource).map_or(&[], Vec::as_slice), Relation::Around);
                    all(self.instances.get(&(resource, key)).map_or(&[], Vec::as_slice), Relation::Same);
                }
                Named::Call(_) | Named::Module => {}
            }
            return;
        };
        if *wanted == Wanted::Any {
            let from = (name.clone(), Wanted::Any);
            for (_, node) in self.below.range(from..).take_while(|((other, _), _)| other == name) {
                node.around(rest, subject, give);
            }
            return;
        }
        for wanted in [wanted.clone(), Wanted::Any] {
            if let Some(node) = self.below.get(&(name.clone(), wanted)) {
                node.around(rest, subject, give);
            }
        }
    }
}
