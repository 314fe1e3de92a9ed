//! The scope of an evaluation: settings and notes that hold for everything evaluated within it, and end with it.

use crate::addr::ModulePath;
use crate::cond::FormulaId;
use crate::config::In;
use crate::func::TerraformVersions;
use crate::syntax::Block;
use crate::trace::{InstanceId, Reason};
use crate::value::Value;
use std::sync::Arc;

/// An operation that may yet fail: the condition under which it is one, and why that isn't known.
pub(in crate::trace) type Risk = (FormulaId, Option<Arc<Reason>>);

/// The scope of an evaluation.
pub(in crate::trace) struct Scope {
    /// The versions of Terraform whose answers count.
    pub version: TerraformVersions,
    /// True if validations are read for the values that they accept: errors are as good as false.
    pub inferring: bool,
    /// Set if variables are errors where their rules don't hold. It lists the variables that are taken as they are
    /// all the same, because their rules are being evaluated.
    pub holds: Option<Vec<(InstanceId, Arc<str>)>>,
    /// The number of references that are being followed, one within the other.
    pub nesting: usize,
    /// The condition under which an evaluated expression refers to something that fails. Terraform doesn't evaluate
    /// it then, even if the value isn't needed.
    pub masked: FormulaId,
    /// The text that places outside of every file point into: a gate that is being proved.
    pub gate_text: Option<Arc<str>>,
    /// The `dynamic` blocks whose names gates may use, and where they stand: for gates that are only shown.
    pub gate_names: Option<(ModulePath, Vec<In<Block>>)>,
    /// The notes on the expression that is being evaluated.
    pub notes: Notes,
}

/// Notes on the operations of one expression that may yet fail.
#[derive(Default)]
pub(in crate::trace) struct Notes {
    /// Within `try` and `can`: those operations.
    pub risks: Option<Vec<Risk>>,
    /// The number of conditionals' arms around.
    pub arms: usize,
    /// Within arms: the values on which those operations depend, for each at least one.
    pub doubts: Vec<Value>,
}

impl Default for Scope {
    fn default() -> Scope {
        Scope {
            version: TerraformVersions::ANY,
            inferring: false,
            holds: None,
            nesting: 0,
            masked: FormulaId::FALSE,
            gate_text: None,
            gate_names: None,
            notes: Notes::default(),
        }
    }
}
