//! Gates in the words of the fields' own expressions, which stand in the fields' own module.
//!
//! In: choices with what their fields' expressions say of them. Out: proved gates, of several ways to say it the shortest. They
//! are there for what can't be split further out, and for what is to be split where it stands.

use super::{Choice, Gate, Gates, Prover};
use crate::addr::{ModulePath, Target};
use crate::cond::{Condition, FormulaId, Site, Writing};
use crate::config::In;
use crate::syntax::Block;
use crate::trace::Tracer;
use crate::trace::wording::{literal, site};
use std::sync::Arc;

impl Prover<'_, '_> {
    /// Gates that ask the fields' own expressions, where they stand: for what lies in a call that takes no `count`, and for
    /// what is split at the resource. Of several ways to say it the shortest.
    pub fn gates_by_value(&mut self, choices: &[Choice], at: &ModulePath, target: &Target) -> Option<Gates> {
        let ways = choices.iter().map(|c| c.own.len()).min().unwrap_or(0);
        let mut said: Vec<Gates> = self.by_value(choices, at).into_iter().collect();
        for way in 0..ways {
            for writing in [Writing::Operators, Writing::Lazy] {
                said.extend(by_own_words(choices, at, way, writing));
            }
        }
        said.sort_by_key(Gates::length);
        said.into_iter().find_map(|gates| self.proved(gates, choices, (at, target)))
    }

    /// Gates that stand in the module of the fields themselves.
    pub fn gates_within(&mut self, choices: &[Choice], at: &ModulePath, target: &Target) -> Option<Gates> {
        let gates = self.gates(choices, at, target).filter(|gates| gates.scope == *at);
        gates.or_else(|| self.gates_by_value(choices, at, target))
    }

    /// Gates that speak of one entry of the `dynamic` blocks around a field: to be shown, since nothing can be put on one.
    pub fn gates_per_entry(
        &mut self,
        choices: &[Choice],
        at: &ModulePath,
        target: &Target,
        dynamics: &[In<Block>],
    ) -> Option<Gates> {
        let cache = &mut *self.cache;
        let find = |tracer: &mut Tracer<'_>| Prover { tracer, cache }.gates(choices, at, target);
        self.tracer.with_gate_names((at.clone(), dynamics.to_vec()), find)
    }

    /// The same gates in another instance of their module, where they are proved for these choices.
    pub fn gates_again(
        &mut self,
        gates: &Gates,
        choices: &[Choice],
        at: &ModulePath,
        target: &Target,
    ) -> Option<Gates> {
        let again = Gates { scope: at.clone(), guards: Vec::new(), late: false, ..gates.clone() };
        self.proved(again, choices, (at, target)).filter(|again| again.late == gates.late)
    }

    /// Each field's own expression compared with the branch's value: the gate that is always there.
    pub(super) fn by_value(&mut self, choices: &[Choice], at: &ModulePath) -> Option<Gates> {
        let mut gates = Vec::new();
        for choice in choices {
            let equal = |(text, value): &(String, _)| {
                Arc::new(Condition::Eq(own_site(at, text.clone(), choice.when), Clone::clone(value)))
            };
            let condition = Condition::all(choice.equals.iter().map(equal));
            let text = condition.text(Writing::Operators, &|v| literal(v))?;
            gates.push(Gate { text, negated: false, condition });
        }
        (!gates.is_empty()).then(|| Gates::candidate(at.clone(), gates, true))
    }
}

/// Gates in one of the ways in which the fields' own expressions say it.
fn by_own_words(choices: &[Choice], at: &ModulePath, way: usize, writing: Writing) -> Option<Gates> {
    let gate = |choice: &Choice| Gate::of(choice.own.get(way)?.clone()?, writing);
    let gates = choices.iter().map(gate).collect::<Option<Vec<Gate>>>()?;
    Some(Gates::candidate(at.clone(), gates, true))
}

/// A site for the text of a field's own expression.
pub fn own_site(scope: &ModulePath, text: String, formula: FormulaId) -> Site {
    site(scope.clone(), text, formula)
}
