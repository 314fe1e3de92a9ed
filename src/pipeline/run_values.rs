//! This run's values of root variables.

use super::session::Session;
use crate::config::variables::{VarValue, VarValues};
use crate::eval::EvalError;
use crate::host::Host;
use crate::issue::{Code, Issue};
use crate::value::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The values as the variables take them: converted, without marks. A null for a variable that takes none is left out:
/// there the default counts.
pub fn evaluated<H: Host + Clone>(session: &mut Session<H>, values: &VarValues) -> BTreeMap<Arc<str>, Value> {
    let mut done = BTreeMap::new();
    let mut issues = Vec::new();
    for (name, value) in values {
        let Some(variable) = session.config.root().and_then(|m| m.variables.get(name)) else { continue };
        let outcome = value.given.value();
        match outcome.and_then(|v| variable.accept(&v).map_err(EvalError::from)) {
            Ok(v) if v.is_null() && !variable.nullable => {}
            Ok(v) => {
                done.insert(name.clone(), v.unmark_deep().0);
            }
            Err(e) => issues.push(unsuitable(name, value, &e, variable.is_hidden())),
        }
    }
    session.extend(issues);
    done
}

fn unsuitable(name: &str, value: &VarValue, error: &EvalError, secret: bool) -> Issue {
    let what = if secret { String::new() } else { format!(": {}", error.message) };
    let why = format!("The value that {} gives to var.{name} is not suitable{what}.", value.origin);
    let why = why.replace("..", ".");
    Issue::error(Code::Invalid, "Invalid value for input variable", why).at(value.place)
}
