//! More than can be followed. Every operation hands it on; [`Tracer::or_unknown`] alone makes an unknown of it.

use crate::cond::Refusal;
use crate::eval::At;
use crate::issue::Code;
use crate::text::Place;
use crate::trace::{Alt, Guarded, Reason, Tracer};
use crate::value::Value;

/// More alternatives, conditions or parts than a limit allows.
#[derive(Clone, Copy, Debug)]
pub(in crate::trace) struct Excess {
    what: &'static str,
    place: Option<Place>,
}

/// The most common excess.
const CONDITIONS: &str = "the conditions are too many";

/// A number that no condition can name.
const FRACTION: &str = "a fraction of more than 15 digits decides";

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
        move |refusal| Excess { place, ..Excess::from(refusal) }
    }
}

impl From<Refusal> for Excess {
    fn from(refusal: Refusal) -> Excess {
        let what = match refusal {
            Refusal::OverBudget => CONDITIONS,
            Refusal::NotConstant => FRACTION,
        };
        Excess::new(what, None)
    }
}

impl Tracer<'_> {
    /// The excess of a field that has used up its work, at the expression at which that is noticed.
    pub(in crate::trace) fn find_exhaustion(&self, at: At) -> Option<Excess> {
        let why = self.effort.values.why_ended().unwrap_or("too many operations lead to it");
        self.exhausted().then(|| Excess::new(why, Some(at.place())))
    }

    /// Returns what was made; an unknown with the reason where that would have been too much.
    pub(in crate::trace) fn or_unknown(&mut self, made: Result<Guarded, Excess>) -> Guarded {
        made.unwrap_or_else(|excess| Guarded::of(self.unknown_for(excess)))
    }

    /// Returns the unknown that stands for what would have been too much, with the reason.
    pub(in crate::trace) fn unknown_for(&mut self, excess: Excess) -> Value {
        let reason = match excess.what {
            FRACTION => self.why_inexact(excess.place),
            what => self.why_too_large(what, excess.place),
        };
        self.opaque(reason)
    }

    /// The reason that no condition can name a number.
    fn why_inexact(&self, place: Option<Place>) -> Reason {
        let said = place.and_then(|place| self.quote(place));
        let said = said.map_or_else(|| "it".to_owned(), |text| format!("`{text}`"));
        let why = format!(
            "{said} can be a fraction of more than 15 significant digits, and which of these are equal to Terraform hangs on how each \
             was computed: no condition tells such a value from others."
        );
        Reason::new(Code::PlanStability, why, place)
            .fix("Write the number with at most 15 significant digits; or as a string, which is compared as it stands.", "")
    }

    /// Returns alternatives as one value; an unknown with the reason where they are too many.
    pub(in crate::trace) fn gathered(&mut self, made: Result<Vec<Alt>, Excess>, at: At) -> Guarded {
        let made = made.map(|alts| self.guarded(alts, Some(at.place())));
        self.or_unknown(made)
    }
}
