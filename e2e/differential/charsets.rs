//! Encodings of several bytes a character, character by character and pair of bytes by pair of bytes.

use crate::evaluated::eval_text;
use crate::support::terraform;
use std::fmt::Write as _;
use std::process::Command;
use tf_phi::syntax::on_big_stack;
use tf_phi::value::normalise;

/// One name of each.
const NAMES: [&str; 6] = ["EUC-JP", "Shift_JIS", "EUC-KR", "GB18030", "GBK", "Big5"];

/// The results of a function on each of the texts, in each encoding; null where it is an error.
fn theirs(function: &str, texts: &[String]) -> Vec<Vec<Option<String>>> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("texts.json"), serde_json::to_string(texts).unwrap()).unwrap();
    let names = serde_json::to_string(&NAMES).unwrap();
    let output = format!(
        "output \"all\" {{\n  value = jsonencode([for n in {names} : [for t in jsondecode(file(\"texts.json\")) : \
         try({function}(t, n), null)]])\n}}\n"
    );
    std::fs::write(folder.path().join("main.tf"), output).unwrap();
    let run = |args: &[&str]| {
        let mut command = Command::new(terraform());
        command
            .args(args)
            .current_dir(folder.path())
            .env("TF_CLI_CONFIG_FILE", "")
            .env("CHECKPOINT_DISABLE", "1");
        let done = command.env_remove("TF_DATA_DIR").output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    };
    run(&["apply", "-auto-approve", "-no-color"]);
    serde_json::from_str(&run(&["output", "-raw", "all"])).unwrap()
}

/// Ours, and what differs.
fn differences(function: &str, texts: &[String]) -> String {
    let theirs = theirs(function, texts);
    let mut report = String::new();
    for (name, theirs) in NAMES.iter().zip(theirs) {
        let mut count = 0;
        for (text, theirs) in texts.iter().zip(theirs) {
            let call = format!("{function}({}, \"{name}\")", serde_json::to_string(text).unwrap());
            let ours = match eval_text(&call) {
                Ok(value) => value.as_str().map(str::to_owned),
                Err(e) if e.limit => continue,
                Err(_) => None,
            };
            if ours != theirs {
                count += 1;
                if count < 40 {
                    writeln!(report, "{call}: {theirs:?}, not {ours:?}").unwrap();
                }
            }
        }
        if count > 0 {
            writeln!(report, "{name}: {count} differences").unwrap();
        }
    }
    report
}

/// Every character of the basic plane and a part of the next two, letters that are written otherwise in NFC apart. (Of
/// the latter, all were compared once.)
#[test]
fn characters() {
    let all =
        (0x80..0x1_0000).chain((0x1_0000..0x3_0000).step_by(7)).filter_map(char::from_u32).map(String::from);
    let texts: Vec<String> = all.filter(|c| *normalise(c) == **c).collect();
    let report = on_big_stack(|| differences("textencodebase64", &texts));
    assert!(report.is_empty(), "\n{report}");
}

/// Every byte, every pair of bytes, and some longer ones.
#[test]
fn bytes() {
    let upper = 0x80..=0xffu8;
    let pairs = upper.clone().flat_map(|a| (0..=0xff).map(move |b| vec![a, b]));
    let triples = upper.clone().flat_map(|a| (0x80..=0xff).map(move |b| vec![0x8f, a, b]));
    let quads =
        (0x81..=0xfe).flat_map(|a| (0x30..=0x39).map(move |b| vec![a, b, 0x81 + a % 7, 0x30 + b % 10]));
    let all = upper.clone().map(|a| vec![a]).chain(pairs).chain(triples).chain(quads);
    let texts: Vec<String> = all.map(|bytes| base64(&bytes)).collect();
    let report = on_big_stack(|| differences("textdecodebase64", &texts));
    assert!(report.is_empty(), "\n{report}");
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0u32, |bits, b| bits << 8 | u32::from(*b)) << (8 * (3 - group.len()));
        for i in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * i)) as usize & 63];
            out.push(if i <= group.len() { char::from(digit) } else { '=' });
        }
    }
    out
}
