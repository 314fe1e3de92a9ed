//! Facts about terms, and about the root variables behind them.

use super::axes::AxisTerms;
use super::compared::Compared;
use super::sure::Sure;
use crate::addr::{ModulePath, Target};
use crate::cond::TermId;
use crate::config::Variable;
use crate::trace::Universe;
use crate::value::{Number, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Facts about terms and root variables, gathered while fields are traced. Nothing is ever taken out.
#[derive(Default)]
pub(in crate::trace) struct Terms {
    /// The last bin of each number that is cut, with the number's text.
    pub caps: BTreeMap<TermId, (String, Number)>,
    /// The terms that are root variables or attributes of these.
    pub parts: FxHashMap<TermId, Parts>,
    /// The prefix and suffix of every value of a term, if a template fixes them.
    pub sure: FxHashMap<TermId, Sure>,
    /// The root variables whose default stands for the whole of them somewhere.
    pub defaulted: BTreeSet<Arc<str>>,
    /// Terms that were compared with many constants.
    pub compared: Compared,
    /// The terms that are keys of iterations.
    pub keys: FxHashSet<TermId>,
    /// The keys and indices behind terms.
    pub axes: AxisTerms,
    /// The root variables over whose values a declaration is repeated that has a term for its elements.
    pub elements: FxHashMap<(ModulePath, Target), BTreeSet<Arc<str>>>,
}

/// A term that is a root variable or an attribute of one.
#[derive(Clone, Debug)]
pub(in crate::trace) struct Parts {
    /// The name under which `phi.hcl` lists its values: `cfg`, `cfg.version`.
    pub name: Arc<str>,
    /// Its listed values.
    pub universe: Option<Universe>,
    /// True if the values stand for it here; else those of its attributes do.
    pub expanded: bool,
    /// The term and the module's variable that converts it, if it is what that variable gives.
    pub through: Option<(Value, Box<Variable>)>,
}
