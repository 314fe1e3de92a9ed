//! `review`: files that Terraform writes for itself, where Git tracks them and they differ.
//!
//! In: a root module, and what differs from the base. Out: a finding and a row for each such file that came, went or holds something else: those of
//! Terraform's data folder, and states. No configuration tells of them, and a plan follows them. Invariant: what Git tracks on neither side is the
//! user's own. Absent on purpose: what stands in them.

use crate::config::{Config, paths};
use crate::host::{Host as _, Machine};
use crate::issue::{Code, Issue};
use crate::matrix::Cell;
use crate::matrix::review::{Review, Values};
use crate::ops::roots::is_configuration;
use crate::syntax::{Block, ExprKind};
use crate::terraform::git::{Changes, Fate};
use crate::terraform::init;
use crate::text::{git_path, one_line};
use crate::trace::Term;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// So many files are told one by one.
const MOST_TOLD: usize = 12;

/// Links are followed so many times over.
const MOST_LINKS: usize = 8;

/// The folder of the states of workspaces.
const WORKSPACES: &str = ".tfstate.d";

/// The places of Terraform's own files for one root module. All are absolute.
struct Places {
    root: PathBuf,
    /// The data folder, and where links in it lead.
    data: BTreeSet<PathBuf>,
    /// States, or folders of them, that a backend names, and where links lead that stand for states.
    states: BTreeSet<PathBuf>,
    /// True if whoever starts Terraform may say where the state is.
    is_anywhere: bool,
}

/// Adds what is to be said of the files of a root module in `root`.
pub(super) fn add_own_files(
    made: &mut Review,
    config: &Config,
    root: &Path,
    changes: Result<Arc<Changes>, Issue>,
) {
    let found = match changes.and_then(|changes| find_own_files(config, root, &changes)) {
        Ok(found) => found,
        Err(issue) => return made.unable.push(issue),
    };
    let rows: Values = found.iter().map(Found::to_row).collect();
    for env in made.environments.iter_mut().filter(|env| env.after) {
        env.values.extend(rows.iter().cloned());
    }
    made.unable.extend(found.iter().take(MOST_TOLD).map(Found::to_finding));
    if let Some(more) = found.len().checked_sub(MOST_TOLD).filter(|more| *more > 0) {
        let why =
            "Each is a row of the report. A plan follows them, and what it makes of them isn't compared.";
        let summary = format!("{more} more files of Terraform's own differ");
        made.unable.push(Issue::error(Code::Environment, summary, why));
    }
}

/// A file of Terraform's own that differs.
struct Found {
    /// Its path from the root module.
    file: PathBuf,
    fate: Fate,
    is_data: bool,
}

fn find_own_files(config: &Config, root: &Path, changes: &Changes) -> Result<Vec<Found>, Issue> {
    let mut places = Places::of(config, root);
    places.follow_links(changes);
    let path = |path: &Path| changes.top().join(path);
    let found = changes.of_tracked(&|own| places.contains_path(&path(own)))?;
    let one = |(own, fate): (PathBuf, Fate)| {
        let own = path(&own);
        Found { file: paths::relative_path(root, &own), fate, is_data: places.is_data(&own) }
    };
    Ok(found.into_iter().map(one).collect())
}

impl Found {
    fn to_row(&self) -> (String, Arc<Cell>, Arc<Cell>) {
        let cell = |text: &str| Arc::new(Cell::Written(Arc::new(Term::written(text, text.to_owned()))));
        let absent = || Arc::new(Cell::Absent);
        let (old, new) = match self.fate {
            Fate::New => (absent(), cell("tracked by Git")),
            Fate::Edited => (cell("tracked by Git"), cell("tracked by Git, of other contents")),
            Fate::Gone => (cell("tracked by Git"), absent()),
        };
        (one_line(&paths::shown(&self.file)).into_owned(), old, new)
    }

    fn to_finding(&self) -> Issue {
        let file = paths::shown(&self.file);
        let (what, how) = match self.is_data {
            true => (
                "data of Terraform's",
                "It says where modules and providers are, and which backend and workspace count.",
            ),
            false => (
                "a state of Terraform's",
                "A plan creates what a state lacks, and destroys what it has besides, whatever the sources say.",
            ),
        };
        let (does, is) = match self.fate {
            Fate::New => ("comes with this change", "Git tracks it."),
            Fate::Edited => ("differs in this change", "Git tracks it."),
            Fate::Gone => ("goes with this change", "It is gone, or Git doesn't track it any more."),
        };
        let summary = format!("{}, {what}, {does}", one_line(&file));
        let why = format!("{is} {how} What a plan makes of it isn't compared.");
        let issue = Issue::error(Code::Environment, summary, why).in_path(file);
        match self.fate {
            Fate::Gone => issue,
            _ => issue.fix(
                "Take it out of Git, and name it in .gitignore:",
                format!("git rm --cached -- {}", git_path(&paths::shown(&self.file))),
            ),
        }
    }
}

impl Places {
    fn of(config: &Config, root: &Path) -> Places {
        let mut places = Places {
            root: root.to_owned(),
            data: BTreeSet::from([paths::join(root, init::data_dir(&Machine, Path::new("")))]),
            states: BTreeSet::new(),
            is_anywhere: false,
        };
        let blocks = config.root().into_iter().flat_map(|module| &module.terraform);
        let backends = blocks.flat_map(|decl| decl.blocks().collect::<Vec<_>>());
        for backend in backends.flat_map(|block| block.body.blocks_of("backend")) {
            if backend.label(0) == Some("local") {
                places.add_backend(backend);
            }
        }
        places
    }

    /// A backend whose state is a file.
    fn add_backend(&mut self, backend: &Block) {
        for name in ["path", "workspace_dir"] {
            match backend.body.attribute(name).map(|attr| &attr.expr.kind) {
                Some(ExprKind::String(text)) => {
                    self.states.insert(paths::join(&self.root, Path::new(&**text)));
                }
                None if name == "workspace_dir" => {}
                _ => self.is_anywhere = true,
            }
        }
    }

    /// Adds where links lead that Git tracks in these places.
    fn follow_links(&mut self, changes: &Changes) {
        let real = |path: &PathBuf| Machine.canonical(path).ok();
        self.data.extend(self.data.iter().filter_map(real).collect::<Vec<_>>());
        self.states.extend(self.states.iter().filter_map(real).collect::<Vec<_>>());
        for _ in 0..MOST_LINKS {
            let all = changes.names_tracked().map(|path| changes.top().join(path));
            let links: Vec<PathBuf> =
                all.filter(|path| self.contains_path(path) && Machine.link(path).is_some()).collect();
            let known = self.data.len() + self.states.len();
            for link in links {
                let to = real(&link);
                if self.is_data(&link) { self.data.extend(to) } else { self.states.extend(to) }
            }
            if self.data.len() + self.states.len() == known {
                break;
            }
        }
    }

    fn contains_path(&self, path: &Path) -> bool {
        self.is_data(path) || self.is_state(path)
    }

    fn is_data(&self, path: &Path) -> bool {
        path.ancestors().any(|at| self.data.contains(at))
    }

    fn is_state(&self, path: &Path) -> bool {
        if path.ancestors().any(|at| self.states.contains(at)) {
            return true;
        }
        let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let is_named =
            name(path).is_some_and(|name| name.contains(".tfstate") && !name.ends_with(".lock.info"));
        if is_named && self.is_anywhere {
            return true;
        }
        let Ok(below) = path.strip_prefix(&self.root) else { return false };
        let first = below.iter().next().map(|first| first.to_string_lossy().into_owned());
        first.is_some_and(|first| first.ends_with(WORKSPACES)) || (is_named && !self.is_another_ones(path))
    }

    /// Returns true if a file below the root module lies in a folder with a configuration of its own.
    fn is_another_ones(&self, path: &Path) -> bool {
        let between = path.ancestors().skip(1).take_while(|at| *at != self.root);
        let holds =
            |at: &Path| Machine.list(at).is_ok_and(|all| all.iter().any(|(name, _)| is_configuration(name)));
        between.into_iter().any(holds)
    }
}
