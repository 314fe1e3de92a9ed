//! `review`: what is compared besides cells, and what was edited behind what differs.
//!
//! In: both sides of a review. Out: rows of what is compared as it is written, of lock files and of definitions of environments; places of edits.
//! Absent on purpose: what is printed.

use crate::config::variables::Named;
use crate::config::{Config, paths};
use crate::host::{Host, Machine};
use crate::issue::Issue;
use crate::matrix::review::{Review, Values};
use crate::matrix::{Assigned, Cell, Definition, Doubts, LOCK_FILE, Locked, Origins, Written, run_files};
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::pipeline;
use crate::terraform::git::{Changes, Revision};
use crate::text::one_line;
use crate::trace::Term;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Adds what is compared as it is written, in environments that both sides have.
pub(super) fn add_written(
    made: &mut Review,
    base: &pipeline::Session<Revision>,
    head: &Session,
    doubts: &mut Doubts<'_, '_>,
) {
    let of_head = Written::of(&head.config);
    let written = Written::of(&base.config).differences(&of_head);
    let lock = locked(&head.host, head.host.is_tracked(Path::new(LOCK_FILE)));
    let locks = locked(&base.host, true).differences(&lock);
    let (old_named, new_named) = (by_name(&base.named), by_name(&head.named));
    let (old_destroyed, new_destroyed) =
        (destroyed_deployments(&base.config), destroyed_deployments(&head.config));
    for env in made.environments.iter_mut().filter(|env| env.before && env.after) {
        env.values.extend(locks.iter().cloned());
        // What is evaluated says more than that its text differs.
        let mut told: BTreeSet<String> = env.values.iter().map(|(field, ..)| field.clone()).collect();
        let is_told = |part: &str| {
            let begin = format!("{part}.");
            told.range(begin.clone()..).next().is_some_and(|field| field.starts_with(&begin))
        };
        let is_own = |part: &str| deployment_of(part).is_none_or(|name| *name == *env.name);
        let more = written.iter().filter(|(part, ..)| is_own(part) && !is_told(part));
        let more: Values = more.cloned().collect();
        told.extend(more.iter().map(|(part, ..)| part.clone()));
        env.values.extend(more);
        let mentioned = doubts.mentioned(&env.name, of_head.mentions());
        env.uncompared.extend(mentioned.into_iter().filter(|part| !told.contains(part)));
        let is_told = !env.values.is_empty();
        let find = |all: &BTreeMap<_, &Named>| all.get(&*env.name).map(|named| Definition::of(named));
        env.values
            .extend(find(&old_named).zip(find(&new_named)).and_then(|(old, new)| old.differs(&new, is_told)));
        if new_destroyed.contains(&*env.name) && !old_destroyed.contains(&*env.name) {
            env.may_go.push(format!("{DEPLOYMENT}{}", env.name));
        }
    }
}

/// Adds a row for each file that differs and that a provisioner of both sides runs or copies, in environments that both have.
pub(super) fn add_run_files(
    made: &mut Review,
    base: &Config,
    head: &Session,
    changes: Result<Arc<Changes>, Issue>,
) {
    let all = run_files(&head.config, base);
    if all.is_empty() {
        return;
    }
    // What can't be told counts as changed.
    let rows: Values = match changes.and_then(|changes| find_differing_files(&all, &head.host, &changes)) {
        Ok(rows) => rows,
        Err(_) => all.iter().map(|(owner, file)| file_row(owner, file, [true, true])).collect(),
    };
    for env in made.environments.iter_mut().filter(|env| env.before && env.after) {
        env.values.extend(rows.iter().cloned());
    }
}

/// The rows of files that differ. A path may lead to a folder, and over links.
fn find_differing_files(
    all: &BTreeSet<(String, PathBuf)>,
    host: &RootedHost,
    changes: &Changes,
) -> Result<Values, Issue> {
    let mut owners: BTreeMap<PathBuf, BTreeSet<&str>> = BTreeMap::new();
    for (owner, file) in all {
        let real = host.canonical(file).ok();
        for path in [Some(paths::join(&host.root, file)), real].into_iter().flatten() {
            owners.entry(path).or_default().insert(owner);
        }
    }
    let whole = |path: &Path| changes.top().join(path);
    let found = changes.of(&|path| whole(path).ancestors().any(|at| owners.contains_key(at)))?;
    let mut rows = Values::new();
    for path in found {
        let shown = paths::relative_path(&host.root, &whole(&path));
        let own: BTreeSet<&str> =
            whole(&path).ancestors().filter_map(|at| owners.get(at)).flatten().copied().collect();
        let sides = [changes.had_file(&path), Machine.kind(&whole(&path)).is_some()];
        rows.extend(own.into_iter().map(|owner| file_row(owner, &shown, sides)));
    }
    Ok(rows)
}

/// The row of a file of a resource's provisioner. `sides`: where it is there.
fn file_row(owner: &str, file: &Path, sides: [bool; 2]) -> (String, Arc<Cell>, Arc<Cell>) {
    let cell = |is_there: bool, text: &str| {
        let written = || Cell::Written(Arc::new(Term::written(text, text.to_owned())));
        Arc::new(if is_there { written() } else { Cell::Absent })
    };
    let [before, after] = sides;
    let new = if before { "(the file, of other contents)" } else { "(the file)" };
    let name = format!("{owner}.provisioner {}", one_line(&paths::shown(file)));
    (name, cell(before, "(the file)"), cell(after, new))
}

/// Environments by name, the first of each.
fn by_name(all: &[Named]) -> BTreeMap<&str, &Named> {
    all.iter().rev().map(|named| (&*named.name, named)).collect()
}

/// The names of the deployments that are to be destroyed.
fn destroyed_deployments(config: &Config) -> BTreeSet<&str> {
    config.deployments.iter().filter(|deployment| deployment.destroy).map(|own| &*own.name).collect()
}

/// What begins the name of a part of a deployment.
const DEPLOYMENT: &str = "deployment.";

/// The deployment that a part belongs to.
fn deployment_of(part: &str) -> Option<&str> {
    part.strip_prefix(DEPLOYMENT)
}

/// Notes where the values that differ come from: what was edited, and which variables are given other values.
pub(super) fn trace_back(
    review: &mut Review,
    base: &[Assigned],
    head: (&Config, &[Assigned]),
    origins: &mut Origins<'_>,
) {
    let by_name = |all: &[Assigned]| -> BTreeMap<Arc<str>, usize> {
        all.iter().enumerate().map(|(at, own)| (own.name.clone(), at)).collect()
    };
    let (of_base, of_head) = (by_name(base), by_name(head.1));
    for env in &mut review.environments {
        let (Some(old), Some(new)) = (of_base.get(&env.name), of_head.get(&env.name)) else { continue };
        let (Some(old), Some(new)) = (base.get(*old), head.1.get(*new)) else { continue };
        for name in new.given_otherwise(old) {
            let place = new.places.get(&name).map(|place| head.0.sources.span_text(*place));
            env.variables.insert(name, place);
        }
    }
    let fields = review.environments.iter().flat_map(|env| &env.values).map(|(field, ..)| &**field);
    review.origins = origins.of(fields);
}

/// The providers that a side's lock file holds to, where it is a part of the tree.
fn locked(host: &dyn Host, is_tracked: bool) -> Locked {
    let bytes = host.own(Path::new(LOCK_FILE)).ok().flatten().filter(|_| is_tracked);
    bytes.map(|bytes| Locked::of_text(&String::from_utf8_lossy(&bytes))).unwrap_or_default()
}
