//! The values that an environment gives to variables, as universes of one value each.

use crate::config::variables::{Named, of_environment};
use crate::config::{PartsLeft, View};
use crate::host::Host;
use crate::issue::Issue;
use crate::pipeline::Session;
use crate::specialise::given_universes;
use crate::text::Place;
use crate::trace::{Universe, Universes, WORKSPACE};
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// An environment whose values are known.
#[derive(Clone, Debug)]
pub struct Assigned {
    /// Its name.
    pub name: Arc<str>,
    /// The value of each root variable that has one, and the workspace.
    pub universes: Universes,
    /// True if somebody named it: a run of it is given nothing by hand.
    pub is_named: bool,
    /// True if nothing says which workspace it has, and `terraform.workspace` is taken to be the one that is selected where this runs.
    pub is_workspace_open: bool,
    /// The variables that it gives a value, whatever that is.
    pub gives: BTreeSet<Arc<str>>,
    /// Where a variable file gives a variable its value.
    pub places: BTreeMap<Arc<str>, Place>,
    /// Values that their variables don't take. These variables have none here.
    pub refused: Vec<Issue>,
}

impl Assigned {
    /// The variables to which it gives another value than another one does.
    pub fn given_otherwise(&self, other: &Assigned) -> BTreeSet<Arc<str>> {
        let names: BTreeSet<&Arc<str>> = self.universes.keys().chain(other.universes.keys()).collect();
        let differs = |name: &&Arc<str>| self.universes.get(*name) != other.universes.get(*name);
        names.into_iter().filter(differs).cloned().collect()
    }
}

/// Reads what environments give. `workspace` is the one that is selected where this runs: that of an environment that nobody
/// named. Of one that a file alone makes
/// it is the one of its name that `phi.hcl` lists, and else it is open.
///
/// # Errors
/// Variable files that can't be read; values that are no constants.
pub fn assigned<H: Host + Clone>(
    session: &mut Session<H>,
    environments: &[Named],
    workspace: &str,
) -> Result<Vec<Assigned>, Vec<Issue>> {
    let mut out = Vec::new();
    let mut issues = Vec::new();
    let mut left = PartsLeft::default();
    let mut given_to_all = Vec::new();
    for env in environments {
        let view = View { host: &session.host, overlay: &session.overlay };
        let (values, faults) = of_environment(view, &mut session.config, env);
        issues.extend(faults);
        let listed = session.phi.variables.get(WORKSPACE).and_then(|decl| decl.universe.clone());
        let listed: Option<Vec<Value>> = listed.map(|all| all.into_iter().map(|(w, _)| w).collect());
        let own = listed.iter().flatten().find(|w| w.as_str() == Some(&env.name)).map(|_| &*env.name);
        let declared = env.is_declared.then_some("default");
        let selected = own.or_else(|| env.is_default.then_some(workspace)).or(declared);
        let workspace = env.workspace.as_deref().or(selected);
        let is_only = matches!(listed.as_deref(), Some([only]) if only.as_str() == workspace);
        let mut given = given_universes(&session.config, &values, workspace.unwrap_or_default(), &mut left);
        if workspace.is_none() {
            given.universes.remove(WORKSPACE);
            given.universes.extend(listed.map(|all| (WORKSPACE.into(), Universe::listed(all, true))));
        }
        let named = |issue: Issue| Issue {
            summary: format!("{} in the environment \"{}\"", issue.summary, env.name),
            ..issue
        };
        issues.extend(given.unreadable.into_iter().map(named));
        let refused = given.refused.into_iter().map(named).collect();
        out.push(Assigned {
            name: env.name.clone(),
            universes: given.universes,
            is_named: !env.is_default,
            is_workspace_open: env.workspace.is_none() && env.is_default && !is_only,
            gives: values.keys().cloned().collect(),
            places: values.iter().filter_map(|(name, own)| Some((name.clone(), own.place?))).collect(),
            refused,
        });
        given_to_all.push(values);
    }
    session.keep_back(&given_to_all);
    if issues.iter().any(Issue::is_error) { Err(issues) } else { Ok(out) }
}
