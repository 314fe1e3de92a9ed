//! What an unknown value is: the things that it is made of, and how.
//!
//! In: an expression where it stands. Out: an [`Identity`], the expression with all that it refers to put in, down to what only a plan
//! or an apply can tell (attributes of resources, data sources, variables without a value). Invariant: two expressions with one identity
//! have one value, whatever the unknown things in it are; of what can't be said so, the identity is [`Identity::Untold`], which is equal
//! to nothing. Deliberately absent: gates. An identity decides nothing, it only tells whether two readings are one.

pub(super) mod assemble;

use crate::func::hidden::word;
use crate::trace::ResourceInstance;
use crate::value::{Value, hcl};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The text of a term has no more bytes.
const LONGEST_TEXT: usize = 240;

/// The words of what isn't shown.
const HIDDEN: &str = "(sensitive value)";

/// What a value is.
#[derive(Clone, Debug)]
pub enum Identity {
    /// This value, wholly known.
    Known(Value),
    /// An object or map with these attributes.
    Object(Arc<BTreeMap<Arc<str>, Identity>>),
    /// A tuple or list of these elements.
    Tuple(Arc<[Identity]>),
    /// What a term gives.
    Open(Arc<Term>),
    /// Nobody can say.
    Untold,
}

/// An unknown value by what it is made of. Equal terms have equal values.
#[derive(Clone, Debug)]
pub struct Term {
    digest: [u8; 32],
    /// How it reads, in short.
    pub text: Arc<str>,
    /// True if a variable without a value or the workspace is part of it.
    pub varies: bool,
    /// The pieces, where it is a text that is put together.
    pieces: Option<Arc<[Identity]>>,
    /// The instance of a resource that it is.
    pub(super) object: Option<Arc<ResourceInstance>>,
}

impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        self.digest == other.digest
    }
}

impl Eq for Term {}

impl Hash for Term {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.digest.hash(state);
    }
}

impl Term {
    /// Something that has no parts.
    pub fn leaf(kind: &str, name: &str) -> Term {
        Made::new(kind).add_text(name).finish(name.to_owned(), false)
    }

    /// Something that is no value: what is written, and what is shown of it.
    pub fn written(text: &str, shown: String) -> Term {
        Made::new("written").add_text(text).finish(shown, false)
    }

    /// The same without its words.
    #[must_use]
    pub fn hidden(&self) -> Term {
        Term { text: HIDDEN.into(), pieces: None, ..self.clone() }
    }

    /// The same in other words.
    #[must_use]
    pub fn with_words(&self, words: &str) -> Term {
        Term { text: words.into(), pieces: None, ..self.clone() }
    }

    /// Returns true if its words aren't to be shown.
    pub fn is_hidden(&self) -> bool {
        &*self.text == HIDDEN
    }

    /// Returns true for a text that is put together.
    pub(super) fn is_text(&self) -> bool {
        self.pieces.is_some()
    }

    /// The bytes that it takes besides its own.
    pub fn size(&self) -> usize {
        self.text.len()
    }
}

impl Identity {
    /// The term; nothing where nobody can say what it is.
    pub fn term(&self) -> Option<Arc<Term>> {
        match self {
            Identity::Open(term) => Some(term.clone()),
            Identity::Untold => None,
            Identity::Known(value) => Some(Arc::new(of_value(value))),
            Identity::Object(attrs) => {
                let mut made = Made::new("object");
                let mut texts = Vec::new();
                let mut varies = false;
                for (name, part) in attrs.iter() {
                    let term = part.term()?;
                    made = made.add_text(name).add(&term);
                    varies |= term.varies;
                    texts.push(format!("{} = {}", hcl::key(name), term.text));
                }
                Some(Arc::new(made.finish(format!("{{ {} }}", texts.join(", ")), varies)))
            }
            Identity::Tuple(items) => {
                let mut made = Made::new("tuple");
                let mut texts = Vec::new();
                let mut varies = false;
                for part in items.iter() {
                    let term = part.term()?;
                    made = made.add(&term);
                    varies |= term.varies;
                    texts.push(term.text.to_string());
                }
                Some(Arc::new(made.finish(format!("[{}]", texts.join(", ")), varies)))
            }
        }
    }

    /// Returns true if it has at most `left` parts, shared ones counted each time; takes them off `left`.
    pub(super) fn fits(&self, left: &mut usize) -> bool {
        *left = match left.checked_sub(1) {
            Some(rest) => rest,
            None => return false,
        };
        match self {
            Identity::Object(attrs) => attrs.values().all(|part| part.fits(left)),
            Identity::Tuple(items) => items.iter().all(|part| part.fits(left)),
            Identity::Known(_) | Identity::Open(_) | Identity::Untold => true,
        }
    }

    /// A term without parts.
    pub(super) fn leaf(kind: &str, name: &str) -> Identity {
        Identity::Open(Arc::new(Term::leaf(kind, name)))
    }

    /// An instance of a resource, under its address.
    pub(super) fn object(address: &str, object: ResourceInstance) -> Identity {
        let term = Term { object: Some(Arc::new(object)), ..Term::leaf("object", address) };
        Identity::Open(Arc::new(term))
    }

    /// A term that differs from environment to environment.
    pub(super) fn varying(kind: &str, name: &str) -> Identity {
        Identity::Open(Arc::new(Term { varies: true, ..Term::leaf(kind, name) }))
    }

    /// What an operation gives of its operands; `text` makes its words of theirs. Nobody can say it where one of them can't be said.
    pub(super) fn made(
        kind: &str,
        parts: &[Identity],
        text: impl FnOnce(&[Arc<Term>]) -> String,
    ) -> Identity {
        let Some(terms) = parts.iter().map(Identity::term).collect::<Option<Vec<_>>>() else {
            return Identity::Untold;
        };
        let made = terms.iter().fold(Made::new(kind), |made, term| made.add(term));
        let varies = terms.iter().any(|term| term.varies);
        Identity::Open(Arc::new(made.finish(text(&terms), varies)))
    }

    /// The value, where it is known.
    pub(super) fn value(&self) -> Option<&Value> {
        match self {
            Identity::Known(value) => Some(value),
            Identity::Object(_) | Identity::Tuple(_) | Identity::Open(_) | Identity::Untold => None,
        }
    }
}

fn of_value(value: &Value) -> Term {
    let marks = value.marks_deep();
    let plain = value.clone().unmark_deep().0;
    let mut made = Made::new("value");
    plain.ty.hash(&mut made);
    plain.hash(&mut made);
    let text = match word(&marks) {
        Some(word) => word.to_owned(),
        None => hcl::to_hcl(&plain).unwrap_or_else(|| "…".to_owned()),
    };
    made.add_text(if marks.is_secret() { "secret" } else { "" }).finish(text, false)
}

/// A term in the making.
struct Made(Sha256);

impl Made {
    fn new(kind: &str) -> Made {
        Made(Sha256::new()).add_text(kind)
    }

    fn add_text(mut self, text: &str) -> Made {
        self.0.update((text.len() as u64).to_le_bytes());
        self.0.update(text.as_bytes());
        self
    }

    fn add(mut self, term: &Term) -> Made {
        self.0.update(term.digest);
        self
    }

    fn finish(self, text: String, varies: bool) -> Term {
        Term {
            digest: self.0.finalize().into(),
            text: shortened(text).into(),
            varies,
            pieces: None,
            object: None,
        }
    }
}

/// The digest takes all bytes that a value's hash is made of.
impl Hasher for Made {
    fn finish(&self) -> u64 {
        0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }
}

fn shortened(mut text: String) -> String {
    if text.len() <= LONGEST_TEXT {
        return text;
    }
    let end = (0..=LONGEST_TEXT).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    text.truncate(end);
    text.push('…');
    text
}
