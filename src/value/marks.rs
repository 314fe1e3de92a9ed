//! Marks: facts that travel with a value.

use std::sync::Arc;

/// One mark.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Mark {
    /// `sensitive(...)`, or a variable or output declared sensitive.
    Sensitive,
    /// An ephemeral value.
    Ephemeral,
    /// Where an unknown comes from: an index into a table of the tracer's. Meaningless on a known value.
    Origin(u32),
    /// On an unknown that stands for a value that is too large to be built: operations refuse it as their result.
    TooLarge,
    /// On an unknown that stands for what there is none of: the elements of an empty list, to find their type, or the
    /// element of a `for` whose clause is looked at early. There is no value, and so no type, that it could turn out to
    /// be: Terraform sees the same unknown.
    Sample,
    /// On an untyped null: its type isn't known, as of one that was an arm of a conditional beside what may be of any type.
    /// Terraform knows it. Meaningless on anything else.
    Untyped,
    /// On a list, tuple, map, object or set: in it there may be lists where Terraform has tuples, or maps where it has
    /// objects, or the other way round, with the same elements: on what that depends is in a table of the tracer's.
    /// Meaningless on anything else.
    Kind(u32),
}

/// A set of marks, in order; the empty one allocates nothing.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Marks(Option<Arc<[Mark]>>);

impl Marks {
    /// No marks.
    pub const NONE: Marks = Marks(None);

    /// One mark.
    pub fn one(mark: Mark) -> Marks {
        Marks(Some(Arc::new([mark])))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether `mark` is among them.
    pub fn has(&self, mark: Mark) -> bool {
        self.0.as_ref().is_some_and(|s| s.binary_search(&mark).is_ok())
    }

    /// All of them in order.
    pub fn iter(&self) -> impl Iterator<Item = Mark> + '_ {
        self.0.iter().flat_map(|s| s.iter().copied())
    }

    /// Both sets together.
    #[must_use]
    pub fn union(&self, other: &Marks) -> Marks {
        match (&self.0, &other.0) {
            (_, None) => self.clone(),
            (None, _) => other.clone(),
            (Some(a), Some(b)) if Arc::ptr_eq(a, b) || b.iter().all(|mark| self.has(*mark)) => self.clone(),
            (Some(a), Some(b)) => Marks::of(a.iter().chain(b.iter()).copied().collect()),
        }
    }

    /// These marks.
    pub fn of(mut marks: Vec<Mark>) -> Marks {
        marks.sort_unstable();
        marks.dedup();
        if marks.is_empty() { Marks::NONE } else { Marks(Some(marks.into())) }
    }

    /// Whether these are the very same, and not only equal.
    pub(super) fn is_same(&self, other: &Marks) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }

    /// Those for which `keep` says so.
    #[must_use]
    pub fn filter(&self, keep: impl Fn(Mark) -> bool) -> Marks {
        Marks::of(self.iter().filter(|m| keep(*m)).collect())
    }
}

impl Marks {
    /// Whether an [`Mark::Origin`] is among them.
    pub fn has_origin(&self) -> bool {
        self.iter().any(|m| matches!(m, Mark::Origin(_)))
    }

    /// Without the [`Mark::Origin`]s, which say nothing about a known value.
    #[must_use]
    pub fn without_origins(&self) -> Marks {
        if self.has_origin() { self.filter(|m| !matches!(m, Mark::Origin(_))) } else { self.clone() }
    }

    /// Without one mark.
    #[must_use]
    pub fn without(&self, mark: Mark) -> Marks {
        if self.has(mark) { self.filter(|m| m != mark) } else { self.clone() }
    }

    /// Whether a [`Mark::Kind`] is among them.
    pub fn has_kind(&self) -> bool {
        self.kinds().next().is_some()
    }

    /// What the [`Mark::Kind`]s among them hold.
    pub fn kinds(&self) -> impl Iterator<Item = u32> + '_ {
        self.iter().filter_map(|mark| match mark {
            Mark::Kind(at) => Some(at),
            _ => None,
        })
    }

    /// Without the [`Mark::Kind`]s.
    #[must_use]
    pub fn without_kinds(&self) -> Marks {
        if self.has_kind() { self.filter(|m| !matches!(m, Mark::Kind(_))) } else { self.clone() }
    }

    /// Only the [`Mark::Kind`]s.
    #[must_use]
    pub fn only_kinds(&self) -> Marks {
        if self.has_kind() { self.filter(|m| matches!(m, Mark::Kind(_))) } else { Marks::NONE }
    }

    /// Only the [`Mark::Origin`]s.
    #[must_use]
    pub fn origins(&self) -> Marks {
        self.filter(|m| matches!(m, Mark::Origin(_)))
    }
}
