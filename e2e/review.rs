//! `tf-phi review --plan` against two plans that Terraform makes by itself.

use crate::support::{Scratch, terraform};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

const BASE: &str = r#"variable "env" {
  type = string
}
variable "password" {
  type      = string
  sensitive = true
  default   = "hunter2"
}
locals {
  sizes = { dev = "small", prod = "large" }
}
resource "terraform_data" "app" {
  input = local.sizes[var.env]
}
resource "terraform_data" "pinned" {
  input            = var.env
  triggers_replace = ["one"]
}
resource "terraform_data" "gone" {
  count = var.env == "prod" ? 2 : 1
  input = count.index
}
resource "terraform_data" "secret" {
  input = var.password
}
"#;

const PHI: &str = "specialize \"terraform_data.app\" {\n  fields = [\"input\"]\n}\n";

fn git(dir: &Path, words: &[&str]) {
    let done = Command::new("git")
        .current_dir(dir)
        .args(["-c", "user.name=n", "-c", "user.email=e@example.org"])
        .args(words)
        .output()
        .unwrap();
    assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
}

fn head() -> String {
    BASE.replace("prod = \"large\"", "prod = \"huge\"")
        .replace("[\"one\"]", "[var.env == \"prod\" ? \"two\" : \"one\"]")
        .replace("var.env == \"prod\" ? 2 : 1", "1")
        .replace("\"hunter2\"", "\"hunter3\"")
}

/// What Terraform alone plans for a text, by address: the actions.
fn planned(scratch: &Scratch, text: &str, env: &str) -> BTreeMap<String, String> {
    let now = scratch.read("main.tf");
    scratch.write("main.tf", text);
    let phi = scratch.dir().join("phi.hcl");
    let plan = scratch.plan(&[&format!("-var-file=env/{env}.tfvars")]);
    scratch.write("main.tf", &now);
    assert!(phi.is_file());
    let named = |actions: &[String]| match actions {
        [one] if one == "no-op" => "no-op".to_owned(),
        [one] => one.clone(),
        _ => "replace".to_owned(),
    };
    plan.resource_changes.iter().map(|c| (c.address.clone(), named(&c.change.actions))).collect()
}

#[test]
fn both_plans_resource_by_resource() {
    let scratch = Scratch::with(&[
        ("main.tf", BASE),
        ("phi.hcl", PHI),
        ("env/dev.tfvars", "env = \"dev\"\n"),
        ("env/prod.tfvars", "env = \"prod\"\n"),
        (".gitignore", ".terraform*\n*.tfstate*\n"),
    ]);
    scratch.init();
    scratch.terraform(&["apply", "-auto-approve", "-input=false", "-var-file=env/prod.tfvars"]).expect(0);
    git(&scratch.dir(), &["init", "-q"]);
    git(&scratch.dir(), &["add", "-A"]);
    git(&scratch.dir(), &["commit", "-qm", "base"]);
    scratch.write("main.tf", &head());
    let wanted: Vec<(BTreeMap<String, String>, BTreeMap<String, String>)> =
        ["dev", "prod"].map(|env| (planned(&scratch, BASE, env), planned(&scratch, &head(), env))).to_vec();
    let before = scratch.sources();
    let ran = scratch.tf_phi(&["review", "--base", "HEAD", "--plan", "--format", "json"]).expect(0);
    assert_eq!(scratch.sources(), before, "nothing is written");
    assert!(!ran.stdout.contains("hunter"), "{}", ran.stdout);
    let review: Value = serde_json::from_str(&ran.stdout).unwrap();
    for (env, (base, head)) in review["environments"].as_array().unwrap().iter().zip(&wanted) {
        let plan = &env["plan"];
        let shown: BTreeMap<&str, (&str, &str)> = plan["resources"]
            .as_array()
            .unwrap_or_else(|| panic!("{plan}"))
            .iter()
            .map(|r| {
                (
                    r["address"].as_str().unwrap(),
                    (r["before"].as_str().unwrap(), r["after"].as_str().unwrap()),
                )
            })
            .collect();
        let names: std::collections::BTreeSet<&String> = base.keys().chain(head.keys()).collect();
        for address in names {
            let of = |plan: &BTreeMap<String, String>| plan.get(address).cloned().unwrap_or("absent".into());
            let (old, new) = (of(base), of(head));
            match shown.get(address.as_str()) {
                Some((before, after)) => {
                    assert_eq!((*before, *after), (old.as_str(), new.as_str()), "{} {address}", env["name"]);
                }
                None => assert_eq!(old, new, "{} {address}: {shown:?}", env["name"]),
            }
        }
        let count =
            |plan: &BTreeMap<String, String>, what: &str| plan.values().filter(|a| *a == what).count();
        for (side, all) in [("before", base), ("after", head)] {
            assert_eq!(plan[side]["destroy"], count(all, "delete"), "{side}");
            assert_eq!(plan[side]["replace"], count(all, "replace"), "{side}");
            assert_eq!(plan[side]["change"], count(all, "update"), "{side}");
            assert_eq!(plan[side]["add"], count(all, "create"), "{side}");
        }
    }
    let failing =
        scratch.tf_phi(&["review", "--base", "HEAD", "--plan", "--env", "prod", "--fail-on", "replace"]);
    assert_eq!(failing.code, 3, "{}", failing.stderr);
    assert!(terraform().is_file());
}

#[test]
fn what_cannot_be_planned_is_said_and_the_rest_is_done() {
    let scratch = Scratch::with(&[
        (
            "main.tf",
            "variable \"env\" {}\nresource \"terraform_data\" \"a\" {\n  input = var.env\n  lifecycle {\n    precondition {\n      condition     = var.env != \"qa\"\n      error_message = \"no credentials for qa\"\n    }\n  }\n}\n",
        ),
        ("env/dev.tfvars", "env = \"dev\"\n"),
        ("env/qa.tfvars", "env = \"qa\"\n"),
        (".gitignore", ".terraform*\n*.tfstate*\n"),
    ]);
    scratch.init();
    git(&scratch.dir(), &["init", "-q"]);
    git(&scratch.dir(), &["add", "-A"]);
    git(&scratch.dir(), &["commit", "-qm", "base"]);
    // What was asked for and isn't there is no all-clear, whatever fails the run.
    for more in [&["--format", "json"][..], &["--format", "json", "--fail-on", "destroy,replace"]] {
        let words = ["review", "--base", "HEAD", "--plan"].into_iter().chain(more.iter().copied());
        scratch.tf_phi(&words.collect::<Vec<_>>()).expect(1);
    }
    let ran = scratch.tf_phi(&["review", "--base", "HEAD", "--plan", "--format", "json"]).expect(1);
    let review: Value = serde_json::from_str(&ran.stdout).unwrap();
    let plan = |at: usize| &review["environments"][at]["plan"];
    assert_eq!(plan(0)["resources"], serde_json::json!([]));
    assert!(plan(1)["error"].as_str().unwrap().contains("no credentials for qa"), "{}", plan(1));
}

const ENVIRONMENTS: [&str; 4] = ["a", "b", "c", "d"];

/// Four environments, a change, and a Terraform that writes down when a plan begins and ends.
fn several() -> (Scratch, std::path::PathBuf) {
    let main = "variable \"env\" {}\nresource \"terraform_data\" \"a\" {\n  input = \"${var.env}-1\"\n}\n";
    let phi = "specialize \"terraform_data.a\" {\n  fields = [\"input\"]\n}\n";
    let scratch =
        Scratch::with(&[("main.tf", main), ("phi.hcl", phi), (".gitignore", ".terraform*\n*.tfstate*\n")]);
    for env in ENVIRONMENTS {
        scratch.write(&format!("env/{env}.tfvars"), &format!("env = \"{env}\"\n"));
    }
    scratch.init();
    git(&scratch.dir(), &["init", "-q"]);
    git(&scratch.dir(), &["add", "-A"]);
    git(&scratch.dir(), &["commit", "-qm", "base"]);
    scratch.write("main.tf", &main.replace("-1", "-2"));
    let (log, real) = (scratch.aside("log"), terraform().display());
    let fake = scratch.fake(&format!(
        "[ \"$1\" = plan ] || exec {real} \"$@\"\necho begin >> {log}\nsleep \"${{PAUSE:-2}}\"\n{real} \"$@\"\ns=$?\necho end >> {log}\nexit $s",
        log = log.display()
    ));
    (scratch, fake)
}

/// How many plans a log has, and how many there were at the most at one time.
fn at_once(log: &Path) -> (usize, usize) {
    let text = std::fs::read_to_string(log).unwrap();
    std::fs::remove_file(log).unwrap();
    let (mut now, mut most, mut all) = (0usize, 0, 0);
    for line in text.lines() {
        match line {
            "begin" => (now, all) = (now + 1, all + 1),
            _ => now -= 1,
        }
        most = now.max(most);
    }
    (all, most)
}

#[test]
fn plans_are_made_several_at_a_time_and_come_out_alike() {
    let (scratch, fake) = several();
    let terraform = format!("--terraform={}", fake.display());
    let before = scratch.everything();
    let mut said = Vec::new();
    for (jobs, wanted) in [("1", 1), ("3", 3), ("100", 8)] {
        let args = ["review", "--base", "HEAD", "--plan", "--format", "json", "--jobs", jobs, &terraform];
        let ran = scratch.tf_phi(&args).expect(0);
        assert_eq!(at_once(&scratch.aside("log")), (8, wanted), "--jobs {jobs}");
        said.push(ran.stdout);
    }
    assert!(said.iter().all(|one| *one == said[0]), "{said:#?}");
    let review: Value = serde_json::from_str(&said[0]).unwrap();
    let names: Vec<&str> =
        review["environments"].as_array().unwrap().iter().map(|e| e["name"].as_str().unwrap()).collect();
    assert_eq!(names, ENVIRONMENTS);
    for env in review["environments"].as_array().unwrap() {
        assert_eq!(
            env["plan"]["resources"],
            serde_json::json!([{"address": "terraform_data.a", "before": "create", "after": "create", "attributes": ["input"]}])
        );
        assert!(
            env["plan"]["text"].as_str().unwrap().contains(&format!("{}-2", env["name"].as_str().unwrap()))
        );
    }
    // As many as the machine has room for, if nobody says how many.
    scratch.tf_phi(&["review", "--base", "HEAD", "--plan", &terraform]).expect(0);
    let (all, most) = at_once(&scratch.aside("log"));
    let processors = std::thread::available_parallelism().unwrap().get();
    assert!(all == 8 && most <= processors, "{most} of {processors}");
    assert_eq!(scratch.everything().keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>());
}

#[test]
fn an_interrupted_review_begins_no_further_plan_and_leaves_nothing() {
    let (scratch, fake) = several();
    let temp = scratch.aside("temp");
    std::fs::create_dir(&temp).unwrap();
    let mut command = scratch.command(Path::new(env!("CARGO_BIN_EXE_tf-phi")));
    command
        .env("TMPDIR", &temp)
        .env("PAUSE", "4")
        .args(["review", "--base", "HEAD", "--plan", "--jobs", "2"]);
    let mut child = command.arg(format!("--terraform={}", fake.display())).spawn().unwrap();
    while !scratch.aside("log").is_file() {
        let ended = child.try_wait().unwrap();
        assert!(ended.is_none(), "it ended before it began a plan: {ended:?}");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    let ended = child.wait().unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&ended), Some(15), "{ended:?}");
    let begun = std::fs::read_to_string(scratch.aside("log")).unwrap().matches("begin").count();
    assert!(begun <= 2, "{begun}");
    let left: Vec<_> = std::fs::read_dir(&temp).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(left.is_empty(), "{left:?}");
}

const FLAG: &str = "lifecycle {\n    create_before_destroy = var.env == \"prod\"\n  }\n";

/// The resources that a plan of Terraform's own destroys.
fn destroyed(scratch: &Scratch, env: &str) -> Vec<String> {
    scratch.init();
    let plan = scratch.plan(&[&format!("-var-file=env/{env}.tfvars")]);
    let all = plan.resource_changes.iter().filter(|c| c.change.actions.iter().any(|a| a == "delete"));
    all.map(|c| c.address.clone()).collect()
}

fn commit(scratch: &Scratch) {
    git(&scratch.dir(), &["add", "-A"]);
    git(&scratch.dir(), &["commit", "-qm", "x"]);
}

/// The findings of a review with plans, and what may lose instances.
fn reviewed(scratch: &Scratch, code: i32) -> (Value, String) {
    let words = ["review", "--base", "HEAD~1", "--plan", "--format", "json", "--fail-on", "destroy"];
    let ran = scratch.tf_phi(&words).expect(code);
    (serde_json::from_str(&ran.stdout).unwrap(), ran.stdout)
}

/// A specialised tree that a plain Terraform runs: the committed file of moves decides, and no plan of tf-phi's own shows what it does.
#[test]
fn the_committed_file_of_moves_is_compared_with_the_plan() {
    let main = format!(
        "variable \"env\" {{\n  type = string\n}}\nresource \"terraform_data\" \"a\" {{\n  input = \"x\"\n  {FLAG}}}\n"
    );
    let call = |name: &str| format!("module \"{name}\" {{\n  source = \"./m\"\n}}\n");
    let scratch = Scratch::with(&[
        ("main.tf", &format!("{main}{}", call("m"))),
        ("m/main.tf", "resource \"terraform_data\" \"database\" {\n  count = 1\n  input = \"q\"\n}\n"),
        ("env/dev.tfvars", "env = \"dev\"\n"),
        ("env/prod.tfvars", "env = \"prod\"\n"),
        (".gitignore", ".terraform*\n*.tfstate*\n"),
    ]);
    git(&scratch.dir(), &["init", "-q"]);
    scratch.tf_phi(&["check", "--fix"]).expect(0);
    commit(&scratch);
    scratch.init();
    scratch.terraform(&["apply", "-auto-approve", "-input=false", "-var-file=env/dev.tfvars"]).expect(0);
    let moved = "moved {\n  from = module.m\n  to   = module.n\n}\n";
    let text = scratch.read("main.tf").replace("module \"m\"", "module \"n\"");
    scratch.write("main.tf", &format!("{text}{moved}"));
    scratch.tf_phi(&["check", "--fix"]).expect(0);
    commit(&scratch);
    assert_eq!(destroyed(&scratch, "dev"), Vec::<String>::new());
    // The base's own change tells nothing, in the environment that the file is for and in the other one.
    let (review, out) = reviewed(&scratch, 0);
    assert_eq!(review["findings"].as_array().unwrap().len(), 0, "{out}");
    let line = "{\"address\":\"module.m.terraform_data.database\",\"original\":\"terraform_data.a\",\"keys\":\"gate\"}\n";
    let history = scratch.read(".phi/history.jsonl");
    scratch.write(".phi/history.jsonl", &format!("{history}{line}"));
    scratch.tf_phi(&["check", "--fix"]).expect(0);
    commit(&scratch);
    assert_eq!(destroyed(&scratch, "dev").len(), 1);
    let (review, out) = reviewed(&scratch, 3);
    let told = "phi.moved.tf leads module.m.terraform_data.database[0] elsewhere than the plan";
    assert!(out.contains(told), "{out}");
    assert_eq!(review["environments"][0]["may_go"][0], "module.m.terraform_data.database", "{out}");
}

/// Each side is planned by the history of its own.
#[test]
fn the_base_is_planned_by_its_own_history() {
    let resource = |name: &str, count: &str| {
        format!("resource \"terraform_data\" \"{name}\" {{\n  {count}input = \"x\"\n  {FLAG}}}\n")
    };
    let main = format!(
        "variable \"env\" {{\n  type = string\n}}\n{}{}",
        resource("database", ""),
        resource("z", "count = var.env == \"dev\" ? 0 : 1\n  ")
    );
    let scratch = Scratch::with(&[
        ("main.tf", &main),
        ("phi.hcl", "settings {\n  keep = false\n}\n"),
        ("env/dev.tfvars", "env = \"dev\"\n"),
        ("env/prod.tfvars", "env = \"prod\"\n"),
        (".gitignore", ".terraform*\n*.tfstate*\n"),
    ]);
    git(&scratch.dir(), &["init", "-q"]);
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false", "-var-file=env/dev.tfvars"]).expect(0);
    commit(&scratch);
    let given = |text: &str| {
        let of = |line: &str| match line.contains("database_") {
            true => line
                .replace("\"original\":\"terraform_data.database\"", "\"original\":\"terraform_data.z\"")
                .replace("\"applied\":\"terraform_data.database\"", "\"applied\":\"terraform_data.z[0]\""),
            false => line.to_owned(),
        };
        text.lines().map(|line| of(line) + "\n").collect::<String>()
    };
    let history = scratch.read(".phi/history.jsonl");
    assert_ne!(given(&history), history);
    scratch.write(".phi/history.jsonl", &given(&history));
    commit(&scratch);
    let (review, out) = reviewed(&scratch, 3);
    let plan = &review["environments"][0]["plan"];
    assert_eq!((&plan["before"]["destroy"], &plan["after"]["destroy"]), (&0.into(), &1.into()), "{out}");
    assert!(
        out.contains("says something else of terraform_data.database_create_before_destroy_false"),
        "{out}"
    );
}
