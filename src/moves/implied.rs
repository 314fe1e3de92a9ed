//! The moves that Terraform adds by itself.

use super::declared::{Declared, Repetition};
use super::pattern::{self, Wanted};
use super::{Named, Statement};
use crate::addr::{Held, Key, ModuleInstance, ModulePath, ObjectAddr, ResourceAddr};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Returns the moves that Terraform adds by itself (`internal/refactoring`, Terraform 1.11): the single instance of a
/// resource that got a `count` becomes `[0]`, and `[0]` of one that lost its repetition becomes the single instance.
/// A resource that an explicit statement names, with any key, is left alone.
pub fn implied(state: &Held, explicit: &[Statement], declared: &dyn Declared) -> Vec<Statement> {
    let mut named: FxHashMap<&ResourceAddr, Vec<Vec<_>>> = FxHashMap::default();
    for statement in explicit {
        for end in [&statement.from, &statement.to] {
            if let Named::Resource(resource) | Named::Instance(resource, _) = &end.named {
                named.entry(resource).or_default().push(pattern::path(statement, end));
            }
        }
    }
    let is_named = |module: &ModuleInstance, resource: &ResourceAddr| {
        let fits = |path: &Vec<(_, Wanted)>| path.len() == module.0.len() && pattern::begins(path, module);
        named.get(resource).is_some_and(|all| all.iter().any(fits))
    };
    let mut found = BTreeMap::new();
    for object in &state.objects {
        let to = match &object.key {
            None => Some(Key::Index(0)),
            Some(Key::Index(0)) => None,
            Some(_) => continue,
        };
        let wanted = if to.is_some() { Repetition::Count } else { Repetition::Single };
        let repetition = declared.repetition(&object.module.path(), &object.resource);
        if repetition == Some(wanted) && !is_named(&object.module, &object.resource) {
            found.insert(object.clone(), ObjectAddr { key: to, ..object.clone() });
        }
    }
    let statement = |(from, to): (ObjectAddr, ObjectAddr)| Statement {
        scope: ModulePath::ROOT,
        from: from.into(),
        to: to.into(),
        implied: true,
    };
    found.into_iter().map(statement).collect()
}
