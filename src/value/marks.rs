//! Marks: facts that travel with a value.

use std::sync::Arc;

/// One mark.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Mark {
    /// `sensitive(...)`, a variable declared sensitive, or an output declared so where Terraform marks its value in the caller.
    Sensitive,
    /// An output declared sensitive whose value Terraform marks in the caller from 1.13 on only. Nothing of it is shown or
    /// written, as of what is sensitive; for expressions it is as sensitive as the versions in question make it.
    Declared,
    /// tf-phi shows nothing of the value, though Terraform marks none of it.
    Withheld,
    /// An ephemeral value.
    Ephemeral,
    /// The origin of an unknown value: an index into a table of the tracer. Has no meaning on a known value.
    Origin(u32),
    /// The unknown replaces a value that is too large to be built. Operations refuse to return it.
    TooLarge,
    /// The unknown is a placeholder for a value that never exists: the element of an empty list, whose type is asked
    /// for, or the element of a `for` whose clause is evaluated early. It never becomes known, so its type never
    /// does. Terraform uses the same unknown.
    Sample,
    /// The type of this null isn't known here, although Terraform knows it: it was an arm of a conditional whose
    /// other arm may be of any type. Has no meaning on other values.
    Untyped,
    /// An argument of a resource, or what is made of one. A provider may make another value of it, so that it decides nothing.
    Configured,
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

    /// Returns true if there are no marks.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns true if `mark` is among them.
    pub fn has(&self, mark: Mark) -> bool {
        self.0.as_ref().is_some_and(|s| s.binary_search(&mark).is_ok())
    }

    /// Returns true if what has them is neither shown nor written.
    pub fn is_secret(&self) -> bool {
        [Mark::Sensitive, Mark::Declared, Mark::Withheld].into_iter().any(|mark| self.has(mark))
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

    /// Returns true if both share one allocation. Equal sets may not.
    pub(super) fn is_same(&self, other: &Marks) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }

    /// Returns the marks for which `keep` returns true.
    #[must_use]
    pub fn filter(&self, keep: impl Fn(Mark) -> bool) -> Marks {
        Marks::of(self.iter().filter(|m| keep(*m)).collect())
    }
}

impl Marks {
    /// Returns true if one of them is a [`Mark::Origin`].
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

    /// Only the [`Mark::Origin`]s.
    #[must_use]
    pub fn origins(&self) -> Marks {
        self.filter(|m| matches!(m, Mark::Origin(_)))
    }
}
