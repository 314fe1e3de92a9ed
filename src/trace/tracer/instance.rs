//! Instances: a module source plus the path of calls that leads to it. Made on demand, interned.

use crate::addr::{CallName, Key, ModulePath};
use crate::config::ModuleId;
use rustc_hash::FxHashMap;

/// Index of an instance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct InstanceId(pub u32);

/// A module under one path of calls. A call with `count` or `for_each` has one instance per key where the key is
/// known, and one without key for what holds of all of them.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The module.
    pub module: ModuleId,
    /// The path of calls.
    pub path: ModulePath,
    /// The calling instance and the call's name; none for the root.
    pub caller: Option<(InstanceId, CallName)>,
    /// The key under the call's `count` or `for_each`, where it is known.
    pub key: Option<Key>,
}

/// All instances met so far.
#[derive(Debug, Default)]
pub(in crate::trace) struct Instances {
    list: Vec<Instance>,
    ids: FxHashMap<(InstanceId, CallName, Option<Key>), InstanceId>,
}

impl Instances {
    /// Creates the table with the root instance.
    pub fn new(root: ModuleId) -> Instances {
        let root = Instance { module: root, path: ModulePath::ROOT, caller: None, key: None };
        Instances { list: vec![root], ids: FxHashMap::default() }
    }

    /// The root instance.
    pub const ROOT: InstanceId = InstanceId(0);

    /// An instance.
    pub fn get(&self, id: InstanceId) -> Option<&Instance> {
        self.list.get(id.0 as usize)
    }

    /// Returns true if it is one of several of its module: a call on the way to it is repeated, and its key is known.
    pub fn is_keyed(&self, id: InstanceId) -> bool {
        let mut at = self.get(id);
        while let Some(instance) = at {
            if instance.key.is_some() {
                return true;
            }
            at = instance.caller.as_ref().and_then(|(caller, _)| self.get(*caller));
        }
        false
    }

    /// The instance of a call.
    pub fn child(
        &mut self,
        of: InstanceId,
        name: &CallName,
        key: Option<Key>,
        module: ModuleId,
    ) -> InstanceId {
        let id = InstanceId(u32::try_from(self.list.len()).unwrap_or(u32::MAX));
        match self.ids.entry((of, name.clone(), key.clone())) {
            std::collections::hash_map::Entry::Occupied(e) => *e.get(),
            std::collections::hash_map::Entry::Vacant(e) => {
                let path = self.list.get(of.0 as usize).map_or(ModulePath::ROOT, |i| i.path.clone());
                let path = path.child(name.clone());
                self.list.push(Instance { module, path, caller: Some((of, name.clone())), key });
                *e.insert(id)
            }
        }
    }
}
