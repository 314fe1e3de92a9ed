//! The result of a trace.

use crate::addr::FieldAddr;
use crate::cond::{Condition, FormulaId};
use crate::config::literal::literal;
use crate::config::phi::FieldDecl;
use crate::config::{Config, In};
use crate::eval::EvalError;
use crate::issue::Code;
use crate::syntax::Block;
use crate::text::Place;
use crate::trace::{Assumptions, Hops, Reason, Subject, site::FieldSite, tracer::samples::universes_of};
use crate::value::{Number, Value};
use std::sync::Arc;

/// The trace of one field in one instance.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The field.
    pub field: FieldAddr,
    /// The argument's value.
    pub expr: Place,
    /// The field's own expression: the argument's value, or where it stands in that.
    pub at: Place,
    /// The block that holds the field.
    pub block: Place,
    /// The result.
    pub result: Traced,
    /// True if there is never an instance that would have the field, so that nothing has to be decided.
    pub never_instantiated: bool,
    /// True if a value that is an error needn't be one of the configuration's: Terraform may have nothing there to
    /// evaluate.
    pub optional: bool,
    /// Set if the branches are those of an iteration: the reason why no gate can choose between them.
    pub per_entry: Option<Arc<PerEntry>>,
    /// True if the field is declared in a JSON file.
    pub in_json: bool,
    /// The indices behind each branch, from the outside in, if its value is a list with an element for each instance
    /// or entry.
    pub by: Vec<Arc<str>>,
    /// The term that is rounded, if the branches are bins.
    pub rounded: Option<Rounded>,
}

/// A number that is rounded up to bins.
#[derive(Clone, Debug)]
pub struct Rounded {
    /// The term that is rounded.
    pub text: String,
    /// The bins, ascending.
    pub bins: Vec<Number>,
}

/// Branches of an argument that differ from entry to entry of a `dynamic` block.
#[derive(Clone, Debug)]
pub struct PerEntry {
    /// The reason why nothing can be specialised, and what to do.
    pub reason: Reason,
    /// The blocks that bind the names in the branches' conditions, from the outside in.
    pub dynamics: Vec<In<Block>>,
}

/// Resolved ⊂ Bounded ⊂ Unbounded; or what Terraform itself would reject.
#[derive(Clone, Debug)]
pub enum Traced {
    /// The field always has this value.
    Resolved(Branch),
    /// A finite set of branches.
    Bounded(Outcomes),
    /// The field can't be narrowed to a finite set.
    Unbounded(Arc<Reason>),
    /// Terraform would stop with this error under every assignment.
    Rejected(EvalError),
}

/// The branches of a bounded field.
#[derive(Clone, Debug)]
pub struct Outcomes {
    /// Branches with pairwise different values, at least two.
    pub branches: Vec<Branch>,
    /// The condition under which Terraform stops with an error instead.
    pub failing: FormulaId,
}

/// A value and when it is taken.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The value, wholly known and without marks.
    pub value: Value,
    /// When, in normal form.
    pub when: FormulaId,
    /// When, in the user's words.
    pub shown: Arc<Condition>,
    /// The hops to the value.
    pub hops: Hops,
}

/// A check that rejects values for which there is no branch.
#[derive(Clone, PartialEq, Debug)]
pub struct Guard {
    /// The variable or attribute that is checked.
    pub subject: Subject,
    /// The values that are specialised.
    pub values: Vec<Value>,
    /// The reason for this list.
    pub kind: GuardKind,
}

/// The reason for a guard's list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GuardKind {
    /// They are the universe.
    Universe,
    /// It is the default, the only value that was traced.
    Default,
    /// It is the last bin of this expression: nothing above it, and not null.
    AtMost(Arc<str>),
}

impl Trace {
    /// The same, where the field asked for this to be taken for granted. What is an error under a default alone need not be one
    /// under the other values that Terraform accepts; so it is none of Terraform's, unless the default itself is one. What
    /// has no instance under it may have one under others, and nothing keeps those out.
    #[must_use]
    pub fn under(self, asked: &Assumptions, config: &Config) -> Trace {
        let Some(name) = asked.pinned.first() else {
            return if self.optional { self.avoided() } else { self };
        };
        let (what, place) = match &self.result {
            Traced::Rejected(error) => (format!("it is an error: {}", error.message), error.place),
            Traced::Unbounded(_) if self.never_instantiated => {
                ("there is no instance of it.".to_owned(), None)
            }
            _ => return self,
        };
        let suits = |name: &Arc<str>| {
            let variable = config.root().and_then(|m| m.variables.get(name));
            let default = variable.and_then(|v| literal(&v.default.as_ref()?.expr).ok());
            variable.zip(default).is_some_and(|(v, default)| v.accept(&default).is_ok())
        };
        if !asked.pinned.iter().all(suits) {
            return self;
        }
        let why = format!("nothing lists the values of var.{name}, and with its default alone {what}");
        let variable = config.root().and_then(|m| m.variables.get(name));
        let paste = universes_of(variable.as_slice());
        let reason = Reason::new(Code::NoUniverse, why, place.or(Some(self.at)))
            .of_error()
            .fix("List its values in `phi.hcl`:", paste);
        Trace { result: Traced::Unbounded(Arc::new(reason)), never_instantiated: false, ..self }
    }

    /// The same, where the error is avoided by there being no instance, or no entry.
    fn avoided(self) -> Trace {
        let Traced::Rejected(error) = &self.result else { return self };
        let why = format!(
            "{} never has a value: wherever there is an instance and an entry, Terraform stops with an error there ({}).",
            self.field,
            error.message.trim_end_matches('.')
        );
        let reason = Reason::new(Code::IterationDependent, why, error.place.or(Some(self.at)))
            .of_error()
            .fix("Correct the error; or leave it as it is: a pin on it is passed over.", "");
        Trace { result: Traced::Unbounded(Arc::new(reason)), never_instantiated: true, ..self }
    }

    /// The branches, where there are any; one for Resolved.
    pub fn branches(&self) -> &[Branch] {
        match &self.result {
            Traced::Resolved(branch) => std::slice::from_ref(branch),
            Traced::Bounded(outcomes) => &outcomes.branches,
            Traced::Unbounded(_) | Traced::Rejected(_) => &[],
        }
    }
}

/// Findings about a field besides its result.
#[derive(Default)]
pub(in crate::trace) struct Beside {
    /// The term that is rounded.
    pub rounded: Option<Rounded>,
    /// True if its value is an error whatever happens, under values that nobody listed, too.
    pub fails: bool,
}

/// A result together with the defaults that it would need to be finite.
pub(in crate::trace) enum Finished {
    /// The result is final.
    Done(Traced),
    /// This has to be taken for granted first.
    Needs(Assumptions),
    /// There is no value, and no error, under anything that is listed.
    Nowhere(Arc<Reason>),
}

/// The question to the tracer: a field, its definition, and what its driver says of it.
#[derive(Clone, Copy)]
pub(in crate::trace) struct Question<'q> {
    pub field: &'q FieldAddr,
    pub site: &'q FieldSite,
    pub said: Option<&'q FieldDecl>,
}

/// The conditions under which a text gives each result.
#[derive(Clone, Copy, Debug)]
pub struct Gives {
    /// It is true, or false if it is negated.
    pub yes: FormulaId,
    /// It is an error.
    pub failed: FormulaId,
    /// Nothing is known, for unlisted values only.
    pub open: FormulaId,
}
