//! Where unknown values come from.
//!
//! A plan-stable expression (a variable without universe, a data source, something computed from them) is a *term*:
//! it may be compared and become a condition. Everything else that can't be known is a *reason*.

use crate::addr::ModulePath;
use crate::cond::TermId;
use crate::issue::{Code, Fix};
use crate::text::Place;
use crate::value::{Mark, Type, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Where an unknown comes from.
#[derive(Clone, PartialEq, Debug)]
pub enum Origin {
    /// It is what this term gives.
    Term(TermId),
    /// Nothing can be said.
    Reason(Arc<Reason>),
}

/// Why a field is Unbounded.
#[derive(Clone, PartialEq, Debug)]
pub struct Reason {
    /// The code.
    pub code: Code,
    /// Sentences.
    pub why: String,
    /// What stands in the way.
    pub place: Option<Place>,
    /// What can be done.
    pub fixes: Vec<Fix>,
}

impl Reason {
    /// A reason without fixes.
    pub fn new(code: Code, why: impl Into<String>, place: Option<Place>) -> Reason {
        Reason { code, why: why.into(), place, fixes: Vec::new() }
    }

    /// With one more fix.
    #[must_use]
    pub fn fix(mut self, title: impl Into<String>, paste: impl Into<String>) -> Reason {
        self.fixes.push(Fix { title: title.into(), paste: paste.into() });
        self
    }
}

/// An expression for a term that is valid in one module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Home {
    /// The module, by its calls.
    pub scope: ModulePath,
    /// The expression.
    pub text: Arc<str>,
}

/// What is known of a term.
#[derive(Clone, Debug)]
pub struct TermInfo {
    /// Its type, [`Type::Dynamic`] where that isn't known.
    pub ty: Type,
    /// How to write it, where one module can.
    pub home: Option<Home>,
    /// The root variables it is computed from.
    pub variables: BTreeSet<Arc<str>>,
    /// The root variable that it is.
    pub variable: Option<Arc<str>>,
    /// Where it was first met.
    pub place: Option<Place>,
}

/// The table of origins and terms.
#[derive(Debug, Default)]
pub(super) struct Origins {
    origins: Vec<Origin>,
    terms: BTreeMap<TermId, TermInfo>,
}

impl Origins {
    /// The mark of an origin.
    pub fn mark(&mut self, origin: Origin) -> Mark {
        let at = match self.origins.iter().position(|o| *o == origin) {
            Some(at) => at,
            None => {
                self.origins.push(origin);
                self.origins.len() - 1
            }
        };
        Mark::Origin(u32::try_from(at).unwrap_or(u32::MAX))
    }

    /// The origin behind a mark.
    pub fn get(&self, mark: Mark) -> Option<&Origin> {
        match mark {
            Mark::Origin(at) => self.origins.get(at as usize),
            Mark::Sensitive | Mark::Ephemeral | Mark::TooLarge => None,
        }
    }

    /// The origin of an unknown value.
    pub fn of(&self, value: &Value) -> Option<&Origin> {
        if value.is_known() {
            return None;
        }
        value.marks.iter().find_map(|m| self.get(m))
    }

    /// The term that an unknown value is.
    pub fn term_of(&self, value: &Value) -> Option<TermId> {
        match self.of(value)? {
            Origin::Term(t) => Some(*t),
            Origin::Reason(_) => None,
        }
    }

    /// Remembers a term; what was known before stays.
    pub fn describe(&mut self, term: TermId, info: TermInfo) {
        self.terms.entry(term).or_insert(info);
    }

    /// What is known of a term.
    pub fn info(&self, term: TermId) -> Option<&TermInfo> {
        self.terms.get(&term)
    }
}
