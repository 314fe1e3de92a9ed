//! Chooses among several proved sets of gates.
//!
//! In: gates that are right wherever they can be evaluated. Out: these, or others that are right too and that read better or fail
//! in fewer cases. Terraform doesn't evaluate the arm of a conditional that isn't taken, while `&&` evaluates both sides (before
//! 1.12). Deliberately absent: proofs (see [`super::prove`]).

use super::{Choice, Gate, Gates, Prover, unit_at};
use crate::addr::{ModulePath, Target};
use crate::cond::{Condition, FormulaId, Writing};
use crate::value::{Data, Value};

impl Prover<'_, '_> {
    /// Proved gates, or better ones.
    pub(super) fn better(
        &mut self,
        gates: Gates,
        choices: &[Choice],
        accepted: FormulaId,
        field: (&ModulePath, &Target),
    ) -> Gates {
        let gates = match gates.gates.iter().any(|g| compares_collections(&g.condition)) {
            true => self.by_own_value(gates, choices, field),
            false => gates,
        };
        let risk = self.risk_of(&gates, field);
        if risk == Some(FormulaId::FALSE) {
            return gates;
        }
        let lazy = self.in_own_words(choices, accepted, Writing::Lazy);
        let lazy = lazy.and_then(|g| self.proved(g, choices, field)).filter(|lazy| {
            let left = self.risk_of(lazy, field);
            let less = left.zip(risk).map(|(left, risk)| self.formulas().minus(left, risk));
            left != risk && less == Some(Ok(FormulaId::FALSE))
        });
        lazy.unwrap_or(gates)
    }

    /// Gates that don't ask for what decides nothing where the field has a value, if that is shorter. A `bool` that is `null` may be
    /// an error and no branch; a guard keeps that out, so that no gate has to.
    pub(super) fn without_idle(
        &mut self,
        words: Option<Gates>,
        choices: &[Choice],
        (field, accepted): ((&ModulePath, &Target), FormulaId),
    ) -> Option<Gates> {
        let Some(free) = self.freed(choices, accepted) else { return words };
        let short = self.normal(&free, accepted).and_then(|g| self.proved(g, choices, field));
        match (words, short) {
            (Some(words), Some(short)) if short.scope == words.scope && short.length() < words.length() => {
                Some(short)
            }
            (words, short) => words.or(short),
        }
    }

    /// The choices without terms that tell none of them from another, and that are no value where they are `null` alone. `None` if
    /// there is no such term.
    fn freed(&mut self, choices: &[Choice], accepted: FormulaId) -> Option<Vec<Choice>> {
        let mut whens: Vec<FormulaId> = choices.iter().map(|c| c.when).collect();
        for term in self.terms_of(choices) {
            let universe = self.formulas().universe(term);
            let kept = self.possible_values(term, universe.clone(), accepted)?;
            let mut lost = universe.iter().filter(|value| !kept.contains(value)).peekable();
            if lost.peek().is_none() || !lost.all(Value::is_null) {
                continue;
            }
            let mut taken = FormulaId::FALSE;
            let mut freed = Vec::with_capacity(whens.len());
            for when in &whens {
                let mut any = FormulaId::FALSE;
                for value in &universe {
                    let one = self.formulas().restrict(*when, term, value).ok()?;
                    any = self.formulas().or(any, one).ok()?;
                }
                if self.formulas().and(taken, any).ok()? != FormulaId::FALSE {
                    break;
                }
                taken = self.formulas().or(taken, any).ok()?;
                freed.push(any);
            }
            if freed.len() == whens.len() && freed.len() > 1 {
                whens = freed;
            }
        }
        let changed = whens.iter().zip(choices).any(|(when, choice)| *when != choice.when);
        changed
            .then(|| whens.into_iter().zip(choices).map(|(when, c)| Choice { when, ..c.clone() }).collect())
    }

    /// The field's own expression compared with its values, which says more than the collections that it is chosen by.
    fn by_own_value(&mut self, gates: Gates, choices: &[Choice], field: (&ModulePath, &Target)) -> Gates {
        if gates.scope != *field.0 {
            return gates;
        }
        self.gates_by_value(choices, field.0, field.1).unwrap_or(gates)
    }

    /// Returns the condition under which a part of the gates may be an error for values of which nothing is known;
    /// `None` if that is too much to say.
    fn risk_of(&mut self, gates: &Gates, field: (&ModulePath, &Target)) -> Option<FormulaId> {
        let mut all = FormulaId::FALSE;
        for gate in gates.gates.iter().filter(|g| joins(g)) {
            let unit = unit_at(&gates.scope, field);
            let here = self.tracer.risk(&gate.text, &gates.scope, &unit)?;
            all = self.formulas().or(all, here).ok()?;
        }
        Some(all)
    }
}

/// Returns true if a gate asks for several things, of which one may fail.
fn joins(gate: &Gate) -> bool {
    let asks = gate.text.contains("&&") || gate.text.contains("||") || gate.text.contains('?');
    asks && gate.text.bytes().any(|b| b"([{+-*/%".contains(&b))
}

/// Returns true if a collection as a whole is compared somewhere in it.
pub(super) fn compares_collections(condition: &Condition) -> bool {
    match condition {
        Condition::Eq(_, value) => matches!(value.data, Data::Seq(_) | Data::Map(_)),
        Condition::Not(part) => compares_collections(part),
        Condition::And(parts) | Condition::Or(parts) => parts.iter().any(|p| compares_collections(p)),
        Condition::Always | Condition::Existing(_) => false,
    }
}
