//! The contents of state, as they are and as they would be had the original been applied all along.

use crate::addr::{Held, Key, ObjectAddr};
use crate::specialise::record::history::History;

/// A managed object in state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// The address that state has for it.
    pub held: ObjectAddr,
    /// Its address in the original, before this run's moves.
    pub original: ObjectAddr,
}

/// The managed objects in state, and what can be in their way.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// The managed objects.
    pub objects: Vec<Object>,
    /// The rest of the state: data sources and husks.
    beside: Held,
    /// The same as the original would have it.
    others: Held,
}

impl Contents {
    /// Objects, and what stands beside them in state. Of data the likeliest reading is taken; the husk of a copy is none in
    /// the original. Neither is one under the name of what has copies, or within that: moves of whole resources take husks of copies there.
    pub fn new(objects: Vec<Object>, beside: Held, history: &History) -> Contents {
        let data = beside.objects.iter().filter_map(|held| history.readings(held).into_iter().next());
        let own = |(module, resource): &&(_, _)| {
            let copy = ObjectAddr {
                module: Clone::clone(module),
                resource: Clone::clone(resource),
                key: Some(Key::Index(0)),
            };
            history.readings(&copy).len() < 2 && !has_copies(&module.path().address_of(resource), history)
        };
        let husks = beside.husks.iter().filter(own).cloned().collect();
        let others = Held { objects: data.collect(), husks };
        Contents { objects, beside, others }
    }

    /// The addresses as state has them.
    pub fn held(&self) -> Held {
        with(self.objects.iter().map(|o| &o.held), &self.beside)
    }

    /// The addresses as the original would have them.
    pub fn original(&self) -> Held {
        with(self.objects.iter().map(|o| &o.original), &self.others)
    }
}

/// Returns true if an address without keys is that of something that had copies, or lies in it.
fn has_copies(address: &str, history: &History) -> bool {
    history.entries().any(|entry| {
        address.strip_prefix(&*entry.original).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}

fn with<'a>(objects: impl Iterator<Item = &'a ObjectAddr>, beside: &'a Held) -> Held {
    Held { objects: objects.chain(&beside.objects).cloned().collect(), husks: beside.husks.clone() }
}
