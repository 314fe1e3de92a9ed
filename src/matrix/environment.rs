//! The values that an environment gives to variables, as universes of one value each.

use crate::config::variables::{Named, of_environment};
use crate::config::{PartsLeft, View};
use crate::host::Host;
use crate::issue::Issue;
use crate::pipeline::Session;
use crate::specialise::given_universes;
use crate::trace::Universes;
use std::sync::Arc;

/// An environment whose values are known.
#[derive(Clone, Debug)]
pub struct Assigned {
    /// Its name.
    pub name: Arc<str>,
    /// The value of each root variable that has one, and the workspace.
    pub universes: Universes,
    /// Values that their variables don't take. These variables have none here.
    pub refused: Vec<Issue>,
}

/// Reads what environments give. `workspace` is the one that is selected where this runs: that of an environment that nobody
/// named.
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
    for env in environments {
        let view = View { host: &session.host, overlay: &session.overlay };
        let (values, faults) = of_environment(view, &mut session.config, env);
        issues.extend(faults);
        let selected = if env.is_default { workspace } else { "default" };
        let workspace = env.workspace.as_deref().unwrap_or(selected);
        let given = given_universes(&session.config, &values, workspace, &mut left);
        let named = |issue: Issue| Issue {
            summary: format!("{} in the environment \"{}\"", issue.summary, env.name),
            ..issue
        };
        issues.extend(given.unreadable.into_iter().map(named));
        let refused = given.refused.into_iter().map(named).collect();
        out.push(Assigned { name: env.name.clone(), universes: given.universes, refused });
    }
    if issues.iter().any(Issue::is_error) { Err(issues) } else { Ok(out) }
}
