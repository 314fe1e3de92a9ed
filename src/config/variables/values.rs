//! Values of variables before evaluation, and where they come from.

use crate::config::{In, paths};
use crate::eval::Outcome;
use crate::eval::standalone::eval_constant;
use crate::syntax::Expr;
use crate::text::Place;
use crate::value::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A value before evaluation.
#[derive(Clone, Debug)]
pub enum Given {
    /// An expression without scope: no references, no functions.
    Expr(In<Expr>),
    /// A value that needs no evaluation: from JSON, or the text of a `-var` for a variable of primitive type.
    Value(Value),
    /// A value that is there and that nothing here tells, as HCP gives a deployment.
    Unknown,
}

impl Given {
    /// Returns the value; unknown where nothing here tells it.
    ///
    /// # Errors
    /// The expression's own.
    pub fn value(&self) -> Outcome {
        match self {
            Given::Expr(expr) => eval_constant(&expr.node, expr.file),
            Given::Value(value) => Ok(value.clone()),
            Given::Unknown => Ok(Value::dynamic()),
        }
    }
}

/// The source of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VarOrigin {
    /// An environment variable, by its name.
    Env(String),
    /// A variable file.
    File(PathBuf),
    /// `-var`
    CommandLine,
}

impl std::fmt::Display for VarOrigin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            VarOrigin::Env(name) => write!(f, "the environment variable {name}"),
            VarOrigin::File(path) => f.write_str(&paths::shown(path)),
            VarOrigin::CommandLine => f.write_str("the command line"),
        }
    }
}

/// The value of one variable in this run.
#[derive(Clone, Debug)]
pub struct VarValue {
    /// The value.
    pub given: Given,
    /// Its source.
    pub origin: VarOrigin,
    /// The place in a variable file.
    pub place: Option<Place>,
}

impl VarValue {
    /// A value that stands in a file.
    pub(super) fn in_file(given: Given, path: &Path, place: Place) -> VarValue {
        VarValue { given, origin: VarOrigin::File(path.to_path_buf()), place: Some(place) }
    }
}

/// Values by variable.
pub type VarValues = BTreeMap<Arc<str>, VarValue>;
