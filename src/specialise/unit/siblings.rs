//! Other instances of a module in which something is split where it stands: those for which the field has one of the values take
//! part in the split, so that the module is copied once and not for each of them.
//!
//! The gates say the same in every instance, in the module's own names; for each further one they are proved anew. Where they
//! can't be, or the value is another, the instance has a copy of its own.

use crate::addr::{FieldAddr, ModulePath};
use crate::cond::FormulaId;
use crate::config::phi::SplitAt;
use crate::config::{Config, ModuleId};
use crate::gate::{Choice, Prover};
use crate::specialise::unit::{Chosen, Joint, Tracked, Unit, UnitName};
use crate::trace::Traced;
use std::collections::{BTreeMap, BTreeSet};

/// Adds a unit for each of them.
pub fn add<'a>(
    config: &Config,
    prover: &mut Prover<'_, '_>,
    targets: &[Tracked<'a>],
    units: &mut Vec<Unit<'a>>,
) {
    let mut paths: BTreeMap<ModuleId, Vec<&ModulePath>> = BTreeMap::new();
    for (path, id) in config.paths.iter().filter(|(path, _)| !path.is_by_source()) {
        paths.entry(*id).or_default().push(path);
    }
    let resolved = targets.iter().filter(|t| matches!(t.trace.result, Traced::Resolved(_)));
    let resolved: BTreeMap<&FieldAddr, Tracked<'a>> = resolved.map(|t| (&t.driven.field, *t)).collect();
    let mut split: BTreeSet<(ModulePath, UnitName)> =
        units.iter().map(|u| (u.scope.clone(), u.name.clone())).collect();
    let mut led: BTreeSet<(ModuleId, UnitName)> = BTreeSet::new();
    let mut added = Vec::new();
    for unit in units.iter() {
        let here =
            |t: &Tracked<'_>| t.driven.split_at() == SplitAt::Resource && t.driven.field.module == unit.scope;
        // Behind a call, another instance may have other modules.
        let whole = matches!(unit.name, UnitName::Resource(_)) && unit.targets.iter().all(here);
        let Some(id) = config.paths.get(&unit.scope).filter(|_| whole) else { continue };
        if !led.insert((*id, unit.name.clone())) {
            continue;
        }
        for path in paths.get(id).into_iter().flatten() {
            let place = ((*path).clone(), unit.name.clone());
            if !split.contains(&place)
                && let Some(sibling) = sibling(prover, unit, path, &resolved)
            {
                split.insert(place);
                added.push(sibling);
            }
        }
    }
    units.extend(added);
}

/// The same unit in another instance of its module.
fn sibling<'a>(
    prover: &mut Prover<'_, '_>,
    unit: &Unit<'a>,
    path: &ModulePath,
    resolved: &BTreeMap<&FieldAddr, Tracked<'a>>,
) -> Option<Unit<'a>> {
    let there = |t: &Tracked<'a>| {
        resolved.get(&FieldAddr { module: path.clone(), ..t.driven.field.clone() }).copied()
    };
    let targets: Vec<Tracked<'a>> = unit.targets.iter().map(there).collect::<Option<_>>()?;
    if targets.iter().zip(&unit.targets).any(|(a, b)| a.trace.by != b.trace.by) {
        return None;
    }
    let mut when = FormulaId::TRUE;
    let mut values = Vec::new();
    for target in &targets {
        let Traced::Resolved(branch) = &target.trace.result else { return None };
        when = prover.formulas().and(when, branch.when).ok()?;
        values.push(Chosen { branch: branch.clone(), sensitive: false });
    }
    let same = |joint: &Joint| {
        joint.values.iter().zip(&values).all(|(a, b)| a.branch.value == b.branch.value && !a.sensitive)
    };
    let own = unit.branches.iter().position(same)?;
    let branches: Vec<Joint> = (0..)
        .zip(&unit.branches)
        .map(|(at, joint)| match at == own {
            true => Joint { values: values.clone(), when, shown: joint.shown.clone() },
            false => Joint { when: FormulaId::FALSE, ..joint.clone() },
        })
        .collect();
    let choice =
        |b: &Joint| Choice { when: b.when, shown: b.shown.clone(), equals: Vec::new(), own: Vec::new() };
    let choices: Vec<Choice> = branches.iter().map(choice).collect();
    let gates = prover.gates_again(&unit.gates, &choices, path, &unit.name.target())?;
    let (scope, name) = (path.clone(), unit.name.clone());
    Some(Unit { scope, name, targets, branches, gates, sensitive: unit.sensitive, follows: None })
}

/// The fields that units decide; one that has a single value takes part in a split then.
pub fn decided<'u>(units: &'u [Unit<'_>]) -> BTreeSet<&'u FieldAddr> {
    units.iter().flat_map(|u| &u.targets).map(|t| &t.driven.field).collect()
}
