//! Moves conditions out of an iteration whose entries can't have gates.
//!
//! In: the branches of an argument inside `dynamic` blocks, whose conditions may name the entry at hand. Out: the same branches
//! under conditions that don't, if every entry has the same value under each input. Invariant: the condition left of a branch holds
//! exactly if some entry has its value, and no two hold at once; otherwise the branches stay as they were, and a reason says why no
//! gate can choose.

use super::dynamic::{Entries, iterator_name};
use crate::addr::FieldAddr;
use crate::cond::{Condition, FormulaId, Meaning, Refusal, Site};
use crate::issue::Code;
use crate::trace::{
    Branch, Guarded, Outcomes, Reason, Traced, Tracer, site::FieldSite, tracer::result::PerEntry,
};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Tracer<'_> {
    /// Takes the keys of entries out of the branches' conditions and out of `failing`. `exists` is where there is an
    /// entry at all. `None` where they make a difference, or where that is too much to tell.
    pub(in crate::trace) fn outside(
        &mut self,
        branches: &[Branch],
        failing: FormulaId,
        entries: &[Entries],
        exists: FormulaId,
    ) -> Option<(Vec<Branch>, FormulaId)> {
        let about =
            |tracer: &Self, f| tracer.formulas.terms(f).iter().any(|t| entries.iter().any(|e| e.term == *t));
        if !branches.iter().map(|b| b.when).chain([failing]).any(|f| about(self, f)) {
            return None;
        }
        let failing = self.for_some_entry(failing, entries).ok()??;
        let mut out: Vec<Branch> = Vec::new();
        for branch in branches {
            let here = self.formulas.and(branch.when, exists).ok()?;
            let some = self.for_some_entry(here, entries).ok()??;
            let when = self.formulas.minus(some, failing).ok()?;
            if when == FormulaId::FALSE {
                continue;
            }
            for other in &out {
                if self.formulas.and(other.when, when).ok()? != FormulaId::FALSE {
                    return None;
                }
            }
            let shown = self.without_keys(&branch.shown, entries).simplify(&mut self.formulas);
            out.push(Branch { when, shown, ..branch.clone() });
        }
        // Where there is no entry nothing has a value: any branch may stand for it.
        let some = self.for_some_entry(exists, entries).ok()??;
        let none = self.formulas.not(some).ok()?;
        if let Some(first) = out.first_mut() {
            first.when = self.formulas.or(first.when, none).ok()?;
        }
        self.spell_anew(&mut out, none)?;
        Some((out, failing))
    }

    /// Spells conditions anew that say something else than is meant where there is an entry. `none` is where there isn't one.
    fn spell_anew(&mut self, branches: &mut [Branch], none: FormulaId) -> Option<()> {
        for branch in branches {
            let said = branch.shown.formula(&mut self.formulas).ok()?;
            let meant = self.formulas.or(branch.when, none).ok()?;
            let said = self.formulas.or(said, none).ok()?;
            if said != meant {
                branch.shown = self.spelled(branch.when)?;
            }
        }
        Some(())
    }

    /// Returns `absent`, and where a field has no value since there is no entry of the `dynamic` blocks around it. `None` where that
    /// depends on the entry at hand, or is too much to tell.
    ///
    /// The key of a single entry is no choice: no condition names it, and there may be no entry all the same.
    pub(in crate::trace) fn without_entry(
        &mut self,
        value: &Guarded,
        entries: &[Entries],
        absent: FormulaId,
    ) -> Option<FormulaId> {
        let all = self.formulas.or_all(value.alts().iter().map(|alt| alt.when)).ok()?;
        let none = self.formulas.not(all).ok()?;
        let is_per_entry = self.formulas.terms(none).iter().any(|t| entries.iter().any(|e| e.term == *t));
        if entries.is_empty() || is_per_entry {
            return None;
        }
        self.formulas.or(absent, none).ok()
    }

    /// Returns the formula that holds if `f` does for at least one entry. The inner `None`: it is about entries that
    /// aren't known.
    fn for_some_entry(&mut self, f: FormulaId, entries: &[Entries]) -> Result<Option<FormulaId>, Refusal> {
        let mut f = f;
        for entry in entries.iter().rev() {
            if !self.formulas.terms(f).contains(&entry.term) {
                continue;
            }
            if entry.exists.is_none() {
                return Ok(None);
            }
            f = self.for_some(f, entry.term, &entry.keys)?;
        }
        Ok(Some(f))
    }

    /// A condition without what it says of keys.
    fn without_keys(&mut self, condition: &Arc<Condition>, entries: &[Entries]) -> Arc<Condition> {
        match &**condition {
            Condition::Always => condition.clone(),
            Condition::Existing(site) | Condition::Eq(site, _) => match self.names_key(site, entries) {
                true => Arc::new(Condition::Always),
                false => condition.clone(),
            },
            Condition::Not(part) => match &*self.without_keys(part, entries) {
                Condition::Always => Arc::new(Condition::Always),
                _ => Condition::negate(&self.without_keys(part, entries)),
            },
            Condition::And(parts) => Condition::all(self.each_without(parts, entries)),
            Condition::Or(parts) => Condition::any(self.each_without(parts, entries)),
        }
    }

    fn each_without(&mut self, parts: &[Arc<Condition>], entries: &[Entries]) -> Vec<Arc<Condition>> {
        parts.iter().map(|p| self.without_keys(p, entries)).collect()
    }

    fn names_key(&self, site: &Site, entries: &[Entries]) -> bool {
        let of = |term| entries.iter().any(|e| e.term == term);
        match site.meaning {
            Meaning::Term(term) => of(term),
            Meaning::Formula(f) => self.formulas.terms(f).iter().copied().any(of),
        }
    }

    /// Why no gate can choose between the branches of an argument inside `dynamic` blocks.
    pub(in crate::trace) fn per_entry(
        &mut self,
        result: &Traced,
        field: &FieldAddr,
        site: &FieldSite,
    ) -> Option<PerEntry> {
        let Traced::Bounded(Outcomes { branches, failing }) = result else { return None };
        let all = branches.iter().map(|b| b.when).chain([*failing]);
        let terms: BTreeSet<_> = all.flat_map(|f| self.formulas.terms(f).to_vec()).collect();
        terms.iter().find(|t| self.terms.axes.is_per_entry(**t))?;
        let block = site.dynamics.last()?;
        let (name, kind) = (iterator_name(block), block.label(0).unwrap_or_default().to_owned());
        let why = format!(
            "the value differs from entry to entry of `dynamic \"{kind}\"`, and no gate can be put on one of them."
        );
        let mut reason = Reason::new(Code::IterationDependent, why, Some(site.attr.value_place()));
        if let Some(text) = self.unrolled(field, site) {
            reason = reason.fix(format!("Write the blocks out, in place of `dynamic \"{kind}\"`:"), text);
        }
        let outside = format!("Choose by something other than `{name}`, outside of the iteration.");
        Some(PerEntry { reason: reason.fix(outside, ""), dynamics: site.dynamics.clone() })
    }
}
