//! Blocks of which a copy has no instance, as a driven value makes their `count` 0 or their `for_each` empty.

use crate::addr::ResourceAddr;
use crate::config::{Decl, Module};
use crate::specialise::unit::UnitName;
use crate::syntax::Block;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The blocks that go, each with whether it has `for_each`.
#[derive(Clone, Debug, Default)]
pub struct Absent(pub(super) BTreeMap<UnitName, bool>);

impl Absent {
    /// Returns true if nothing goes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a call that nothing names and in whose module nothing is left.
    pub fn add_call(&mut self, name: &Arc<str>) {
        self.0.insert(UnitName::Call(name.clone()), false);
    }

    /// Returns true if a resource goes.
    pub fn has_resource(&self, addr: &ResourceAddr) -> bool {
        self.0.contains_key(&UnitName::Resource(addr.clone()))
    }

    /// Returns true if a call goes.
    pub fn has_call(&self, name: &Arc<str>) -> bool {
        self.0.contains_key(&UnitName::Call(name.clone()))
    }

    /// Returns the declarations that go.
    pub fn decls<'m>(&'m self, module: &'m Module) -> impl Iterator<Item = &'m Decl> {
        self.0.keys().filter_map(|unit| unit.decl(module))
    }

    pub(super) fn get(&self, declared: &UnitName) -> Option<bool> {
        self.0.get(declared).copied()
    }

    /// Returns true if a block of a module's file declares something that goes.
    pub(super) fn declares(&self, block: &Block) -> bool {
        UnitName::of_block(block).is_some_and(|unit| self.0.contains_key(&unit))
    }
}
