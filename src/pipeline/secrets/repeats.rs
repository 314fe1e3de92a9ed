//! What repeats declarations and `dynamic` blocks, and what the names stand for that are bound there.
//!
//! In: a declaration, or the `dynamic` blocks around an argument. Out: edges of their collections and keys. What is written out in a `for_each` has a name in
//! no expression: a root of its own stands for it, so that what goes from there to a secret is secret where it stands. Absent on purpose: values.

use super::dynamics::{Entry, for_each_in};
use super::flow::Flow;
use super::roots::written_out;
use super::route::Route;
use super::shape::{Edge, Handing, Names, Shape, whole};
use crate::addr::Target;
use crate::config::In;
use crate::pipeline::field::Field;
use crate::syntax::{Attribute, Block};
use crate::text::Place;
use crate::trace::{Repetition, iterator_name};

impl Flow<'_> {
    /// What a declaration is repeated over: what its `for_each` names, and what is written out there.
    pub(super) fn collection(&mut self, module: usize, target: &Target) -> Option<Shape> {
        let (_, found) = self.roots.modules.get(module).copied()?;
        let for_each = Repetition::of(found, target).for_each?;
        let mut collection = self.shape_of(module, Names::new(), &for_each.expr);
        let root = self.roots.number(module, written_out(target));
        if !self.written.contains_key(&root) {
            self.name_members(module, root, &for_each, &Names::new());
        }
        self.written.entry(root).or_insert_with(|| vec![for_each]);
        collection.push(itself(root));
        Some(collection)
    }

    /// Binds the iterators of the `dynamic` blocks around a field; gives what their keys come from.
    pub(super) fn bind_iterators(&mut self, module: usize, blocks: &[In<Block>], names: &mut Names) -> Shape {
        let mut keys = Shape::new();
        for block in blocks {
            let Some(for_each) = for_each_in(block) else { continue };
            let at = (module, for_each.value_place());
            let entry = match self.dynamics.bound.get(&at) {
                Some(entry) => entry.clone(),
                None => {
                    let entry = self.entry(module, block, &for_each, names);
                    self.dynamics.bound.insert(at, entry.clone());
                    entry
                }
            };
            names.push(entry.name);
            keys.extend(entry.keys);
        }
        keys
    }

    fn entry(&mut self, module: usize, block: &Block, for_each: &In<Attribute>, names: &Names) -> Entry {
        let root = self.roots.number(module, written_at(for_each.value_place()));
        self.written.insert(root, vec![for_each.clone()]);
        self.name_members(module, root, for_each, names);
        let mut finder = self.finder(module, names.clone());
        let mut collection = finder.shape(&for_each.expr);
        collection.push(itself(root));
        let mut keys = finder.keys(&collection);
        if finder.deciding {
            keys.extend(whole(collection.clone(), Handing::Within));
        }
        let entry = finder.entry(&collection);
        Entry { name: (iterator_name(block), entry), keys }
    }

    /// The edge from what is written out in the `for_each` of a declaration or a `dynamic` block to the field that this one is.
    pub(super) fn written_in(&mut self, module: usize, field: &Field) -> Option<Edge> {
        let place = field.site.attr.value_place();
        let root = match field.addr.path.0.as_slice() {
            [name] if &**name == "for_each" => written_out(&field.addr.target),
            _ if self.dynamics.known.contains(&(module, place)) => written_at(place),
            _ => return None,
        };
        Some(itself(self.roots.number(module, root)))
    }
}

/// The edge from the whole of a root.
fn itself(root: usize) -> Edge {
    Edge { to: Route::new(), root, from: Route::new(), handing: Handing::Same }
}

/// The root that stands for what is written out at a place. No local has such a name.
fn written_at(place: Place) -> Target {
    Target::Local(format!("(written out at {place:?})").into())
}
