//! The universes of root variables: which values are meant, and who says so.
//!
//! In: the configuration, `phi.hcl`, the environments. Out: a finite set for each variable that has one. The first
//! source that says anything counts: `phi.hcl`, validation blocks, environments, `bool`; but what a driver lists for a
//! field that hands the variable on goes before environments (see [`crate::trace::Assumptions`]). Deliberately absent: the
//! default alone, which counts only where a field needs it (see [`crate::trace::trace_driven`]), and this run's values.

pub(super) mod assume;
pub(super) mod bins;
pub(super) mod culprit;
pub(super) mod infer;
pub(super) mod open;
pub(super) mod predict;

use crate::config::phi::{PhiConfig, Placed, UniverseDecl};
use crate::config::variables::{Environment, Given, VarValue};
use crate::config::{Config, PartsLeft, Variable};
use crate::eval::EvalError;
use crate::eval::standalone::eval_constant;
use crate::func::Surroundings;
use crate::issue::{Code, Issue, Severity};
use crate::text::Place;
use crate::trace::{Assumptions, Limits, Tracer, Universe, Universes, WORKSPACE};
use crate::value::{Distinct, Number, Type, Value, convert};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The universes of root variables, of `terraform.workspace`, and of what data sources give.
pub fn universes(
    config: &Config,
    phi: &PhiConfig,
    environments: &[Environment],
    limits: Limits,
    outside: &dyn Surroundings,
) -> (Universes, Vec<Issue>) {
    let mut universes = Universes::new();
    let mut issues = Vec::new();
    let Some(root) = config.root() else { return (universes, issues) };
    let none = Universes::new();
    let mut left = PartsLeft::default();
    let mut tracer = Tracer::new(config, limits, &none, Assumptions::default(), outside);
    tracer.scope.inferring = true;
    for (name, variable) in &root.variables {
        let listed = phi.variables.get(name).and_then(|d| d.universe.as_ref());
        let universe = match listed {
            Some(listed) => {
                let accept = |v: &Value| {
                    variable.accept(v).map(|v| v.unmark_deep().0).map_err(|e| e.message.to_string())
                };
                let mut universe = declared(listed, &accept, &format!("var.{name}"), &mut issues);
                universe.values.retain(|v| variable.nullable || !v.is_null());
                if let Some(checked) = tracer.validated(variable) {
                    narrow(&mut universe, &checked.values);
                }
                Some(universe)
            }
            None => {
                // Of a Stack nothing is planned but its deployments, whatever a variable would take besides.
                let in_stack = config.is_stack() && !environments.is_empty();
                let mut given =
                    || of_environments(variable, (environments, in_stack), (&mut issues, &mut left));
                let deployed = if in_stack { given() } else { None };
                deployed
                    .or_else(|| tracer.validated(variable))
                    .or_else(|| if in_stack { None } else { given() })
                    .or_else(|| tracer.of_type(variable))
            }
        };
        let universe = universe.map(|mut u| {
            tracer.checked(variable, &mut u);
            u
        });
        let bins = phi.variables.get(name).and_then(|d| bins(variable, d, &mut issues));
        let universe = match (universe, bins) {
            (None, None) => continue,
            (universe, bins) => {
                let listed = universe.unwrap_or_else(|| Universe::listed(Vec::new(), false));
                Universe { bins: bins.unwrap_or_default(), ..listed }
            }
        };
        universes.insert(name.clone(), universe);
    }
    for decl in phi.variables.values() {
        let (Some(ty), Some(listed)) = (attribute_type(&root.variables, &decl.name), &decl.universe) else {
            continue;
        };
        let accept = |v: &Value| convert::convert(v, &ty).map_err(|e| e.message.to_string());
        universes
            .insert(decl.name.clone(), declared(listed, &accept, &format!("var.{}", decl.name), &mut issues));
    }
    if let Some(listed) = phi.variables.get(WORKSPACE).and_then(|d| d.universe.as_ref()) {
        let accept = |v: &Value| convert::convert(v, &Type::String).map_err(|e| e.message.to_string());
        let universe = declared(listed, &accept, WORKSPACE, &mut issues);
        universes.insert(WORKSPACE.into(), universe);
    }
    for (decl, addr) in phi.data() {
        let Some(listed) = &decl.universe else { continue };
        // Its type is the provider's affair: a value of another type than the attribute's is kept out like any other.
        let accept = |v: &Value| Ok(as_listed(v));
        let universe = declared(listed, &accept, &addr.to_string(), &mut issues);
        universes.insert(addr.to_string().into(), universe);
    }
    (universes, issues)
}

/// Returns a tuple whose elements have one type as a list: providers have no tuples.
pub(in crate::trace) fn as_listed(value: &Value) -> Value {
    let Type::Tuple(types) = &value.ty else { return value.clone() };
    let (Some(first), true) = (types.first(), types.iter().all(|ty| types.first() == Some(ty))) else {
        return value.clone();
    };
    convert::convert(value, &Type::list(first.clone())).unwrap_or_else(|_| value.clone())
}

/// The type of the attribute of a root variable that a label names.
fn attribute_type(variables: &BTreeMap<Arc<str>, Variable>, label: &str) -> Option<Type> {
    let mut steps = label.split('.');
    let variable = variables.get(steps.next()?)?;
    let mut rest = steps.peekable();
    rest.peek()?;
    rest.try_fold(variable.ty.clone(), |ty, step| match ty {
        Type::Object(attrs) => attrs.attrs.get(step).cloned(),
        Type::Map(of) => Some((*of).clone()),
        Type::Dynamic => Some(Type::Dynamic),
        _ => None,
    })
}

/// The bins that `phi.hcl` gives a variable.
fn bins(variable: &Variable, decl: &UniverseDecl, issues: &mut Vec<Issue>) -> Option<Vec<Number>> {
    let bins = decl.bins.as_ref()?;
    if variable.ty == Type::Number {
        return Some(bins.iter().map(|(n, _)| n.clone()).collect());
    }
    let name = &variable.name;
    let why = format!("Bins are for numbers, and var.{name} is not declared as one.");
    let issue = Issue::error(Code::Config, format!("var.{name} can't have bins"), why).at(decl.place);
    let paste = "type = number";
    issues.push(issue.fix(format!("Give the variable its type (in `variable \"{name}\"`):"), paste));
    None
}

/// Leaves of what is listed what the variable's own validations let through. Where they let nothing else through, nothing
/// has to keep other values out.
fn narrow(listed: &mut Universe, checked: &[Value]) {
    let known = Distinct::of(checked);
    if listed.values.iter().any(|v| known.contains(v)) {
        listed.values.retain(|v| known.contains(v));
        let left = Distinct::of(&listed.values);
        listed.enforced = checked.iter().all(|v| left.contains(v));
    }
}

/// Returns the universe that `phi.hcl` lists.
fn declared(
    listed: &[Placed<Value>],
    accept: &dyn Fn(&Value) -> Result<Value, String>,
    what: &str,
    issues: &mut Vec<Issue>,
) -> Universe {
    let mut values = Vec::new();
    let mut known = Distinct::default();
    for (value, place) in listed {
        match accept(value) {
            Ok(value) if known.add(&value) => values.push(value),
            Ok(_) => {}
            Err(e) => {
                let why = format!("{}, as the type of {what} asks.", e.trim_end_matches('.'));
                let summary = "A value of a universe has the wrong type.";
                issues.push(Issue::error(Code::Config, summary, why).at(*place));
            }
        }
    }
    Universe::listed(values, false)
}

/// The values that environments give a variable, and its default; nothing where no environment gives it one. In a Stack it is what the
/// deployments give, and the default where one gives nothing.
///
/// Those of a sensitive variable stay in their files: as a universe they would be written into gates.
fn of_environments<'e>(
    variable: &Variable,
    (environments, in_stack): (&'e [Environment], bool),
    (issues, left): (&mut Vec<Issue>, &mut PartsLeft),
) -> Option<Universe> {
    if variable.sensitive || variable.ephemeral {
        return None;
    }
    let own = |e: &'e Environment| Some((e.values.get(&variable.name)?, e.named));
    let given: Vec<(&VarValue, bool)> = environments.iter().filter_map(own).collect();
    if given.is_empty() && !in_stack || given.iter().any(|(value, _)| matches!(value.given, Given::Unknown)) {
        return None;
    }
    let mut falls_back = !in_stack || given.len() < environments.len();
    let (mut values, mut places) = (Vec::new(), Vec::new());
    let mut known = Distinct::default();
    let mut add = |value: Value, place: Place| {
        let value = value.unmark_deep().0;
        if known.add(&value) {
            values.push(value);
            places.push(place);
        }
    };
    for (value, named) in given {
        let accept = |value: Value| {
            let value = variable.accept(&value)?;
            left.take(&value)?;
            Ok(value)
        };
        match value.given.value().and_then(accept) {
            // With `nullable = false`, null means the default.
            Ok(v) if v.is_null() && !variable.nullable => falls_back = true,
            Ok(v) => add(v, value.place.unwrap_or(variable.decl.place())),
            Err(e) => {
                issues.push(unsuitable(variable, value, &e, named && !e.limit));
                if e.limit {
                    // Without one of its values the rest is no universe.
                    return None;
                }
            }
        }
    }
    let default = variable.default.as_ref().filter(|_| falls_back);
    let constant = default.and_then(|d| eval_constant(&d.expr, d.file).ok());
    if let (Some(value), Some(default)) = (constant.and_then(|v| variable.accept(&v).ok()), default) {
        add(value, default.place());
    }
    let listed = Universe { environments: true, places, ..Universe::listed(values, false) };
    (!listed.values.is_empty()).then_some(listed)
}

/// A value that the variable's type doesn't take. Where `phi.hcl` doesn't name the file, it may be meant for another root.
fn unsuitable(variable: &Variable, value: &VarValue, error: &EvalError, named: bool) -> Issue {
    let message = error.message.trim_end_matches('.');
    let name = &variable.name;
    let mut why = format!("{} gives var.{name} a value that is not suitable: {message}.", value.origin);
    if !named {
        why.push_str(" So it doesn't count for any field.");
    }
    let mut issue = Issue::error(Code::Invalid, "Invalid value for input variable", why);
    if !named {
        issue.severity = Severity::Warning;
    }
    match value.place {
        Some(place) => issue.at(place),
        None => issue,
    }
}
