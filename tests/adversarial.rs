//! Trees that are small to write and large to trace: what comes out is right, or a refusal that says so.
//! How long they take is measured by `scripts/bench hostile`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

#[path = "../benches/speed/adversarial.rs"]
mod trees;
#[allow(dead_code)]
#[path = "cli_common/schemas.rs"]
mod schemas;

use serde_json::Value as Json;
use std::fs;
use std::process::Command;

/// What `trace --all` says of every field of a case, and what it complains of.
fn traced(name: &str) -> (Vec<Json>, String) {
    traced_in(trees::cases().into_iter().find(|(n, _)| *n == name).unwrap().1)
}

fn traced_in(files: trees::Files) -> (Vec<Json>, String) {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let run = Command::new(env!("CARGO_BIN_EXE_tf-phi"))
        .current_dir(dir.path())
        .args(["trace", "--all", "--json"])
        .output()
        .unwrap();
    schemas::judge(&String::from_utf8_lossy(&run.stdout));
    let document: Json = serde_json::from_slice(&run.stdout).unwrap_or_default();
    let traces = document["traces"].as_array().cloned().unwrap_or_default();
    (traces, String::from_utf8(run.stderr).unwrap())
}

/// The values of the one field, with their gates; or the code.
fn only(name: &str) -> Result<Vec<(Json, String)>, String> {
    let (traces, errors) = traced(name);
    assert_eq!(traces.len(), 1, "{errors}");
    let branches =
        traces[0]["branches"].as_array().ok_or_else(|| traces[0]["code"].as_str().unwrap().to_owned())?;
    Ok(branches.iter().map(|b| (b["value"].clone(), b["gate"].as_str().unwrap().to_owned())).collect())
}

fn values(name: &str) -> Vec<String> {
    let branches = only(name).unwrap();
    branches.iter().map(|(v, _)| v.as_str().map_or_else(|| v.to_string(), str::to_owned)).collect()
}

#[test]
fn long_chains_and_diamonds_are_computed_once() {
    let dots = ".".repeat(200);
    assert_eq!(values("locals, 200 deep"), [format!("x{dots}"), format!("y{dots}")]);
    // v(n + 1) = 2 v(n) + 1
    let last = |first: u64| ((first + 1) * (1 << 30) - 1).to_string();
    assert_eq!(values("a diamond of 30 levels"), [last(1), last(2)]);
}

#[test]
fn each_call_of_a_module_has_its_own_values() {
    let (traces, errors) = traced("a module called 500 times");
    // Ten resources and two arguments a call.
    assert_eq!(traces.len(), 500 * 12, "{errors}");
    let field = traces.iter().find(|t| t["field"] == "module.m417.terraform_data.x3.input").unwrap();
    let values: Vec<&Json> = field["branches"].as_array().unwrap().iter().map(|b| &b["value"]).collect();
    assert_eq!(values, ["X417-3", "Y-3"]);
    assert_eq!(traces.iter().filter(|t| t["result"] == "bounded").count(), 500 * 11);
}

#[test]
fn values_go_through_many_calls() {
    let levels = 200;
    let (traces, errors) = traced_in(trees::nested_calls(levels));
    // A call's source and argument, and an output, each; the innermost has an output alone.
    assert_eq!(traces.len(), levels * 3 + 1, "{errors}");
    let deep = traces.iter().filter(|t| t["code"] == "too-deep").count();
    assert!(deep > 500, "{deep} of {}", traces.len());
    let argument = traces.iter().find(|t| t["field"] == "module.m.module.m.v").unwrap();
    assert_eq!(argument["branches"].as_array().unwrap().len(), 2);
    let (traces, errors) = traced("a value through 500 calls");
    let last = traces.iter().find(|t| t["field"] == "output.o.value").unwrap_or_else(|| panic!("{errors}"));
    assert_eq!(last["value"], 501);
}

#[test]
fn a_thousand_keys_are_gated_by_their_values() {
    let branches = only("a 1,000-way map of 3 values").unwrap();
    assert_eq!(branches.len(), 3);
    for (at, (value, gate)) in branches.iter().enumerate() {
        assert_eq!(value, &format!("v{at}"));
        // 334, 333 and 333 keys; a gate may name them or all others.
        let named: Vec<usize> =
            gate.split('"').filter_map(|part| part.strip_prefix('k')?.parse().ok()).collect();
        let negated = gate.starts_with('!');
        assert!(named.iter().all(|k| (k % 3 == at) != negated), "{gate}");
        assert_eq!(named.len(), (0..1000).filter(|k| (k % 3 == at) != negated).count(), "{gate}");
    }
    let open = only("a 1,000-way map by an open key").unwrap();
    let values: Vec<&Json> = open.iter().map(|(v, _)| v).collect();
    assert_eq!(values, ["v0", "v1", "v2", "none"]);
    assert_eq!(only("a 1,000-way map of 1,000 values").unwrap_err(), "too-large");
}

#[test]
fn what_is_too_large_is_refused() {
    for name in [
        "40 bools, an object of choices",
        "a list of itself twice, 60 levels",
        "an object of itself twice, 60 levels",
        "a text of itself twice, 60 levels",
    ] {
        assert_eq!(only(name).unwrap_err(), "too-large", "{name}");
    }
    let (traces, errors) = traced("a diamond of modules, 30 levels");
    assert!(traces.is_empty() && errors.contains("Too many module calls"), "{errors}");
}

/// Which keys there are is known, whatever their values are.
#[test]
fn a_missing_key_needs_no_combinations() {
    assert_eq!(values("40 bools, a key that is missing in an object of choices"), ["none"]);
}

/// A text with something unknown is one value, and an error where one of its parts is null. Every combination would be too many.
#[test]
fn a_text_of_many_choices_needs_no_combinations() {
    let branches = only("40 bools, a text with all of them and something unknown").unwrap();
    let [(value, gate)] = branches.as_slice() else { panic!("{branches:?}") };
    assert_eq!(value, "x");
    assert!(gate.starts_with("!("), "{gate}");
    let nulls = (0..40).filter(|i| gate.contains(&format!("var.b{i} == null"))).count();
    assert_eq!(nulls, 40, "{gate}");
}

/// Either the two values under gates that exclude each other, or a refusal.
#[test]
fn forty_bools_are_no_wrong_answer() {
    for (name, want) in
        [("40 bools, all of them", ["yes", "no"]), ("40 bools, their parity", ["odd", "even"])]
    {
        match only(name) {
            Err(code) => assert_eq!(code, "too-large", "{name}"),
            Ok(branches) => {
                let values: Vec<&Json> = branches.iter().map(|(v, _)| v).collect();
                assert_eq!(values, want, "{name}");
                assert!(branches[0].1 != branches[1].1 && branches[0].1.contains("var.b39"), "{name}");
            }
        }
    }
}

/// Branches of long rows of conditionals: every value, under a gate that can still be written.
#[test]
fn rows_of_choices_are_written_once() {
    for name in ["300 choices by one key, in a row", "300 thresholds of a number, in a row"] {
        let branches = only(name).unwrap();
        let mut values: Vec<String> = branches.iter().map(|(v, _)| v.as_str().unwrap().to_owned()).collect();
        values.sort();
        assert_eq!(values, ["none", "v0", "v1", "v2", "v3", "v4", "v5", "v6"], "{name}");
        assert!(branches.iter().all(|(_, gate)| gate.len() < 40_000), "{name}");
    }
    let branches = only("choices by 40 bools, in a row");
    assert!(branches.is_err() || branches.unwrap().len() == 8);
}

#[test]
fn iterations_within_each_other_keep_their_keys() {
    let (traces, errors) = traced("nested iterations of 20 keys each");
    let field = traces.iter().find(|t| t["field"].as_str().unwrap().ends_with("terraform_data.x.input"));
    let result = &field.unwrap_or_else(|| panic!("{errors}"))["result"];
    assert!(result == "bounded" || result == "unbounded", "{result}");
}
