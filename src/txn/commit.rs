//! The commit: check, journal, stage, rename, mark, tidy up.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use super::held::Held;
use super::journal::{self, Entry, Journal, Side};
use super::paths::{self, Last};
use super::{Change, ChangeSet, PHI_DIR, Planned, Prior, canonical_root, hash, io_issue, recover};
use crate::host::{Mode, WriteHost};
use crate::issue::{Code, Issue};
use crate::text::shell_path;

/// The result of a commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommitReport {
    /// Files whose content is new, sorted; relative to the root.
    pub written: Vec<PathBuf>,
    /// Files that are gone, sorted; relative to the root.
    pub deleted: Vec<PathBuf>,
    /// The set that leads back, byte for byte.
    pub undo: ChangeSet,
    /// The reason why a hidden file of the transaction could not be removed. The next run tries again.
    pub unrecovered: Option<Issue>,
}

impl CommitReport {
    /// The result for a set that changes nothing.
    fn none(set: &ChangeSet) -> CommitReport {
        let undo = ChangeSet { widest: set.widest, ..ChangeSet::new(&set.root) };
        CommitReport { written: Vec::new(), deleted: Vec::new(), undo, unrecovered: None }
    }
}

/// A change that differs from the tree, with everything that has to be read for it.
struct Step {
    target: PathBuf,
    new: Option<Held>,
    old: Option<Held>,
    /// The change that undoes it.
    undo: Change,
    mode: Mode,
    old_beside: PathBuf,
    new_beside: PathBuf,
}

/// Makes the tree what the set says: all of it, or on any error nothing of it.
///
/// A transaction that an earlier run left unfinished is recovered first.
///
/// # Errors
/// [`Code::Environment`] where a path changed since it was read, [`Code::Unsupported`] where a path leads
/// outside the root or clashes with another, [`Code::Io`] where the tree can't be written. The tree is then
/// as it was.
pub fn commit(host: &dyn WriteHost, set: &ChangeSet) -> Result<CommitReport, Issue> {
    match attempt(host, set, true) {
        Err(Fault::NoLinks) => attempt(host, set, false),
        done => done,
    }
    .map_err(Fault::issue)
}

/// The reason why nothing was written.
enum Fault {
    /// The file system has no links.
    NoLinks,
    Issue(Issue),
}

impl Fault {
    fn issue(self) -> Issue {
        match self {
            Fault::Issue(issue) => issue,
            Fault::NoLinks => Issue::error(Code::Io, "the file system has no symbolic links", ""),
        }
    }
}

impl From<Issue> for Fault {
    fn from(issue: Issue) -> Fault {
        Fault::Issue(issue)
    }
}

/// Makes one attempt; without `links`, whole files are written instead of them.
fn attempt(host: &dyn WriteHost, set: &ChangeSet, links: bool) -> Result<CommitReport, Fault> {
    let root = canonical_root(host, &set.root)?;
    recover(host, &root)?;
    let steps = prepare(host, &root, set, links)?;
    if steps.is_empty() {
        return Ok(CommitReport::none(set));
    }
    let journal = journal_of(host, &root, set, &steps)?;
    let done = journal.begin(host, &root).map_err(Fault::from);
    match done.and_then(|()| apply(host, &root, &journal, &steps)) {
        Ok(()) => {}
        Err(Fault::NoLinks) if recover::undo(host, &root).is_ok() => return Err(Fault::NoLinks),
        Err(fault) => return Err(roll_back(host, &root, fault.issue()).into()),
    }
    let unrecovered = recover(host, &root).err();
    Ok(report(set, &root, &journal, steps, unrecovered))
}

fn roll_back(host: &dyn WriteHost, root: &Path, mut issue: Issue) -> Issue {
    let after = match recover::undo(host, root) {
        Ok(_) => "No file was changed.".to_owned(),
        Err(second) => {
            format!("Putting the files back was stopped too ({}); the next run does it.", second.summary)
        }
    };
    issue.why = if issue.why.is_empty() { after } else { format!("{} {after}", issue.why) };
    issue
}

fn prepare(host: &dyn WriteHost, root: &Path, set: &ChangeSet, links: bool) -> Result<Vec<Step>, Issue> {
    let mut seen: BTreeMap<PathBuf, &Change> = BTreeMap::new();
    let mut steps = Vec::new();
    for (relative, planned) in &set.changes {
        let target = paths::resolve(host, root, relative, last(planned))?;
        match seen.insert(target.clone(), &planned.change) {
            Some(other) if *other == planned.change => continue,
            Some(_) => return Err(twice(relative)),
            None => {}
        }
        let replaced = |path: &Path| set.changes.contains_key(path);
        let may_lead = |to: &Path| {
            set.returned_links.contains(relative)
                || paths::leads_below(host, root, (relative, &target), to, &replaced)
        };
        let new = match &planned.change {
            Change::Write(bytes) => Some(Held::File(bytes.clone())),
            Change::Link { to, .. } if links && may_lead(to) => Some(Held::Link(to.clone())),
            Change::Link { whole, .. } => Some(Held::File(whole.clone())),
            Change::Delete => None,
        };
        if let Some(step) = step_of(host, relative, target, (planned, new), (steps.len(), set.widest))? {
            steps.push(step);
        }
    }
    let split = |kept: bool| -> Vec<&Path> {
        steps.iter().filter(|s| s.new.is_some() == kept).map(|s| s.target.as_path()).collect()
    };
    paths::check_clashes(host, root, &split(true), &split(false))?;
    Ok(steps)
}

/// Returns how the last part of a path is treated. For our own links, and for what is deleted, it is the link itself.
fn last(planned: &Planned) -> Last {
    let own = matches!(planned.change, Change::Delete | Change::Link { .. });
    if own || matches!(planned.prior, Prior::Link(_)) { Last::Keep } else { Last::Follow }
}

fn step_of(
    host: &dyn WriteHost,
    relative: &Path,
    target: PathBuf,
    (planned, new): (&Planned, Option<Held>),
    (number, widest): (usize, u32),
) -> Result<Option<Step>, Issue> {
    let old = Held::at(host, &target).map_err(|e| io_issue("read", relative, &e))?;
    let through = || host.read(&target).map_err(|e| io_issue("read", relative, &e));
    let is_as_read = match (&planned.prior, &old) {
        (Prior::Absent, None) => true,
        (Prior::Link(to), Some(Held::Link(now))) => to == now,
        (Prior::Hash(known), Some(Held::File(bytes))) => *known == hash(bytes),
        (Prior::Hash(known), Some(Held::Link(_))) => *known == hash(&through()?),
        _ => false,
    };
    if !is_as_read {
        let leads_nowhere =
            planned.prior == Prior::Absent && matches!(old, Some(Held::Link(_))) && through().is_err();
        return Err(if leads_nowhere { dangling(relative) } else { changed(relative) });
    }
    if new == old {
        return Ok(None);
    }
    let mut mode = Mode::AtMost(widest);
    if let Some(Held::File(_)) = &old {
        host.writable(&target).map_err(|e| io_issue("write", relative, &e))?;
        let now = host.mode(&target).map_err(|e| io_issue("look at", relative, &e))?;
        mode = Mode::Exactly(if relative.starts_with(PHI_DIR) { now & widest } else { now });
    }
    let undo = match &old {
        None => Change::Delete,
        Some(Held::File(bytes)) => Change::Write(bytes.clone()),
        Some(Held::Link(to)) => Change::Link { to: to.clone(), whole: through().unwrap_or_default() },
    };
    let (old_beside, new_beside) = names_beside(host, &target, number)?;
    Ok(Some(Step { target, new, old, undo, mode, old_beside, new_beside }))
}

/// Two free names beside a target. Steps begin at their own number, so that no two of them share one: a name
/// is only passed over for one that is larger by a step of a million.
fn names_beside(host: &dyn WriteHost, target: &Path, number: usize) -> Result<(PathBuf, PathBuf), Issue> {
    for round in 0..1000 {
        let number = number + round * 1_000_000;
        let [old, new] = ["old", "new"].map(|what| target.with_file_name(journal::beside(number, what)));
        let taken =
            |path: &Path| host.entry(path).map(|e| e.is_some()).map_err(|e| io_issue("look at", path, &e));
        if !taken(&old)? && !taken(&new)? {
            return Ok((old, new));
        }
    }
    let shown = target.display().to_string();
    Err(Issue::error(
        Code::Io,
        format!("no free name beside {shown}"),
        "Old `.phi-*~` files fill the folder.",
    )
    .in_path(shown))
}

fn changed(relative: &Path) -> Issue {
    let shown = relative.display().to_string();
    Issue::error(
        Code::Environment,
        format!("{shown} changed while tf-phi was running"),
        "What was decided rests on what the file held before. No file was changed.",
    )
    .in_path(shown)
    .fix("Run the command again.", "")
}

/// Whoever reads a link that leads to no file finds nothing there, in each run.
fn dangling(relative: &Path) -> Issue {
    let shown = relative.display().to_string();
    Issue::error(
        Code::Environment,
        format!("{shown} is a link that leads to no file"),
        "A file is to be written there, and none is written through such a link. No file was changed.",
    )
    .in_path(shown.clone())
    .fix("Take it away, and run the command again:", format!("rm {}", shell_path(&shown)))
}

fn twice(relative: &Path) -> Issue {
    let shown = relative.display().to_string();
    Issue::error(
        Code::Unsupported,
        format!("{shown} is a link to a file that is changed differently"),
        "One file can't hold two contents.",
    )
    .in_path(shown)
    .fix("Name the file, or its module, by one path everywhere.", "")
    .fix("Or put a copy of what the link leads to in the link's place.", "")
}

fn journal_of(host: &dyn WriteHost, root: &Path, set: &ChangeSet, steps: &[Step]) -> Result<Journal, Issue> {
    let mut created = BTreeSet::new();
    let mut own: BTreeSet<PathBuf> = set.own_dirs.clone();
    let mut entries = Vec::new();
    for step in steps {
        if step.new.is_some() {
            let missing = paths::missing_dirs(host, root, &step.target)
                .map_err(|e| io_issue("look at", &step.target, &e))?;
            created.extend(missing);
        }
        let path = below(root, &step.target);
        own.extend(Path::new(&path).ancestors().skip(1).filter(|d| is_phi(d)).map(Path::to_path_buf));
        let side = |held: &Option<Held>, beside: &Path| {
            let name = beside.file_name()?.to_string_lossy().into_owned();
            Some(Side { hash: held.as_ref()?.hash(), beside: name })
        };
        let old = side(&step.old, &step.old_beside);
        let new = side(&step.new, &step.new_beside);
        entries.push(Entry { path, old, new });
    }
    let phi = root.join(PHI_DIR);
    let created = created.iter().filter(|d| **d != phi).map(|d| below(root, d)).collect();
    let own = own.iter().map(|d| d.to_string_lossy().into_owned()).collect();
    Ok(Journal::new(created, own, entries))
}

/// A folder inside `.phi`; `.phi` itself is looked after by recovery.
fn is_phi(dir: &Path) -> bool {
    dir.starts_with(PHI_DIR) && dir != Path::new(PHI_DIR)
}

fn below(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned()
}

/// Everything between the journal and the mark that makes the new tree the valid one.
fn apply(host: &dyn WriteHost, root: &Path, journal: &Journal, steps: &[Step]) -> Result<(), Fault> {
    for dir in &journal.created_dirs {
        let dir = root.join(dir);
        host.create_dir(&dir).map_err(|e| io_issue("create", &dir, &e))?;
    }
    let parents = parents(root, journal, steps);
    let parents: Vec<&Path> = parents.iter().map(PathBuf::as_path).collect();
    let mut staged: Vec<&Path> = Vec::new();
    for step in steps {
        stage(host, step, &mut staged)?;
    }
    // Contents and names are on the disk before the first rename: recovery needs both.
    staged.extend(&parents);
    host.sync_all(&staged).map_err(|(path, e)| io_issue("sync", path, &e))?;
    for step in steps {
        put_in_place(host, step)?;
    }
    host.sync_all(&parents).map_err(|(path, e)| io_issue("sync", path, &e))?;
    // Who had a file open before it changed places may have written to it since.
    for step in steps.iter().filter(|s| s.old.is_some()) {
        unchanged(host, step, &step.old_beside)?;
    }
    let phi = root.join(PHI_DIR);
    let (open, committed) = (phi.join(paths::OPEN), phi.join(paths::COMMITTED));
    host.rename(&open, &committed).map_err(|e| io_issue("write", &committed, &e))?;
    host.sync_dir(&phi).map_err(|e| {
        // Success that may be forgotten is none: take the mark back, so that the files are put back as well.
        let _ = host.rename(&committed, &open);
        io_issue("sync", &phi, &e)
    })?;
    Ok(())
}

fn stage<'s>(host: &dyn WriteHost, step: &'s Step, staged: &mut Vec<&'s Path>) -> Result<(), Fault> {
    let mut put = |held: &Held, beside: &'s Path| match held {
        Held::File(bytes) => {
            host.write_later(beside, bytes, step.mode).map_err(|e| io_issue("write", &step.target, &e))?;
            staged.push(beside);
            Ok(())
        }
        // It is nothing but a name, and on the disk as soon as its folder is.
        Held::Link(to) => host.symlink(to, beside).map_err(|e| match e.kind() {
            io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied => Fault::NoLinks,
            _ => io_issue("link", &step.target, &e).into(),
        }),
    };
    let Some(new) = &step.new else { return Ok(()) };
    put(new, &step.new_beside)?;
    // A copy, so that the file itself is there at every moment.
    step.old.as_ref().map_or(Ok(()), |old| put(old, &step.old_beside))
}

/// Somebody may write to a file at any moment. So nothing that stands under a name is ever replaced: it changes places with what
/// is new, and is judged where nobody looks for it any more.
fn put_in_place(host: &dyn WriteHost, step: &Step) -> Result<(), Issue> {
    match (&step.old, &step.new) {
        (Some(_), Some(_)) => replace(host, step),
        (Some(_), None) => {
            unchanged(host, step, &step.target)?;
            host.rename(&step.target, &step.old_beside).map_err(|e| io_issue("remove", &step.target, &e))?;
            unchanged(host, step, &step.old_beside).inspect_err(|_| {
                // Where that fails, rolling back does it.
                let _ = host.rename_new(&step.old_beside, &step.target);
            })
        }
        (None, _) => match host.rename_new(&step.new_beside, &step.target) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Err(changed(&step.target)),
            Err(e) if e.kind() == io::ErrorKind::Unsupported => {
                unchanged(host, step, &step.target)?;
                let moved = host.rename(&step.new_beside, &step.target);
                moved.map_err(|e| io_issue("write", &step.target, &e))
            }
            done => done.map_err(|e| io_issue("write", &step.target, &e)),
        },
    }
}

fn replace(host: &dyn WriteHost, step: &Step) -> Result<(), Issue> {
    let fail = |e: io::Error| io_issue("write", &step.target, &e);
    unchanged(host, step, &step.target)?;
    match host.exchange(&step.new_beside, &step.target) {
        Ok(()) => {
            // Otherwise rolling back lets them change places again.
            unchanged(host, step, &step.new_beside)?;
            host.rename(&step.new_beside, &step.old_beside).map_err(fail)
        }
        Err(e) if e.kind() == io::ErrorKind::Unsupported => {
            host.rename(&step.new_beside, &step.target).map_err(fail)
        }
        Err(e) => Err(fail(e)),
    }
}

/// Checks that a file has the content that the target of a step had when everything was decided.
fn unchanged(host: &dyn WriteHost, step: &Step, path: &Path) -> Result<(), Issue> {
    let now = Held::at(host, path).map_err(|e| io_issue("read", path, &e))?;
    if now == step.old { Ok(()) } else { Err(changed(&step.target)) }
}

/// The folders in which a name comes or goes.
fn parents(root: &Path, journal: &Journal, steps: &[Step]) -> BTreeSet<PathBuf> {
    let created: Vec<PathBuf> = journal.created_dirs.iter().map(|d| root.join(d)).collect();
    let files = steps.iter().map(|s| s.target.as_path());
    let all = files.chain(created.iter().map(PathBuf::as_path));
    all.filter_map(Path::parent).map(Path::to_path_buf).collect()
}

fn report(
    set: &ChangeSet,
    root: &Path,
    journal: &Journal,
    steps: Vec<Step>,
    unrecovered: Option<Issue>,
) -> CommitReport {
    let mut report = CommitReport { unrecovered, ..CommitReport::none(set) };
    report.undo.own_dirs = journal.created_dirs.iter().map(PathBuf::from).collect();
    for step in steps {
        let path = PathBuf::from(below(root, &step.target));
        match step.new {
            Some(_) => report.written.push(path.clone()),
            None => report.deleted.push(path.clone()),
        }
        let prior = match step.new {
            None => Prior::Absent,
            Some(Held::File(bytes)) => Prior::of(Some(&bytes)),
            Some(Held::Link(to)) => Prior::Link(to),
        };
        report.undo.changes.insert(path, Planned { change: step.undo, prior });
    }
    report
}
