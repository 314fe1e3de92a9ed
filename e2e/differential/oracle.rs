//! The real Terraform as an evaluator of many expressions.
//!
//! `terraform console` prints the last result only and stops at the first error. So a batch is one tuple, each of its
//! elements guarded by `try`; where a batch fails as a whole (syntax, references, unknowns), it is halved.

use crate::folder::{FILES, Folder, TEMPLATES};
use crate::outcome::{Outcome, ours, wrapped};
use crate::support::short_lived::SHORT_LIVED;
use crate::support::terraform;
use std::collections::VecDeque;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::{LazyLock, Mutex};
use tf_phi::syntax::parse_expr;

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
                for (name, content) in FILES.iter().chain(TEMPLATES) {
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
        let size = wrapped(text).len() + 120;
        // What Terraform rejects before it evaluates would take its whole batch along.
        let alone = parse_expr(text).is_err() || ours(text).kind() == "declined";
        if alone {
            batches.push_front(vec![i]);
            continue;
        }
        match batches.back_mut() {
            Some(batch) if bytes > 0 && batch.len() < BATCH && bytes + size < BYTES => {
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

/// Two processes, for values and types; an error stands for the batch as a whole.
fn run(folder: &std::path::Path, texts: &[&str], batch: &[usize]) -> Result<Vec<Outcome>, Outcome> {
    let wrapped: Vec<String> = batch.iter().map(|i| wrapped(texts[*i])).collect();
    let all = |guard: &dyn Fn(&String) -> String| wrapped.iter().map(guard).collect::<Vec<_>>().join(", ");
    // Before 1.8 there is no issensitive, and nonsensitive fails where nothing is sensitive.
    let read = match *VERSION {
        (1, ..8) => "[try(nonsensitive(j), j), tostring(can(nonsensitive(j)))]",
        _ => "[nonsensitive(j), tostring(issensitive(j))]",
    };
    let values = all(&|text| format!("try([for j in [jsonencode({text})] : {read}][0], null)"));
    let printed = console(folder, &format!("base64encode(jsonencode([{values}]))\n"))?;
    let printed = printed.lines().last().unwrap_or_default();
    let Some(base64) = printed.strip_prefix('"').and_then(|p| p.strip_suffix('"')) else {
        return Err(if printed.contains("known after apply") {
            Outcome::Unknown
        } else {
            Outcome::Error(format!("printed {printed:?}"))
        });
    };
    let values: Vec<Option<(String, String)>> = serde_json::from_slice(&decode_base64(base64)).unwrap();
    let types = console(folder, &format!("type([{}])\n", all(&|text| format!("try({text}, null)"))))?;
    let types = elements(&types);
    assert_eq!(values.len(), types.len(), "{types:?}");
    let outcome = |(value, ty): (Option<(String, String)>, String)| match value {
        Some((value, sensitive)) => Outcome::value(&value, &ty, sensitive == "true"),
        None => Outcome::Error("caught".into()),
    };
    Ok(values.into_iter().zip(types).map(outcome).collect())
}

/// The types of the elements of a tuple, as `type()` prints them: each from its first line to the one that ends in a
/// comma at the same indentation.
fn elements(printed: &str) -> Vec<String> {
    let mut types = Vec::new();
    let mut open = String::new();
    let body = printed.strip_prefix("tuple([").and_then(|p| p.strip_suffix("])")).unwrap_or_default();
    for line in body.lines().filter(|l| !l.is_empty()) {
        open.push_str(line);
        let own = line.strip_prefix("    ").is_some_and(|rest| !rest.starts_with(' '));
        if own && line.ends_with(',') {
            types.push(std::mem::take(&mut open));
        }
    }
    types
}

/// What the console prints for a line.
fn console(folder: &std::path::Path, line: &str) -> Result<String, Outcome> {
    let mut child = Command::new(terraform())
        .args(["console", "-no-color"])
        .current_dir(folder)
        .env("TF_CLI_CONFIG_FILE", "")
        .env("CHECKPOINT_DISABLE", "1")
        .envs(SHORT_LIVED)
        .env_remove("TF_DATA_DIR")
        .env_remove("TF_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(line.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    if !output.status.success() {
        return Err(Outcome::Error(summary(&String::from_utf8_lossy(&output.stderr))));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
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

static VERSION: LazyLock<(u32, u32)> = LazyLock::new(|| {
    let output = Command::new(terraform()).arg("version").env("TF_CLI_CONFIG_FILE", "").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let version = text.split_whitespace().nth(1).and_then(|v| v.strip_prefix('v')).expect("a version");
    let mut parts = version.split('.').map(|p| p.parse().unwrap_or(0));
    (parts.next().unwrap(), parts.next().unwrap())
});

/// Major and minor version of the Terraform under test.
pub fn version() -> (u32, u32) {
    *VERSION
}

/// Those files, as our functions see them, for the Terraform under test.
pub fn folder() -> Folder {
    Folder(Some(*VERSION))
}
