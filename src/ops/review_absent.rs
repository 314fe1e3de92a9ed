//! `review`: what a root module would read in submodules that aren't checked out.
//!
//! In: both sides of a root module, and what differs from the base. Out: a finding for each variable file, `phi.hcl`, folder of records and folder of
//! variable files that lies in such a submodule, or that a link into one stands for, and a row where it isn't the same on both sides. Terraform takes a link that leads nowhere for no
//! file; where somebody checks out the submodule, it reads the values. Absent on purpose: modules, sources and what functions read, which are missed
//! where they are read.

use crate::config::Config;
use crate::config::phi::PhiConfig;
use crate::config::variables::{is_automatic, is_searched};
use crate::config::writable::PHI_HCL;
use crate::host::{Host, Machine};
use crate::issue::{Code, Issue};
use crate::matrix::Cell;
use crate::matrix::review::Review;
use crate::ops::roots::is_configuration;
use crate::pipeline::Session;
use crate::terraform::git::{Absent, Changes, Lead, Revision};
use crate::text::{one_line, shell_path, shell_word};
use crate::trace::Term;
use std::path::Path;
use std::sync::Arc;

/// So many are told one by one.
const MOST_TOLD: usize = 12;

/// The folder of records.
const RECORDS: &str = ".phi";

/// What one side says of its files.
pub(super) struct Side<'s> {
    host: &'s dyn Host,
    config: &'s Config,
    phi: &'s PhiConfig,
}

impl<'s> Side<'s> {
    /// That of a session.
    pub fn of<H: Host + Clone>(session: &'s Session<H>) -> Side<'s> {
        Side { host: &session.host, config: &session.config, phi: &session.phi }
    }
}

/// What a root module would read at a path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Values,
    Settings,
    Records,
    Environments,
}

/// Adds what is to be said of them. `root`: the folder of the root module; `sides`: the base, where there is one, and the head.
pub(super) fn add_absent(
    made: &mut Review,
    sides: &[Side<'_>],
    root: &Path,
    revision: &Revision,
    changes: Result<Arc<Changes>, Issue>,
) {
    // Why nothing can be told is said with Terraform's own files.
    let Ok(changes) = changes else { return };
    let Ok(now) = root.strip_prefix(changes.top()) else { return };
    let all = changes.find_absent([revision.prefix(), now]);
    let found: Vec<(Role, Absent)> =
        all.into_iter().filter_map(|one| Some((find_role(sides, &one)?, one))).collect();
    for (_, absent) in &found {
        let name = one_line(&absent.path.display().to_string()).into_owned();
        for env in made.environments.iter_mut().filter(|env| env.after) {
            match absent.is_same() {
                true => env.uncompared.push(name.clone()),
                false => {
                    let was_there = revision.kind(&absent.path).is_some();
                    let is_there = Machine.kind(&root.join(&absent.path)).is_some();
                    let (old, new) =
                        (to_cell(absent.before.as_ref(), was_there), to_cell(absent.now.as_ref(), is_there));
                    env.values.push((name.clone(), old, new));
                }
            }
        }
    }
    made.unable.extend(found.iter().take(MOST_TOLD).map(|(role, one)| to_finding(*role, one, &changes)));
    if let Some(more) = found.len().checked_sub(MOST_TOLD).filter(|more| *more > 0) {
        let why = "Each is a row of the report, and what stands there isn't compared.";
        let summary = format!("{more} more files and folders lie in submodules that aren't checked out");
        made.unable.push(Issue::error(Code::Missing, summary, why));
    }
}

/// What would be read at a path; nothing where nothing would be.
fn find_role(sides: &[Side<'_>], absent: &Absent) -> Option<Role> {
    let path = &*absent.path;
    let name = path.file_name()?.to_string_lossy();
    let is_at_root = path.parent() == Some(Path::new(""));
    let is_link = !absent.is_submodule();
    let has_variables =
        |side: &Side<'_>| side.config.root().is_some_and(|module| !module.variables.is_empty());
    if path.starts_with(RECORDS) {
        return (!absent.is_same()).then_some(Role::Records);
    }
    if is_link && path == Path::new(PHI_HCL) {
        return Some(Role::Settings);
    }
    if !sides.iter().any(has_variables) {
        return None;
    }
    if is_link && is_at_root && is_automatic(&name) {
        return Some(Role::Values);
    }
    let is_read = |side: &Side<'_>| has_variables(side) && is_looked_into(side, path);
    let names_values = name.ends_with(".tfvars") || name.ends_with(".tfvars.json");
    match is_link {
        true => (names_values && sides.iter().any(is_read)).then_some(Role::Values),
        false => (!absent.is_same() && sides.iter().any(is_read)).then_some(Role::Environments),
    }
}

/// Returns true if variable files at a path below the root module, or in it, would count for environments.
fn is_looked_into(side: &Side<'_>, path: &Path) -> bool {
    let between = path.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty());
    let holds = |at: &Path| {
        let all = side.host.list(at).unwrap_or_default();
        all.iter().any(|(name, _)| is_configuration(name))
    };
    is_searched(side.phi, path) && !between.into_iter().any(holds)
}

fn to_cell(lead: Option<&Lead>, is_there: bool) -> Arc<Cell> {
    let text = match (lead, is_there) {
        (Some(lead), _) => tell_lead(lead),
        (None, true) => "a file or folder that is read".to_owned(),
        (None, false) => return Arc::new(Cell::Absent),
    };
    Arc::new(Cell::Written(Arc::new(Term::written(&text, text.clone()))))
}

/// The submodule at its commit, and the place in it.
fn tell_lead(lead: &Lead) -> String {
    let place = lead.submodule.join(&lead.within).display().to_string();
    let commit = lead.commit.as_deref().map_or("several commits", |id| id.get(..12).unwrap_or(id));
    format!("{} at {commit}, which is not checked out", one_line(place.trim_end_matches('/')))
}

fn to_finding(role: Role, absent: &Absent, changes: &Changes) -> Issue {
    let path = absent.path.display().to_string();
    let lead = absent.now.as_ref().or(absent.before.as_ref());
    let submodule = lead.map(|lead| lead.submodule.display().to_string()).unwrap_or_default();
    let dir = changes.top().join(&submodule);
    // There is a clone of it, without the commit of the base.
    let lacking = match (&absent.now, absent.before.as_ref().and_then(|lead| lead.commit.as_deref())) {
        (None, Some(id)) if Machine.kind(&dir.join(".git")).is_some() => Some(id),
        _ => None,
    };
    let shown = one_line(&path).into_owned();
    let is_link = !absent.is_submodule();
    let state = if lacking.is_some() { "not checked out at that commit" } else { "not checked out" };
    let summary = match is_link {
        true => format!("{shown} leads into the submodule {}, which is {state}", one_line(&submodule)),
        false => format!("{shown} is a submodule that is {state}"),
    };
    let side = match (&absent.before, &absent.now) {
        (Some(_), None) => "in the base",
        (None, Some(_)) => "in the work tree",
        _ => "on either side",
    };
    let what = match role {
        Role::Values => "The values that it gives to variables aren't known",
        Role::Settings => "What it says of environments and of what is specialised isn't known",
        Role::Records => "The records in it aren't known",
        Role::Environments => "The variable files in it, which would be environments, aren't known",
    };
    let instead = match is_link && absent.now.is_some() {
        true => " Links into submodules are not read: put a file of this repository in its place.",
        false => "",
    };
    let why = format!("{what} {side}, so that nothing is compared under them.{instead}");
    let issue = Issue::error(Code::Missing, summary, why).in_path(shown);
    if let Some(id) = lacking {
        let dir = dir.display().to_string();
        let fetch = format!("git -C {} fetch --depth=1 origin {}", shell_path(&dir), shell_word(id));
        return issue.fix("Fetch the commit of the base, and review again:", fetch);
    }
    match absent.now.is_some() && !is_link {
        true => issue.fix("Check it out, and review again:", "git submodule update --init --recursive"),
        false => issue,
    }
}
