//! Every step of a transaction is made to fail, and made to be the last one before a crash.
//!
//! After a failure the tree is the old one at once; after a crash and a recovery, itself cut short at every
//! step as well, it is the old one or the new one, never a mixture, and nothing hidden is left.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tf_phi::host::{Confined, EntryKind, Host, Mode, WriteHost};
use tf_phi::txn::{Change, ChangeSet, Prior, Recovered, commit, recover};

#[derive(Clone, Copy, PartialEq)]
enum Fault {
    /// The n-th step fails, all others work.
    Fail,
    /// The n-th step and all after it do nothing.
    Crash,
    /// The same, but the n-th writes half a file if it writes one.
    Torn,
    /// Before the n-th step somebody writes to a file.
    Meddle,
    /// The file system has no links.
    NoLinks,
}

/// What the file system knows of renames: those that exchange or replace nothing, or plain ones alone, as on drives of the network and of
/// cameras, and on many a Mac's.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Renames {
    All,
    Plain,
}

struct Faulty {
    fault: Fault,
    renames: Renames,
    at: usize,
    steps: AtomicUsize,
    /// Files whose bytes nobody waited for.
    unsynced: Mutex<Vec<PathBuf>>,
    meddled: PathBuf,
    own: Confined,
}

fn confined(dir: &Path) -> Confined {
    Confined::open(dir).unwrap()
}

impl Faulty {
    fn new((fault, renames): (Fault, Renames), at: usize, dir: &Path) -> Faulty {
        let meddled = dir.join("modules/db/main.tf");
        Faulty {
            fault,
            renames,
            at,
            steps: AtomicUsize::new(0),
            unsynced: Mutex::default(),
            meddled,
            own: confined(dir),
        }
    }

    /// What a crash may do to files that were not synced: half of the bytes are there, in every second one none.
    fn tear_unsynced(&self) {
        for (at, path) in self.unsynced.lock().unwrap().iter().enumerate() {
            let bytes = fs::read(path).unwrap();
            fs::write(path, &bytes[..if at % 2 == 0 { bytes.len() / 2 } else { 0 }]).unwrap();
        }
    }

    fn step<T>(&self, work: impl FnOnce() -> io::Result<T>, torn: impl FnOnce()) -> io::Result<T> {
        let now = self.steps.fetch_add(1, Ordering::SeqCst);
        if self.fault == Fault::Meddle {
            if now == self.at {
                fs::write(&self.meddled, "theirs").unwrap();
            }
            return work();
        }
        if self.fault == Fault::NoLinks {
            return work();
        }
        if now == self.at && self.fault == Fault::Torn {
            torn();
        }
        if now < self.at || (now > self.at && self.fault == Fault::Fail) {
            return work();
        }
        Err(io::Error::from(io::ErrorKind::StorageFull))
    }
}

impl Faulty {
    fn knows_flags(&self) -> io::Result<()> {
        match self.renames {
            Renames::All => Ok(()),
            Renames::Plain => Err(io::Error::from(io::ErrorKind::Unsupported)),
        }
    }
}

impl Host for Faulty {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.own.read(path)
    }
    fn list(&self, path: &Path) -> io::Result<Vec<(String, EntryKind)>> {
        self.own.list(path)
    }
    fn kind(&self, path: &Path) -> Option<EntryKind> {
        self.own.kind(path)
    }
    fn link(&self, path: &Path) -> Option<PathBuf> {
        self.own.link(path)
    }
    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.own.canonical(path)
    }
    fn env(&self, _: &str) -> Option<String> {
        None
    }
    fn env_all(&self) -> BTreeMap<String, String> {
        BTreeMap::new()
    }
}

impl WriteHost for Faulty {
    fn entry(&self, path: &Path) -> io::Result<Option<EntryKind>> {
        self.own.entry(path)
    }
    fn mode(&self, path: &Path) -> io::Result<u32> {
        self.own.mode(path)
    }
    fn writable(&self, path: &Path) -> io::Result<()> {
        self.own.writable(path)
    }
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        self.step(|| self.own.create_dir(path), || ())
    }
    fn write_new(&self, path: &Path, bytes: &[u8], mode: Mode) -> io::Result<()> {
        let half = || fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
        self.step(|| self.own.write_new(path, bytes, mode), half)
    }
    fn write_later(&self, path: &Path, bytes: &[u8], mode: Mode) -> io::Result<()> {
        let half = || {
            fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
            self.tear_unsynced();
        };
        self.step(|| self.own.write_later(path, bytes, mode), half)?;
        self.unsynced.lock().unwrap().push(path.to_owned());
        Ok(())
    }
    fn symlink(&self, to: &Path, at: &Path) -> io::Result<()> {
        if self.fault == Fault::NoLinks {
            return Err(io::Error::from(io::ErrorKind::PermissionDenied));
        }
        self.step(|| self.own.symlink(to, at), || ())
    }
    fn sync_all<'p>(&self, paths: &[&'p Path]) -> Result<(), (&'p Path, io::Error)> {
        self.step(|| self.own.sync_all(paths).map_err(|(_, e)| e), || self.tear_unsynced())
            .map_err(|e| (paths[0], e))?;
        self.unsynced.lock().unwrap().retain(|p| !paths.contains(&p.as_path()));
        Ok(())
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        // Where a torn file is renamed into place, no journal helps.
        assert!(!self.unsynced.lock().unwrap().contains(&from.to_owned()), "{from:?} is not on the disk");
        self.step(|| self.own.rename(from, to), || ())
    }
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        assert!(!self.unsynced.lock().unwrap().contains(&from.to_owned()), "{from:?} is not on the disk");
        self.knows_flags()?;
        self.step(|| self.own.rename_new(from, to), || ())
    }
    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
        assert!(!self.unsynced.lock().unwrap().contains(&one.to_owned()), "{one:?} is not on the disk");
        self.knows_flags()?;
        self.step(|| self.own.exchange(one, other), || ())
    }
    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.step(|| self.own.remove_file(path), || ())
    }
    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        self.step(|| self.own.remove_dir(path), || ())
    }
    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        self.step(|| self.own.sync_dir(path), || ())
    }
}

/// Path → (kind, mode, bytes) of everything below a folder. Of a link it is what the link says.
type Tree = BTreeMap<PathBuf, (bool, u32, Vec<u8>)>;

fn snapshot(root: &Path) -> Tree {
    let mut tree = Tree::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let mode = fs::symlink_metadata(&path).unwrap().permissions().mode();
            let bytes = match fs::read_link(&path) {
                Ok(to) => to.into_os_string().into_encoded_bytes(),
                Err(_) if path.is_dir() => Vec::new(),
                Err(_) => fs::read(&path).unwrap(),
            };
            tree.insert(path.strip_prefix(root).unwrap().into(), (path.is_dir(), mode, bytes));
            if path.is_dir() {
                open.push(path);
            }
        }
    }
    tree
}

fn start() -> (tempfile::TempDir, ChangeSet) {
    let dir = tempfile::tempdir().unwrap();
    let put = |path: &str, text: &str, mode: u32| {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    put("main.tf", "old main", 0o600);
    put("modules/db/main.tf", "old db", 0o755);
    put("modules/db-v1/main.tf", "a former branch", 0o644);
    put("untouched.tf", "stays", 0o644);
    let mut set = ChangeSet::new(dir.path());
    set.write("main.tf", "new main", Some(b"old main"));
    set.write("modules/db/main.tf", "new db", Some(b"old db"));
    set.write("modules/db-v2/deep/main.tf", "a new branch", None);
    set.write(".phi/provenance.json", "{}", None);
    set.delete("modules/db-v1/main.tf", b"a former branch");
    set.own_dirs.insert("modules/db-v1".into());
    put("modules/db/outputs.tf", "outputs", 0o644);
    put("modules/db/variables.tf", "variables", 0o644);
    let link = |path: &str, to: &str| symlink(to, dir.path().join(path)).unwrap();
    let to = |to: &str, whole: &str| Change::Link { to: to.into(), whole: whole.into() };
    let was = |to: &str| Prior::Link(to.into());
    // One that comes, one that goes, one that leads elsewhere, and files and links in the places of each other.
    set.plan("modules/db-v2/deep/outputs.tf", to("../../db/outputs.tf", "outputs"), Prior::Absent);
    link("modules/db-v1/outputs.tf", "../db/outputs.tf");
    set.plan("modules/db-v1/outputs.tf", Change::Delete, was("../db/outputs.tf"));
    put("modules/db-v3/main.tf", "outputs", 0o644);
    set.plan("modules/db-v3/main.tf", to("../db/outputs.tf", "outputs"), Prior::of(Some(b"outputs")));
    link("modules/db-v3/outputs.tf", "../db-v1/main.tf");
    set.plan("modules/db-v3/outputs.tf", to("../db/outputs.tf", "outputs"), was("../db-v1/main.tf"));
    link("modules/db-v3/variables.tf", "../db/variables.tf");
    set.plan("modules/db-v3/variables.tf", Change::Write(b"own".to_vec()), was("../db/variables.tf"));
    (dir, set)
}

fn both_trees() -> (Tree, Tree) {
    let (dir, set) = start();
    let old = snapshot(dir.path());
    commit(&confined(&set.root), &set).unwrap();
    (old, snapshot(dir.path()))
}

/// Runs a fault at each step until a run needs fewer steps than that; gives back how many there were.
fn each_step(on: (Fault, Renames), mut check: impl FnMut(usize, tempfile::TempDir, bool)) -> usize {
    for at in 0.. {
        let (dir, set) = start();
        let host = Faulty::new(on, at, dir.path());
        let done = commit(&host, &set).is_ok();
        if host.steps.load(Ordering::SeqCst) <= at {
            assert!(done, "a run without a fault succeeds");
            return at;
        }
        check(at, dir, done);
    }
    0
}

#[test]
fn a_failing_step_leaves_the_old_tree() {
    let (old, new) = both_trees();
    for renames in [Renames::All, Renames::Plain] {
        let steps = each_step((Fault::Fail, renames), |at, dir, done| {
            if done {
                // Only tidying up failed; the next run does it.
                recover(&confined(dir.path()), dir.path()).unwrap();
            }
            let want = if done { &new } else { &old };
            assert!(
                snapshot(dir.path()) == *want,
                "{renames:?}, step {at}: {:?}",
                snapshot(dir.path()).keys()
            );
        });
        assert!(steps > 25, "{renames:?}: {steps}");
    }
}

#[test]
fn a_crash_ends_in_the_old_or_the_new_tree() {
    let (old, new) = both_trees();
    let mut ends = [0, 0];
    let renames = [Renames::All, Renames::Plain];
    for on in
        renames.into_iter().flat_map(|renames| [Fault::Crash, Fault::Torn].map(|fault| (fault, renames)))
    {
        each_step(on, |at, dir, done| {
            let outcome = recover(&confined(dir.path()), dir.path()).unwrap();
            let now = snapshot(dir.path());
            let is_new = now == new;
            assert!(is_new || now == old, "step {at}: {:?}", now.keys());
            assert!(is_new || !done, "step {at}: success was reported");
            assert!(is_new || outcome != Recovered::Finished, "step {at}");
            ends[usize::from(is_new)] += 1;
        });
    }
    assert!(ends[0] > 30 && ends[1] > 10, "{ends:?}");
}

#[test]
fn a_crash_during_recovery_does_not_matter() {
    let (old, new) = both_trees();
    let on = (Fault::Crash, Renames::All);
    each_step(on, |at, dir, _| {
        for second in 0.. {
            let host = Faulty::new(on, second, dir.path());
            let result = recover(&host, dir.path());
            if host.steps.load(Ordering::SeqCst) <= second {
                result.unwrap();
                break;
            }
        }
        let now = snapshot(dir.path());
        assert!(now == new || now == old, "step {at}: {:?}", now.keys());
    });
}

#[test]
fn what_somebody_else_writes_meanwhile_is_kept() {
    let (old, new) = both_trees();
    let theirs = Path::new("modules/db/main.tf");
    let (mut refused, mut after) = (0, 0);
    each_step((Fault::Meddle, Renames::All), |at, dir, done| {
        let mut now = snapshot(dir.path());
        // A run that ends well either came before it, or didn't replace it.
        assert_eq!(now.get(theirs).unwrap().2, b"theirs", "step {at}, done: {done}");
        let want = if done { &new } else { &old };
        after += usize::from(done);
        refused += usize::from(!done);
        now.insert(theirs.into(), want.get(theirs).unwrap().clone());
        assert!(now == *want, "step {at}: {:?}", now.keys());
    });
    assert!(refused > 5 && after > 1, "{refused}, {after}");
}

#[test]
fn a_file_that_was_edited_after_a_crash_is_not_replaced() {
    let (dir, set) = start();
    let mut at = 0;
    loop {
        let host = Faulty::new((Fault::Crash, Renames::All), at, dir.path());
        commit(&host, &set).unwrap_err();
        if fs::read(dir.path().join("main.tf")).unwrap() == b"new main" {
            break;
        }
        recover(&confined(dir.path()), dir.path()).unwrap();
        at += 1;
    }
    fs::write(dir.path().join("main.tf"), "edited").unwrap();
    let before = snapshot(dir.path());
    let issue = recover(&confined(dir.path()), dir.path()).unwrap_err();
    assert_eq!(issue.code.name(), "edited");
    assert!(snapshot(dir.path()) == before);
}

#[test]
fn whole_files_stand_where_there_are_no_links() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("a")).unwrap();
    fs::write(dir.path().join("a/x.tf"), "x").unwrap();
    let before = snapshot(dir.path());
    let mut set = ChangeSet::new(dir.path());
    set.write("b/main.tf", "main", None);
    set.plan("b/x.tf", Change::Link { to: "../a/x.tf".into(), whole: b"x".to_vec() }, Prior::Absent);
    let done = commit(&Faulty::new((Fault::NoLinks, Renames::All), 0, dir.path()), &set).unwrap();
    assert!(!dir.path().join("b/x.tf").is_symlink());
    let mut after = snapshot(dir.path());
    after.retain(|path, _| path.starts_with("b") && path != Path::new("b"));
    let texts: Vec<&[u8]> = after.values().map(|(_, _, bytes)| bytes.as_slice()).collect();
    assert_eq!(texts, [&b"main"[..], b"x"]);
    commit(&confined(dir.path()), &done.undo).unwrap();
    assert!(snapshot(dir.path()) == before);
}

#[test]
fn no_link_leads_out_of_the_root() {
    let outer = tempfile::tempdir().unwrap();
    let root = outer.path().join("root");
    for dir in ["a", "lib/real"] {
        fs::create_dir_all(root.join(dir)).unwrap();
    }
    fs::write(outer.path().join("x.tf"), "secret").unwrap();
    fs::write(root.join("a/x.tf"), "x").unwrap();
    symlink("../x.tf", root.join("x.tf")).unwrap();
    symlink("lib/real", root.join("deep")).unwrap();
    symlink("a", root.join("aside")).unwrap();
    // Out of the root; to a link; from a folder that lies elsewhere; through a folder that is a link; to no kind of file of ours.
    let cases = [
        ("b/one.tf", "../../x.tf"),
        ("b/two.tf", "../x.tf"),
        ("deep/three.tf", "../a/x.tf"),
        ("b/four.tf", "../aside/x.tf"),
        ("b/five.tf", "../.git/x.tf"),
        ("b/six.tf", "/etc/passwd"),
        ("b/seven.tf", "../a/x.txt"),
    ];
    for (path, to) in cases {
        let mut set = ChangeSet::new(&root);
        set.plan(path, Change::Link { to: to.into(), whole: b"x".to_vec() }, Prior::Absent);
        commit(&confined(&set.root), &set).unwrap();
        assert!(!root.join(path).is_symlink(), "{path} -> {to}");
        assert_eq!(fs::read(root.join(path)).unwrap(), b"x", "{path} -> {to}");
    }
}
