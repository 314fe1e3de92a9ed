//! Real signals to real processes: a transaction that is killed, and a Terraform that is asked to stop.
//!
//! The processes are this test program itself, started again with a role in its environment.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::disallowed_methods)]

#[path = "cli_common/signals.rs"]
mod signals;

use signals::heard_by_children;
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tf_phi::host::{Confined, Machine};
use tf_phi::terraform::locate::locate;
use tf_phi::txn::{ChangeSet, Lock, commit, recover};

const ROLE: &str = "TF_PHI_TEST_ROLE";
const DIR: &str = "TF_PHI_TEST_DIR";

/// Not a test: what the started process does.
#[test]
fn role() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let dir = PathBuf::from(std::env::var(DIR).unwrap());
    match role.as_str() {
        "write" => write_for_ever(&dir),
        _ => {
            let tool = locate(&Machine, Some("sh"), None).unwrap();
            let exit = tool.run(&dir, &["script".into()]).unwrap();
            fs::write(dir.join("exit"), format!("{} {:?}", exit.code, exit.signal)).unwrap();
        }
    }
}

fn start(role: &str, dir: &Path) -> Child {
    heard_by_children();
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "role", "--nocapture"])
        .env(ROLE, role)
        .env(DIR, dir)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap()
}

fn pid(child: &Child) -> Pid {
    Pid::from_child(child)
}

#[track_caller]
fn wait_for(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(20), "no {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

const FILES: [&str; 3] = ["main.tf", "modules/db/main.tf", "outputs.tf"];

fn write_for_ever(dir: &Path) {
    let _lock = Lock::acquire(dir).unwrap();
    for round in 0.. {
        let (old, new) = if round % 2 == 0 { ("a", "b") } else { ("b", "a") };
        let mut set = ChangeSet::new(dir);
        for file in FILES {
            set.write(file, new, Some(old.as_bytes()));
        }
        if new == "b" {
            set.write("modules/db-v1/main.tf", "b", None);
        } else {
            set.delete("modules/db-v1/main.tf", b"b");
            set.own_dirs.insert("modules/db-v1".into());
        }
        commit(&Confined::open(dir).unwrap(), &set).unwrap();
    }
}

#[test]
fn a_killed_transaction_is_recovered() {
    for round in 0..40 {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("modules/db")).unwrap();
        for file in FILES {
            fs::write(dir.path().join(file), "a").unwrap();
        }
        let mut child = start("write", dir.path());
        wait_for("change", || dir.path().join("modules/db-v1").exists());
        std::thread::sleep(Duration::from_millis(3 + round));
        child.kill().unwrap();
        child.wait().unwrap();
        let lock = Lock::acquire(dir.path()).unwrap();
        recover(&Confined::open(dir.path()).unwrap(), dir.path()).unwrap();
        drop(lock);
        let is_new = fs::read(dir.path().join("main.tf")).unwrap() == b"b";
        let want = if is_new { "b" } else { "a" };
        for file in FILES {
            assert_eq!(fs::read_to_string(dir.path().join(file)).unwrap(), want, "{file}");
        }
        assert_eq!(dir.path().join("modules/db-v1").exists(), is_new);
        let count = |path: &str| fs::read_dir(dir.path().join(path)).unwrap().count();
        assert_eq!((count("."), count("modules/db")), (3, 1));
    }
}

/// Notes each signal that it gets, and ends with 7 once it is told to.
const SCRIPT: &str = "trap 'echo int >> log' INT\ntrap 'echo term >> log' TERM\ntrap 'echo hup >> log' HUP\n\
    echo ready >> log\nwhile [ ! -e stop ]; do sleep 0.02; done\nexit 7\n";

fn stop_with(send: impl Fn(Pid)) -> (String, String) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("script"), SCRIPT).unwrap();
    let log = || fs::read_to_string(dir.path().join("log")).unwrap_or_default();
    let mut child = start("run", dir.path());
    wait_for("start", || log().contains("ready"));
    send(pid(&child));
    wait_for("signal", || log().lines().count() > 1);
    std::thread::sleep(Duration::from_millis(200));
    assert!(child.try_wait().unwrap().is_none(), "it ended before its child");
    fs::write(dir.path().join("stop"), "").unwrap();
    assert!(child.wait().unwrap().success());
    (log().replace('\n', " "), fs::read_to_string(dir.path().join("exit")).unwrap())
}

#[test]
fn terraform_hears_of_each_signal_once_and_ends_first() {
    for (signal, name, number) in
        [(Signal::INT, "int", 2), (Signal::TERM, "term", 15), (Signal::HUP, "hup", 1)]
    {
        let want = (format!("ready {name} "), format!("7 Some({number})"));
        assert_eq!(stop_with(|pid| kill_process(pid, signal).unwrap()), want, "to the process");
        assert_eq!(stop_with(|pid| kill_process_group(pid, signal).unwrap()), want, "to its group");
        let both = |pid| {
            kill_process(pid, signal).unwrap();
            kill_process_group(pid, signal).unwrap();
        };
        assert_eq!(stop_with(both), want, "as `timeout` does it");
    }
}
