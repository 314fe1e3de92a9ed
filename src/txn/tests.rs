use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::*;

fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn writes_creates_and_deletes() {
    let dir = tree(&[("main.tf", "old"), ("mine/gone.tf", "x")]);
    fs::set_permissions(dir.path().join("main.tf"), fs::Permissions::from_mode(0o640)).unwrap();
    let mut set = ChangeSet::new(dir.path());
    set.write("main.tf", "new", Some(b"old"));
    set.write("modules/a-v1/main.tf", "created", None);
    set.delete("mine/gone.tf", b"x");
    set.own_dirs.insert("mine".into());
    let report = commit(&confined(&set.root).unwrap(), &set).unwrap();
    assert_eq!(report.written, [PathBuf::from("main.tf"), "modules/a-v1/main.tf".into()]);
    assert_eq!(report.deleted, [PathBuf::from("mine/gone.tf")]);
    assert_eq!(names(dir.path()), ["main.tf", "modules"]);
    assert_eq!(names(&dir.path().join("modules/a-v1")), ["main.tf"]);
    let main = dir.path().join("main.tf");
    assert_eq!(fs::read_to_string(&main).unwrap(), "new");
    assert_eq!(fs::metadata(&main).unwrap().permissions().mode() & 0o777, 0o640);
    commit(&confined(dir.path()).unwrap(), &report.undo).unwrap();
    assert_eq!(names(dir.path()), ["main.tf", "mine"]);
    assert_eq!(fs::read_to_string(&main).unwrap(), "old");
}

#[test]
fn equal_content_touches_nothing() {
    let dir = tree(&[("main.tf", "same")]);
    let before = fs::metadata(dir.path().join("main.tf")).unwrap().modified().unwrap();
    let mut set = ChangeSet::new(dir.path());
    set.write("main.tf", "same", Some(b"same"));
    let report = commit(&confined(&set.root).unwrap(), &set).unwrap();
    assert!(report.written.is_empty());
    assert_eq!(names(dir.path()), ["main.tf"]);
    assert_eq!(fs::metadata(dir.path().join("main.tf")).unwrap().modified().unwrap(), before);
}

#[test]
fn a_changed_file_fails_the_commit() {
    for (now, read) in [(Some("theirs"), Some("old")), (Some("theirs"), None), (None, Some("old"))] {
        let dir = tree(&[("other.tf", "o")]);
        if let Some(now) = now {
            fs::write(dir.path().join("main.tf"), now).unwrap();
        }
        let mut set = ChangeSet::new(dir.path());
        set.write("a.tf", "first", None);
        set.write("main.tf", "new", read.map(str::as_bytes));
        let issue = commit(&confined(&set.root).unwrap(), &set).unwrap_err();
        assert_eq!(issue.code, Code::Environment);
        assert!(issue.summary.contains("main.tf changed while tf-phi was running"), "{}", issue.summary);
        assert!(!dir.path().join("a.tf").exists() && !dir.path().join(".phi").exists());
    }
}

/// In each run nothing would be read there, and something would stand in the way.
#[test]
fn a_link_to_nothing_is_named_and_how_to_remove_it() {
    let dir = tree(&[("a.tf", "o")]);
    fs::create_dir_all(dir.path().join(".phi/stacks/dev")).unwrap();
    let path = ".phi/stacks/dev/.gitignore";
    symlink("nowhere", dir.path().join(path)).unwrap();
    let mut set = ChangeSet::new(dir.path());
    set.write(path, "new", None);
    let issue = commit(&confined(&set.root).unwrap(), &set).unwrap_err();
    assert!(issue.summary.contains(".gitignore is a link that leads to no file"), "{}", issue.summary);
    assert_eq!(issue.fixes[0].paste, format!("rm {path}"));
    fs::remove_file(dir.path().join(path)).unwrap();
    commit(&confined(&set.root).unwrap(), &set).unwrap();
    // Of a link to a file that another change names, the way out is said, too.
    symlink("a.tf", dir.path().join("b.tf")).unwrap();
    let mut set = ChangeSet::new(dir.path());
    set.write("a.tf", "one", Some(b"o"));
    set.write("b.tf", "other", Some(b"o"));
    let issue = commit(&confined(&set.root).unwrap(), &set).unwrap_err();
    assert!(issue.summary.contains("changed differently") && issue.fixes.len() == 2, "{issue:?}");
}

#[test]
fn paths_outside_are_refused() {
    let dir = tree(&[("in/main.tf", "x"), ("out/main.tf", "theirs"), ("in/real/x.tf", "x")]);
    let root = dir.path().join("in");
    symlink(dir.path().join("out"), root.join("link")).unwrap();
    symlink(dir.path().join("out/main.tf"), root.join("file.tf")).unwrap();
    for path in ["../out/main.tf", "/etc/x", "", "link/main.tf", "link/new.tf", "file.tf", ".phi/journal"] {
        let mut set = ChangeSet::new(&root);
        let prior = if path.ends_with("new.tf") { None } else { Some(&b"theirs"[..]) };
        set.write(path, "mine", prior);
        assert_eq!(
            commit(&confined(&set.root).unwrap(), &set).unwrap_err().code,
            Code::Unsupported,
            "{path}"
        );
    }
    assert_eq!(fs::read_to_string(dir.path().join("out/main.tf")).unwrap(), "theirs");
    assert_eq!(names(&dir.path().join("out")), ["main.tf"]);
}

#[test]
fn a_link_inside_is_written_through_and_deleted_itself() {
    let dir = tree(&[("real/x.tf", "old")]);
    symlink("real/x.tf", dir.path().join("x.tf")).unwrap();
    let mut set = ChangeSet::new(dir.path());
    set.write("x.tf", "new", Some(b"old"));
    commit(&confined(&set.root).unwrap(), &set).unwrap();
    assert!(dir.path().join("x.tf").is_symlink());
    assert_eq!(fs::read_to_string(dir.path().join("real/x.tf")).unwrap(), "new");
    let mut set = ChangeSet::new(dir.path());
    set.delete("x.tf", b"new");
    commit(&confined(&set.root).unwrap(), &set).unwrap();
    assert!(!dir.path().join("x.tf").is_symlink() && dir.path().join("real/x.tf").exists());
    symlink("real/x.tf", dir.path().join("x.tf")).unwrap();
    let mut set = ChangeSet::new(dir.path());
    set.write("x.tf", "one", Some(b"new"));
    set.write("real/x.tf", "two", Some(b"new"));
    assert_eq!(commit(&confined(&set.root).unwrap(), &set).unwrap_err().code, Code::Unsupported);
}

#[test]
fn names_that_differ_in_case_are_refused() {
    let dir = tree(&[("modules/Db/main.tf", "x")]);
    for paths in [["A.tf", "a.tf"], ["m/X/a.tf", "m/x/b.tf"], ["b.tf", "modules/db/new.tf"]] {
        let mut set = ChangeSet::new(dir.path());
        for path in paths {
            set.write(path, "new", None);
        }
        let issue = commit(&confined(&set.root).unwrap(), &set).unwrap_err();
        assert_eq!(issue.code, Code::Unsupported);
        assert!(issue.summary.contains("only in case"), "{}", issue.summary);
    }
    assert_eq!(names(dir.path()), ["modules"]);
}

#[test]
fn a_read_only_file_is_left_alone() {
    let dir = tree(&[("a.tf", "a"), ("main.tf", "old")]);
    fs::set_permissions(dir.path().join("main.tf"), fs::Permissions::from_mode(0o444)).unwrap();
    let mut set = ChangeSet::new(dir.path());
    set.write("a.tf", "new", Some(b"a"));
    set.write("main.tf", "new", Some(b"old"));
    let issue = commit(&confined(&set.root).unwrap(), &set).unwrap_err();
    assert_eq!(issue.code, Code::Io);
    assert!(issue.summary.contains("main.tf"), "{}", issue.summary);
    assert_eq!(fs::read_to_string(dir.path().join("a.tf")).unwrap(), "a");
    assert_eq!(names(dir.path()), ["a.tf", "main.tf"]);
}

#[test]
fn a_foreign_journal_is_not_followed() {
    let outside = r#"{"format": 1, "created_dirs": [], "own_dirs": [],
        "entries": [{"path": "../x", "old": null, "new": null}]}"#;
    let beside = r#"{"format": 1, "created_dirs": [], "own_dirs": [],
        "entries": [{"path": "x", "old": {"hash": "", "beside": "../../y"}, "new": null}]}"#;
    for text in ["not json", outside, beside, "{}"] {
        let dir = tree(&[(".phi/journal", text)]);
        assert_eq!(recover(&confined(dir.path()).unwrap(), dir.path()).unwrap_err().code, Code::Io);
        assert!(dir.path().join(".phi/journal").exists());
    }
}

#[test]
fn the_lock_keeps_others_out_and_leaves_nothing() {
    let dir = tree(&[("main.tf", "x")]);
    let lock = Lock::acquire(dir.path()).unwrap();
    let issue = Lock::acquire(dir.path()).unwrap_err();
    assert_eq!(issue.code, Code::Locked);
    assert!(issue.summary.contains(&std::process::id().to_string()), "{}", issue.summary);
    let mut set = ChangeSet::new(dir.path());
    set.write("main.tf", "y", Some(b"x"));
    commit(&confined(&set.root).unwrap(), &set).unwrap();
    assert_eq!(names(&dir.path().join(".phi")), ["lock"]);
    drop(lock);
    assert_eq!(names(dir.path()), ["main.tf"]);
    drop(Lock::acquire(dir.path()).unwrap());
}

#[test]
fn a_stale_lock_file_is_taken_over() {
    let dir = tree(&[(".phi/lock", "1"), (".phi/provenance.json", "{}")]);
    drop(Lock::acquire(dir.path()).unwrap());
    assert_eq!(names(&dir.path().join(".phi")), ["provenance.json"]);
}

#[test]
fn folders_in_phi_go_with_their_last_file() {
    let dir = tree(&[("main.tf", "x"), (".phi/modules/a/main.tf", "x")]);
    let mut set = ChangeSet::new(dir.path());
    set.delete(".phi/modules/a/main.tf", b"x");
    commit(&confined(&set.root).unwrap(), &set).unwrap();
    assert_eq!(names(dir.path()), ["main.tf"]);
}

#[test]
fn a_phi_folder_that_is_a_link_is_refused() {
    let dir = tree(&[("in/main.tf", "x"), ("out/keep", "")]);
    let root = dir.path().join("in");
    symlink("../out", root.join(".phi")).unwrap();
    let mut set = ChangeSet::new(&root);
    set.write("main.tf", "new", Some(b"x"));
    assert_eq!(commit(&confined(&set.root).unwrap(), &set).unwrap_err().code, Code::Unsupported);
    assert_eq!(Lock::acquire(&root).unwrap_err().code, Code::Unsupported);
    assert_eq!(names(&dir.path().join("out")), ["keep"]);
}

#[test]
fn what_exists_is_written_in_place_and_what_is_new_is_handed_back() {
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path().join("live/app");
    fs::create_dir_all(root.join("states")).unwrap();
    for (path, text) in [("main.tf", "source"), ("s", "old"), ("../beside", "old"), (".s.lock.info", "x")] {
        fs::write(root.join(path), text).unwrap();
    }
    let sources = std::collections::BTreeMap::from([("main.tf".to_owned(), "other".to_owned())]);
    let shadow = super::Shadow::new(&root, sources, &|name| name == "hidden").unwrap();
    let dir = shadow.dir().to_path_buf();
    assert_eq!(fs::read(dir.join("main.tf")).unwrap(), b"other");
    assert!(!dir.join(".s.lock.info").exists());
    for path in ["s", "s.backup", "../beside", "../beside.backup", "states/x", "new/deep/y", ".n.lock.info"] {
        fs::create_dir_all(dir.join(path).parent().unwrap()).unwrap();
        fs::write(dir.join(path), path).unwrap();
    }
    shadow.hand_back().unwrap();
    for path in ["s", "s.backup", "../beside", "../beside.backup", "states/x", "new/deep/y"] {
        assert_eq!(fs::read_to_string(root.join(path)).unwrap(), path);
    }
    assert_eq!(fs::read(root.join("main.tf")).unwrap(), b"source");
    assert!(!root.join(".n.lock.info").exists() && !dir.exists());
    assert_eq!(fs::read_dir(root.parent().unwrap()).unwrap().count(), 3);
}
