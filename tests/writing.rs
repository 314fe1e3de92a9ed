//! While tf-phi writes: it is stopped, it is killed, and somebody saves a file. `TF_PHI_ROUNDS` says how often each.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::disallowed_methods)]

mod cli_common;

use cli_common::{Done, Scratch, signals::heard_by_children};
use proptest::prelude::Rng as _;
use proptest::test_runner::{RngAlgorithm, TestRng};
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const FILES: usize = 12;

fn rounds(few: usize) -> usize {
    std::env::var("TF_PHI_ROUNDS").map_or(few, |n| n.parse().unwrap())
}

fn random(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let mut rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    move |below| rng.next_u64() % below
}

fn source(number: usize, mark: &str) -> String {
    format!(
        "resource \"terraform_data\" \"r{number}\" {{\n  input = {{\n    v = var.env == \"prod\" ? \"2\" : \"1\"\n    mark = \"{mark}\"\n  }}\n}}\n"
    )
}

fn scratch() -> Scratch {
    let files: Vec<(String, String)> = (0..FILES).map(|n| (format!("r{n}.tf"), source(n, "old"))).collect();
    let files = files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    Scratch::new(files.chain([
        ("variables.tf", "variable \"env\" {\n  type = string\n}\n"),
        ("phi.hcl", "specialize \"terraform_data\" {\n  fields = [\"input.v\"]\n}\n"),
        // Of its copies, files are links: to these, and to each other.
        (
            "call.tf",
            "module \"m\" {\n  source = \"./m\"\n  v      = var.env == \"prod\" ? \"2\" : \"1\"\n}\n",
        ),
        ("m/main.tf", "resource \"terraform_data\" \"in\" {\n  input = { v = var.v }\n}\n"),
        ("m/variables.tf", "variable \"v\" {\n  type = string\n}\n\nvariable \"w\" {\n  default = 1\n}\n"),
        ("m/outputs.tf", "output \"w\" {\n  value = var.w\n}\n"),
    ]))
}

type Tree = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// The tree without tf-phi's own folder.
fn sources(scratch: &Scratch) -> Tree {
    let phi = scratch.tree().join(".phi");
    let mut all = scratch.snapshot();
    all.retain(|path, _| !path.starts_with(&phi));
    all
}

fn unfinished(scratch: &Scratch) -> bool {
    scratch.tree().join(".phi/journal").exists()
}

fn begin(scratch: &Scratch, args: &[&str]) -> Child {
    heard_by_children();
    scratch.command(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn fix(scratch: &Scratch) {
    let done = scratch.run(&["check", "--fix"]);
    assert!(matches!(done.code, Some(0 | 3)), "{}{}", done.out, done.err);
}

fn restore(scratch: &Scratch) {
    let done = scratch.run(&["restore"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
}

/// The tree as it was and as it is to be, and how long a run takes: the shortest of three, as one may wait for a busy disk.
fn ends() -> (Tree, Tree, Duration) {
    let run = || {
        let scratch = scratch();
        let old = named(&scratch, sources(&scratch));
        let start = Instant::now();
        fix(&scratch);
        let took = start.elapsed();
        (old, named(&scratch, sources(&scratch)), took)
    };
    [run(), run(), run()].into_iter().min_by_key(|(_, _, took)| *took).unwrap()
}

/// With names below the tree, which has a folder of its own in each round.
fn named(scratch: &Scratch, tree: Tree) -> Tree {
    tree.into_iter().map(|(p, t)| (p.strip_prefix(scratch.tree()).unwrap().to_owned(), t)).collect()
}

fn short(random: &mut impl FnMut(u64) -> u64, longest: Duration) {
    let micros = u64::try_from(longest.as_micros()).unwrap();
    std::thread::sleep(Duration::from_micros(random(micros + micros / 4)));
}

#[test]
fn a_signal_stops_it_before_or_behind_what_it_writes() {
    let (old, new, took) = ends();
    let mut random = random(1);
    let mut seen = [0, 0];
    for round in 0..rounds(60) {
        let scratch = scratch();
        let mut child = begin(&scratch, &["check", "--fix"]);
        if round % 2 == 0 {
            let start = Instant::now();
            while !unfinished(&scratch) && start.elapsed() < took * 2 {}
        } else {
            short(&mut random, took);
        }
        let signal = [Signal::INT, Signal::TERM, Signal::HUP][round % 3];
        // It may have ended already.
        let _ = kill_process(Pid::from_child(&child), signal);
        let status = child.wait().unwrap();
        assert!(!unfinished(&scratch), "round {round}: {status:?} in between");
        let tree = named(&scratch, sources(&scratch));
        assert!(tree == old || tree == new, "round {round}: {status:?} left half of it");
        seen[usize::from(tree == new)] += 1;
        assert!(status.signal().is_some() || matches!(status.code(), Some(0 | 3)), "{status:?}");
    }
    assert!(seen[0] > 0 && seen[1] > 0, "all rounds ended alike: {seen:?}");
}

#[test]
fn a_kill_leaves_nothing_torn() {
    let (old, new, took) = ends();
    let mut random = random(2);
    let mut cut = 0;
    for round in 0..rounds(40) {
        let scratch = scratch();
        if round % 2 == 1 {
            fix(&scratch);
        }
        let (args, after): (&[&str], &Tree) =
            if round % 2 == 1 { (&["restore"], &old) } else { (&["check", "--fix"], &new) };
        let mut child = begin(&scratch, args);
        if round % 4 < 2 {
            let start = Instant::now();
            while !unfinished(&scratch) && start.elapsed() < took * 2 {}
            short(&mut random, took / 4);
        } else {
            short(&mut random, took);
        }
        child.kill().unwrap();
        child.wait().unwrap();
        if unfinished(&scratch) {
            cut += 1;
            let done = scratch.run(&["check"]);
            assert_eq!(done.code, Some(1), "round {round}: {}{}", done.out, done.err);
        }
        // Whatever command comes next ends with a whole tree.
        match round % 3 {
            0 => restore(&scratch),
            _ => fix(&scratch),
        }
        let tree = named(&scratch, sources(&scratch));
        let want = if round % 3 == 0 { &old } else { &new };
        assert!(tree == *want, "round {round}: torn, after {args:?} ({})", *want == *after);
    }
    assert!(cut > 0, "no round was cut short");
}

/// Saves a file as editors do: in place, or beside it and then under its name.
fn save(scratch: &Scratch, name: &str, text: &str, in_place: bool) {
    let path = scratch.tree().join(name);
    if in_place {
        fs::write(path, text).unwrap();
    } else {
        let draft = scratch.path("draft");
        fs::write(&draft, text).unwrap();
        fs::rename(draft, path).unwrap();
    }
}

#[test]
fn what_somebody_saves_meanwhile_is_never_lost() {
    let (_, _, took) = ends();
    let mut random = random(3);
    let (mut saves, mut stopped) = (0, 0);
    for round in 0..rounds(60) {
        let scratch = scratch();
        let back = round % 3 == 2;
        if back {
            fix(&scratch);
        }
        let over = AtomicBool::new(false);
        let args: &[&str] = if back { &["restore"] } else { &["check", "--fix"] };
        let (code, saved) = std::thread::scope(|scope| {
            let editor = scope.spawn(|| {
                let mut last = BTreeMap::new();
                loop {
                    short(&mut random, took / 2);
                    if over.load(Ordering::SeqCst) {
                        return last;
                    }
                    let number = usize::try_from(random(FILES as u64)).unwrap();
                    let name = format!("r{number}.tf");
                    let mark = format!("saved {}", random(1 << 40));
                    let text = source(number, &mark);
                    save(&scratch, &name, &text, random(2) == 0);
                    last.insert(name, (text, mark));
                }
            });
            let done = Done::new(scratch.command(args).output().unwrap());
            over.store(true, Ordering::SeqCst);
            stopped += usize::from(done.code == Some(1));
            assert!(matches!(done.code, Some(0 | 1 | 3)), "{}{}", done.out, done.err);
            (done.code, editor.join().unwrap())
        });
        saves += saved.len();
        // A saved file is there as it was saved, or was specialised from that.
        for (name, (text, mark)) in &saved {
            let found = fs::read_to_string(scratch.tree().join(name)).unwrap();
            let copied = found.starts_with("# phi:") && found.contains(mark);
            assert!(found == *text || copied, "round {round}: {args:?} ({code:?}): {found:?} for {text:?}");
        }
    }
    assert!(saves >= rounds(60) && stopped > 0, "{saves} saves, {stopped} runs stopped");
}
