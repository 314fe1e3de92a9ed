//! `review`: variable files that differ and that no environment reads.
//!
//! In: both sides of a root module, and what differs from the base. Out: a row for each such file below the root module, and a warning. Whoever starts
//! Terraform may name it, and nothing of what it gives was compared. Absent on purpose: what stands in it; files where `phi.hcl` says which are read.

use crate::config::paths;
use crate::config::phi::PhiConfig;
use crate::config::variables::Named;
use crate::config::writable::PHI_HCL;
use crate::host::{Host, Machine};
use crate::issue::{Code, Issue};
use crate::matrix::Cell;
use crate::matrix::review::{Review, Values};
use crate::ops::roots::is_configuration;
use crate::pipeline::Session;
use crate::terraform::git::Changes;
use crate::text::one_line;
use crate::trace::Term;
use crate::value::hcl;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// So many are named in the warning.
const MOST_NAMED: usize = 5;

/// Files in this folder are read by `terraform test` alone.
const TESTS: &str = "tests";

/// The variable files that one side reads.
pub(super) struct Side {
    files: BTreeSet<PathBuf>,
    is_told: bool,
}

impl Side {
    /// Those of a session.
    pub fn of<H: Host + Clone>(session: &Session<H>) -> Side {
        let files: BTreeSet<PathBuf> =
            session.named.iter().flat_map(Named::read_files).map(|file| paths::clean(file)).collect();
        let real = files.iter().filter_map(|file| {
            let real = session.host.canonical(file).ok()?;
            Some(real.strip_prefix(session.host.canonical(Path::new("")).ok()?).ok()?.to_owned())
        });
        let real: Vec<PathBuf> = real.collect();
        Side { files: files.into_iter().chain(real).collect(), is_told: says_which(&session.phi) }
    }
}

/// Returns true if `phi.hcl` says which variable files are read.
fn says_which(phi: &PhiConfig) -> bool {
    phi.settings.environments.is_some() || !phi.environments.is_empty()
}

/// Adds a row for each, and returns the warning. `root`: the folder of the root module; `sides`: the base and the head.
pub(super) fn add_unread_values(
    made: &mut Review,
    sides: [&Side; 2],
    root: &Path,
    changes: Result<Arc<Changes>, Issue>,
) -> Option<Issue> {
    if sides.iter().any(|side| side.is_told) {
        return None;
    }
    // Why nothing can be told is said with Terraform's own files.
    let changes = changes.ok()?;
    let below = |path: &Path| changes.top().join(path).strip_prefix(root).ok().map(Path::to_owned);
    let is_unread = |file: &Path| {
        is_of_values(file)
            && !file.starts_with(TESTS)
            && !sides.iter().any(|side| side.files.contains(file))
            && !is_another_ones(root, file)
    };
    let found = changes.of(&|path| below(path).is_some_and(|file| is_unread(&file))).ok()?;
    let files: Vec<(PathBuf, [bool; 2])> = found
        .iter()
        .filter_map(|path| {
            let is_there = Machine.kind(&changes.top().join(path)).is_some();
            Some((below(path)?, [changes.had_file(path), is_there]))
        })
        .collect();
    let rows: Values = files.iter().map(|(file, sides)| to_row(file, *sides)).collect();
    for env in made.environments.iter_mut().filter(|env| env.after) {
        env.values.extend(rows.iter().cloned());
    }
    to_warning(&files)
}

fn is_of_values(file: &Path) -> bool {
    let name = file.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    name.ends_with(".tfvars") || name.ends_with(".tfvars.json")
}

/// Returns true if a file below the root module lies in a folder with a configuration of its own.
fn is_another_ones(root: &Path, file: &Path) -> bool {
    let holds = |at: &Path| {
        let all = Machine.list(&root.join(at)).unwrap_or_default();
        all.iter().any(|(name, _)| is_configuration(name))
    };
    file.ancestors().skip(1).filter(|at| !at.as_os_str().is_empty()).any(holds)
}

fn to_row(file: &Path, sides: [bool; 2]) -> (String, Arc<Cell>, Arc<Cell>) {
    let cell = |is_there: bool, text: &str| {
        let written = || Cell::Written(Arc::new(Term::written(text, text.to_owned())));
        Arc::new(if is_there { written() } else { Cell::Absent })
    };
    let [before, after] = sides;
    let new = if before { "(no environment reads it; other contents)" } else { "(no environment reads it)" };
    let name = one_line(&paths::shown(file)).into_owned();
    (name, cell(before, "(no environment reads it)"), cell(after, new))
}

fn to_warning(files: &[(PathBuf, [bool; 2])]) -> Option<Issue> {
    let (first, sides) = files.first()?;
    let shown = |file: &Path| one_line(&paths::shown(file)).into_owned();
    let summary = match files {
        [_] => format!("{} differs, and no environment reads it", shown(first)),
        _ => format!("{} variable files differ that no environment reads", files.len()),
    };
    let mut named: Vec<String> = files.iter().take(MOST_NAMED).map(|(file, _)| shown(file)).collect();
    named.extend((files.len() > MOST_NAMED).then(|| "…".to_owned()));
    let of_several = if files.len() > 1 { format!(" ({})", named.join(", ")) } else { String::new() };
    let why = format!(
        "Of what such a file{of_several} gives to variables nothing is compared. It gives none that this root module declares, or nothing says which run takes it."
    );
    let [_, is_there] = *sides;
    let place = if is_there { shown(first) } else { PHI_HCL.to_owned() };
    let name = first.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let block = format!(
        "environment {} {{\n  var_files = [{}]\n}}",
        hcl::quote(&name),
        hcl::quote(&paths::shown(first))
    );
    Some(
        Issue::warning(Code::Environment, summary, why)
            .in_path(place)
            .fix("In the phi.hcl of the root module that takes it, by the path from there:", block)
            .fix(
                "If none of this folder's is meant for it, in its own phi.hcl:",
                "settings {\n  environments = []\n}",
            ),
    )
}
