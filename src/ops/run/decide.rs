//! Decides what the working directory is to hold, and turns that into a change set.

use crate::config::paths;
use crate::config::variables::VarArg;
use crate::host::{self, Host as _};
use crate::issue::Issue;
use crate::ops::Stop;
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::pipeline;
use crate::specialise::{Record, moves, record};
use crate::terraform::init::data_dir;
use crate::trace::Driven;
use crate::txn::{Change, ChangeSet, Prior};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

pub use crate::pipeline::{Decided, Tree, assembled, remember, tree};

/// Decides what the working directory is to hold.
///
/// # Errors
/// Stack issues.
pub fn decide(session: &mut Session, driven: &[Driven], vars: &[VarArg]) -> Result<Decided, Vec<Issue>> {
    let workspace = workspace(session);
    let mut decided = pipeline::decide(session, driven, vars, &workspace)?;
    if session.strict && !decided.warnings.is_empty() {
        return Err(std::mem::take(&mut decided.warnings));
    }
    Ok(decided)
}

impl Session {
    /// Decides what the working directory is to hold.
    ///
    /// # Errors
    /// Stack issues, with everything else that was found.
    pub fn decide(&mut self, driven: &[Driven], vars: &[VarArg]) -> Result<Decided, Box<Stop>> {
        decide(self, driven, vars).map_err(|issues| self.stop(issues))
    }
}

/// The selected workspace: `TF_WORKSPACE`, or what Terraform has noted in its data folder.
pub fn workspace(session: &Session) -> String {
    workspace_where(session, &|_| true)
}

/// The same for what reads a tree alone: what Git tracks in Terraform's data folder is whose the tree is, and no selection.
pub fn workspace_of_user(session: &Session) -> String {
    workspace_where(session, &|path| !session.host.is_tracked(path))
}

fn workspace_where(session: &Session, is_believed: &dyn Fn(&Path) -> bool) -> String {
    let host = &session.host;
    let named = host.env("TF_WORKSPACE").filter(|w| !w.is_empty());
    let noted = || noted_workspace(host, is_believed);
    named.or_else(noted).unwrap_or_else(|| "default".to_owned())
}

/// No workspace has a longer name.
const LONGEST_NAME: usize = 256;

/// What Terraform has noted in its data folder. A link that a tree brings there would show whatever it leads to.
fn noted_workspace(host: &RootedHost, is_believed: &dyn Fn(&Path) -> bool) -> Option<String> {
    let path = data_dir(host, Path::new("")).join("environment");
    let named = host.root.join(&path);
    let is_in_tree = !path.is_absolute();
    if is_in_tree && (host.canonical(&path).ok()? != paths::clean(&named) || !is_believed(&path)) {
        return None;
    }
    let name = String::from_utf8(host.read(&path).ok()?).ok()?.trim().to_owned();
    let is_name = |c: char| c.is_alphanumeric() || "-_.~$&+=:@".contains(c);
    (!name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(is_name)).then_some(name)
}

/// Returns the widest permissions for copies and records: no wider than those of the sources, whose text they hold.
fn widest(session: &Session) -> u32 {
    let sources = session.paths_read().map(|path| session.host.root.join(path));
    sources.filter_map(|path| host::mode(&path).ok()).fold(0o666, |widest, mode| widest & (mode | 0o600))
}

/// The links of a tree that is to be, by path, and what each says.
pub fn links(tree: &Tree) -> BTreeMap<PathBuf, String> {
    let record = tree.get(Path::new(record::FILE)).and_then(Option::as_deref);
    record.and_then(|text| Record::parse(text).ok()).map(|record| record.links()).unwrap_or_default()
}

/// Returns the target of a symbolic link that tf-phi made at a path. A link that the user made is the user's file.
pub fn own_link(session: &Session, path: &Path) -> Option<PathBuf> {
    let ours = session.record.as_ref().and_then(|r| r.file(path)).is_some_and(|f| f.created);
    session.host.link(path).filter(|_| ours)
}

/// Returns the changes that turn the working directory into `tree`.
pub fn change_set(session: &Session, tree: &Tree) -> ChangeSet {
    let mut set = ChangeSet { widest: widest(session), ..ChangeSet::new(&session.host.root) };
    let links = links(tree);
    let created: BTreeSet<PathBuf> = session
        .record
        .iter()
        .flat_map(|record| &record.files)
        .filter(|file| file.created)
        .map(|file| record::unslashed(&file.path))
        .collect();
    for (path, text) in tree {
        let change = match (text, links.get(path)) {
            (None, _) => Change::Delete,
            (Some(text), None) => Change::Write(text.clone().into_bytes()),
            (Some(text), Some(to)) => Change::Link { to: to.into(), whole: text.clone().into_bytes() },
        };
        if let Some(prior) = find_prior(session, (path, created.contains(path)), &change) {
            set.plan(path, change, prior);
        }
    }
    let older = session.record.iter().flat_map(|r| &r.files).filter(|f| f.created);
    for file in older {
        let path = record::unslashed(&file.path);
        set.own_dirs
            .extend(path.ancestors().skip(1).filter(|d| !d.as_os_str().is_empty()).map(Path::to_path_buf));
    }
    set
}

/// Returns what is on disk where a change is needed, or nothing if it isn't needed.
fn find_prior(session: &Session, (path, is_created): (&Path, bool), change: &Change) -> Option<Prior> {
    if let Some(link) = session.host.link(path).filter(|_| is_created) {
        let same = matches!(change, Change::Link { to, .. } if *to == link);
        return (!same).then_some(Prior::Link(link));
    }
    let now = match session.analysed(path) {
        // What is replaced are the very bytes that were analysed; the transaction stops where others stand there by now.
        Some(read) => Some(read.to_vec()),
        _ => session.host.read(path).ok(),
    };
    let same = match change {
        Change::Delete => now.is_none(),
        Change::Write(bytes) => now.as_ref() == Some(bytes),
        // Some checkouts and file systems have files in the places of links.
        Change::Link { whole, .. } => now.as_ref() == Some(whole) && was_link(session, path),
    };
    (!same).then(|| Prior::of(now.as_deref()))
}

/// Returns true if what is on record of a file is a link.
pub fn was_link(session: &Session, path: &Path) -> bool {
    session.record.as_ref().and_then(|r| r.file(path)).is_some_and(|f| f.link.is_some())
}

/// Returns true if a file holds what a link of ours says, as Git writes it where `core.symlinks` is false.
pub fn holds_text_of_links(session: &Session) -> bool {
    let links = session.record.iter().flat_map(Record::links);
    links.into_iter().any(|(path, to)| {
        session.host.link(&path).is_none()
            && session.host.read(&path).is_ok_and(|bytes| bytes.trim_ascii() == to.as_bytes())
    })
}

/// The tree with the moves that a check may know of. Those that are there serve as long as the units are the same: they are
/// of the last run's variables, and a check has none.
pub fn reviewed(session: &Session, decided: Decided) -> Tree {
    let path = Path::new(moves::FILE);
    let chain = session.chain();
    let chain = chain.as_deref();
    let is_ours =
        |f: &record::FileRecord| f.path == moves::FILE && !chain.is_some_and(|text| f.is_made_by_merge(text));
    let ours = session.record.iter().find(|r| r.files.iter().any(is_ours));
    let planned = &decided.specialised.record;
    let replaced = |r: &record::Record| r.services == planned.services && r.has_units_of(planned);
    if !planned.services.is_empty()
        && decided.specialised.splits.is_empty()
        && session
            .record
            .as_ref()
            .is_some_and(|r| replaced(r) && r.files.iter().all(|f| f.path != moves::FILE))
    {
        // A run has asked state for what services replace.
        return decided.tree;
    }
    // Where nothing is specialised any more, and no state ever held a copy, nothing is led home. What services replace or drop is given
    // up all the same: states hold it from before.
    let is_over = chain.is_none()
        && session.origin.is_none()
        && planned.specializations.is_empty()
        && !session.history.is_anything_applied();
    if !is_over && (chain.is_none() || ours.is_none_or(|older| !older.has_units_of(planned))) {
        let run = (chain, decided.unset.as_ref());
        return tree(session, decided.specialised.finished_without_run(&session.config, &decided.known, run));
    }
    let mut record = decided.specialised.record;
    record.files.retain(|f| f.path != moves::FILE);
    let known = ours.iter().flat_map(|r| &r.files).find(|f| f.path == moves::FILE);
    record.files.extend(known.map(|f| f.of_text(chain.unwrap_or_default()).clone()));
    let mut out = assembled(session, (decided.specialised.files, &decided.specialised.apart), record);
    out.remove(path);
    out
}
