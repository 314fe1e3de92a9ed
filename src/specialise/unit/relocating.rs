//! Copies of a call whose modules move objects by `moved` blocks of their own, where each copy has a module of its own.

use crate::addr::CallName;
use crate::config::Config;
use crate::specialise::unit::{Joint, Unit, UnitName};
use crate::value::Value;

/// Finds the copies of a call whose `source` is chosen that have `moved` blocks in the modules behind them; by their places among the
/// branches.
pub fn find_relocating_copies<'u>(
    config: &'u Config,
    unit: &'u Unit<'_>,
) -> impl Iterator<Item = usize> + 'u {
    let call = match &unit.name {
        UnitName::Call(call) => Some(CallName::from(call.clone())),
        UnitName::Resource(_) => None,
    };
    let chosen = call.and_then(|call| {
        let at = unit.targets.iter().position(|target| target.is_source_of(&unit.scope, &call))?;
        Some((call, at))
    });
    let relocates = move |joint: &Joint| {
        let Some((call, at)) = &chosen else { return false };
        let source = joint.values.get(*at).map(|chosen| &chosen.branch.value);
        let Some(source) = source.and_then(Value::as_str) else { return false };
        let path = unit.scope.child(CallName::by_source(call.name.clone(), source));
        let behind = config.paths.keys().filter(|known| path.contains(known));
        behind.filter_map(|known| config.at(known)).any(|module| !module.moved.is_empty())
    };
    unit.branches.iter().enumerate().filter(move |(_, joint)| relocates(joint)).map(|(copy, _)| copy)
}
