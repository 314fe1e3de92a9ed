//! Stops a run with a value that its own variable refuses.
//!
//! No copy is written for such a value, so that nothing could be led to one. Terraform stops there as well: what it says is said before
//! anything is asked of state.

use crate::config::Config;
use crate::config::variables::{VarOrigin, VarValues};
use crate::eval::standalone::eval_constant;
use crate::issue::{Code, Issue};
use crate::text::Place;
use crate::trace::Tracer;
use crate::trace::failures::{RefusedValue, find_refused_values};
use crate::value::{Value, hcl};
use std::sync::Arc;

/// A finding for each rule of a root variable that this run's value doesn't keep, by the variable; `tracer` knows this run's values, and
/// `name_line` the lines of files in which something else was written.
pub fn find_refused(
    config: &Config,
    tracer: &mut Tracer<'_>,
    values: &VarValues,
    name_line: &dyn Fn(Place) -> Option<String>,
) -> Vec<(Arc<str>, Issue)> {
    let refused = find_refused_values(tracer);
    let issue =
        |one: RefusedValue| Some((one.variable.clone(), write_issue(config, &one, values, name_line)?));
    refused.into_iter().filter_map(issue).collect()
}

fn write_issue(
    config: &Config,
    refused: &RefusedValue,
    values: &VarValues,
    name_line: &dyn Fn(Place) -> Option<String>,
) -> Option<Issue> {
    let variable = config.root()?.variables.get(&refused.variable)?;
    let given = values.get(&refused.variable);
    let own = match given {
        Some(given) => given.given.value().ok(),
        None => variable.default.as_ref().and_then(|default| eval_constant(&default.expr, default.file).ok()),
    };
    let shown = own
        .and_then(|value| variable.accept(&value).ok())
        .filter(|_| !variable.is_hidden())
        .and_then(|value: Value| hcl::to_hcl(&value.unmark_deep().0));
    let name = format!("var.{}", refused.variable);
    let is = shown
        .map_or_else(|| format!("{name} has a value that isn't shown"), |value| format!("{name} is {value}"));
    let from = match given.map(|value| &value.origin) {
        Some(VarOrigin::CommandLine) => "as the command line gives it".to_owned(),
        Some(origin) => format!("as {origin} gives it"),
        None => "which is its default".to_owned(),
    };
    let says = match (&refused.message, &refused.error) {
        (Some(message), _) => format!("\n{}", message.trim()),
        (None, Some(error)) if !variable.is_hidden() => format!("\nIts rule is an error with that: {error}"),
        (None, _) => String::new(),
    };
    let checked = name_line(refused.rule).unwrap_or_else(|| config.sources.span_text(refused.rule));
    let why = format!(
        "{is}, {from}.{says}\nThis was checked by the validation rule at {checked}. Nothing was written."
    );
    let issue = Issue::error(Code::Invalid, "Invalid value for variable", why)
        .about(name)
        .fix("Give it a value that the rule takes, or change the rule.", "");
    let place = variable.decl.place();
    Some(match name_line(place) {
        Some(line) => issue.in_path(line),
        None => issue.at(place),
    })
}
