//! The effect of Terraform's `moved` statements on a state.
//!
//! In: the addresses in state, husks included, the statements, and what the configuration declares. Out: where each object ends, which moves
//! are blocked, what Terraform refuses. Invariant: the answers are those of Terraform 1.11, whose `internal/refactoring`,
//! `internal/addrs` and `internal/states` say what is right; `e2e/moves.rs` compares them on random trees. Where Terraform's
//! answer is left to chance, that is said. Absent on purpose: reading configurations or states, and the objects' contents, so
//! a move between resource types counts as any other, though a provider may refuse it.

mod apply;
mod chance;
mod declared;
mod implied;
mod order;
mod pattern;
mod refusals;
mod statement;
mod subject;
#[cfg(test)]
mod tests;
mod tree;

use crate::addr::Held;
pub use apply::{Blocked, Outcome, apply, outcomes};
pub use declared::{Declared, Repetition};
pub use implied::implied;
pub use refusals::{Refusal, refusals};
pub use statement::{Endpoint, Statement};
pub use subject::{Named, Subject};

/// The effect of moves on a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moves {
    /// The statements, those that Terraform adds behind the explicit ones.
    pub statements: Vec<Statement>,
    /// The address at which each object ends. Terraform plans from there, unless it refuses.
    pub outcome: Outcome,
    /// The reasons why there is no plan; empty if there is one.
    pub refusals: Vec<Refusal>,
}

/// All of it: adds the implied statements, moves the objects, and asks what is refused.
pub fn run(state: &Held, explicit: &[Statement], declared: &dyn Declared) -> Moves {
    let mut statements = explicit.to_vec();
    statements.extend(implied(state, explicit, declared));
    let outcome = apply(state, &statements);
    let refusals = refusals(&statements, declared);
    Moves { statements, outcome, refusals }
}
