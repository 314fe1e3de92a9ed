//! `try` and `can` around what isn't known: an operation that gives no error now may be one for some values.
//!
//! See [`Op::may_yet_fail`]. Only what stands in the argument itself counts: an error behind a reference ends the run.

use crate::cond::FormulaId;
use crate::eval::concrete::could_be_bool;
use crate::eval::{At, Op};
use crate::issue::Code;
use crate::trace::{Alt, Frame, Guarded, Part, Reason, ReasonKind, Tracer};
use crate::value::{Mark, Type, Value};
use std::sync::Arc;

impl Frame<'_, '_> {
    /// Returns the number of operations noted.
    pub fn risks(&self) -> usize {
        self.tracer.scope.notes.risks.as_ref().map_or(0, Vec::len)
    }

    /// Those noted since then exist under one more condition only.
    pub fn limit_risks(&mut self, since: usize, when: FormulaId) {
        let Some(mut risks) = self.tracer.scope.notes.risks.take() else { return };
        for (risk, _) in risks.iter_mut().skip(since) {
            // Where that is too much, it stays as wide as it is.
            *risk = self.tracer.formulas.and(*risk, when).unwrap_or(*risk);
        }
        self.tracer.scope.notes.risks = Some(risks);
    }

    /// Notes an operation if it may yet fail, where that counts.
    pub fn note_risk(&mut self, op: &Op<'_>, when: FormulaId, args: &[Value]) {
        let watched = self.tracer.scope.notes.arms > 0 || self.tracer.scope.notes.risks.is_some();
        if watched && op.may_yet_fail(args) {
            self.note(when, args);
        }
    }

    /// Notes that an unknown is converted, or iterated over, which it may not be made for.
    pub fn note_unknown(&mut self, when: FormulaId, value: &Value) {
        self.note(when, std::slice::from_ref(value));
    }

    fn note(&mut self, when: FormulaId, args: &[Value]) {
        let reason = self.tracer.reason_in(args);
        // What may yet fail of the name of a `for` is asked of its elements.
        if reason.as_ref().is_some_and(|r| r.kind == ReasonKind::Unbound) {
            return;
        }
        self.tracer.doubt(args);
        if let Some(risks) = &mut self.tracer.scope.notes.risks {
            risks.push((when, reason));
        }
    }

    /// An operand of `&&` or `||`; unknown where it is no bool, but may yet be an error that counts for nothing.
    pub fn risky_operand(&mut self, part: &mut dyn FnMut(&mut Self) -> Guarded, at: At) -> Guarded {
        let (value, risks) = self.with_own_risks(part);
        let no_bool = |alt: &Alt| match &alt.part {
            Part::Failed(_) => false,
            Part::Value(value) => !could_be_bool(value),
            Part::Object(_) | Part::Tuple(_) => true,
        };
        let value = match risks.first() {
            Some((_, reason)) if value.alts().iter().any(no_bool) => {
                let reason =
                    reason.clone().unwrap_or_else(|| Arc::new(may_fail(self.tracer.quote(at.place()), at)));
                let unknown = Part::Value(self.tracer.opaque_of(Type::Dynamic, reason));
                let lost = |alt: &Alt| match no_bool(alt) {
                    true => Alt { part: unknown.clone(), ..alt.clone() },
                    false => alt.clone(),
                };
                let alts = value.alts().iter().map(lost).collect();
                self.tracer.guarded(alts, Some(at.place()))
            }
            _ => value,
        };
        if let Some(around) = &mut self.tracer.scope.notes.risks {
            around.extend(risks);
        }
        value
    }

    /// An argument whose errors are caught; unknown where it might yet be one.
    pub fn attempted(&mut self, part: &mut dyn FnMut(&mut Self) -> Guarded, at: At) -> Guarded {
        let (value, risks) = self.with_own_risks(part);
        if risks.is_empty() {
            return value;
        }
        let settled = |alt: &Alt| match &alt.part {
            Part::Failed(_) => false,
            Part::Value(value) => value.is_wholly_known(),
            Part::Object(_) | Part::Tuple(_) => true,
        };
        if !value.alts().iter().any(settled) {
            return value;
        }
        let reason = risks
            .iter()
            .find_map(|(_, reason)| reason.clone())
            .unwrap_or_else(|| Arc::new(may_fail(self.tracer.quote(at.place()), at)));
        let unknown = self.tracer.opaque_of(Type::Dynamic, reason);
        let formulas = &mut self.tracer.formulas;
        let risk = formulas.or_all(risks.iter().map(|(when, _)| *when).collect::<Vec<_>>());
        let (Ok(risk), Ok(safe)) = (risk, risk.and_then(|risk| formulas.not(risk))) else {
            return Guarded::of(unknown);
        };
        self.by_alternative(&value, at, &mut |_, alt| {
            if !settled(alt) {
                return Ok(alt.alone());
            }
            let lost = Alt { when: risk, part: Part::Value(unknown.clone()), ..alt.clone() };
            Ok(Guarded::new(vec![lost, Alt { when: safe, ..alt.clone() }]))
        })
    }
}

impl Tracer<'_> {
    /// Notes values on which it depends if an arm of a conditional fails, and is of another type then.
    pub(in crate::trace) fn doubt(&mut self, values: &[Value]) {
        if self.scope.notes.arms > 0 {
            self.scope.notes.doubts.extend_from_slice(values);
        }
    }

    /// The unknown that the names of a `for` stand for before there is an element.
    pub(in crate::trace) fn unbound(&mut self) -> Value {
        let why = "it stands for no element of a collection yet.";
        let reason = Reason::new(Code::IterationDependent, why, None).of_kind(ReasonKind::Unbound);
        self.opaque(reason).with_mark(Mark::Sample)
    }
}

/// The reason for an operation in an expression, quoted as `said`, that may yet fail.
fn may_fail(said: Option<String>, at: At) -> Reason {
    let what = said.map_or_else(|| "it".to_owned(), |text| format!("`{text}`"));
    let why = format!(
        "an operation in {what} may fail for some values of what isn't known, and `try` or `can` would catch that."
    );
    Reason::new(Code::NoUniverse, why, Some(at.place()))
        .fix("Give the variables that take part a type and `nullable = false`, or list their values.", "")
}
