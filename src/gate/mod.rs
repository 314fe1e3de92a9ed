//! Gates: conditions as text in one module, each proved before it is used.
//!
//! `words` makes candidates, `prove` evaluates each in the domain that traced the field, `better` chooses among those that are
//! right, and `cache` keeps the results. `run` says which gates are true in the instances that a run has. Absent: edits, which
//! `specialise` decides.

mod better;
mod cache;
mod own;
mod prove;
mod run;
mod words;

pub use cache::GateCache;
pub use own::own_site;
pub use run::Whereabouts;

use crate::addr::{ModulePath, Target};
use crate::cond::{Condition, FormulaId, Formulas, Writing};
use crate::trace::wording::literal;
use crate::trace::{Guard, Tracer};
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

impl Gate {
    /// Writes a condition as a gate; `None` where it can't be written.
    fn of(condition: Arc<Condition>, writing: Writing) -> Option<Gate> {
        let said = condition.gate(writing, &|v| literal(v))?;
        Some(Gate { text: said.text, negated: said.negated, condition })
    }

    /// Returns the condition as one expression.
    pub fn shown(&self) -> String {
        if self.negated { format!("!({})", self.text) } else { self.text.clone() }
    }
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

impl Gates {
    /// Gates of which nothing is proved yet.
    fn candidate(scope: ModulePath, gates: Vec<Gate>, by_value: bool) -> Gates {
        Gates { scope, gates, guards: Vec::new(), by_value, late: false }
    }

    /// Returns true if each gate is a single expression of the user's, or its negation.
    pub(super) fn plain(&self) -> bool {
        self.gates.iter().all(|g| g.condition.weight() <= 1)
    }

    pub(super) fn length(&self) -> usize {
        self.gates.iter().map(|g| g.text.chars().count()).sum()
    }
}

/// Returns the next call on the way from a module to a field, or the field's own declaration.
fn unit_at(scope: &ModulePath, (at, target): (&ModulePath, &Target)) -> Target {
    at.0.get(scope.0.len()).map_or_else(|| target.clone(), |call| Target::Call(call.clone()))
}

/// A tracer, as those see it who write what it found.
pub struct Prover<'t, 'a> {
    tracer: &'t mut Tracer<'a>,
    cache: &'t mut GateCache,
}

impl<'t, 'a> Prover<'t, 'a> {
    /// Proves gates with a tracer. The cache holds what was proved with the same one before.
    pub fn new(tracer: &'t mut Tracer<'a>, cache: &'t mut GateCache) -> Prover<'t, 'a> {
        Prover { tracer, cache }
    }

    /// The tracer, for what it says of the fields that it traced.
    pub fn tracer(&mut self) -> &mut Tracer<'a> {
        self.tracer
    }

    /// The condition algebra, for those who read conditions.
    pub fn formulas(&mut self) -> &mut Formulas {
        self.tracer.formulas()
    }
}
