//! Gates: conditions as text in one module, each proved before it is used.
//!
//! `words` makes candidates, `prove` evaluates each in the domain that traced the field, `better` chooses among those that are
//! right, and `cache` keeps the results. Absent: edits, which `specialise` decides.

mod better;
mod cache;
mod prove;
mod text;
mod words;

pub(super) use cache::GateCache;
pub(super) use text::{binding_of, literal, path_of, show, site, term_site};

use super::Guard;
use crate::addr::{ModulePath, Target};
use crate::cond::{Condition, FormulaId};
use crate::value::Value;
use std::sync::Arc;

/// A branch as the gates see it.
#[derive(Clone, Debug)]
pub struct Choice {
    /// When it is taken.
    pub when: FormulaId,
    /// The same in the user's words.
    pub shown: Arc<Condition>,
    /// Expression and value pairs, valid in the fallback's scope, all of which hold exactly then.
    pub equals: Vec<(String, Value)>,
    /// The same in the words of the fields' own expressions, in as many ways for each choice; nothing where one doesn't say it.
    pub own: Vec<Option<Arc<Condition>>>,
}

/// One gate.
#[derive(Clone, PartialEq, Debug)]
pub struct Gate {
    /// A boolean expression that binds tighter than `? :`.
    pub text: String,
    /// True if the branch is taken where the text is *false*.
    pub negated: bool,
    /// The same as a condition.
    pub condition: Arc<Condition>,
}

/// A proved set of gates, one per choice.
#[derive(Clone, Debug)]
pub struct Gates {
    /// The module in which the texts are valid.
    pub scope: ModulePath,
    /// In the order of the choices.
    pub gates: Vec<Gate>,
    /// The guards that reject other inputs.
    pub guards: Vec<Guard>,
    /// True if the field's own expression is compared; then the split belongs right at the field.
    pub by_value: bool,
    /// True if a gate fails where the unit's own `count` is 0; then it must not be evaluated there.
    pub late: bool,
}

/// The conditions under which a gate's text gives each result.
#[derive(Clone, Copy, Debug)]
pub(in crate::trace) struct Gives {
    /// The branch is taken.
    pub yes: FormulaId,
    /// The text is an error.
    pub failed: FormulaId,
    /// Nothing is known, for unlisted values only.
    pub open: FormulaId,
}

impl Gates {
    /// Returns true if each gate is a single expression of the user's, or its negation.
    pub(super) fn plain(&self) -> bool {
        self.gates.iter().all(|g| g.condition.weight() <= 1)
    }

    pub(super) fn length(&self) -> usize {
        self.gates.iter().map(|g| g.text.chars().count()).sum()
    }
}

/// Returns the next call on the way from a module to a field, or the field's own declaration.
pub(in crate::trace) fn unit_at(scope: &ModulePath, (at, target): (&ModulePath, &Target)) -> Target {
    at.0.get(scope.0.len()).map_or_else(|| target.clone(), |call| Target::Call(call.clone()))
}

/// Before and since `&&` and `||` leave out what doesn't matter: a gate has to be right in both.
pub(in crate::trace) const VERSIONS: [(u32, u32); 2] = [(1, 11), (1, 12)];

/// The number of cubes at which a normal form is given up.
pub(in crate::trace) const CUBES: usize = 256;
