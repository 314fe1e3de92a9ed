//! `review`: a Stack that stands beside a root module, which nothing reads, where its files differ.
//!
//! In: a root module, and what differs from the base. Out: a finding and a row for each file: those of the Stack itself, and those of the modules that
//! it calls. HCP deploys the Stack whatever stands beside it. Invariant: a Stack that is read has none. Absent on purpose: what the files mean.

use super::roots::find_reached;
use crate::config::{Config, Overlay, View, paths, stacks};
use crate::host::{Host, Machine};
use crate::issue::{Code, Issue};
use crate::matrix::Cell;
use crate::matrix::review::{Review, Values};
use crate::terraform::git::Changes;
use crate::text::one_line;
use crate::trace::Term;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// So many files are named in the finding.
const NAMED: usize = 4;

/// Adds what is to be said of a Stack beside the root module of a head in `root`.
pub(super) fn add_unread_stack(
    made: &mut Review,
    config: &Config,
    (host, root): (&dyn Host, &Path),
    changes: Result<Arc<Changes>, Issue>,
) {
    if config.is_stack() {
        return;
    }
    let found = changes.and_then(|changes| find_differing(host, root, &changes));
    let found = match found {
        Ok(found) if found.is_empty() => return,
        Ok(found) => found,
        Err(issue) => return made.unable.push(issue),
    };
    let rows: Values = found.iter().map(Found::to_row).collect();
    for env in made.environments.iter_mut().filter(|env| env.after) {
        env.values.extend(rows.iter().cloned());
    }
    made.unable.extend(build_finding(&found));
}

/// A file that differs.
struct Found {
    /// Its path from the root module.
    file: PathBuf,
    was_there: bool,
    is_there: bool,
}

impl Found {
    fn name(&self) -> String {
        one_line(&paths::shown(&self.file)).into_owned()
    }

    fn to_row(&self) -> (String, Arc<Cell>, Arc<Cell>) {
        let cell = |is: bool, text: &str| {
            let written = || Cell::Written(Arc::new(Term::written(text, text.to_owned())));
            Arc::new(if is { written() } else { Cell::Absent })
        };
        let after = if self.was_there { "of a Stack, with other text" } else { "of a Stack" };
        (self.name(), cell(self.was_there, "of a Stack"), cell(self.is_there, after))
    }
}

fn build_finding(found: &[Found]) -> Option<Issue> {
    let mut named: Vec<String> = found.iter().take(NAMED).map(Found::name).collect();
    if found.len() > NAMED {
        named.push(format!("and {} more", found.len() - NAMED));
    }
    let why = format!(
        "The folder has .tf files, so that it is read as a root module, as Terraform's own commands do. HCP deploys the Stack all the same. \
         What differs in its files isn't compared: {}.",
        named.join(", ")
    );
    let issue = Issue::error(Code::Config, stacks::NOT_READ, why).in_path(found.first()?.name());
    Some(issue.fix(stacks::MOVE_FILES, ""))
}

/// The files of the Stack and of what it calls that differ.
fn find_differing(host: &dyn Host, root: &Path, changes: &Changes) -> Result<Vec<Found>, Issue> {
    let none = Overlay::new();
    let called = stacks::called_from(View { host, overlay: &none }, Path::new(""));
    let called: Vec<PathBuf> = called.iter().map(|source| paths::join(Path::new(""), source)).collect();
    let below = find_reached(host, &none, called.clone());
    let all = called.iter().chain(below.folders());
    let folders: BTreeSet<PathBuf> = all.map(|dir| resolve_links(&paths::join(root, dir))).collect();
    let own = resolve_links(root);
    let matters = |path: &Path| {
        let path = changes.top().join(path);
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        (path.parent() == Some(&*own) && stacks::is_named_in_stack(&name))
            || path.ancestors().skip(1).any(|at| folders.contains(at))
    };
    let one = |file: PathBuf| {
        let path = changes.top().join(&file);
        let (was_there, is_there) = (changes.had_file(&file), Machine.kind(&path).is_some());
        Found { file: paths::relative_path(&own, &path), was_there, is_there }
    };
    Ok(changes.of(&matters)?.into_iter().map(one).collect())
}

fn resolve_links(path: &Path) -> PathBuf {
    Machine.canonical(path).unwrap_or_else(|_| path.to_owned())
}
