//! Results that a tracer has computed before. Leaving an entry out costs time and changes no result.

use super::iteration::Iteration;
use super::prediction::Prediction;
use super::result::Gives;
use crate::addr::{Key, ModulePath, ResourceAddr, Target};
use crate::cond::{Condition, FormulaId, TermId};
use crate::config::ModuleId;
use crate::func::TerraformVersions;
use crate::trace::{Guarded, Identity, InstanceId, Reason, ResourceInstance};
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A declaration whose value is computed once per instance.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(in crate::trace) enum Decl {
    /// A local.
    Local(Arc<str>),
    /// A variable.
    Variable(Arc<str>),
    /// A variable where its rules hold, an error elsewhere; see [`crate::trace::failures`].
    Held(Arc<str>),
    /// An output.
    Output(Arc<str>),
    /// The `count` or `for_each` of a module call; only for calls that have one.
    Repetition(Arc<str>),
    /// The `count` or `for_each` of a resource; only for resources that have one.
    Instances(ResourceAddr),
    /// An argument of an instance of a resource, which sets it.
    Argument(Arc<ResourceInstance>, Arc<str>),
}

/// Declarations that were last seen not to be repeated: what is asked of one field comes in a row, and so do questions about
/// the calls that lead there.
#[derive(Default)]
pub(in crate::trace) struct Single {
    call: Option<(InstanceId, Target)>,
    other: Option<(InstanceId, Target)>,
}

impl Single {
    pub fn of(&mut self, target: &Target) -> &mut Option<(InstanceId, Target)> {
        if matches!(target, Target::Call(_)) { &mut self.call } else { &mut self.other }
    }
}

/// A text, whether it is negated, where it stands, in which repeated declaration (and for which key alone), and for which
/// Terraform it is read.
type Standing = (String, bool, InstanceId, Option<(Target, Option<Key>)>, TerraformVersions);

/// A local's value, and whether it depends on the workspace.
type Known = (Value, bool);

/// The values of locals, by module and workspace.
pub(in crate::trace) type Locals = FxHashMap<(ModuleId, Arc<str>, Option<Arc<str>>), Known>;

/// Results by the question that they answer.
#[derive(Default)]
pub(in crate::trace) struct Memo {
    /// The values of declarations, as the versions give them whose answers count now.
    pub values: FxHashMap<(InstanceId, Decl), Guarded>,
    /// The values that other versions give.
    pub of_others: FxHashMap<TerraformVersions, FxHashMap<(InstanceId, Decl), Guarded>>,
    /// The declarations whose values are being computed, and how many were when each was begun.
    pub open: FxHashMap<(InstanceId, Decl), usize>,
    /// The reasons why data sources are read only during apply. While one is being computed, its reason is that it
    /// depends on itself.
    pub taints: FxHashMap<(InstanceId, ResourceAddr), Option<Reason>>,
    /// The last question whether an instance is the only one of its module, and the answer.
    pub once: Option<(InstanceId, bool)>,
    /// The predictions about declarations, made without their values.
    pub predictions: FxHashMap<(InstanceId, Decl), Prediction>,
    pub single: Single,
    /// The iteration of the repeated declaration that was asked for last.
    pub axis: Option<((InstanceId, Target), Iteration)>,
    /// The module whose instance was last asked for.
    pub here: Option<(ModulePath, InstanceId)>,
    /// The condition under which the module that was asked for last has instances.
    pub exists: Option<(ModulePath, FormulaId)>,
    /// The values of locals before anything is expanded, see [`crate::trace::failures`].
    pub unexpanded: Locals,
    /// Conditions in the words of their terms.
    pub spelled: FxHashMap<FormulaId, Option<Arc<Condition>>>,
    /// True if a term can be null where a formula holds.
    pub nulls: FxHashMap<(TermId, FormulaId), bool>,
    /// What declarations are, known or not; nothing while one is being read.
    pub identities: FxHashMap<(InstanceId, Decl), Option<Identity>>,
    /// The conditions under which a text gives each result.
    pub outcomes: FxHashMap<Standing, Option<Gives>>,
}
