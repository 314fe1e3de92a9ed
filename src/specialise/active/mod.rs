//! Which copy is active under this run's variables.

pub(super) mod absent_instances;
pub(super) mod assumed;

use super::SplitUnit;
pub use super::units::Active;

use super::units::copy_of;
use crate::addr::ModuleInstance;
use crate::config::variables::{self, VarValue, VarValues};
use crate::config::{Config, PartsLeft};
use crate::eval::standalone::eval_constant;
use crate::gate::Prover;
use crate::issue::{Code, Issue};
use crate::specialise::active::absent_instances::AbsentInstances;
use crate::syntax::Expr;
use crate::trace::{Standing, Universe, Universes};
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The reason why the active copy of a unit isn't known before a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undecided {
    /// The unit's address.
    pub unit: String,
    /// What has no value yet.
    pub open: Open,
}

/// What decides which copy is active, and has no value before a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Open {
    /// A gate, as HCL.
    Gate(String),
    /// `count` or `for_each` of the unit, or of a module around it.
    Repetition,
}

/// This run's values as universes of one value each: root variables given or defaulted, the workspace.
///
/// # Errors
/// Values that can't be read or converted, as Terraform would say.
pub fn run_universes(config: &Config, values: &VarValues, workspace: &str) -> Result<Universes, Vec<Issue>> {
    let Given { universes, mut unreadable, refused } =
        given_universes(config, values, workspace, &mut PartsLeft::default());
    unreadable.extend(refused);
    if unreadable.is_empty() { Ok(universes) } else { Err(unreadable) }
}

/// The universes of a run, and what gives no value.
#[derive(Debug, Default)]
pub struct Given {
    /// The value of each variable that has one, and the workspace.
    pub universes: Universes,
    /// Issues for values that aren't constants.
    pub unreadable: Vec<Issue>,
    /// Values that their variables don't take.
    pub refused: Vec<Issue>,
}

/// This run's values as [`run_universes`] has them, without those that can't be taken.
pub fn given_universes(config: &Config, values: &VarValues, workspace: &str, left: &mut PartsLeft) -> Given {
    let mut out = Given::default();
    let root = config.root();
    let constant = |expr: &Expr, file| eval_constant(expr, file).map_err(|e| e.message.to_string());
    for (name, variable) in root.iter().flat_map(|m| &m.variables) {
        let given: Option<Result<Value, String>> = match values.get(name) {
            // A default counts for nothing beside it.
            Some(VarValue { given: variables::Given::Unknown, .. }) => continue,
            Some(v) => Some(v.given.value().map_err(|e| e.message.to_string())),
            None => variable.default.as_ref().map(|d| constant(&d.expr, d.file)),
        };
        let Some(given) = given else { continue };
        let null = matches!(&given, Ok(v) if v.is_null()) && !variable.nullable;
        let given = match (&variable.default, null) {
            (Some(d), true) => constant(&d.expr, d.file),
            _ => given,
        };
        let place = values.get(name).and_then(|v| v.place).unwrap_or_else(|| variable.decl.place());
        let issue = |why: String| {
            let summary = format!("the value of var.{name} is not valid");
            Issue::error(Code::Invalid, summary, why).at(place)
        };
        if null && variable.default.is_none() {
            out.refused.push(issue("A required variable may not be set to null.".to_owned()));
            continue;
        }
        let mut accept = |value: Value| {
            let value = variable.accept(&value)?;
            left.take(&value).map(|()| value)
        };
        match given.map(&mut accept) {
            Ok(Ok(value)) => {
                let value = value.unmark_deep().0;
                out.universes.insert(name.clone(), Universe::listed(vec![value], true));
            }
            Ok(Err(e)) => out.refused.push(issue(e.message)),
            Err(why) => out.unreadable.push(issue(why)),
        }
    }
    let workspace = Universe::listed(vec![Value::string(workspace)], true);
    out.universes.insert(Arc::from("terraform.workspace"), workspace);
    out
}

/// The instances of a unit, as far as they are known before a plan.
#[derive(Clone, Debug)]
pub struct Instances {
    /// The instances of this run, or the reason why they aren't known.
    pub run: Result<Vec<Active>, Undecided>,
    /// Others, that state holds or a plan with other variables may have.
    pub others: Vec<Active>,
}

/// The active copy of each instance of each unit; `prover` knows this run's values, `elsewhere` instances that this run may
/// not have.
pub fn active(
    config: &Config,
    splits: &[SplitUnit],
    prover: &mut Prover<'_, '_>,
    absent: &AbsentInstances,
) -> Vec<Instances> {
    let run = splits.iter().map(|unit| of_unit(unit, prover));
    let mut all: Vec<Instances> = run.map(|run| Instances { run, others: Vec::new() }).collect();
    let mut alike: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, unit) in splits.iter().enumerate() {
        alike.entry(&unit.original).or_default().push(at);
    }
    for (at, unit) in splits.iter().enumerate() {
        let run = all.get(at).map_or(&[][..], Instances::run);
        let mut others = absent.others((config, splits), at, run, prover);
        // One address may stand in the modules of several sources: it has one chain.
        let same = alike.get(unit.original.as_str()).into_iter().flatten().filter(|i| **i != at);
        let same = same.filter_map(|i| all.get(*i)).flat_map(|known| known.run().iter().chain(&known.others));
        let chained: BTreeSet<&ModuleInstance> = same.map(|a| &a.module).collect();
        others.retain(|one| !chained.contains(&one.module));
        let Some(own) = all.get_mut(at) else { continue };
        own.others = others;
        let rekeyed = absent.rekeyed(config, at);
        for one in own.run.iter_mut().flatten().chain(&mut own.others).filter(|_| !rekeyed.is_empty()) {
            one.rekeyed = rekeyed.contains(&(one.module.clone(), one.key.clone()));
        }
    }
    all
}

impl Instances {
    /// Returns the instances of this run, if they are known.
    fn run(&self) -> &[Active] {
        self.run.as_deref().unwrap_or_default()
    }
}

/// Returns only the instances that this run has.
pub fn there(active: &[Vec<Active>]) -> Vec<Vec<Active>> {
    active.iter().map(|all| all.iter().filter(|a| a.there).cloned().collect()).collect()
}

/// The same of one unit, for the instances of this run.
pub(super) fn of_unit(unit: &SplitUnit, prover: &mut Prover<'_, '_>) -> Result<Vec<Active>, Undecided> {
    let undecided = |open: Open| Undecided { unit: unit.original.clone(), open };
    let mut out = Vec::new();
    if !unit.in_place {
        let module = ModuleInstance(unit.scope.0.iter().map(|call| (call.name.clone(), None)).collect());
        return Ok(vec![Active {
            module,
            key: None,
            copy: None,
            there: true,
            rekeyed: false,
            given_up: false,
        }]);
    }
    let repeated = |_| undecided(Open::Repetition);
    for Standing { instance, module, .. } in
        prover.tracer().module_standings(&unit.scope).map_err(repeated)?
    {
        // What was split once is led back as it was on record.
        let keys = match unit.gates.is_empty() {
            true => vec![None],
            false => prover.tracer().keys(instance, &unit.target).map_err(repeated)?,
        };
        for key in keys {
            let copy = copy_of(unit, prover, instance, &key)
                .map_err(|gate| undecided(Open::Gate(gate.to_owned())))?;
            out.push(Active {
                module: module.clone(),
                key,
                copy,
                there: true,
                rekeyed: false,
                given_up: false,
            });
        }
    }
    Ok(out)
}
