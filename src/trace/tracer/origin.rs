//! The origins of unknown values.
//!
//! A plan-stable expression (a variable without universe, a data source, something computed from them) is a *term*:
//! it may be compared and become a condition. Everything else that can't be known is a *reason*.

use super::culprits::Culprits;
use super::inputs::WORKSPACE;
use crate::addr::{FieldAddr, ModulePath};
use crate::cond::TermId;
use crate::issue::{Code, Fix};
use crate::text::Place;
use crate::trace::ResourceInstance;
use crate::value::{Mark, Type, Value};
use rustc_hash::{FxHashMap, FxHasher};
use std::collections::BTreeSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The origin of an unknown value.
#[derive(Clone, PartialEq, Debug)]
pub enum Origin {
    /// It is what this term gives.
    Term(TermId),
    /// The reason why nothing can be said of it.
    Reason(Arc<Reason>),
    /// It is this instance of a resource, and the reason why nothing can be said of what a provider gives to it.
    Object(Arc<Reason>, Arc<ResourceInstance>),
}

impl Origin {
    /// Equal origins have equal digests.
    fn digest(&self) -> u64 {
        let mut hasher = FxHasher::default();
        match self {
            Origin::Term(term) => term.hash(&mut hasher),
            Origin::Reason(reason) => {
                (reason.code, reason.place, &reason.why, &reason.defaults).hash(&mut hasher)
            }
            Origin::Object(reason, object) => (reason.place, object).hash(&mut hasher),
        }
        hasher.finish()
    }

    /// The term that it is.
    pub fn term(&self) -> Option<TermId> {
        match self {
            Origin::Term(term) => Some(*term),
            Origin::Reason(_) | Origin::Object(..) => None,
        }
    }

    /// The reason why nothing can be said of it.
    pub fn reason(&self) -> Option<&Arc<Reason>> {
        match self {
            Origin::Term(_) => None,
            Origin::Reason(reason) | Origin::Object(reason, _) => Some(reason),
        }
    }
}

/// The reason why a field is Unbounded.
#[derive(Clone, PartialEq, Debug)]
pub struct Reason {
    /// The code.
    pub code: Code,
    /// Sentences.
    pub why: String,
    /// The place of the obstacle.
    pub place: Option<Place>,
    /// The fixes.
    pub fixes: Vec<Fix>,
    /// The root variables on which it depends: where all of them have defaults, these may be taken for their only values.
    pub defaults: BTreeSet<Arc<str>>,
    /// The one name in the configuration that can't be known, if it is one.
    pub culprit: Option<Arc<str>>,
    /// The kind, for the steps that treat some reasons in their own way.
    pub kind: ReasonKind,
    /// True if the sentences hold the words of an error, which may tell values.
    pub has_error: bool,
}

/// The kind of a reason.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ReasonKind {
    /// The sentences say all.
    #[default]
    Said,
    /// The value is computed from others, and nobody has looked yet from which.
    Computed,
    /// The name of a `for` stands for no element yet.
    Unbound,
}

impl Reason {
    /// A reason without fixes.
    pub fn new(code: Code, why: impl Into<String>, place: Option<Place>) -> Reason {
        Reason {
            code,
            why: why.into(),
            place,
            fixes: Vec::new(),
            defaults: BTreeSet::new(),
            culprit: None,
            kind: ReasonKind::default(),
            has_error: false,
        }
    }

    /// Notes that the sentences hold the words of an error.
    #[must_use]
    pub fn of_error(self) -> Reason {
        Reason { has_error: true, ..self }
    }

    /// Sets the root variables on which it depends.
    #[must_use]
    pub fn over(mut self, defaults: BTreeSet<Arc<str>>) -> Reason {
        self.defaults = defaults;
        self
    }

    /// Sets the name that can't be known.
    #[must_use]
    pub fn because_of(mut self, culprit: impl Into<Arc<str>>) -> Reason {
        self.culprit = Some(culprit.into());
        self
    }

    /// Sets the kind.
    #[must_use]
    pub fn of_kind(self, kind: ReasonKind) -> Reason {
        Reason { kind, ..self }
    }

    /// Adds a fix.
    #[must_use]
    pub fn fix(mut self, title: impl Into<String>, paste: impl Into<String>) -> Reason {
        self.fixes.push(Fix { title: title.into(), paste: paste.into() });
        self
    }
}

/// An expression for a term that is valid in one module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Home {
    /// The module, by its calls.
    pub scope: ModulePath,
    /// The expression.
    pub text: Arc<str>,
}

/// A thing that Terraform itself can check against a list of values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A root variable, by a `validation` block.
    Variable(Arc<str>),
    /// An attribute of a data source, by a `postcondition`.
    Data(Arc<FieldAddr>),
    /// The workspace, by an output's `precondition`.
    Workspace,
}

/// The name under which `phi.hcl` lists its values.
impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Variable(name) => f.write_str(name),
            Subject::Data(attribute) => write!(f, "{attribute}"),
            Subject::Workspace => f.write_str(WORKSPACE),
        }
    }
}

/// The facts about a term.
#[derive(Clone, Debug)]
pub struct TermInfo {
    /// Its type, [`Type::Dynamic`] where that isn't known.
    pub ty: Type,
    /// The expression for it, if a module can write one.
    pub home: Option<Home>,
    /// The root variables it is computed from.
    pub variables: BTreeSet<Arc<str>>,
    /// The variable or attribute whose value it is, if that can be checked against a list.
    pub subject: Option<Subject>,
    /// The place where it was met first.
    pub place: Option<Place>,
}

impl TermInfo {
    /// The root variable that it is.
    pub fn variable(&self) -> Option<&Arc<str>> {
        match &self.subject {
            Some(Subject::Variable(name)) => Some(name),
            Some(Subject::Data(_) | Subject::Workspace) | None => None,
        }
    }
}

/// The table of origins and terms.
#[derive(Debug, Default)]
pub(in crate::trace) struct Origins {
    origins: Vec<Origin>,
    /// Indices into `origins`, by digest.
    seen: FxHashMap<u64, Vec<u32>>,
    terms: FxHashMap<TermId, TermInfo>,
    /// The reason why the values behind a term aren't narrowed, if there is more to say than their variables.
    because: FxHashMap<TermId, Arc<Reason>>,
    /// For keys and indices that vary, the names on which they depend.
    blamed: FxHashMap<TermId, Culprits>,
}

impl Origins {
    /// The mark of an origin.
    pub fn mark(&mut self, origin: Origin) -> Mark {
        let same = self.seen.entry(origin.digest()).or_default();
        let known = same.iter().find(|at| self.origins.get(**at as usize) == Some(&origin));
        Mark::Origin(known.copied().unwrap_or_else(|| {
            let at = u32::try_from(self.origins.len()).unwrap_or(u32::MAX);
            self.origins.push(origin);
            same.push(at);
            at
        }))
    }

    /// The origin behind a mark.
    pub fn get(&self, mark: Mark) -> Option<&Origin> {
        match mark {
            Mark::Origin(at) => self.origins.get(at as usize),
            Mark::Sensitive
            | Mark::Declared
            | Mark::Withheld
            | Mark::Ephemeral
            | Mark::TooLarge
            | Mark::Sample
            | Mark::Untyped
            | Mark::Configured => None,
        }
    }

    /// The origin of an unknown value.
    pub fn of(&self, value: &Value) -> Option<&Origin> {
        if value.is_known() {
            return None;
        }
        value.marks.iter().find_map(|m| self.get(m))
    }

    /// The term that an unknown value is.
    pub fn term_of(&self, value: &Value) -> Option<TermId> {
        self.of(value)?.term()
    }

    /// The instance of a resource that an unknown value is.
    pub fn object_of(&self, value: &Value) -> Option<&Arc<ResourceInstance>> {
        match self.of(value).filter(|_| value.ty == Type::Dynamic)? {
            Origin::Object(_, object) => Some(object),
            Origin::Term(_) | Origin::Reason(_) => None,
        }
    }

    /// Remembers a term; what was known before stays.
    pub fn describe(&mut self, term: TermId, info: TermInfo) {
        self.terms.entry(term).or_insert(info);
    }

    /// Remembers why the parts of a term aren't narrowed.
    pub fn remember(&mut self, symbol: &Value, because: Option<Arc<Reason>>) {
        if let Some((term, because)) = self.term_of(symbol).zip(because) {
            self.because.entry(term).or_insert(because);
        }
    }

    /// Returns the reason that is kept for the first of these values that has one.
    pub fn because(&self, values: &[Value]) -> Option<Arc<Reason>> {
        if self.because.is_empty() {
            return None;
        }
        let marks = values.iter().filter(|v| !v.is_wholly_known()).map(Value::marks_deep);
        let origins: Vec<Mark> = marks.flat_map(|marks| marks.iter().collect::<Vec<_>>()).collect();
        origins.into_iter().find_map(|mark| self.because.get(&self.get(mark)?.term()?).cloned())
    }

    /// Returns the reason that is kept for a term.
    pub fn because_of(&self, term: TermId) -> Option<&Arc<Reason>> {
        self.because.get(&term)
    }

    /// Remembers what an open key or index depends on.
    pub fn blame(&mut self, symbol: &Value, culprits: Culprits) {
        if let Some(term) = self.term_of(symbol).filter(|_| !culprits.is_empty()) {
            self.blamed.entry(term).or_insert(culprits);
        }
    }

    /// The open keys and indices, and what they depend on.
    pub fn blamed(&self) -> impl Iterator<Item = (&TermId, &Culprits)> {
        self.blamed.iter()
    }

    /// The facts about a term.
    pub fn info(&self, term: TermId) -> Option<&TermInfo> {
        self.terms.get(&term)
    }
}
