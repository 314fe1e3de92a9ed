//! `restore` and `leave` in a Stack.
//!
//! tf-phi never changes the files of a Stack: it writes a root module for each deployment, and a state lies behind that. In: these
//! folders. Out: where a state may hold anything, an ordinary root module that plain Terraform plans; elsewhere nothing. Invariant: the
//! configuration of what was applied stays, since nothing else could plan or destroy it. Absent on purpose: anything in HCP, whose states
//! are its own and hold no copy.

use super::folder::Folder;
use crate::config::writable::PHI_HCL;
use crate::host::{EntryKind, Host as _};
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::ops::run::write;
use crate::ops::state::home::may_be_applied;
use crate::ops::{DONE, Outcome, Start, Stop, restore};
use crate::specialise::moves;
use crate::specialise::record::{hash, history, local};
use crate::stacks::FOLDER;
use crate::text::shell_word;
use crate::txn::ChangeSet;
use std::path::{Path, PathBuf};

/// The folders of deployments that were ever written.
fn folders(start: &Start) -> Result<Vec<Folder>, Box<Stop>> {
    let host = RootedHost::new(&start.dir)?;
    let mut out = Vec::new();
    for (name, kind) in host.list(Path::new(FOLDER)).unwrap_or_default() {
        if kind == EntryKind::Dir {
            let path = Path::new(FOLDER).join(&name);
            out.push(Folder::read_at(start, RootedHost::new(&start.dir)?, &name, path)?);
        }
    }
    Ok(out)
}

/// Puts back what is specialised in each deployment's folder.
///
/// # Errors
/// As in a root module.
pub(in crate::ops) fn restore_stack(start: &Start, run: &dyn Fn(&Start) -> Outcome) -> Outcome {
    let folders = folders(start)?;
    if folders.is_empty() {
        start.console.note(
            "nothing to restore: tf-phi leaves a Stack's files as they are, and has written no deployment.",
        );
    }
    for folder in folders {
        start.console.note(&format!("{}:", folder.path.display()));
        run(&folder.start)?;
    }
    Ok(DONE)
}

/// Takes tf-phi out of a Stack. `run` leaves one root module.
///
/// # Errors
/// As in a root module.
pub(in crate::ops) fn leave_stack(start: &Start, is_dry: bool, run: &dyn Fn(&Start) -> Outcome) -> Outcome {
    let host = RootedHost::new(&start.dir)?;
    let folders = folders(start)?;
    let mut set = ChangeSet::new(&host.root);
    let mut delete = |path: PathBuf| {
        if let Ok(bytes) = host.read(&path) {
            set.delete(path, &bytes);
        }
    };
    let own = [PHI_HCL, history::FILE, history::ATTRIBUTES.0, local::FILE, local::IGNORE];
    own.map(PathBuf::from).into_iter().for_each(&mut delete);
    let mut kept: Vec<PathBuf> = Vec::new();
    for folder in &folders {
        delete(folder.record_path());
        if may_be_applied(&Session::open_partly(&folder.start)?) {
            start.console.note(&format!("{}:", folder.path.display()));
            run(&folder.start)?;
            kept.push(folder.path.clone());
            continue;
        }
        if folder.is_specialised && !is_dry {
            restore::put_back(&folder.start)?;
        }
        for path in folder.record.paths().filter(|path| folder.is_as_written(path)) {
            delete(folder.path.join(path));
        }
        let own = [history::FILE, history::ATTRIBUTES.0, moves::FILE, local::FILE, local::IGNORE];
        own.iter().for_each(|path| delete(folder.path.join(path)));
        if is_dry {
            start.console.note(&format!("{} goes, since nothing was applied there.", folder.path.display()));
        }
    }
    if set.changes.is_empty() && kept.is_empty() {
        start.console.note("nothing of tf-phi is here.");
        return Ok(DONE);
    }
    if is_dry {
        return Ok(DONE);
    }
    write::commit(&set, start.console)?;
    say_left(start, &kept);
    Ok(DONE)
}

fn say_left(start: &Start, kept: &[PathBuf]) {
    start.console.note(
        "everything of tf-phi is gone. The Stack's own files are as you wrote them, and HCP plans them from states of its own, which hold \
         no copy.",
    );
    if kept.is_empty() {
        return;
    }
    start.console.note(
        "what was applied without HCP stays with these folders, which are ordinary root modules now, and HCP knows nothing of it. Commit \
         them. They don't follow the Stack's files any more. To give objects to HCP, import them there first, and then forget them here by \
         `terraform state rm`; to be rid of them, destroy them here. Plan each with:",
    );
    let plan = |path: &PathBuf| {
        let dir = format!("-chdir={}", start.chdir.as_deref().unwrap_or(Path::new("")).join(path).display());
        format!("terraform {} plan", shell_word(&dir))
    };
    start.console.paste(&kept.iter().map(plan).collect::<Vec<_>>().join("\n"));
}

impl Folder {
    /// Returns true if a file stands as the last run wrote it, or as it was put back.
    fn is_as_written(&self, path: &Path) -> bool {
        let recorded = self.record.files.get(&crate::specialise::record::slashed(path));
        let now = self.text_of(path);
        recorded.zip(now).is_some_and(|(known, now)| *known == hash(&now))
    }
}
