//! The real Terraform as an evaluator of many expressions.
//!
//! `terraform console` prints the last result only and stops at the first error. So a batch is one tuple, each of its
//! elements guarded by `try`; where a batch fails as a whole (syntax, references, unknowns), it is halved.

use crate::outcome::{Outcome, wrapped};
use crate::support::terraform;
use std::collections::VecDeque;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use tf_phi::func::Surroundings;
use tf_phi::value::Value;

/// As many expressions go to one process.
const BATCH: usize = 100;
/// The console reads lines of at most 64 KiB.
const BYTES: usize = 60_000;
/// As many processes run at a time.
const PROCESSES: usize = 2;

/// Terraform's outcomes of expressions, in order.
pub fn evaluate(texts: &[&str]) -> Vec<Outcome> {
    let results = Mutex::new(vec![Outcome::Unknown; texts.len()]);
    let queue = Mutex::new(batches(texts));
    std::thread::scope(|scope| {
        for _ in 0..PROCESSES {
            scope.spawn(|| {
                let folder = tempfile::tempdir().unwrap();
                for (name, content) in FILES {
                    let path = folder.path().join(name);
                    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                    std::fs::write(path, content).unwrap();
                }
                loop {
                    let Some(batch) = queue.lock().unwrap().pop_front() else { break };
                    match run(folder.path(), texts, &batch) {
                        Ok(outcomes) => {
                            let mut results = results.lock().unwrap();
                            for (i, outcome) in batch.into_iter().zip(outcomes) {
                                results[i] = outcome;
                            }
                        }
                        Err(outcome) if batch.len() == 1 => results.lock().unwrap()[batch[0]] = outcome,
                        Err(_) => {
                            let (a, b) = batch.split_at(batch.len() / 2);
                            queue.lock().unwrap().extend([a.to_vec(), b.to_vec()]);
                        }
                    }
                }
            });
        }
    });
    results.into_inner().unwrap()
}

fn batches(texts: &[&str]) -> VecDeque<Vec<usize>> {
    let mut batches: VecDeque<Vec<usize>> = VecDeque::new();
    let mut bytes = 0;
    for (i, text) in texts.iter().enumerate() {
        let size = wrapped(text).len() + 20;
        match batches.back_mut() {
            Some(batch) if batch.len() < BATCH && bytes + size < BYTES => {
                batch.push(i);
                bytes += size;
            }
            _ => {
                batches.push_back(vec![i]);
                bytes = size;
            }
        }
    }
    batches
}

/// One process; an error stands for the batch as a whole.
fn run(folder: &std::path::Path, texts: &[&str], batch: &[usize]) -> Result<Vec<Outcome>, Outcome> {
    let guarded: Vec<String> = batch.iter().map(|i| format!("try({}, null)", wrapped(texts[*i]))).collect();
    let line = format!("base64encode(jsonencode([{}]))\n", guarded.join(", "));
    let mut child = Command::new(terraform())
        .args(["console", "-no-color"])
        .current_dir(folder)
        .env("TF_CLI_CONFIG_FILE", "")
        .env("CHECKPOINT_DISABLE", "1")
        .env_remove("TF_DATA_DIR")
        .env_remove("TF_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(line.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let printed = printed.lines().last().unwrap_or_default();
    let Some(base64) = printed.strip_prefix('"').and_then(|p| p.strip_suffix('"')) else {
        return Err(if output.status.success() && printed.contains("known after apply") {
            Outcome::Unknown
        } else {
            Outcome::Error(summary(&String::from_utf8_lossy(&output.stderr)))
        });
    };
    let texts: Vec<Option<String>> = serde_json::from_slice(&decode_base64(base64)).unwrap();
    Ok(texts.into_iter().map(|t| t.map_or(Outcome::Error("caught".into()), Outcome::Value)).collect())
}

fn summary(diagnostic: &str) -> String {
    let lines =
        diagnostic.lines().map(|l| l.trim_start_matches(['│', '╷', '╵', ' '])).filter(|l| !l.is_empty());
    lines.take(6).collect::<Vec<_>>().join(" ")
}

fn decode_base64(text: &str) -> Vec<u8> {
    let digit = |b: u8| match b {
        b'A'..=b'Z' => b - b'A',
        b'a'..=b'z' => b - b'a' + 26,
        b'0'..=b'9' => b - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut out = Vec::new();
    for group in text.trim_end_matches('=').as_bytes().chunks(4) {
        let bits =
            group.iter().fold(0u32, |bits, b| bits << 6 | u32::from(digit(*b))) << (6 * (4 - group.len()));
        out.extend_from_slice(&bits.to_be_bytes()[1..group.len()]);
    }
    out
}

/// Files that both sides see in their working directory.
const FILES: &[(&str, &[u8])] = &[
    ("hello.txt", b"Hello, World!\n"),
    ("empty.txt", b""),
    ("data/a.json", b"{\"a\": [1, 2]}"),
    ("data/b.yaml", b"b: 2\n"),
    ("data/deep/c.txt", b"c"),
    ("binary.dat", b"\xff\xfe\x00"),
    ("greeting.tftpl", b"Hello, ${name}%{ for x in list }, ${x}%{ endfor }!"),
];

/// Those files, as our functions see them.
pub struct Folder;

impl Surroundings for Folder {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let path = path.strip_prefix("./").unwrap_or(path);
        let found = FILES.iter().find(|(name, _)| *name == path);
        found.map(|(_, content)| content.to_vec()).ok_or_else(|| format!("no file exists at {path:?}"))
    }

    fn files(&self, path: &str) -> Result<Vec<String>, String> {
        let path = path.trim_end_matches('/').trim_start_matches("./");
        let prefix = if path.is_empty() || path == "." { String::new() } else { format!("{path}/") };
        Ok(FILES.iter().filter_map(|(name, _)| name.strip_prefix(&prefix)).map(str::to_owned).collect())
    }

    fn absolute(&self, path: &str) -> String {
        path.to_owned()
    }

    fn home(&self) -> Option<String> {
        std::env::var("HOME").ok()
    }

    fn render(&self, _: &str, _: &str, _: &Value) -> Result<Value, String> {
        Err("templates can't be rendered here".to_owned())
    }
}
