//! The tracer's state: configuration, limits, tables, memo.

use super::alike::Compared;
use super::axes::AxisTerms;
use super::axis::Single;
use super::domain::Iteration;
use super::drafts::Drafts;
use super::failures::Locals;
use super::foreseen::Sight;
use super::instance::Instances;
use super::origin::Origins;
use super::parts::Parts;
use super::sure::Sure;
use super::{Guarded, Instance, InstanceId, Meant, Origin, Reason, TermInfo};
use crate::addr::ResourceAddr;
use crate::addr::{ModulePath, Target};
use crate::cond::{Domain, FormulaId, Formulas, TermId};
use crate::config::phi::Settings;
use crate::config::{Config, In};
use crate::eval::{Asked, Like};
use crate::func::{Surroundings, Work};
use crate::syntax::Block;
use crate::text::Place;
use crate::value::{Mark, Marks, Number, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Limits; every one that is reached gives Unbounded with a reason.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Branches of one field.
    pub branches: usize,
    /// Module boundaries crossed.
    pub depth: usize,
    /// Alternatives of one intermediate value.
    pub alternatives: usize,
    /// Combinations that one operation may look at.
    pub combinations: usize,
    /// References followed within one another.
    pub nesting: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { branches: 16, depth: 20, alternatives: 1024, combinations: 4096, nesting: 2000 }
    }
}

impl Limits {
    /// Returns the limits that `phi.hcl` sets.
    pub fn of(settings: &Settings) -> Limits {
        Limits { branches: settings.branches, depth: settings.depth, ..Limits::default() }
    }
}

/// A finite set of values that a root variable may take, and who says so.
#[derive(Clone, Debug, PartialEq)]
pub struct Universe {
    /// The values; none where there are bins alone.
    pub values: Vec<Value>,
    /// True if Terraform itself keeps other values out (a validation block, a type).
    pub enforced: bool,
    /// Bounds to which a number is rounded up where its values aren't listed, or are too many.
    pub bins: Vec<Number>,
    /// True if environments alone say so: what a driver lists for a field that hands the variable on goes before.
    pub environments: bool,
    /// The places of the values, in their order, if they aren't in `phi.hcl`.
    pub places: Vec<Place>,
}

impl Universe {
    /// Values that are listed for the variable itself.
    pub fn listed(values: Vec<Value>, enforced: bool) -> Universe {
        Universe { values, enforced, bins: Vec::new(), environments: false, places: Vec::new() }
    }
}

/// Universes by the name of a root variable, [`super::universe::WORKSPACE`], or the address of a data source's attribute.
pub type Universes = BTreeMap<Arc<str>, Universe>;

/// A declaration whose value is computed once per instance.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Decl {
    /// A local.
    Local(Arc<str>),
    /// A variable.
    Variable(Arc<str>),
    /// A variable where its rules hold, an error elsewhere; see [`super::failures`].
    Held(Arc<str>),
    /// An output.
    Output(Arc<str>),
    /// The `count` or `for_each` of a module call; only for calls that have one.
    Repetition(Arc<str>),
}

/// Traces fields of one configuration.
pub struct Tracer<'a> {
    pub(super) config: &'a Config,
    pub(super) limits: Limits,
    pub(super) universes: &'a Universes,
    /// True if the universe of any data source's attribute is among them.
    pub(super) lists_data: bool,
    pub(super) meant: Meant,
    /// The last bin of each number that is cut, with the number's text.
    pub(super) caps: BTreeMap<TermId, (String, Number)>,
    /// The terms that are root variables or attributes of these.
    pub(super) parts: FxHashMap<TermId, Parts>,
    /// The prefix and suffix of every value of a term, if a template fixes them.
    pub(super) sure: FxHashMap<TermId, Sure>,
    /// The root variables whose default stands for the whole of them somewhere.
    pub(super) defaulted: BTreeSet<Arc<str>>,
    pub(super) outside: &'a dyn Surroundings,
    pub(super) formulas: Formulas,
    pub(super) origins: Origins,
    pub(super) instances: Instances,
    pub(super) memo: FxHashMap<(InstanceId, Decl), Guarded>,
    /// The declarations whose values are being computed, and how many were when each was begun.
    pub(super) open: FxHashMap<(InstanceId, Decl), usize>,
    /// The reasons why data sources are read only during apply. While one is being computed, its reason is that it
    /// depends on itself.
    pub(super) taints: FxHashMap<(InstanceId, ResourceAddr), Option<Reason>>,
    /// The instance of which it was last asked whether it is the only one of its module, and the answer.
    pub(super) once: Option<(InstanceId, bool)>,
    /// The predictions about declarations, made without their values.
    pub(super) sights: FxHashMap<(InstanceId, Decl), Sight>,
    pub(super) drafts: Drafts,
    /// Terms that were compared with many constants.
    pub(super) compared: Compared,
    pub(super) nesting: usize,
    pub(super) single: Single,
    /// The iteration of the repeated declaration that was asked for last.
    pub(super) axes: Option<((InstanceId, Target), Iteration)>,
    /// The module whose instance was last asked for.
    pub(super) here: Option<(ModulePath, InstanceId)>,
    /// The condition under which the module that was asked for last has instances.
    pub(super) exists: Option<(ModulePath, FormulaId)>,
    /// Operations since the current field was begun.
    pub(super) work: usize,
    /// The work that may still be done with plain values for it.
    pub(super) values: Work,
    /// The Terraform whose answers are wanted, while only that one's are.
    pub(super) version: Option<(u32, u32)>,
    /// Within `try` and `can`: where operations may yet fail, and why isn't known whether they do.
    pub(super) risks: Option<Vec<(FormulaId, Option<Arc<Reason>>)>>,
    /// Within arms of conditionals: how many are around, and how many operations there may yet fail and be of another type
    /// then.
    pub(super) arms: usize,
    pub(super) retypings: usize,
    /// Within either: how many operations may yet fail.
    pub(super) fallible: u64,
    /// The values on which these depend, within arms.
    pub(super) doubts: Vec<Value>,
    /// The variables on which the kinds of collections depend that aren't sure, see [`super::kinds`].
    pub(super) kinds: Vec<BTreeSet<Arc<str>>>,
    /// True if validations are read for the values that they accept: errors are as good as false.
    pub(super) inferring: bool,
    /// Set if variables are errors where their rules don't hold. It lists the variables that are taken as they are
    /// all the same, because their rules are being evaluated.
    pub(super) holds: Option<Vec<(InstanceId, Arc<str>)>>,
    /// The condition under which an evaluated expression refers to something that fails. Terraform doesn't evaluate
    /// it then, even if the value isn't needed.
    pub(super) masked: FormulaId,
    /// The values of locals before anything is expanded, see [`super::failures`].
    pub(super) unexpanded: Locals,
    /// The terms that are keys of iterations.
    pub(super) keys: FxHashSet<TermId>,
    /// The keys and indices behind terms.
    pub(super) axis_terms: AxisTerms,
    /// The text that places outside of every file point into: a gate that is being proved.
    pub(super) gate_text: Option<Arc<str>>,
    /// The `dynamic` blocks whose names gates may use, and where they stand: for gates that are only shown.
    pub(super) gate_names: Option<(ModulePath, Vec<In<Block>>)>,
}

impl<'a> Tracer<'a> {
    /// A tracer over a configuration, under what is meant where nothing says so.
    pub fn new(
        config: &'a Config,
        limits: Limits,
        universes: &'a Universes,
        meant: Meant,
        outside: &'a dyn Surroundings,
    ) -> Tracer<'a> {
        Tracer {
            config,
            limits,
            universes,
            lists_data: universes.keys().chain(meant.supplied.keys()).any(|name| name.contains("data.")),
            meant,
            caps: BTreeMap::new(),
            parts: FxHashMap::default(),
            sure: FxHashMap::default(),
            defaulted: BTreeSet::new(),
            outside,
            formulas: Formulas::default(),
            origins: Origins::default(),
            instances: Instances::new(Config::ROOT),
            memo: FxHashMap::default(),
            open: FxHashMap::default(),
            taints: FxHashMap::default(),
            once: None,
            sights: FxHashMap::default(),
            drafts: Drafts::default(),
            compared: Compared::default(),
            nesting: 0,
            single: Single::default(),
            axes: None,
            here: None,
            exists: None,
            work: 0,
            values: Work::default(),
            version: None,
            risks: None,
            arms: 0,
            retypings: 0,
            fallible: 0,
            doubts: Vec::new(),
            kinds: Vec::new(),
            inferring: false,
            holds: None,
            masked: FormulaId::FALSE,
            unexpanded: Locals::default(),
            keys: FxHashSet::default(),
            axis_terms: AxisTerms::default(),
            gate_text: None,
            gate_names: None,
        }
    }

    /// Returns what functions can see of the machine.
    pub fn machine(&self) -> &'a dyn Surroundings {
        self.outside
    }

    /// The condition algebra, for those who read conditions.
    pub fn formulas(&mut self) -> &mut Formulas {
        &mut self.formulas
    }

    /// An instance.
    pub fn instance(&self, id: InstanceId) -> Option<&Instance> {
        self.instances.get(id)
    }

    /// Returns the facts about a term.
    pub fn term_info(&self, term: TermId) -> Option<&TermInfo> {
        self.origins.info(term)
    }

    /// Starts to count the work for one field.
    pub(super) fn begin(&mut self) {
        self.work = 0;
        self.values = Work::default();
        self.exists = None;
    }

    pub(super) fn surroundings(&self) -> Asked<&'a dyn Surroundings, Like> {
        Asked { outside: self.outside, version: Like(self.version) }
    }

    /// An unknown about which nothing can be said.
    pub(super) fn opaque(&mut self, reason: Reason) -> Value {
        self.opaque_of(Type::Dynamic, Arc::new(reason))
    }

    /// The same, of a known type.
    pub(super) fn opaque_of(&mut self, ty: Type, reason: Arc<Reason>) -> Value {
        let mark = self.origins.mark(Origin::Reason(reason));
        Value::unknown(ty).with_marks(&Marks::one(mark))
    }

    /// The reason that the work has become too much.
    pub(super) fn too_large(&mut self, what: &str, place: Option<Place>) -> Value {
        let said = place.and_then(|place| self.quote(place));
        let said = said.map_or_else(|| what.to_owned(), |text| format!("{what}, in `{text}`"));
        let reason = super::declined::too_large(&said, place);
        self.opaque(reason)
    }

    /// Returns the unknown for an evaluation that was declined.
    pub(super) fn declined(&mut self, error: &crate::eval::EvalError, place: Option<Place>) -> Value {
        let reason = self.why_declined(error, place);
        self.opaque(reason)
    }

    /// Returns the reason why an evaluation was declined.
    pub(super) fn why_declined(&self, error: &crate::eval::EvalError, place: Option<Place>) -> Reason {
        let place = error.place.or(place);
        super::declined::reason(error, place, place.and_then(|place| self.quote(place)).as_deref())
    }

    /// The unknown that is the value of a term.
    pub(super) fn symbol(
        &mut self,
        key: &str,
        domain: Domain,
        info: TermInfo,
        marks: &Marks,
    ) -> (TermId, Value) {
        let term = self.formulas.term(key, domain);
        let ty = info.ty.clone();
        self.origins.describe(term, info);
        let mark: Mark = self.origins.mark(Origin::Term(term));
        (term, Value::unknown(ty).with_marks(&Marks::one(mark)).with_marks(marks))
    }

    /// Both conditions; over budget counts as "can't be told", which the caller widens.
    pub(super) fn and(&mut self, a: FormulaId, b: FormulaId) -> Option<FormulaId> {
        self.formulas.and(a, b).ok()
    }
}
