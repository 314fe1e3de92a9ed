//! The error for values that differ by `count.index`, or by an unknown key.
//!
//! A `count` makes instances 0, 1, 2, … and can't leave one of them out, so values that only the index tells apart can't be split.
//! A `for_each` over the same numbers can; the error shows it in full.

use super::never_instantiated::declarations;
use super::unroll::expressions;
use crate::addr::{FieldAddr, ModulePath, Target};
use crate::cond::{FormulaId, Refusal, TermId};
use crate::issue::Code;
use crate::syntax::traversal;
use crate::text::{EditSet, Place};
use crate::trace::{
    Outcomes, Reason, Traced, Tracer,
    site::FieldSite,
    tracer::axes::{Axis, AxisKind},
    tracer::result::PerEntry,
};
use crate::value::Value;

/// The number of instances written out, each with its move in state.
const MOST: usize = 16;

impl Tracer<'_> {
    /// Why no gate can choose between branches that differ by `count.index`.
    pub(in crate::trace) fn per_index(
        &mut self,
        result: &Traced,
        field: &FieldAddr,
        site: &FieldSite,
    ) -> Option<PerEntry> {
        let Traced::Bounded(Outcomes { branches, .. }) = result else { return None };
        let conditions: Vec<FormulaId> = branches.iter().map(|b| b.when).collect();
        let reason = self.by_index(&conditions, field, site.attr.value_place())?;
        Some(PerEntry { reason, dynamics: site.dynamics.clone() })
    }

    /// The same of the conditions alone.
    pub(in crate::trace) fn by_index(
        &self,
        conditions: &[FormulaId],
        field: &FieldAddr,
        place: Place,
    ) -> Option<Reason> {
        if conditions.len() < 2 {
            return None;
        }
        let mut terms = conditions.iter().flat_map(|when| self.formulas.terms(*when).to_vec());
        let (counted, term) = terms.find_map(|term| Some((self.counted(term, field)?, term)))?;
        let why = "the value differs from instance to instance by `count.index`, and a `count` can't leave one of them out.";
        let reason = Reason::new(Code::IterationDependent, why, Some(place));
        let (what, instances) = (counted.0.address_of(&counted.1), self.formulas.universe(term).len());
        Some(match self.by_keys(&counted, instances).filter(|_| instances <= MOST) {
            Some(text) => {
                reason.fix(format!("Write {what} with `for_each` in place of `count`; its state moves along:"), text)
            }
            None => reason.fix(
                format!(
                    "Write {what} with `for_each = toset([for i in range(…) : tostring(i)])` in place of `count`, \
                     `tonumber(each.key)` for `count.index`, and a `moved` block for each instance."
                ),
                "",
            ),
        })
    }

    /// Returns the condition for no instance at all, given that for no instance of some index: a gate needs to tell
    /// no more of a `count`. `None` if that isn't known.
    pub(in crate::trace) fn at_no_index(
        &mut self,
        absent: FormulaId,
        exists: FormulaId,
        field: &FieldAddr,
    ) -> Option<FormulaId> {
        let indices: Vec<TermId> = self
            .formulas
            .terms(absent)
            .iter()
            .copied()
            .filter(|t| self.counted(*t, field).is_some())
            .collect();
        if indices.is_empty() {
            return Some(absent);
        }
        if !indices.iter().all(|term| self.terms.axes.of(*term).is_some()) {
            return None;
        }
        let (mut some, mut out) = (exists, absent);
        for term in indices {
            let values = self.formulas.universe(term);
            some = self.for_some(some, term, &values).ok()?;
            out = self.for_some(out, term, &values).ok()?;
        }
        self.formulas.minus(out, some).ok()
    }

    /// Returns the condition that holds if another does for some of these values of a term.
    pub(in crate::trace) fn for_some(
        &mut self,
        f: FormulaId,
        term: TermId,
        values: &[Value],
    ) -> Result<FormulaId, Refusal> {
        values.iter().try_fold(FormulaId::FALSE, |some, value| {
            let here = self.formulas.restrict(f, term, value)?;
            self.formulas.or(some, here)
        })
    }

    /// Why a value of which nothing is known but that it comes from a `count.index` or an `each.key` has no end.
    pub(in crate::trace) fn open_axis_of(
        &self,
        terms: &[TermId],
        field: &FieldAddr,
        place: Place,
    ) -> Option<Reason> {
        let is_element = |axis: &Axis| axis.kind == AxisKind::Value;
        let elements = terms.iter().filter(|term| self.terms.axes.depends(**term, is_element));
        if let Some(because) = elements.filter_map(|term| self.origins.because_of(*term)).next() {
            return Some(Reason::clone(because));
        }
        let culprits = terms.iter().find_map(|term| self.blamed(*term).cloned()).unwrap_or_default();
        let is_key = |axis: &Axis| axis.kind == AxisKind::Key;
        if terms.iter().any(|term| self.terms.axes.depends(*term, is_key)) {
            let depends = culprits.depended_on("is not the same whatever happens");
            let why = format!("the collection of `for_each` {depends}, so its keys can't be listed.");
            return Some(Reason::new(Code::IterationDependent, why, Some(place)).fix(
                "Iterate over a collection that is written out, or that variables decide whose values are listed.",
                "",
            ));
        }
        let counted = terms.iter().find_map(|term| self.counted(*term, field))?;
        let (of, most) = (counted.0.address_of(&counted.1), self.inputs.limits.alternatives);
        let depends = culprits.depended_on(&format!("isn't known, or is more than {most}"));
        let why = format!(
            "the value differs from instance to instance by `count.index`, and how many instances {of} has {depends}."
        );
        let reason = Reason::new(Code::IterationDependent, why, Some(place));
        let fix = "Choose by something other than `count.index`; or let a smaller number, or variables whose values are listed, say \
                   how many instances there are.";
        Some(reason.fix(fix, ""))
    }

    /// The declaration around a field, or itself, whose index a term is or is computed from.
    fn counted(&self, term: TermId, field: &FieldAddr) -> Option<(ModulePath, Target)> {
        let is_index = |axis: &Axis| axis.kind == AxisKind::Index;
        if !self.terms.axes.depends(term, is_index) {
            return None;
        }
        declarations(field).find(|(path, target)| {
            let is_its = |axis: &Axis| is_index(axis) && axis.path == *path && axis.target == *target;
            self.terms.axes.depends(term, is_its)
        })
    }

    /// A declaration with `for_each` over the numbers that its `count` makes, and the `moved` blocks that go with it.
    fn by_keys(&self, (path, target): &(ModulePath, Target), most: usize) -> Option<String> {
        let module = self.inputs.config.at(path)?;
        let (decl, count) = match target {
            Target::Resource(addr) => module.resources.get(addr).map(|r| (&r.decl, r.count.as_ref()))?,
            Target::Call(name) => module.call(name).map(|c| (&c.decl, c.count.as_ref()))?,
            Target::Output(_)
            | Target::Local(_)
            | Target::Variable(_)
            | Target::Provider(_)
            | Target::Block(_) => return None,
        };
        let (block, count) = (&decl.block, count?);
        if decl.json || !decl.overrides.is_empty() || count.file != block.file {
            return None;
        }
        let source = self.inputs.config.sources.get(block.file)?;
        let number = source.text.get(count.expr.span.range())?;
        let mut edits = EditSet::default();
        edits.replace(count.name.span, "for_each").ok()?;
        edits.replace(count.expr.span, format!("toset([for i in range({number}) : tostring(i)])")).ok()?;
        let mut exprs = Vec::new();
        expressions(&block.body, &mut exprs);
        for used in exprs.iter().flat_map(|expr| traversal::variables(expr)) {
            if &*used.root.text == "count" {
                edits.replace(used.span, "tonumber(each.key)").ok()?;
            }
        }
        let whole = edits.apply(&source.text).ok()?;
        let end = whole.len().checked_sub(source.text.len() - block.span.end as usize)?;
        let mut text = format!("{}\n", whole.get(block.span.start as usize..end)?);
        for i in 0..most {
            text += &format!("\nmoved {{\n  from = {target}[{i}]\n  to   = {target}[\"{i}\"]\n}}\n");
        }
        Some(text)
    }
}
