//! Where variables get their values from: random sources of each kind, and what Terraform and tf-phi make of them.

use crate::heredoc::Rng;
use crate::support::terraform;
use serde_json::Value as Json;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

const MAIN: &str = r#"
variable "s" { type = string }
variable "n" {
  type     = number
  default  = 3
  nullable = false
}
variable "l" {
  type    = list(string)
  default = ["d"]
}
variable "o" {
  type    = object({ a = string, b = optional(number, 7), c = optional(list(bool), [true]) })
  default = { a = "d" }
}
variable "x" {
  type    = any
  default = null
}
variable "m" { default = {} }
"#;

const WHOLE: &str = "{ s = var.s, n = var.n, l = var.l, o = var.o, x = var.x, m = var.m, \
                     p = [path.module, path.root, \"${path.module}/x\"] }";

/// Values that are written alike in both syntaxes.
fn value(rng: &mut Rng, name: &str, id: usize) -> String {
    match (name, rng.below(12)) {
        (_, 0) => "null".to_owned(),
        ("s", 1) => format!("{id}"),
        ("s", _) => format!("\"s{id}\""),
        ("n", 1) => format!("\"{id}.5\""),
        ("n", 2) => "\"no number\"".to_owned(),
        ("n", _) => format!("{id}"),
        ("l", 1) => format!("[{id}, true, null]"),
        ("l", 2) => format!("\"l{id}\""),
        ("l", _) => format!("[\"l{id}\"]"),
        ("o", 1) => format!("{{\"a\": {id}, \"b\": null, \"c\": [\"true\"], \"e\": 1}}"),
        ("o", 2) => format!("{{\"b\": {id}}}"),
        ("o", _) => format!("{{\"a\": \"o{id}\", \"b\": \"{id}\"}}"),
        (_, 1) => format!("[{id}, \"a\"]"),
        (_, 2) => format!("\"x{id}\""),
        (_, _) => format!("{{\"k{id}\": {id}}}"),
    }
}

/// Some variables with their values.
fn some(rng: &mut Rng, id: &mut usize) -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    for name in ["s", "n", "l", "o", "x", "m"] {
        if rng.below(3) == 0 {
            *id += 1;
            out.push((name, value(rng, name, *id)));
        }
    }
    out
}

fn native(given: &[(&str, String)]) -> String {
    given.iter().fold(String::new(), |mut out, (name, value)| {
        let _ = writeln!(out, "{name} = {value}");
        out
    })
}

fn as_json(given: &[(&str, String)]) -> String {
    let members: Vec<String> = given.iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
    format!("{{{}}}", members.join(", "))
}

/// One case: writes the files; what else is given, as arguments and environment.
fn case(rng: &mut Rng, folder: &Path) -> (Vec<String>, Vec<(String, String)>) {
    let mut id = 0;
    let put = |name: &str, text: String| std::fs::write(folder.join(name), text).unwrap();
    put("main.tf", format!("{MAIN}output \"all\" {{\n  value = jsonencode({WHOLE})\n}}\n"));
    for name in
        ["terraform.tfvars", "terraform.tfvars.json", "b.auto.tfvars", "a.auto.tfvars.json", "a.auto.tfvars"]
    {
        if rng.below(3) == 0 {
            let given = some(rng, &mut id);
            put(name, if name.ends_with("json") { as_json(&given) } else { native(&given) });
        }
    }
    let mut args = Vec::new();
    for i in 0..rng.below(4) {
        let given = some(rng, &mut id);
        if rng.below(2) == 0 {
            args.extend(given.iter().map(|(name, value)| format!("-var={name}={value}")));
        } else {
            let (name, text) = match rng.below(2) {
                0 => (format!("more{i}.tfvars"), native(&given)),
                _ => (format!("more{i}.json"), as_json(&given)),
            };
            put(&name, text);
            args.push(format!("-var-file={name}"));
        }
    }
    let given = if rng.below(2) == 0 { some(rng, &mut id) } else { Vec::new() };
    let mut environment: Vec<(String, String)> =
        given.into_iter().map(|(name, value)| (format!("TF_VAR_{name}"), value)).collect();
    // Nearly always there is a value for the one that needs it.
    if rng.below(8) != 0 && !environment.iter().any(|(name, _)| name == "TF_VAR_s") {
        environment.push(("TF_VAR_s".into(), "e".into()));
    }
    (args, environment)
}

#[test]
fn values_of_variables_agree() {
    let mut rng = Rng(0x1234_5678_9abc_def1);
    let (mut differing, mut values) = (String::new(), 0);
    for _ in 0..120 {
        let folder = tempfile::tempdir().unwrap();
        let (args, environment) = case(&mut rng, folder.path());
        let run = |program: &Path, command: &[&str]| {
            let mut start = Command::new(program);
            start.args(command).args(&args).current_dir(folder.path()).envs(environment.iter().cloned());
            start.env("TF_CLI_CONFIG_FILE", "").env("CHECKPOINT_DISABLE", "1").env_remove("TF_DATA_DIR");
            let done = start.env("TF_INPUT", "0").env("TF_PHI_TERRAFORM", terraform()).output().unwrap();
            (
                done.status.success(),
                String::from_utf8(done.stdout).unwrap() + &String::from_utf8_lossy(&done.stderr),
            )
        };
        let ours = run(Path::new(env!("CARGO_BIN_EXE_tf-phi")), &["trace", "--expr", WHOLE]);
        let answer: Json = serde_json::from_str(ours.1.lines().next().unwrap_or("")).unwrap_or_default();
        let ours_value = answer.get("value").filter(|_| ours.0 && answer["result"] == "resolved").cloned();
        let theirs = run(terraform(), &["apply", "-auto-approve", "-no-color", "-json"]);
        let lines = theirs.1.lines().filter_map(|line| serde_json::from_str::<Json>(line).ok());
        let output =
            lines.filter_map(|line| Some(line["outputs"]["all"]["value"].as_str()?.to_owned())).next_back();
        let theirs_value =
            output.filter(|_| theirs.0).map(|text| serde_json::from_str::<Json>(&text).unwrap());
        values += usize::from(theirs_value.is_some());
        if ours_value != theirs_value {
            let files = Command::new("tail")
                .args(["-n", "+1"])
                .args(
                    std::fs::read_dir(folder.path())
                        .unwrap()
                        .filter_map(|e| Some(e.ok()?.path()))
                        .filter(|p| !p.ends_with("main.tf") && p.is_file()),
                )
                .output()
                .unwrap();
            let _ = writeln!(
                differing,
                "{args:?} {environment:?}\n{}\n  terraform: {theirs_value:?} {}\n  tf-phi: {}\n",
                String::from_utf8_lossy(&files.stdout),
                theirs.1.lines().last().unwrap_or(""),
                ours.1
            );
        }
    }
    assert!(values > 40, "{values} cases with values");
    assert!(differing.is_empty(), "\n{differing}");
}
