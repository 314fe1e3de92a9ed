//! The interface between the walk and a domain of values.

use super::{EvalError, Op};
use crate::syntax::{Expr, Ident};
use crate::text::{Place, SourceId, Span};
use crate::value::{Mark, Value};
use std::sync::Arc;

/// A concrete result: a value or the error Terraform would report.
pub type Outcome = Result<Value, EvalError>;

/// The expression that an operation comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct At {
    /// The file.
    pub file: SourceId,
    /// The bytes of the expression.
    pub span: Span,
    /// True if names of a `for` are in scope: the same text then stands for several values.
    pub bound: bool,
}

impl At {
    /// An expression outside of every `for`.
    pub fn new(place: Place) -> At {
        At { file: place.file, span: place.span, bound: false }
    }

    /// The place for messages.
    pub fn place(self) -> Place {
        Place { file: self.file, span: self.span }
    }
}

/// A step of a traversal after its root name.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// `.name`
    Attr(&'a Ident),
    /// `[key]`, whatever the key.
    Index(&'a Expr),
    /// `.0`
    Legacy(&'a crate::value::Number),
}

/// Names bound by `for` around an expression: a persistent list, innermost first.
#[derive(Debug)]
pub struct Bindings<V> {
    innermost: Option<Arc<Bound<V>>>,
    /// The number of times that this is evaluated: the product of the lengths of the surrounding collections.
    times: u64,
}

#[derive(Debug)]
struct Bound<V> {
    name: Arc<str>,
    value: V,
    outer: Bindings<V>,
}

impl<V> Clone for Bindings<V> {
    fn clone(&self) -> Self {
        Bindings { innermost: self.innermost.clone(), times: self.times }
    }
}

impl<V> Default for Bindings<V> {
    fn default() -> Self {
        Bindings { innermost: None, times: 1 }
    }
}

impl<V: Clone> Bindings<V> {
    /// Returns these names and one more.
    #[must_use]
    pub fn with(&self, name: Arc<str>, value: V) -> Self {
        let bound = Bound { name, value, outer: self.clone() };
        Bindings { innermost: Some(Arc::new(bound)), times: self.times }
    }

    /// Inside of one more iteration over so many elements; nothing where that would be evaluated too often.
    pub(super) fn iterated(&self, elements: usize) -> Option<Self> {
        let times = self.times.saturating_mul(elements as u64);
        (times <= MAX_TIMES).then(|| Bindings { times, ..self.clone() })
    }

    /// The innermost value of a name.
    pub fn get(&self, name: &str) -> Option<&V> {
        let mut at = self;
        while let Some(bound) = &at.innermost {
            if &*bound.name == name {
                return Some(&bound.value);
            }
            at = &bound.outer;
        }
        None
    }

    /// Returns true if nothing is bound.
    pub fn is_empty(&self) -> bool {
        self.innermost.is_none()
    }
}

/// The number of times that nested iterations may evaluate what they hold.
const MAX_TIMES: u64 = 200_000;

/// An element of a collection that is iterated.
#[derive(Clone, Debug)]
pub struct Element<V> {
    /// Index, map key or set element.
    pub key: V,
    /// The element.
    pub value: V,
    /// The number of elements in all.
    pub count: usize,
}

/// Evaluates the condition, key and value of a `for` for one element.
pub type Each<'e, D, V> = &'e mut dyn FnMut(&mut D, Element<V>) -> [V; 3];

/// A domain of values. Errors are values too.
pub trait Domain {
    /// The domain's value.
    type V: Clone;

    /// A literal.
    fn known(&mut self, value: Value, at: At) -> Self::V;

    /// An attribute's name, of which only the text counts.
    fn name(&mut self, text: &Arc<str>, at: At) -> Self::V {
        self.known(Value::shared_string(text), at)
    }

    /// Returns the placeholder for a name of a `for` while there is no element. It has no type and no value.
    fn unbound(&mut self, at: At) -> Self::V {
        self.known(Value::dynamic().with_mark(Mark::Sample), at)
    }

    /// Counts one more expression; the value that stands for it where that is one too many.
    fn spend(&mut self, _at: At) -> Option<Self::V> {
        None
    }

    /// An error.
    fn fail(&mut self, error: EvalError) -> Self::V;

    /// The value of a reference that no local name shadows, and how many of its steps that used up.
    fn reference(&mut self, root: &str, steps: &[Step<'_>], at: At) -> (Self::V, usize);

    /// A strict operation.
    fn apply(&mut self, op: &Op<'_>, args: Vec<Self::V>, at: At) -> Self::V;

    /// `cond ? then : otherwise`; `cond_at` is the condition's own expression. An arm is evaluated at most once, and its errors count only where it is taken.
    /// `fixed` says for each arm that it has its type whatever fails in it.
    fn conditional(
        &mut self,
        cond: Self::V,
        cond_at: At,
        then: &mut dyn FnMut(&mut Self) -> Self::V,
        otherwise: &mut dyn FnMut(&mut Self) -> Self::V,
        fixed: [bool; 2],
        at: At,
    ) -> Self::V;

    /// `part`, where the `if` clause `cond` of a `for` may hold; elsewhere anything at all (it won't be looked at).
    fn only_if(&mut self, cond: Self::V, part: &mut dyn FnMut(&mut Self) -> Self::V, at: At) -> Self::V;

    /// The collection of a `for`, after the early check of its `if` clause: `cond` evaluates that with unknown names,
    /// and what is wrong with it then is an error even where there is no element. Without the check, the result is a
    /// value where Terraform has an error.
    fn checked(
        &mut self,
        collection: Self::V,
        _cond: &mut dyn FnMut(&mut Self) -> Self::V,
        _at: At,
    ) -> Self::V {
        collection
    }

    /// An argument of a function that catches errors: unknown where an operation in it may yet fail, see
    /// [`Op::may_yet_fail`].
    fn attempt(&mut self, part: &mut dyn FnMut(&mut Self) -> Self::V, _at: At) -> Self::V {
        part(self)
    }

    /// An operand of `&&` or `||`, beside which an error may count for nothing: unknown where it is no bool, and an
    /// operation in it may yet fail.
    fn operand(&mut self, part: &mut dyn FnMut(&mut Self) -> Self::V, _at: At) -> Self::V {
        part(self)
    }

    /// A call of a function that isn't registered.
    fn unknown_call(&mut self, name: &str, args: Vec<Self::V>, at: At) -> Self::V;

    /// `source[*]`: runs `each` (what follows the star) on every item.
    fn splat(
        &mut self,
        source: Self::V,
        each: &mut dyn FnMut(&mut Self, Self::V) -> Self::V,
        at: At,
    ) -> Self::V;

    /// Runs `each` on every element of `collection` and hands the triples `[condition, key, value]`, flattened into
    /// one list of arguments, to `assemble`.
    fn iterate(
        &mut self,
        collection: Self::V,
        each: Each<'_, Self, Self::V>,
        assemble: &Op<'_>,
        at: At,
    ) -> Self::V;
}
