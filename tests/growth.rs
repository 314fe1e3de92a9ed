//! What a reader does grows as what it reads, or nearly so: counted work at one, two and four times the size, for each of them.
//!
//! What is counted is what is allocated, in bytes and in pieces, which is the same in each run. A loop over a loop that allocates nothing isn't
//! seen by that: for these there is the processor's time, as a ratio, where there is enough of it to speak of, and with a wide berth. Each measurement is a
//! process of its own: this program, with a role.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

#[path = "../benches/speed/scale.rs"]
#[allow(dead_code)]
mod trees;
mod cli_common;
mod sample;

use cap::Cap;
use cli_common::git::git;
use std::alloc::System;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

const ROLE: &str = "TF_PHI_TEST_GROWTH";

/// Not a test: what the started process does.
#[test]
fn role() {
    let Ok(words) = std::env::var(ROLE) else { return };
    let words: Vec<String> = ["tf-phi"].into_iter().chain(words.split(' ')).map(str::to_owned).collect();
    let before = ALLOCATOR.total_allocated();
    let code = tf_phi::cli::run(words.iter().map(std::ffi::OsString::from));
    let bytes = ALLOCATOR.total_allocated() - before;
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // What stands behind the name, which may hold anything; in hundredths of a second.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let time: u64 = fields.iter().skip(11).take(2).filter_map(|text| text.parse::<u64>().ok()).sum();
    fs::write(std::env::var("TF_PHI_TEST_RESULT").unwrap(), format!("{code} {bytes} {time}")).unwrap();
}

/// What a command costs in a tree: bytes that are allocated, and hundredths of a second.
fn cost(dir: &Path, words: &str) -> (u64, u64) {
    let result = tempfile::NamedTempFile::new().unwrap();
    let words = format!("-chdir={} {words}", dir.display());
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "role", "--nocapture", "--test-threads", "1"]).env(ROLE, &words);
    command.env("TF_PHI_TEST_RESULT", result.path()).env("HOME", dir);
    let done = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).output().unwrap();
    let text = fs::read_to_string(result.path()).unwrap();
    let found: Vec<u64> = text.split(' ').filter_map(|part| part.parse().ok()).collect();
    assert!(
        found.len() == 3 && matches!(found[0], 0 | 3),
        "{words}: {text}\n{}",
        String::from_utf8_lossy(&done.stderr)
    );
    (found[1], found[2])
}

fn put(dir: &Path, path: &str, text: &str) {
    let path = dir.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn each(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, number| {
        text.push_str(&line(number));
        text
    })
}

fn joined(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect::<Vec<_>>().join(",\n")
}

const ONE: &str = "variable \"v\" {\n  default = \"a\"\n}\noutput \"o\" {\n  value = var.v\n}\n";

/// A reader: its name, what is read at a size, the size, and the command that reads it.
type Reader = (&'static str, fn(&Path, usize), usize, &'static str);

const READERS: [Reader; 18] = [
    (
        "HCL",
        |dir, n| {
            put(dir, "main.tf", &format!("locals {{\n{}}}\n", each(n, |i| format!("  k{i} = \"v{i}\"\n"))))
        },
        3000,
        "check",
    ),
    (
        "blocks in HCL",
        |dir, n| {
            put(
                dir,
                "main.tf",
                &each(n, |i| format!("resource \"terraform_data\" \"r{i}\" {{\n  input = {i}\n}}\n")),
            )
        },
        600,
        "matrix --all --format json",
    ),
    (
        "locals in JSON",
        |dir, n| {
            put(
                dir,
                "main.tf.json",
                &format!("{{\"locals\": {{{}}}}}", joined(n, |i| format!("\"k{i}\": \"v{i}\""))),
            )
        },
        3000,
        "check",
    ),
    (
        "resources in JSON",
        |dir, n| {
            let all = joined(n, |i| format!("\"r{i}\": {{\"input\": {i}}}"));
            put(dir, "main.tf.json", &format!("{{\"resource\": {{\"terraform_data\": {{{all}}}}}}}"));
        },
        600,
        "matrix --all --format json",
    ),
    (
        "terraform.tfvars",
        |dir, n| {
            put(dir, "main.tf", &each(n, |i| format!("variable \"k{i}\" {{}}\n")));
            put(dir, "terraform.tfvars", &each(n, |i| format!("k{i} = \"v{i}\"\n")));
        },
        800,
        "matrix --all",
    ),
    (
        "terraform.tfvars.json",
        |dir, n| {
            put(dir, "main.tf", &each(n, |i| format!("variable \"k{i}\" {{}}\n")));
            put(
                dir,
                "terraform.tfvars.json",
                &format!("{{{}}}", joined(n, |i| format!("\"k{i}\": \"v{i}\""))),
            );
        },
        800,
        "matrix --all",
    ),
    (
        "one map in terraform.tfvars.json",
        |dir, n| {
            put(dir, "main.tf", "variable \"m\" {\n  type = map(string)\n}\n");
            put(
                dir,
                "terraform.tfvars.json",
                &format!("{{\"m\": {{{}}}}}", joined(n, |i| format!("\"k{i}\": \"v{i}\""))),
            );
        },
        3000,
        "matrix --all",
    ),
    (
        "environments in phi.hcl",
        |dir, n| {
            put(dir, "main.tf", ONE);
            put(
                dir,
                "phi.hcl",
                &each(n, |i| format!("environment \"e{i}\" {{\n  variables = {{ v = \"v{i}\" }}\n}}\n")),
            );
        },
        150,
        "matrix --all --format json",
    ),
    (
        "pins in phi.hcl",
        |dir, n| {
            put(
                dir,
                "main.tf",
                &each(n, |i| format!("resource \"terraform_data\" \"r{i}\" {{\n  input = {i}\n}}\n")),
            );
            put(
                dir,
                "phi.hcl",
                &each(n, |i| format!("specialize \"terraform_data.r{i}\" {{\n  fields = [\"input\"]\n}}\n")),
            );
        },
        200,
        "trace --format json",
    ),
    (
        "a universe in phi.hcl",
        |dir, n| {
            trees::universe(n).iter().for_each(|(path, text)| put(dir, path, text));
        },
        1500,
        "trace --format json",
    ),
    (
        "the record and its sources",
        |dir, n| {
            trees::split_resources(n).iter().for_each(|(path, text)| put(dir, path, text));
            cost(dir, "check --fix");
        },
        100,
        "check",
    ),
    (
        "the history",
        |dir, n| {
            trees::split_resources(4).iter().for_each(|(path, text)| put(dir, path, text));
            cost(dir, "check --fix");
            let path = dir.join(".phi/history.jsonl");
            let own = fs::read_to_string(&path).unwrap();
            let line = own.lines().find(|line| line.contains("r0_v15_4")).unwrap();
            let more = each(n, |i| format!("{}\n", line.replace("r0", &format!("old{i}"))));
            fs::write(&path, format!("{own}{more}")).unwrap();
        },
        500,
        "check",
    ),
    (
        "the list of modules",
        |dir, n| {
            put(dir, "main.tf", ONE);
            let entry = |i| {
                format!(
                    "{{\"Key\": \"m{i}\", \"Source\": \"git::https://example.com/m{i}\", \"Dir\": \".terraform/modules/m{i}\"}}"
                )
            };
            put(dir, ".terraform/modules/modules.json", &format!("{{\"Modules\": [{}]}}", joined(n, entry)));
        },
        3000,
        "check",
    ),
    (
        "calls of modules",
        |dir, n| {
            put(dir, "m/main.tf", ONE);
            put(
                dir,
                "main.tf",
                &each(n, |i| format!("module \"m{i}\" {{\n  source = \"./m\"\n  v = \"{i}\"\n}}\n")),
            );
        },
        200,
        "matrix --all --format json",
    ),
    (
        "files of a folder",
        |dir, n| {
            (0..n).for_each(|i| put(dir, &format!("f{i}.tf"), &format!("locals {{\n  k{i} = {i}\n}}\n")));
        },
        300,
        "check",
    ),
    (
        "driven resources that name one another",
        |dir, n| {
            // So many references: each resource names all before it.
            let all = each((2 * n).isqrt(), |i| {
                let before = joined(i, |j| format!("terraform_data.r{j}"));
                format!(
                    "resource \"terraform_data\" \"r{i}\" {{\n  lifecycle {{\n    prevent_destroy = var.v == \"k{i}\"\n  }}\n  depends_on = [{before}]\n}}\n"
                )
            });
            put(dir, "main.tf", &format!("variable \"v\" {{\n  default = \"a\"\n}}\n{all}"));
        },
        5000,
        "check",
    ),
    (
        "the index of Git",
        |dir, n| {
            put(dir, "main.tf", ONE);
            put(dir, ".gitignore", "*.tfvars\n");
            put(dir, "own.tfvars", "v = \"w\"\n");
            indexed(dir, n, false);
        },
        3000,
        "check",
    ),
    (
        "a base of Git",
        |dir, n| {
            put(dir, "main.tf", ONE);
            indexed(dir, n, true);
        },
        3000,
        "review --base=HEAD --format json",
    ),
];

/// A repository whose index, and commit, hold so many files more than are there.
fn indexed(dir: &Path, count: usize, commit: bool) {
    git(dir, &["init", "-q"]);
    git(dir, &["add", "-A"]);
    let id = git(dir, &["hash-object", "-w", "main.tf"]);
    let lines = each(count, |i| format!("100644 {} 0\tf{}/g{}/x{i}.txt\n", id.trim(), i % 7, i % 50));
    let mut child = Command::new("git")
        .args(["update-index", "--index-info"])
        .current_dir(dir)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), lines.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    if commit {
        git(dir, &["-c", "user.name=n", "-c", "user.email=e@example.com", "commit", "-qm", "m"]);
    }
}

/// Four times the size may cost so many tenths of what one costs; n log n is about 46, and quadratic is 160.
const MOST: u64 = 52;
/// The same of time, where it is at least [`ENOUGH`] hundredths of a second: other processes are in the way.
const MOST_TIME: u64 = 100;
const ENOUGH: u64 = 20;

#[test]
fn each_reader_grows_as_what_it_reads() {
    let mut table = String::new();
    let mut faults = Vec::new();
    let size = if sample::whole() { 8 } else { 1 };
    let names: Vec<usize> = (0..READERS.len()).collect();
    for reader in sample::sampled(names, if sample::whole() { 1 } else { 2 }, env!("CARGO_PKG_VERSION")) {
        let (name, make, count, words) = READERS[reader];
        let costs = [1, 2, 4].map(|times| {
            let dir = tempfile::tempdir().unwrap();
            make(dir.path(), count * size * times);
            cost(dir.path(), words)
        });
        let [one, two, four] = costs;
        let _ = writeln!(
            table,
            "{name:34} {:>12} {:>12} {:>12} bytes  {:>5} {:>5} {:>5} cs",
            one.0, two.0, four.0, one.1, two.1, four.1
        );
        if four.0 * 10 > one.0 * MOST || one.1 >= ENOUGH && four.1 * 10 > one.1 * MOST_TIME {
            faults.push(name);
        }
    }
    println!("{table}");
    assert!(faults.is_empty(), "{faults:?}\n{table}");
}

/// What a review compares: its name, the tree at a size, the tree of the base where it is another, and the size.
type Pair = (&'static str, fn(usize) -> String, Option<fn(usize) -> String>, usize);

const PAIRS: [Pair; 5] = [
    ("findings of one kind on both sides", moved_to_one, None, 100),
    (
        "findings of one kind in other words",
        moved_to_one,
        Some(|n| {
            each(n, |i| format!("moved {{\n  from = terraform_data.b{i}\n  to   = terraform_data.z\n}}\n"))
        }),
        100,
    ),
    ("new findings of one kind", moved_to_one, Some(|_| ONE.to_owned()), 100),
    (
        "modules that are new",
        |n| each(n, |i| format!("module \"m{i}\" {{\n  source = \"./m\"\n  v = \"{i}\"\n}}\n")),
        Some(|_| ONE.to_owned()),
        100,
    ),
    (
        "counts that differ",
        |n| each(n, |i| format!("resource \"terraform_data\" \"r{i}\" {{\n  count = 2\n}}\n")),
        Some(|n| each(n, |i| format!("resource \"terraform_data\" \"r{i}\" {{\n  count = 1\n}}\n"))),
        200,
    ),
];

/// All of these findings are one kind, with other words each.
fn moved_to_one(count: usize) -> String {
    each(count, |i| format!("moved {{\n  from = terraform_data.a{i}\n  to   = terraform_data.z\n}}\n"))
}

#[test]
fn each_review_grows_as_what_it_compares() {
    let mut table = String::new();
    let mut faults = Vec::new();
    for (name, head, base, count) in PAIRS {
        let [one, two, four] = [1, 2, 4].map(|times| {
            let dir = tempfile::tempdir().unwrap();
            put(dir.path(), "m/main.tf", ONE);
            put(dir.path(), "main.tf", &base.unwrap_or(head)(count * times));
            git(dir.path(), &["init", "-q"]);
            git(dir.path(), &["add", "-A"]);
            git(dir.path(), &["-c", "user.name=n", "-c", "user.email=e@example.com", "commit", "-qm", "m"]);
            put(dir.path(), "main.tf", &head(count * times));
            cost(dir.path(), "review --base=HEAD --format json").0
        });
        let _ = writeln!(table, "{name:40} {one:>12} {two:>12} {four:>12} bytes");
        if four * 10 > one * MOST {
            faults.push(name);
        }
    }
    println!("{table}");
    assert!(faults.is_empty(), "{faults:?}\n{table}");
}
