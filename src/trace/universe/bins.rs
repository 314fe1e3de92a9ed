//! Bins: a range of numbers that is too large to list, cut into pieces.
//!
//! In: what a field may be, and the bounds that its driver or `phi.hcl` gives. Out: one alternative per bin, gated by the
//! range that it stands for; its value is the bin's upper bound, to which every number in the range is rounded *up*.
//! Invariant: a known value is never rounded, and a condition on the number elsewhere stays exact; only the driven field
//! gets the bound. What lies above the last bin has no branch: a guard keeps it out, and null with it. This is the one
//! place where a branch's value isn't Terraform's, so that a warning goes with each such field.

use crate::addr::{FieldAddr, FieldPath, Target};
use crate::cond::{Binding, Comparison, Condition, FormulaId, TermId};
use crate::eval::At;
use crate::issue::Code;
use crate::trace::{
    Alt, Assumptions, Guard, GuardKind, Guarded, Part, Reason, Subject, Traced, Tracer,
    tracer::result::{Finished, Question, Rounded},
};
use crate::value::{Mark, Number, Type, Value};
use std::sync::Arc;

impl Tracer<'_> {
    /// The bins that count for a number in a field: what its driver says, else what the variable has.
    fn bins_of(&self, question: &Question<'_>, term: TermId) -> Option<Vec<Number>> {
        if let Some(bins) = question.said.and_then(|s| s.bins.as_ref()) {
            return Some(bins.iter().map(|(n, _)| n.clone()).collect());
        }
        let name = self.origins.info(term)?.variable().cloned()?;
        let bins = &self.inputs.universes.get(&name)?.bins;
        (!bins.is_empty()).then(|| bins.clone())
    }

    /// Alternatives with numbers cut into bins, and what was rounded.
    pub(in crate::trace) fn cut(
        &mut self,
        question: &Question<'_>,
        merged: Guarded,
        at: At,
    ) -> Result<(Guarded, Option<Rounded>), Finished> {
        let mut needed = self.too_many_numbers(question, &merged);
        if needed.is_empty() && merged.alts().iter().all(|alt| self.cuttable(question, alt).is_none()) {
            return Ok((merged, None));
        }
        let mut out: Vec<Alt> = Vec::new();
        let mut rounded = None;
        for alt in merged.alts() {
            let Some((term, bins)) = self.cuttable(question, alt) else {
                out.push(alt.clone());
                continue;
            };
            let variable = self.origins.info(term).and_then(|i| i.variable().cloned());
            if let Some(name) = variable.filter(|n| !self.inputs.assumptions.binned.contains(n)) {
                needed.binned.insert(name);
                continue;
            }
            let pieces = self.pieces(question, alt, term, &bins, at);
            let (text, pieces) = pieces.map_err(|r| Finished::Done(Traced::Unbounded(Arc::new(r))))?;
            out.extend(pieces);
            rounded.get_or_insert(Rounded { text, bins });
        }
        if !needed.is_empty() {
            return Err(Finished::Needs(needed));
        }
        if rounded.is_none() {
            return Ok((merged, None));
        }
        Ok((self.guarded(out, Some(at.place())), rounded))
    }

    /// The variable that is to be cut although its values are listed: there are more than the limit of branches.
    fn too_many_numbers(&self, question: &Question<'_>, merged: &Guarded) -> Assumptions {
        let mut needed = Assumptions::default();
        if merged.alts().len() <= self.inputs.limits.branches {
            return needed;
        }
        for term in merged.alts().iter().flat_map(|a| self.formulas.terms(a.when).to_vec()) {
            let Some(info) = self.origins.info(term).filter(|i| i.ty == Type::Number) else { continue };
            let Some(name) = info.variable().cloned().filter(|n| !self.inputs.assumptions.binned.contains(n))
            else {
                continue;
            };
            let many = self.formulas.universe(term).len() > self.inputs.limits.branches;
            if many && self.bins_of(question, term).is_some() {
                needed.binned.insert(name);
            }
        }
        needed
    }

    /// The number that an alternative hands on, and its bins.
    fn cuttable(&self, question: &Question<'_>, alt: &Alt) -> Option<(TermId, Vec<Number>)> {
        let Part::Value(value) = &alt.part else { return None };
        let term = self.origins.term_of(value).filter(|_| value.ty == Type::Number)?;
        let info = self.origins.info(term).filter(|i| i.ty == Type::Number)?;
        if info.variable().is_none() && !value.definitely_not_null() {
            return None;
        }
        Some((term, self.bins_of(question, term)?))
    }

    fn pieces(
        &mut self,
        question: &Question<'_>,
        alt: &Alt,
        term: TermId,
        bins: &[Number],
        at: At,
    ) -> Result<(String, Vec<Alt>), Reason> {
        let refused = |why: &str| crate::trace::tracer::decline_reason::too_large(why, Some(at.place()));
        let Part::Value(value) = &alt.part else { return Err(refused("it is no number")) };
        let marks = value.marks.filter(|m| !matches!(m, Mark::Origin(_)));
        let home = self.origins.info(term).and_then(|i| i.home.clone());
        let (scope, text) = match home {
            Some(home) => (home.scope, home.text.to_string()),
            None => (question.field.module.clone(), self.inputs.config.sources.slice(at.place()).to_owned()),
        };
        let operand = match crate::trace::guarded::wording::binding_of(&text) >= Binding::Additive {
            true => text.clone(),
            false => format!("({text})"),
        };
        let mut out = Vec::new();
        let mut below: Option<Number> = None;
        for bin in bins {
            let (said, inside) = self
                .range(term, &operand, below.as_ref(), bin)
                .ok_or_else(|| refused("a bin is no number that can be compared exactly"))?;
            let shown = Arc::new(Condition::Existing(crate::trace::guarded::wording::site(
                scope.clone(),
                said.clone(),
                inside,
            )));
            let part = Part::Value(Value::number(bin.clone()).with_marks(&marks));
            let hops = alt.hops.before(
                crate::trace::guarded::hops::HopText::Evaluated(
                    format!("Bin {bin}: {said}").into(),
                    "Bin".len(),
                ),
                Some(at.place()),
            );
            let made = Alt { part, hops, ..alt.clone() };
            out.extend(
                self.under(&made, inside, &shown).map_err(|_| refused("the conditions are too many"))?,
            );
            below = Some(bin.clone());
        }
        if let Some(last) = bins.last() {
            let cap = self.terms.caps.entry(term).or_insert_with(|| (operand, last.clone()));
            if *last < cap.1 {
                cap.1 = last.clone();
            }
        }
        Ok((text, out))
    }

    /// A bin's range as a text and as a formula.
    fn range(
        &mut self,
        term: TermId,
        operand: &str,
        below: Option<&Number>,
        bin: &Number,
    ) -> Option<(String, FormulaId)> {
        let limit = Value::number(bin.clone());
        let high = self.formulas.compare(term, Comparison::LessOrEqual, &limit).ok()?;
        let Some(below) = below else { return Some((format!("{operand} <= {bin}"), high)) };
        let limit = Value::number(below.clone());
        let low = self.formulas.compare(term, Comparison::Greater, &limit).ok()?;
        let both = self.formulas.and(low, high).ok()?;
        Some((format!("{operand} > {below} && {operand} <= {bin}"), both))
    }

    /// The guard that keeps out what lies above the last bin of a term, and where the term is then.
    pub fn cap(&mut self, term: TermId) -> Option<(Guard, FormulaId)> {
        let (operand, last) = self.terms.caps.get(&term)?.clone();
        let info = self.origins.info(term)?;
        let at_root = info.home.as_ref().is_some_and(|h| h.scope.is_root());
        let mut variables = info.variables.iter();
        let variable = variables.next().filter(|_| at_root)?.clone();
        if variables.next().is_some() {
            return None;
        }
        let limit = Value::number(last.clone());
        let inside = self.formulas.compare(term, Comparison::LessOrEqual, &limit).ok()?;
        let kind = GuardKind::AtMost(operand.into());
        Some((Guard { subject: Subject::Variable(variable), values: vec![limit], kind }, inside))
    }

    /// The guards of everything that was cut into bins.
    pub fn caps(&mut self) -> Vec<Guard> {
        let terms: Vec<TermId> = self.terms.caps.keys().copied().collect();
        terms.into_iter().filter_map(|t| Some(self.cap(t)?.0)).collect()
    }

    /// The reason's way out by bins, where a number is handed on.
    pub(in crate::trace) fn with_bins(
        &self,
        reason: Reason,
        question: &Question<'_>,
        value: &Value,
    ) -> Reason {
        let field = question.field;
        let pinnable = matches!(field.target, Target::Resource(_) | Target::Call(_));
        // Only the range of a root variable is cut, of a number that is handed on or computed from.
        let numbers = || {
            let info = self.origins.info(self.origins.term_of(value)?)?;
            let at_root = info.home.as_ref().is_some_and(|home| home.scope.is_root());
            let variables = &self.inputs.config.root()?.variables;
            let is_number = |name: &Arc<str>| variables.get(name).is_some_and(|v| v.ty == Type::Number);
            Some(at_root && info.variables.len() == 1 && info.variables.iter().all(is_number))
        };
        if reason.code != Code::NoUniverse || value.ty != Type::Number || !pinnable || numbers() != Some(true)
        {
            return reason;
        }
        let whole = FieldAddr { path: FieldPath::default(), ..field.plain() };
        let paste = format!(
            "specialize \"{whole}\" {{\n  field \"{}\" {{\n    bins = [10, 100, 1000]\n  }}\n}}",
            field.path
        );
        reason.fix(
            "Cut the range into bins in `phi.hcl`, to the next of which the number is rounded up:",
            paste,
        )
    }
}
