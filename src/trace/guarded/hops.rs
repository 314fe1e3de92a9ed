//! The hops of a value: a persistent list from the use to the literal.

use crate::addr::{Referent, call_prefix, in_a_row};
use crate::cond::Condition;
use crate::syntax::BinaryOp;
use crate::text::Place;
use crate::value::{Data, Value, hcl};
use std::fmt;
use std::sync::Arc;

/// The words of a hop. Most hops belong to alternatives that nobody looks at, so words are made only where they are read.
#[derive(Clone, Debug)]
pub enum HopText {
    /// This.
    Said(Arc<str>),
    /// This, of which what comes after so many bytes says a value that was computed or given.
    Evaluated(Arc<str>, usize),
    /// This, and no line of source, since a secret may stand there.
    Concealed(Arc<str>),
    /// A word of ours.
    Word(&'static str),
    /// A literal.
    Literal(Value),
    /// A reference.
    Name(Referent),
    /// An attribute taken out of an object.
    Attribute(Arc<str>),
    /// An operator.
    Operator(BinaryOp),
    /// A function.
    Call(&'static str),
    /// The argument that a caller passes for a variable.
    Argument(Arc<str>),
    /// An output of a call.
    Output {
        /// The output.
        name: Arc<str>,
        /// The call.
        call: Arc<str>,
    },
    /// One arm of a conditional, with the condition that leads to it.
    Arm(bool, Arc<Condition>),
}

impl HopText {
    /// Returns the words if they are one or two existing texts.
    pub fn texts(&self) -> Option<[&str; 2]> {
        Some(match self {
            HopText::Said(text) | HopText::Evaluated(text, _) | HopText::Concealed(text) => [text, ""],
            HopText::Word(text) => [text, ""],
            HopText::Attribute(name) => ["GetAttr .", name],
            HopText::Operator(op) => ["BinaryOp ", op.symbol()],
            HopText::Call(name) => ["Call ", name],
            HopText::Literal(_)
            | HopText::Name(_)
            | HopText::Argument(_)
            | HopText::Output { .. }
            | HopText::Arm(..) => return None,
        })
    }
}

impl HopText {
    /// Makes the hop of a variable whose value the command line gives.
    pub fn given(what: &str) -> HopText {
        let text = format!("{GIVEN}{what}");
        let words = text.find(" = ").unwrap_or(text.len());
        HopText::Evaluated(text.into(), words)
    }

    /// Makes a hop that says which value something has: `words = value`.
    pub fn valued(words: &str, value: &str) -> HopText {
        HopText::Evaluated(format!("{words} = {value}").into(), words.len())
    }

    /// Makes a hop that says by which key a part is taken: `words [key]`.
    pub fn keyed(words: &str, key: &str) -> HopText {
        HopText::Evaluated(format!("{words} [{key}]").into(), words.len())
    }

    /// Returns true for such a hop.
    pub fn is_given(&self) -> bool {
        matches!(self, HopText::Said(text) | HopText::Evaluated(text, _) if text.starts_with(GIVEN))
    }

    /// The root variable whose value it says, by its name in `phi.hcl`.
    pub fn variable(&self) -> Option<&str> {
        let (HopText::Said(text) | HopText::Evaluated(text, _)) = self else { return None };
        let (kind, rest) = text.split_once(" var.")?;
        matches!(kind, "Universe" | "Param" | "Default").then(|| rest.split(' ').next().unwrap_or(rest))
    }
}

/// The beginning of such a hop.
const GIVEN: &str = "Given ";

impl fmt::Display for HopText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(texts) = self.texts() {
            return in_a_row(f, texts);
        }
        match self {
            HopText::Literal(value) => match &value.data {
                Data::Map(_) | Data::Seq(_) => f.write_str("Prim (compound)"),
                _ => match hcl::to_hcl(value) {
                    Some(text) => in_a_row(f, ["Prim ", &text]),
                    None => f.write_str("Prim"),
                },
            },
            HopText::Name(referent) => {
                f.write_str("NameRef ")?;
                fmt::Display::fmt(referent, f)
            }
            HopText::Argument(name) => write!(f, "cross-module: caller's ModCall field {name:?}"),
            HopText::Output { name, call } => {
                write!(f, "cross-module: output {name:?} of {}{call}", call_prefix(call))
            }
            HopText::Arm(yes, condition) => {
                write!(
                    f,
                    "ConditionalExpr {yes}-arm (path: {})",
                    crate::trace::guarded::wording::show(condition)
                )
            }
            HopText::Said(_)
            | HopText::Evaluated(..)
            | HopText::Concealed(_)
            | HopText::Word(_)
            | HopText::Attribute(_)
            | HopText::Operator(_)
            | HopText::Call(_) => Ok(()),
        }
    }
}

impl From<&'static str> for HopText {
    fn from(text: &'static str) -> HopText {
        HopText::Word(text)
    }
}

impl From<String> for HopText {
    fn from(text: String) -> HopText {
        HopText::Said(text.into())
    }
}

impl From<Arc<str>> for HopText {
    fn from(text: Arc<str>) -> HopText {
        HopText::Said(text)
    }
}

/// The hops of one alternative.
#[derive(Clone, Debug, Default)]
pub struct Hops(Option<Arc<Hop>>);

#[derive(Debug)]
struct Hop {
    text: HopText,
    place: Option<Place>,
    next: Hops,
}

impl Hops {
    /// No hops.
    pub const NONE: Hops = Hops(None);

    /// A list of one.
    pub fn one(text: impl Into<HopText>, place: Option<Place>) -> Hops {
        Hops::NONE.before(text, place)
    }

    /// With one more hop in front.
    #[must_use]
    pub fn before(&self, text: impl Into<HopText>, place: Option<Place>) -> Hops {
        Hops(Some(Arc::new(Hop { text: text.into(), place, next: self.clone() })))
    }

    /// Without the first.
    #[must_use]
    pub fn rest(&self) -> Hops {
        self.0.as_ref().map(|hop| hop.next.clone()).unwrap_or_default()
    }

    /// With more hops behind the last, without those that are not `kept`.
    #[must_use]
    pub fn and_then(&self, kept: impl Fn(&HopText) -> bool, more: Hops) -> Hops {
        let all: Vec<(&HopText, Option<Place>)> = self.iter().filter(|(text, _)| kept(text)).collect();
        all.into_iter().rfold(more, |rest, (text, place)| rest.before(text.clone(), place))
    }

    /// Returns true if there are at least two hops: more than a literal.
    pub fn is_path(&self) -> bool {
        self.0.as_ref().is_some_and(|h| h.next.0.is_some())
    }

    /// Text and place of each hop, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&HopText, Option<Place>)> {
        let mut at = self.0.as_deref();
        std::iter::from_fn(move || {
            let hop = at?;
            at = hop.next.0.as_deref();
            Some((&hop.text, hop.place))
        })
    }
}

impl Drop for Hop {
    // A chain through hundreds of locals must not be dropped by recursion.
    fn drop(&mut self) {
        let mut next = self.next.0.take();
        while let Some(hop) = next {
            next = Arc::into_inner(hop).and_then(|mut h| h.next.0.take());
        }
    }
}
