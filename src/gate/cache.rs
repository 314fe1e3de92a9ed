//! The gates that were made and proved before.
//!
//! Many fields of a module depend on the same choice, so each set of conditions is put into words once. Invariant: what is kept depends on nothing but the key.

use super::{Choice, Gates};
use crate::addr::ModulePath;
use crate::cond::{Condition, FormulaId};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Gates that were made and proved before, for one tracer.
#[derive(Debug, Default)]
pub struct GateCache {
    known: FxHashMap<u64, Vec<Words>>,
    /// Normal forms, by the formulas alone: the same choice is said in other words in each module.
    pub(super) normal: FxHashMap<Vec<FormulaId>, Option<Normal>>,
}

/// One set of conditions. The inner options are empty where there are no such words.
#[derive(Debug)]
pub(super) struct Words {
    of: Vec<(FormulaId, Arc<Condition>)>,
    pub said: Option<Option<Gates>>,
    pub simple: Option<Vec<Arc<Condition>>>,
    /// The gates that were proved outside of every iteration, and the modules of all the texts that they were chosen
    /// from.
    pub proved: Option<(Gates, Vec<ModulePath>)>,
}

/// Texts over terms, each with whether it is the negation, and where all of them can be written.
pub(super) type Normal = (ModulePath, Vec<(String, bool)>);

impl GateCache {
    pub(super) fn of(&mut self, choices: &[Choice]) -> Option<&mut Words> {
        let mut hasher = FxHasher::default();
        for choice in choices {
            choice.when.hash(&mut hasher);
            choice.shown.hash_into(&mut hasher);
        }
        let same = self.known.entry(hasher.finish()).or_default();
        let is = |d: &Words| {
            d.of.len() == choices.len()
                && d.of.iter().zip(choices).all(|((when, shown), c)| {
                    *when == c.when && (Arc::ptr_eq(shown, &c.shown) || *shown == c.shown)
                })
        };
        let at = same.iter().position(is).unwrap_or_else(|| {
            let of = choices.iter().map(|c| (c.when, c.shown.clone())).collect();
            same.push(Words { of, said: None, simple: None, proved: None });
            same.len() - 1
        });
        same.get_mut(at)
    }
}
