//! More than can be followed. Every operation hands it on; [`Tracer::or_unknown`] alone makes an unknown of it.

use crate::cond::Refusal;
use crate::eval::At;
use crate::text::Place;
use crate::trace::{Alt, Guarded, Tracer};
use crate::value::Value;

/// More alternatives, conditions or parts than a limit allows.
#[derive(Clone, Copy, Debug)]
pub(in crate::trace) struct Excess {
    what: &'static str,
    place: Option<Place>,
}

/// The most common excess.
const CONDITIONS: &str = "the conditions are too many";

impl Excess {
    /// Says what is too much, and in which expression if it is one by itself.
    pub fn new(what: &'static str, place: Option<Place>) -> Excess {
        Excess { what, place }
    }

    /// Conditions that are too many or too long.
    pub fn of_conditions(place: Option<Place>) -> Excess {
        Excess::new(CONDITIONS, place)
    }

    /// The same of conditions that were refused.
    pub fn refused(place: Option<Place>) -> impl Fn(Refusal) -> Excess {
        move |_| Excess::of_conditions(place)
    }
}

impl From<Refusal> for Excess {
    fn from(_: Refusal) -> Excess {
        Excess::of_conditions(None)
    }
}

impl Tracer<'_> {
    /// Returns what was made; an unknown with the reason where that would have been too much.
    pub(in crate::trace) fn or_unknown(&mut self, made: Result<Guarded, Excess>) -> Guarded {
        made.unwrap_or_else(|excess| Guarded::of(self.unknown_for(excess)))
    }

    /// Returns the unknown that stands for what would have been too much, with the reason.
    pub(in crate::trace) fn unknown_for(&mut self, excess: Excess) -> Value {
        let reason = self.why_too_large(excess.what, excess.place);
        self.opaque(reason)
    }

    /// Returns alternatives as one value; an unknown with the reason where they are too many.
    pub(in crate::trace) fn gathered(&mut self, made: Result<Vec<Alt>, Excess>, at: At) -> Guarded {
        let made = made.map(|alts| self.guarded(alts, Some(at.place())));
        self.or_unknown(made)
    }
}
