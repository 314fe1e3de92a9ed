//! The domain of guarded values, for one place to stand: an instance, and the iteration around it.

use super::iteration::Iteration;
use crate::addr::ModulePath;
use crate::cond::FormulaId;
use crate::config::Module;
use crate::eval::{At, Domain, Element, EvalError, Op, Outcome, Step};
use crate::issue::Code;
use crate::text::{SourceId, Span};
use crate::trace::{Alt, Guarded, HopText, Hops, InstanceId, Part, Reason, Tracer};
use crate::value::{Mark, Marks, Type, Value};
use std::sync::Arc;

/// A tracer standing in an instance.
pub(in crate::trace) struct Frame<'t, 'a> {
    pub tracer: &'t mut Tracer<'a>,
    pub instance: InstanceId,
    pub iteration: Iteration,
}

impl<'a> Frame<'_, 'a> {
    /// The module in which it stands.
    pub fn module(&self) -> Option<&'a Module> {
        self.tracer.module_of(self.instance)
    }

    /// The path of calls that leads there.
    pub fn path(&self) -> ModulePath {
        self.tracer.instances.get(self.instance).map(|i| i.path.clone()).unwrap_or_default()
    }

    /// The same place with the tracer borrowed again.
    pub fn again(&mut self) -> Frame<'_, 'a> {
        Frame { tracer: self.tracer, instance: self.instance, iteration: self.iteration.clone() }
    }

    /// The source text of an expression, as it stands.
    pub fn text(&self, at: At) -> String {
        self.tracer.text(at)
    }
}

impl<'a> Tracer<'a> {
    /// A place in an instance, outside of all that is repeated.
    pub(in crate::trace) fn frame(&mut self, instance: InstanceId) -> Frame<'_, 'a> {
        Frame { tracer: self, instance, iteration: Iteration::default() }
    }

    /// The module of an instance.
    pub(in crate::trace) fn module_of(&self, instance: InstanceId) -> Option<&'a Module> {
        self.inputs.config.module(self.instances.get(instance)?.module)
    }

    /// The source text of an expression, as it stands.
    pub(in crate::trace) fn text(&self, at: At) -> String {
        match &self.scope.gate_text {
            Some(text) if at.file == NOWHERE => text.get(at.span.range()).unwrap_or("").to_owned(),
            _ => self.inputs.config.sources.slice(at.place()).to_owned(),
        }
    }
}

/// The file of expressions that stand in no file.
pub(in crate::trace) const NOWHERE: SourceId = SourceId(u32::MAX);

/// One of these as a whole.
pub(in crate::trace) const IN_NO_FILE: At =
    At { file: NOWHERE, span: Span { start: 0, end: 0 }, bound: false };

impl Domain for Frame<'_, '_> {
    type V = Guarded;

    fn known(&mut self, value: Value, at: At) -> Guarded {
        let hops = Hops::one(HopText::Literal(value.clone()), Some(at.place()));
        Guarded::always(Part::Value(value), hops)
    }

    fn spend(&mut self, at: At) -> Option<Guarded> {
        let excess = self.tracer.find_exhaustion(at)?;
        Some(self.tracer.or_unknown(Err(excess)))
    }

    fn name(&mut self, text: &Arc<str>, _: At) -> Guarded {
        Guarded::of(Value::shared_string(text))
    }

    fn unbound(&mut self, _: At) -> Guarded {
        let value = self.tracer.unbound();
        Guarded::of(value)
    }

    fn fail(&mut self, error: EvalError) -> Guarded {
        if error.limit {
            // Terraform might answer. An iteration that is declined is so for each of its elements.
            self.tracer.effort.work += 1;
            return Guarded::of(self.tracer.declined(&error, None));
        }
        Guarded::failed(error)
    }

    fn reference(&mut self, root: &str, steps: &[Step<'_>], at: At) -> (Guarded, usize) {
        // What fails behind a reference fails there, and is not caught here.
        let found = self.with_own_notes(|frame| frame.refer(root, steps, at));
        self.mask(&found.0, at);
        found
    }

    fn apply(&mut self, op: &Op<'_>, args: Vec<Guarded>, at: At) -> Guarded {
        self.operate(op, args, at)
    }

    fn conditional(
        &mut self,
        cond: Guarded,
        cond_at: At,
        then: &mut dyn FnMut(&mut Self) -> Guarded,
        otherwise: &mut dyn FnMut(&mut Self) -> Guarded,
        fixed: [bool; 2],
        at: At,
    ) -> Guarded {
        let sides = match self.decide(&cond, cond_at) {
            Ok(sides) => sides,
            Err(excess) => return self.tracer.or_unknown(Err(excess)),
        };
        // Terraform marks what is chosen by its condition. What chooses in some runs only is asked for later, by its gate.
        let decided = [&sides.yes, &sides.no].iter().any(|side| side.0 == FormulaId::TRUE);
        let marks = if decided { marks_of(&cond) } else { Marks::NONE };
        let then = self.in_an_arm(then, sides.yes.0, fixed[0]);
        let otherwise = self.in_an_arm(otherwise, sides.no.0, fixed[1]);
        let joined =
            self.join_arms(sides, (&then.0, then.1.as_ref()), (&otherwise.0, otherwise.1.as_ref()), at);
        if marks.is_empty() {
            return joined;
        }
        let mark = |v: &Value| -> Outcome { Ok(v.clone().with_marks(&marks)) };
        self.operate(&Op::Custom(&mark), vec![joined], at)
    }

    fn only_if(&mut self, cond: Guarded, part: &mut dyn FnMut(&mut Self) -> Guarded, at: At) -> Guarded {
        // Where the clause is false for certain the part may fail without harm, and is not looked at.
        let off = |alt: &Alt| alt.part.value().is_some_and(|v| v.as_bool() == Some(false));
        let skipped = Guarded::of(Value::null(Type::Dynamic));
        if cond.alts().iter().all(off) {
            return skipped;
        }
        let part = part(self);
        self.by_alternative(&cond, at, &mut |_, alt| {
            Ok(if off(alt) { skipped.clone() } else { part.clone() })
        })
    }

    fn checked(
        &mut self,
        collection: Guarded,
        cond: &mut dyn FnMut(&mut Self) -> Guarded,
        at: At,
    ) -> Guarded {
        self.checked_early(collection, cond, at)
    }

    fn attempt(&mut self, part: &mut dyn FnMut(&mut Self) -> Guarded, at: At) -> Guarded {
        self.with_own_type(|frame| frame.attempted(part, at))
    }

    fn operand(&mut self, part: &mut dyn FnMut(&mut Self) -> Guarded, at: At) -> Guarded {
        self.risky_operand(part, at)
    }

    fn unknown_call(&mut self, name: &str, args: Vec<Guarded>, at: At) -> Guarded {
        let reason = Reason::new(
            Code::UnknownFunction,
            format!("the function `{name}` is not one whose results tf-phi knows."),
            Some(at.place()),
        )
        .fix("Write the value as a literal, or pass it in as a variable.", "");
        drop(args);
        let value = self.tracer.opaque(reason);
        Guarded::always(Part::Value(value), Hops::one(format!("Call {name}"), Some(at.place())))
    }

    fn splat(
        &mut self,
        source: Guarded,
        each: &mut dyn FnMut(&mut Self, Guarded) -> Guarded,
        at: At,
    ) -> Guarded {
        self.by_alternative(&source, at, &mut |frame, alt| Ok(frame.splat_part(alt, each, at)))
    }

    fn iterate(
        &mut self,
        collection: Guarded,
        each: &mut dyn FnMut(&mut Self, Element<Guarded>) -> [Guarded; 3],
        assemble: &Op<'_>,
        at: At,
    ) -> Guarded {
        self.by_alternative(&collection, at, &mut |frame, alt| {
            let made = frame.iterate_part(&alt.part, &alt.hops, each, assemble, at);
            Ok(frame.tracer.or_unknown(made))
        })
    }
}

/// Returns the marks that a condition puts on what it chooses: sensitive or ephemeral.
fn marks_of(cond: &Guarded) -> Marks {
    let secret = |m: Mark| matches!(m, Mark::Sensitive | Mark::Declared | Mark::Ephemeral);
    cond.values().fold(Marks::NONE, |all, value| all.union(&value.marks.filter(secret)))
}
