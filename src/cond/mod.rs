//! The algebra of conditions: what a gate means, whether gates exclude each other, and how a gate reads.
//!
//! Two views of one thing. A formula ([`Formulas`], [`FormulaId`]) is what a condition *means*: an interned
//! decision diagram over terms, so that equal meanings have equal ids. A [`Condition`] is how it is *said*:
//! the symbolic tree of reports and gates, each leaf with its text and the formula it stands for.
//!
//! Input: terms (expressions that keep one value through a run), constants, and what is known of a term's values.
//! Invariant: a claim made here (true, disjoint, implied) holds for every value the terms can take, as far as
//! the declared domains are right; where a budget runs out the answer is [`Refusal`] and the caller widens.
//! Deliberately absent: syntax trees, evaluation of expressions, relations between different terms.

mod consts;
mod split;
mod table;
mod domain;
mod op;
mod term;
mod apply;
mod rewrite;
mod query;
mod literal;
mod cubes;
mod minimise;
mod models;
mod condition;
mod show;
mod simplify;
mod gate;
#[cfg(test)]
mod tests;

pub use condition::{Binding, Condition, Meaning, Several, Site};
pub use consts::can_name;
pub use term::{Comparison, Domain, TermId};

pub use gate::{Gate, TermText, Writing};
pub use literal::{Bound, Cube, Literal, Range};
pub use models::{Model, Pick};

pub use show::Shown;
pub use table::{FormulaId, Formulas, Refusal};
