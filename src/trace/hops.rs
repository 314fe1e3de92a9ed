//! How a value came about: a persistent list of hops, from the use down to the literal.

use crate::text::Place;
use std::sync::Arc;

/// The hops of one alternative.
#[derive(Clone, Debug, Default)]
pub struct Hops(Option<Arc<Hop>>);

#[derive(Debug)]
struct Hop {
    text: Arc<str>,
    place: Option<Place>,
    next: Hops,
}

impl Hops {
    /// No hops.
    pub const NONE: Hops = Hops(None);

    /// A list of one.
    pub fn one(text: impl Into<Arc<str>>, place: Option<Place>) -> Hops {
        Hops::NONE.before(text, place)
    }

    /// With one more hop in front.
    #[must_use]
    pub fn before(&self, text: impl Into<Arc<str>>, place: Option<Place>) -> Hops {
        Hops(Some(Arc::new(Hop { text: text.into(), place, next: self.clone() })))
    }

    /// Whether there are at least two: more than a literal.
    pub fn is_path(&self) -> bool {
        self.0.as_ref().is_some_and(|h| h.next.0.is_some())
    }

    /// Text and place of each hop, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&Arc<str>, Option<Place>)> {
        let mut at = self.0.as_deref();
        std::iter::from_fn(move || {
            let hop = at?;
            at = hop.next.0.as_deref();
            Some((&hop.text, hop.place))
        })
    }
}

impl Drop for Hop {
    // A chain through hundreds of locals must not be dropped by recursion.
    fn drop(&mut self) {
        let mut next = self.next.0.take();
        while let Some(hop) = next {
            next = Arc::into_inner(hop).and_then(|mut h| h.next.0.take());
        }
    }
}
