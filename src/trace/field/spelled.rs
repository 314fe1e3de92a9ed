//! Conditions in the words of the terms that they are about. Absent: proofs.

use crate::addr::ModulePath;
use crate::cond::{Condition, FormulaId, TermId, TermText};
use crate::trace::{
    Tracer,
    guarded::wording::{CUBES, binding_of, literal, site},
};
use crate::value::{Type, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

impl Tracer<'_> {
    /// A condition in the words of the terms that it is about, where one module can write them all.
    pub(in crate::trace) fn spelled(&mut self, when: FormulaId) -> Option<Arc<Condition>> {
        let mut scope: Option<ModulePath> = None;
        let mut terms = BTreeMap::new();
        for &term in &*self.formulas.terms(when) {
            let home = self.origins.info(term)?.home.clone()?;
            if *scope.get_or_insert_with(|| home.scope.clone()) != home.scope {
                return None;
            }
            terms.insert(term, self.term_text(term, when)?);
        }
        let Some(scope) = scope else {
            return Some(if when == FormulaId::TRUE {
                Arc::new(Condition::Always)
            } else {
                Condition::never()
            });
        };
        let cubes = self.formulas.cubes(when, CUBES).ok()?;
        let text = self.formulas.cubes_text(&cubes, &|t| terms.get(&t).cloned(), &|v| literal(v))?;
        Some(Arc::new(Condition::Existing(site(scope, text, when))))
    }

    /// The same, looked for once.
    pub fn spelled_once(&mut self, when: FormulaId) -> Option<Arc<Condition>> {
        if let Some(known) = self.memo.spelled.get(&when) {
            return known.clone();
        }
        let made = self.spelled(when);
        self.memo.spelled.insert(when, made.clone());
        made
    }

    /// Returns true if a term can be null in any assignment that a branch was made for: `contains` takes no null.
    pub fn can_be_null(&mut self, term: TermId, accepted: FormulaId) -> bool {
        if let Some(known) = self.memo.nulls.get(&(term, accepted)) {
            return *known;
        }
        let ty = self.origins.info(term).map_or(Type::Dynamic, |i| i.ty.clone());
        let null = match self.formulas.restrict(accepted, term, &Value::null(ty)) {
            Ok(f) => f != FormulaId::FALSE,
            Err(_) => true,
        };
        self.memo.nulls.insert((term, accepted), null);
        null
    }

    /// Returns a term as text, as it can stand where `accepted` holds.
    pub fn term_text(&mut self, term: TermId, accepted: FormulaId) -> Option<TermText> {
        let info = self.origins.info(term)?;
        let text = info.home.as_ref()?.text.clone();
        let nullable = self.can_be_null(term, accepted);
        Some(TermText { binding: binding_of(&text), text, nullable })
    }
}
