//! The deployments of a Stack as environments.

use super::{Environment, Given, VarOrigin, VarValue, VarValues};
use crate::config::{Config, Deployment};
use crate::text::Place;
use crate::value::Value;
use std::path::PathBuf;
use std::sync::Arc;

/// Returns the values that a deployment gives to declared variables. Values for others are reported where they are read.
pub(super) fn values(config: &Config, deployment: &Deployment) -> VarValues {
    let one = |(name, (value, place)): (&Arc<str>, &(Option<Value>, Place))| {
        let file = config.sources.get(place.file).map(|s| s.path.clone()).unwrap_or_default();
        let given = value.clone().map_or(Given::Unknown, Given::Value);
        (name.clone(), VarValue::in_file(given, &file, *place))
    };
    let declared = |name: &Arc<str>| config.root().is_some_and(|m| m.variables.contains_key(name));
    deployment.inputs.iter().filter(|(name, _)| declared(name)).map(one).collect()
}

/// The deployments as sets of values that some run gives.
pub(super) fn environments(config: &Config) -> Vec<Environment> {
    let one = |deployment: &Deployment| {
        let values = values(config, deployment);
        let path = values.values().find_map(|v| match &v.origin {
            VarOrigin::File(path) => Some(path.clone()),
            _ => None,
        });
        Environment { path: path.unwrap_or_else(|| PathBuf::from("deployments")), values, named: true }
    };
    config.deployments.iter().map(one).collect()
}
