//! The inputs that are meant: environments as they are, and listed values that no environment has.
//!
//! A value that some environment gives comes with that environment's other values: what `prod.tfvars` says isn't combined
//! with what `dev.tfvars` says. A value that is listed (in `phi.hcl`, by a `validation`, by the type `bool`) and that no
//! environment has is tried in each of them.

use super::Assignment;
use crate::config::phi::PhiConfig;
use crate::config::{Config, Variable};
use crate::eval::standalone::eval_constant;
use crate::eval::{At, EvalError};
use crate::func::Surroundings;
use crate::syntax::{Expr, ExprKind, parse_expr};
use crate::text::Place;
use crate::trace::{Decl, InstanceId, Limits, Part, Tracer, Universe, Universes, WORKSPACE, declared};
use crate::value::{Distinct, Type, Value};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// One environment.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// Its name.
    pub name: Arc<str>,
    /// Its workspace, where somebody says which it is.
    pub workspace: Option<Arc<str>>,
    /// The values that it gives, as the variables take them.
    pub values: Assignment,
    /// Their places.
    pub places: BTreeMap<Arc<str>, Place>,
    /// Values that a variable doesn't take.
    pub unsuitable: Vec<Unsuitable>,
    /// What Terraform refuses in its variable files. It evaluates nothing then.
    pub unreadable: Vec<Unreadable>,
}

/// What Terraform refuses in a variable file, before any variable is given a value.
#[derive(Clone, Debug)]
pub struct Unreadable {
    /// The variable, or the file.
    pub of: String,
    /// Terraform's summary, and after a colon what it says besides.
    pub error: String,
    /// Its place.
    pub place: Place,
}

/// A value that a variable doesn't take.
#[derive(Clone, Debug)]
pub struct Unsuitable {
    /// The variable.
    pub name: Arc<str>,
    /// The value.
    pub value: Value,
    /// Terraform's summary, and after a colon why not.
    pub error: String,
    /// Its place.
    pub place: Option<Place>,
}

/// Values by variable, and of the workspace.
pub type Listed = BTreeMap<Arc<str>, Vec<Value>>;

/// All of them.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The environments.
    pub environments: Vec<Environment>,
    /// The values that are listed for variables and the workspace.
    pub listed: Listed,
    /// The variables for which their type alone does so.
    pub by_type: BTreeSet<Arc<str>>,
    /// The values that are listed for attributes of variables.
    pub attributes: Vec<Attribute>,
}

/// An attribute of a root variable, with the values that `phi.hcl` lists for it.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// The variable.
    pub variable: Arc<str>,
    /// The names that lead to it.
    pub path: Vec<Arc<str>>,
    /// The values.
    pub values: Vec<Value>,
}

impl Attribute {
    /// The attributes for which values are listed.
    fn all(config: &Config, phi: &PhiConfig) -> Vec<Attribute> {
        let Some(root) = config.root() else { return Vec::new() };
        let each = phi.variables.iter().filter_map(|(name, decl)| {
            let variable = root.variables.get(declared(name))?;
            let path = steps(&parse_expr(&format!("var.{name}")).ok()?)?;
            let path = path.get(1..).filter(|path| !path.is_empty())?.to_vec();
            let values = decl.universe.as_ref()?.iter().map(|(value, _)| value.clone()).collect();
            Some(Attribute { variable: variable.name.clone(), path, values })
        });
        each.collect()
    }

    /// The attribute's value in one of the variable.
    pub(super) fn of<'v>(&self, whole: &'v Value) -> Option<Cow<'v, Value>> {
        self.path.iter().try_fold(Cow::Borrowed(whole), |value, step| {
            let found = value.elements().find(|(key, _)| key.as_str() == Some(step))?.1.clone();
            Some(Cow::Owned(found))
        })
    }
}

/// The names behind `var.`.
fn steps(expr: &Expr) -> Option<Vec<Arc<str>>> {
    let (inner, name) = match &expr.kind {
        ExprKind::Variable(_) => return Some(Vec::new()),
        ExprKind::GetAttr(inner, name) => (inner, name.text.clone()),
        ExprKind::Index(inner, key) => match &key.kind {
            ExprKind::String(text) => (inner, text.clone()),
            _ => return None,
        },
        _ => return None,
    };
    let mut all = steps(inner)?;
    all.push(name);
    Some(all)
}

/// A value with another value at the end of a path.
fn replaced(whole: &Value, path: &[Arc<str>], value: &Value) -> Option<Value> {
    let Some((step, rest)) = path.split_first() else { return Some(value.clone()) };
    if !matches!(whole.ty, Type::Object(_) | Type::Map(_)) || !whole.has_known_elements() {
        return None;
    }
    let mut attrs: Vec<(Arc<str>, Value)> = Vec::new();
    let mut found = false;
    for (key, own) in whole.elements() {
        let key: Arc<str> = key.as_str()?.into();
        let own = if key == *step { replaced(own, rest, value)? } else { own.clone() };
        found |= key == *step;
        attrs.push((key, own));
    }
    found.then(|| Value::object(attrs))
}

/// Inputs without environments: what is listed for root variables, their attributes and the workspace, in `phi.hcl`, else by
/// validations, else by the type `bool`; and for which variables it is the type.
pub fn listed(config: &Config, phi: &PhiConfig, limits: Limits, outside: &dyn Surroundings) -> Inputs {
    let (mut out, mut by_type) = (BTreeMap::new(), BTreeSet::new());
    let (universes, _) = crate::trace::universes(config, phi, &[], limits, outside);
    let Some(root) = config.root() else { return Inputs::default() };
    for (name, universe) in universes {
        let Some(variable) = root.variables.get(&name) else {
            if &*name == WORKSPACE {
                out.insert(name, universe.values);
            }
            continue;
        };
        let said = phi.variables.get(&name).and_then(|d| d.universe.as_ref());
        let values: Vec<Value> = match said {
            // What a validation refuses is to be found, and not to be left out.
            Some(said) => said.iter().filter_map(|(v, _)| accepted(variable, v).ok()).collect(),
            None => universe.values,
        };
        // Of a bool, null is meant only where somebody says so.
        let null =
            said.is_some() || variable.ty != Type::Bool || default(variable).is_some_and(|d| d.is_null());
        if said.is_none() && variable.ty == Type::Bool && variable.validations.is_empty() {
            by_type.insert(name.clone());
        }
        let mut known = Distinct::default();
        out.insert(name, values.into_iter().filter(|v| (null || !v.is_null()) && known.add(v)).collect());
    }
    let attributes = Attribute::all(config, phi);
    Inputs { environments: Vec::new(), listed: out, by_type, attributes }
}

/// A value as a variable takes it, without marks.
fn accepted(variable: &Variable, value: &Value) -> Result<Value, EvalError> {
    Ok(variable.accept(value)?.unmark_deep().0)
}

fn default(variable: &Variable) -> Option<Value> {
    let default = variable.default.as_ref()?;
    accepted(variable, &eval_constant(&default.expr, default.file).ok()?).ok()
}

impl Inputs {
    /// The whole assignment of an environment: what it gives, defaults, and the workspace. Variables without either are open.
    pub(super) fn whole(&self, config: &Config, environment: &Environment) -> Assignment {
        let mut all = Assignment::new();
        let unsuitable: BTreeSet<&str> = environment.unsuitable.iter().map(|bad| &*bad.name).collect();
        for (name, variable) in config.root().map(|m| &m.variables).into_iter().flatten() {
            let refused = unsuitable.contains(&**name);
            let given = environment.values.get(name).filter(|v| variable.nullable || !v.is_null());
            if let Some(value) = given.cloned().or_else(|| default(variable)).filter(|_| !refused) {
                all.insert(name.clone(), value);
            }
        }
        if let Some(workspace) = &environment.workspace {
            all.insert(WORKSPACE.into(), Value::string(workspace));
        }
        all
    }

    /// The listed values that no environment has, as they are tried beside each environment: of an attribute, in the environment's own
    /// value of the variable.
    pub(super) fn free(&self, config: &Config, wholes: &[Assignment]) -> Vec<Listed> {
        let everywhere = self.free_of_variables(wholes);
        let variables = config.root().map(|m| &m.variables);
        let beside = |own: &Assignment| {
            let mut free = everywhere.clone();
            for attribute in &self.attributes {
                let variable = variables.and_then(|all| all.get(&attribute.variable));
                let (Some(variable), Some(whole)) = (variable, own.get(&attribute.variable)) else {
                    continue;
                };
                let has = |value: &Value| {
                    let mut all = wholes.iter().filter_map(|w| attribute.of(w.get(&attribute.variable)?));
                    all.any(|known| *known == *value)
                };
                let rest = attribute.values.iter().filter_map(|value| {
                    let made = accepted(variable, &replaced(whole, &attribute.path, value)?).ok()?;
                    let taken = attribute.of(&made)?.into_owned();
                    (!has(&taken)).then_some(made)
                });
                free.entry(attribute.variable.clone()).or_default().extend(rest);
            }
            free.retain(|_, values| !values.is_empty());
            free
        };
        wholes.iter().map(beside).collect()
    }

    fn free_of_variables(&self, wholes: &[Assignment]) -> Listed {
        let mut free = BTreeMap::new();
        for (name, values) in &self.listed {
            let mut known = Distinct::default();
            wholes.iter().filter_map(|all| all.get(name)).for_each(|v| {
                known.add(v);
            });
            let rest: Vec<Value> = values.iter().filter(|v| !known.contains(v)).cloned().collect();
            if !rest.is_empty() {
                free.insert(name.clone(), rest);
            }
        }
        free
    }
}

/// Universes in which every variable has the value of an assignment, or one of some others.
pub(super) fn universes(own: &Assignment, free: &Listed) -> Universes {
    let mut out = Universes::new();
    for name in own.keys().chain(free.keys()) {
        let values = own.get(name).into_iter().chain(free.get(name).into_iter().flatten());
        out.insert(name.clone(), Universe::listed(values.cloned().collect(), true));
    }
    out
}

/// Values for the variables that an assignment leaves open, such as their rules accept where one is listed or can be thought of.
pub(super) fn filled(
    config: &Config,
    (own, listed): (&Assignment, &Listed),
    limits: Limits,
    outside: &dyn Surroundings,
) -> Assignment {
    let mut all = own.clone();
    let open = config.root().map(|m| &m.variables).into_iter().flatten();
    for (name, variable) in open.filter(|(name, _)| !own.contains_key(*name)) {
        let listed = listed.get(name).into_iter().flatten().filter(|value| !value.is_null()).cloned();
        let candidates: Vec<Value> =
            listed.chain(samples(variable)).filter_map(|v| accepted(variable, &v).ok()).collect();
        let suits = |value: &&Value| {
            let mut all = all.clone();
            all.insert(name.clone(), (*value).clone());
            let universes = universes(&all, &BTreeMap::new());
            let mut tracer = Tracer::under_rules(config, limits, &universes, outside);
            let at = At::new(variable.decl.place());
            let value = tracer.declared(InstanceId(0), Decl::Held(name.clone()), at);
            value.alts().iter().all(|alt| !matches!(alt.part, Part::Failed(_)))
        };
        if let Some(value) = candidates.iter().find(suits).or(candidates.first()) {
            all.insert(name.clone(), value.clone());
        }
    }
    all
}

/// Values that a variable without any may have.
fn samples(variable: &Variable) -> Vec<Value> {
    let mut all = vec![
        Value::string("x"),
        Value::string("example"),
        Value::string(""),
        Value::number(1u64),
        Value::bool(false),
        Value::tuple(Vec::new()),
        Value::object::<Arc<str>>([]),
    ];
    if let Some(made) = sample(&variable.ty) {
        all.insert(0, made);
    }
    if variable.nullable {
        all.push(Value::null(Type::Dynamic));
    }
    all
}

/// A value of a type, as small as there is one.
fn sample(ty: &Type) -> Option<Value> {
    Some(match ty {
        Type::String => Value::string("x"),
        Type::Number => Value::number(1u64),
        Type::Bool => Value::bool(false),
        Type::List(_) | Type::Set(_) => Value::tuple(Vec::new()),
        Type::Tuple(items) => Value::tuple(items.iter().map(sample).collect::<Option<Vec<_>>>()?),
        Type::Map(_) => Value::object::<Arc<str>>([]),
        Type::Object(object) => {
            let attrs = object.attrs.iter().map(|(name, ty)| Some((name.clone(), sample(ty)?)));
            Value::object(attrs.collect::<Option<Vec<_>>>()?)
        }
        _ => return None,
    })
}
