//! The owner of all interning: constants, terms, and the nodes of decision diagrams.
//!
//! Invariant: a node's children test only later terms, its split is reduced and not constant, and no two nodes are
//! equal; hence formulas are equal exactly where their ids are. Ids belong to the table that made them.
//! Deliberately absent: any global state, and any garbage collection: a table lives as long as one run's traces.

use super::consts::{ConstId, Consts};
use super::op::Op;
use super::split::Split;
use super::term::{Term, TermId};
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

/// The number of steps that one operation may take, unless [`Formulas::with_budget`] sets another.
const DEFAULT_BUDGET: usize = 100_000;

/// All nodes together may be this many budgets.
const TABLE_BUDGETS: usize = 16;

/// No formula tests more terms in a row: the recursion over diagrams is as deep as they are.
const MAX_HEIGHT: u32 = 1000;

/// A formula in a [`Formulas`]: equal ids, and only they, mean the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FormulaId(u32);

impl FormulaId {
    /// Never.
    pub const FALSE: FormulaId = FormulaId(0);
    /// Always.
    pub const TRUE: FormulaId = FormulaId(1);
}

/// The reason why there is no answer. The caller has to widen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Refusal {
    /// The formula, or its normal form, is too large for the budget.
    OverBudget,
    /// A value to compare with isn't wholly known, not of a kind that can be compared so, or a fraction whose
    /// comparisons Terraform decides by rounding.
    NotConstant,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Refusal::OverBudget => "the condition is too large",
            Refusal::NotConstant => "the condition compares with a value that is not known, or not exactly",
        })
    }
}

impl std::error::Error for Refusal {}

/// Parts of a condition: whether all have to hold or one, what is given anyway, and of each part its formula and weight.
pub(super) type Parts = (bool, FormulaId, Vec<(FormulaId, usize)>);

/// An inner node of a diagram.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(super) struct Node {
    pub term: TermId,
    pub split: Split<FormulaId>,
    height: u32,
}

/// All terms, constants and formulas of one run.
#[derive(Clone, Debug)]
pub struct Formulas {
    pub(super) consts: Consts,
    terms: Vec<Arc<Term>>,
    term_ids: FxHashMap<Arc<Term>, TermId>,
    nodes: Vec<Arc<Node>>,
    node_ids: FxHashMap<Arc<Node>, FormulaId>,
    pub(super) applied: FxHashMap<(Op, FormulaId, FormulaId), FormulaId>,
    /// The terms of each node, once somebody asked.
    terms_of: Vec<OnceLock<Arc<[TermId]>>>,
    /// Results for formulas within universes, and for comparisons.
    pub(super) inside: FxHashMap<FormulaId, FormulaId>,
    pub(super) equal: FxHashMap<(TermId, ConstId), FormulaId>,
    /// The needed parts of a list, by the meaning and the length of each part.
    pub(super) thinned: FxHashMap<Parts, Arc<[bool]>>,
    budget: usize,
    left: usize,
}

impl Default for Formulas {
    fn default() -> Formulas {
        Formulas::with_budget(DEFAULT_BUDGET)
    }
}

impl Formulas {
    /// An empty table where one operation may take `budget` steps (a step makes at most one node).
    pub fn with_budget(budget: usize) -> Formulas {
        Formulas {
            consts: Consts::default(),
            terms: Vec::new(),
            term_ids: FxHashMap::default(),
            nodes: Vec::new(),
            node_ids: FxHashMap::default(),
            applied: FxHashMap::default(),
            terms_of: Vec::new(),
            inside: FxHashMap::default(),
            equal: FxHashMap::default(),
            thinned: FxHashMap::default(),
            budget,
            left: budget,
        }
    }

    /// Returns the number of inner nodes, a measure of the work done.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Begins an operation: it has the whole budget.
    pub(super) fn begin(&mut self) {
        self.left = self.budget;
    }

    /// Takes one step.
    pub(super) fn step(&mut self) -> Result<(), Refusal> {
        self.left = self.left.checked_sub(1).ok_or(Refusal::OverBudget)?;
        Ok(())
    }

    pub(super) fn intern_term(&mut self, term: Term) -> TermId {
        let term = Arc::new(term);
        // A table of 2^32 terms doesn't fit into memory, so the number is exact.
        let next = TermId(self.terms.len() as u32);
        let id = *self.term_ids.entry(term.clone()).or_insert(next);
        if id == next {
            self.terms.push(term);
        }
        id
    }

    pub(super) fn term_of(&self, term: TermId) -> Option<&Arc<Term>> {
        self.terms.get(term.0 as usize)
    }

    /// The node of `f`; `None` for the two constants.
    pub(super) fn inner(&self, f: FormulaId) -> Option<&Arc<Node>> {
        self.nodes.get((f.0 as usize).checked_sub(2)?)
    }

    /// Returns the place that caches the terms of `f`; `None` for the two constants.
    pub(super) fn terms_slot(&self, f: FormulaId) -> Option<&OnceLock<Arc<[TermId]>>> {
        self.terms_of.get((f.0 as usize).checked_sub(2)?)
    }

    fn height(&self, f: FormulaId) -> u32 {
        self.inner(f).map_or(0, |n| n.height)
    }

    /// The formula that decides by `split`, which must be reduced, on `term`.
    pub(super) fn node(&mut self, term: TermId, split: Split<FormulaId>) -> Result<FormulaId, Refusal> {
        if let Some(only) = split.constant() {
            return Ok(*only);
        }
        let height = 1 + split.children().map(|c| self.height(*c)).max().unwrap_or(0);
        let node = Node { term, split, height };
        if let Some(id) = self.node_ids.get(&node) {
            return Ok(*id);
        }
        if height > MAX_HEIGHT || self.nodes.len() >= self.budget.saturating_mul(TABLE_BUDGETS) {
            return Err(Refusal::OverBudget);
        }
        let id = u32::try_from(self.nodes.len() + 2).map_err(|_| Refusal::OverBudget)?;
        let node = Arc::new(node);
        self.nodes.push(node.clone());
        self.terms_of.push(OnceLock::new());
        self.node_ids.insert(node, FormulaId(id));
        Ok(FormulaId(id))
    }
}
