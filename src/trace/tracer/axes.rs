//! The keys and indices behind terms.
//!
//! In: the terms that are keys or indices of iterations, and the terms that are computed from others. Out: the iterations on which a
//! term depends. Absent: the values of keys and indices.

use crate::addr::{ModulePath, Target};
use crate::cond::TermId;
use crate::text::SourceId;
use crate::value::Type;
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::Arc;

/// A key or an index of an iteration. Displayed, it is the key of its term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::trace) struct Axis {
    /// The module of the declaration.
    pub path: ModulePath,
    /// The declaration that is repeated, or that holds the repeated block.
    pub target: Target,
    /// The kind of iteration.
    pub kind: AxisKind,
}

/// The kind of an iteration. Displayed, `each.key` and `count.index` are expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::trace) enum AxisKind {
    /// A `for_each` gives `each.key`.
    Key,
    /// A `for_each` over a map gives `each.value`.
    Value,
    /// A `count` gives `count.index`.
    Index,
    /// A `dynamic` block, which begins at this byte of a file, gives its iterator a key.
    Entry(SourceId, u32),
}

impl AxisKind {
    /// Returns the type of the key or index.
    pub fn ty(self) -> Type {
        match self {
            AxisKind::Key => Type::String,
            AxisKind::Index => Type::Number,
            AxisKind::Value | AxisKind::Entry(..) => Type::Dynamic,
        }
    }
}

impl fmt::Display for AxisKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AxisKind::Key => f.write_str("each.key"),
            AxisKind::Value => f.write_str("each.value"),
            AxisKind::Index => f.write_str("count.index"),
            AxisKind::Entry(file, start) => write!(f, "dynamic {}:{start}", file.0),
        }
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}|{}|{}", self.path, self.target, self.kind)
    }
}

/// The terms that are keys or indices, and those that are computed from them.
#[derive(Debug, Default)]
pub(in crate::trace) struct AxisTerms {
    terms: FxHashMap<TermId, Behind>,
}

/// The keys and indices behind a term.
#[derive(Debug)]
struct Behind {
    /// True if the term is the key or index.
    itself: bool,
    axes: Vec<Arc<Axis>>,
}

impl AxisTerms {
    /// Adds a term that is a key or an index.
    pub fn add(&mut self, term: TermId, axis: &Axis) {
        let new = || Behind { itself: true, axes: vec![Arc::new(axis.clone())] };
        self.terms.entry(term).or_insert_with(new);
    }

    /// Adds a term that is computed from these keys and indices.
    pub fn add_computed(&mut self, term: TermId, axes: Vec<Arc<Axis>>) {
        if !axes.is_empty() {
            self.terms.entry(term).or_insert(Behind { itself: false, axes });
        }
    }

    /// Returns the key or index that a term is.
    pub fn of(&self, term: TermId) -> Option<&Arc<Axis>> {
        self.terms.get(&term).filter(|behind| behind.itself)?.axes.first()
    }

    /// Returns the keys and indices from which a term is computed, or the one that it is.
    pub fn behind(&self, term: TermId) -> &[Arc<Axis>] {
        self.terms.get(&term).map_or(&[], |behind| &behind.axes)
    }

    /// Returns true if a term is, or is computed from, a key or an index for which `is` holds.
    pub fn depends(&self, term: TermId, is: impl Fn(&Axis) -> bool) -> bool {
        self.behind(term).iter().any(|axis| is(axis))
    }

    /// Returns true if a term is the key of an entry of a `dynamic` block, or is computed from one.
    pub fn is_per_entry(&self, term: TermId) -> bool {
        self.depends(term, |axis| matches!(axis.kind, AxisKind::Entry(..)))
    }
}
