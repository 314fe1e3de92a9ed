//! Runs without copies: this run's values stand in place of expressions, and nothing else is there afterwards.
//!
//! Each plan is held against that of the tree in which the test wrote the value by hand, over the same state.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;

use crate::support::{Scratch, terraform};
use crate::trees::POSTGRES;

const PHI: &str = "settings {\n  copies = false\n}\n";

const MAIN: &str = r#"variable "protect" {
  type    = bool
  default = false
}
variable "kind" {
  type    = string
  default = "small"
}

resource "terraform_data" "server" {
  input = "${path.cwd == abspath(path.root)} ${var.kind}"

  lifecycle {
    prevent_destroy       = var.protect
    create_before_destroy = var.kind == "large"
    ignore_changes        = var.protect ? [triggers_replace] : []
  }
}
module "chosen" {
  source = "./kinds/${var.kind}"
}
module "one" {
  source  = "./shared"
  protect = var.protect
}
module "other" {
  source  = "./shared"
  protect = !var.protect
}
module "own" {
  source  = "./own"
  protect = var.protect
}
output "all" {
  value = [module.chosen.name, module.one.where, module.other.where, module.own.where]
}
"#;

const KIND: &str = "resource \"terraform_data\" \"it\" {\n  input = basename(path.module)\n}\noutput \"name\" {\n  value = \
                    terraform_data.it.input\n}\n";

const MODULE: &str = r#"variable "protect" {
  type = bool
}
resource "terraform_data" "it" {
  input = [path.module, abspath(path.module), abspath(".")]

  lifecycle {
    prevent_destroy = (
      var.protect
    )
  }
}
output "where" {
  value = terraform_data.it.input
}
"#;

/// Files of the tree as it is, and with values written by hand.
fn files(protect: bool, kind: &str) -> Vec<(String, String)> {
    let plain = |on: bool| MODULE.replace("(\n      var.protect\n    )", if on { "true" } else { "false" });
    let main = MAIN
        .replace(
            "= var.protect\n    create",
            if protect { "= true\n    create" } else { "= false\n    create" },
        )
        .replace("var.kind == \"large\"", if kind == "large" { "true" } else { "false" })
        .replace("var.protect ? [triggers_replace] : []", if protect { "[triggers_replace]" } else { "[]" })
        .replace("./kinds/${var.kind}", &format!("./kinds/{kind}"));
    // Two callers differ, so the test's own tree has two folders; paths are those of the one that there is.
    let apart = |on: bool| plain(on).replace("path.module", "\"shared\"");
    let main = main.replacen("./shared", "./hand-one", 1).replacen("./shared", "./hand-other", 1);
    let mut all = vec![
        ("main.tf", main),
        ("hand-one/main.tf", apart(protect)),
        ("hand-other/main.tf", apart(!protect)),
        ("own/main.tf", plain(protect)),
    ];
    all.extend(["kinds/small/main.tf", "kinds/large/main.tf"].map(|path| (path, KIND.to_owned())));
    all.into_iter().map(|(path, text)| (path.to_owned(), text)).collect()
}

fn tree() -> Scratch {
    Scratch::with(&[
        ("phi.hcl", PHI),
        ("main.tf", MAIN),
        ("kinds/small/main.tf", KIND),
        ("kinds/large/main.tf", KIND),
        ("shared/main.tf", MODULE),
        ("own/main.tf", MODULE),
    ])
}

/// Everything but what Terraform writes by itself.
fn work_tree(scratch: &Scratch) -> BTreeMap<PathBuf, Vec<u8>> {
    let all = scratch.everything();
    let terraforms = |path: &Path| {
        let text = path.to_string_lossy();
        text.contains(".terraform") || text.contains("terraform.tfstate")
    };
    let below = |path: PathBuf| path.strip_prefix(scratch.dir()).unwrap().to_path_buf();
    let own = all.into_iter().filter(|(path, _)| !terraforms(path));
    own.map(|(path, (text, _))| (below(path), text)).collect()
}

fn words(protect: bool, kind: &str) -> Vec<String> {
    vec![format!("-var=protect={protect}"), format!("-var=kind={kind}")]
}

/// What a saved plan does, with all values.
fn planned(scratch: &Scratch, file: &Path) -> Value {
    let shown = scratch.terraform(&["show", "-json", file.to_str().unwrap()]).expect(0).stdout;
    let all: Value = serde_json::from_str(&shown).unwrap();
    let mut out = serde_json::Map::new();
    for part in ["resource_changes", "output_changes", "planned_values", "prior_state", "variables"] {
        out.insert(part.to_owned(), all.get(part).cloned().unwrap_or_default());
    }
    Value::Object(out)
}

/// The plan of the tree with values written by hand, over the state of `scratch`.
fn by_hand(scratch: &Scratch, protect: bool, kind: &str) -> Value {
    let aside = scratch.aside("hand");
    let _ = fs::remove_dir_all(&aside);
    // Under the same path, since the plan holds it.
    let kept = scratch.aside("kept");
    fs::rename(scratch.dir(), &kept).unwrap();
    fs::create_dir(scratch.dir()).unwrap();
    for (path, text) in files(protect, kind) {
        scratch.write(&path, &text);
    }
    let state = kept.join("terraform.tfstate");
    if state.exists() {
        fs::copy(state, scratch.dir().join("terraform.tfstate")).unwrap();
    }
    scratch.init();
    let file = scratch.aside("hand.out");
    let out = format!("-out={}", file.display());
    let vars = words(protect, kind);
    let all: Vec<&str> =
        ["plan", "-input=false", &out].into_iter().chain(vars.iter().map(String::as_str)).collect();
    scratch.terraform(&all).expect(0);
    let found = planned(scratch, &file);
    fs::remove_dir_all(scratch.dir()).unwrap();
    fs::rename(&kept, scratch.dir()).unwrap();
    found
}

#[test]
fn plans_are_those_of_the_tree_by_hand_and_nothing_is_left() {
    let scratch = tree();
    let before = work_tree(&scratch);
    for (protect, kind) in [(false, "small"), (true, "large"), (true, "small"), (false, "large")] {
        let vars = words(protect, kind);
        let vars: Vec<&str> = vars.iter().map(String::as_str).collect();
        let (_, file) = scratch.phi_plan(&vars);
        assert_eq!(work_tree(&scratch), before);
        let (ours, theirs) = (planned(&scratch, &file), by_hand(&scratch, protect, kind));
        assert_eq!(ours, theirs, "{protect} {kind}");
        assert!(!ours["resource_changes"].to_string().contains("[0]"));
        scratch.tf_phi(&["apply", "-input=false", file.to_str().unwrap()]).expect(0);
        assert_eq!(work_tree(&scratch), before);
        let again = [&["apply", "-auto-approve", "-input=false"][..], &vars].concat();
        scratch.tf_phi(&again).expect(0);
        assert_eq!(work_tree(&scratch), before);
    }
    let listed = scratch.tf_phi(&["state", "list"]).expect(0).stdout;
    let mut listed: Vec<&str> = listed.lines().collect();
    listed.sort_unstable();
    let expected = ["chosen", "one", "other", "own"].map(|name| format!("module.{name}.terraform_data.it"));
    assert_eq!(listed[..4], expected);
    assert_eq!(listed[4..], ["terraform_data.server"]);
}

#[test]
fn what_is_protected_in_this_run_is_not_destroyed() {
    let scratch = tree();
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false", "-var=protect=true"]).expect(0);
    let ran = scratch.tf_phi(&["apply", "-destroy", "-auto-approve", "-var=protect=true"]).expect(1);
    assert!(ran.stderr.contains("Instance cannot be destroyed"), "{}", ran.stderr);
    // What Terraform says of a line is said of the user's.
    assert!(ran.stderr.contains("on main.tf line 10:"), "{}", ran.stderr);
    assert!(ran.stderr.contains("on own/main.tf line 4:"), "{}", ran.stderr);
    let ran =
        scratch.tf_phi(&["apply", "-destroy", "-target=module.own", "-auto-approve", "-var=protect=false"]);
    assert!(ran.expect(0).stdout.contains("1 destroyed"));
}

#[test]
fn every_command_takes_the_originals_addresses() {
    let scratch = tree();
    let before = work_tree(&scratch);
    scratch.tf_phi(&["init", "-input=false"]).expect(0);
    let (_, file) = scratch.phi_plan(&["-target=module.own.terraform_data.it"]);
    let changes = planned(&scratch, &file)["resource_changes"].clone();
    assert_eq!(changes.as_array().unwrap().len(), 1);
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false"]).expect(0);
    let ran = scratch.phi(&["-replace=terraform_data.server"]);
    assert!(ran.stdout.contains("terraform_data.server will be replaced"), "{}", ran.stdout);
    scratch
        .tf_phi(&["state", "mv", "module.own.terraform_data.it", "module.own.terraform_data.moved"])
        .expect(0);
    scratch
        .tf_phi(&["state", "mv", "module.own.terraform_data.moved", "module.own.terraform_data.it"])
        .expect(0);
    scratch.tf_phi(&["state", "rm", "module.own.terraform_data.it"]).expect(0);
    scratch.tf_phi(&["import", "module.own.terraform_data.it", "some-id"]).expect(0);
    let ran = scratch.tf_phi(&["output", "-json", "all"]).expect(0);
    assert!(ran.stdout.starts_with("[\"small\""), "{}", ran.stdout);
    for command in [&["providers"][..], &["get"], &["refresh", "-input=false"], &["run", "--", "ls"]] {
        scratch.tf_phi(command).expect(0);
        assert_eq!(work_tree(&scratch), before, "{command:?}");
    }
    let ran = scratch.tf_phi(&["run", "--", "cat", "main.tf"]).expect(0);
    assert!(ran.stdout.contains("prevent_destroy       = false"), "{}", ran.stdout);
    let mut console = scratch.command(Path::new(env!("CARGO_BIN_EXE_tf-phi")));
    console
        .args(["console", "-var=kind=large"])
        .stdin(Stdio::from(fs::File::open(answer(&scratch)).unwrap()));
    assert!(String::from_utf8_lossy(&console.output().unwrap().stdout).contains("large"));
    assert_eq!(work_tree(&scratch), before);
    // Nothing is to be written, and nothing changed by looking.
    assert!(scratch.tf_phi(&["check"]).expect(0).stdout.contains("1 of 1 directory up to date"));
    let shown = scratch.tf_phi(&["diff", "-var=protect=true"]).expect(0).stdout;
    assert!(shown.contains("+    prevent_destroy       = true"), "{shown}");
    let shown = scratch.tf_phi(&["plan", "--dry-run", "-var=kind=large"]).expect(0).stdout;
    assert!(shown.contains("+  source = \"./kinds/large\""), "{shown}");
    assert_eq!(work_tree(&scratch), before);
}

fn answer(scratch: &Scratch) -> PathBuf {
    let path = scratch.aside("asked");
    fs::write(&path, "var.kind\n").unwrap();
    path
}

#[test]
fn a_run_that_is_killed_leaves_nothing_once_the_next_one_has_begun() {
    let scratch = tree();
    let before = work_tree(&scratch);
    // It kills tf-phi while the values are in place.
    let program = format!(
        "case $1 in plan) cat main.tf > {}; kill -9 $PPID; sleep 1 ;; *) exec {} \"$@\" ;; esac",
        scratch.aside("seen").display(),
        terraform().display()
    );
    let program = scratch.fake(&program);
    for what in [&["output"][..], &["plan", "-input=false"], &["check"], &["history"]] {
        let mut command = scratch.command(Path::new(env!("CARGO_BIN_EXE_tf-phi")));
        command.env("TF_PHI_TERRAFORM", &program).args(["plan", "-input=false", "-var=protect=true"]);
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
        assert!(!status.success());
        assert!(fs::read_to_string(scratch.aside("seen")).unwrap().contains("= true"));
        assert_ne!(work_tree(&scratch), before);
        scratch.tf_phi(what);
        if what != ["check"] {
            assert_eq!(work_tree(&scratch), before, "{what:?}");
        }
    }
    scratch.phi(&[]);
    assert_eq!(work_tree(&scratch), before);
}

#[test]
fn an_edit_while_terraform_runs_stays() {
    let scratch = tree();
    let program =
        format!("case $1 in plan) echo '# typed' >> main.tf ;; esac\nexec {} \"$@\"", terraform().display());
    let program = scratch.fake(&program);
    let mut command = scratch.command(Path::new(env!("CARGO_BIN_EXE_tf-phi")));
    command.env("TF_PHI_TERRAFORM", &program).args(["plan", "-input=false", "-var=protect=true"]);
    assert!(command.stdout(Stdio::null()).status().unwrap().success());
    assert_eq!(scratch.read("main.tf"), format!("{MAIN}# typed\n"));
    assert!(!scratch.dir().join(".phi").exists());
}

#[test]
fn terraform_itself_is_asked_for_the_values() {
    let scratch = tree();
    let ran = scratch.tf_phi(&["verify", "-var=protect=true", "-var=kind=large"]).expect(0);
    assert!(ran.stdout.contains("6 values are what Terraform computes, of 7 put in place"), "{}", ran.stdout);
    assert!(ran.stdout.contains("ignore_changes: Terraform can't be asked"), "{}", ran.stdout);
    assert!(!scratch.dir().join(".phi").exists());
}

/// The README's first example: a pin, which stays the expression that it is.
#[test]
fn the_first_example_of_the_readme() {
    let scratch = POSTGRES.scratch();
    let (plan, _) = scratch.phi_plan(&["--no-copies", "-var=customer_env=prod"]);
    let addresses: Vec<&str> = plan.resource_changes.iter().map(|change| &*change.address).collect();
    assert!(addresses.iter().all(|address| !address.contains("v15_4")), "{addresses:?}");
    let (plan, _) = scratch.phi_plan(&["-var=customer_env=prod"]);
    assert!(plan.resource_changes.iter().any(|change| change.address.contains("v15_4[0]")));
}

const EACH: &str = r#"variable "servers" {
  type    = map(bool)
  default = { a = true, b = false }
}
resource "terraform_data" "each" {
  for_each = var.servers
  input    = each.key

  lifecycle {
    prevent_destroy = each.value
  }
}
"#;

#[test]
fn instances_that_differ_are_refused_with_a_block_that_helps() {
    let scratch = Scratch::with(&[("phi.hcl", PHI), ("main.tf", EACH)]);
    let ran = scratch.tf_phi(&["plan", "-input=false"]).expect(1);
    for part in [
        "lifecycle.prevent_destroy on terraform_data.each has several values in this run",
        "main.tf:10:23",
        "It may be ",
    ] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    let block = ran.stderr.lines().skip_while(|line| !line.contains("specialize \"")).take(4);
    let block: String = block.map(|line| format!("{line}\n")).collect();
    // Where all instances have one value there is one literal.
    let (_, file) = scratch.phi_plan(&["-var=servers={a=true,b=true}"]);
    let changes = planned(&scratch, &file)["resource_changes"].to_string();
    assert!(changes.contains("terraform_data.each[\\\"a\\\"]"), "{changes}");
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false", "-var=servers={a=true,b=true}"]).expect(0);
    // What is pasted works, over that state.
    scratch.write("phi.hcl", &format!("{PHI}{block}"));
    let before = work_tree(&scratch);
    let ran = scratch.phi(&[]);
    assert!(ran.stdout.contains("No changes") || ran.stdout.contains("0 to destroy"), "{}", ran.stdout);
    let kept = |path: &Path| !path.starts_with(".phi") && path != Path::new("phi.moved.tf");
    let sources = |all: BTreeMap<PathBuf, Vec<u8>>| -> Vec<(PathBuf, Vec<u8>)> {
        all.into_iter().filter(|(path, _)| kept(path)).collect()
    };
    assert_eq!(sources(work_tree(&scratch)), sources(before));
}

#[test]
fn a_value_that_the_run_does_not_give_is_named() {
    let main = "variable \"kind\" {}\nmodule \"m\" {\n  source = \"./${var.kind}\"\n}\n";
    let scratch = Scratch::with(&[("phi.hcl", PHI), ("main.tf", main), ("a/main.tf", KIND)]);
    let ran = scratch.tf_phi(&["plan", "-input=false"]).expect(1);
    assert!(ran.stderr.contains("missing-value") && ran.stderr.contains("-var 'kind=…'"), "{}", ran.stderr);
    let ran = scratch.tf_phi(&["get"]).expect(1);
    assert!(ran.stderr.contains("export TF_VAR_kind=…"), "{}", ran.stderr);
    scratch.phi(&["-var=kind=a"]);
    let ran = scratch.tf_phi(&["plan", "-input=false", "-var=kind=none"]).expect(1);
    assert!(ran.stderr.contains("none"), "{}", ran.stderr);
    assert!(!scratch.dir().join(".phi").exists());
}

const BY_DATA: &str = r#"data "terraform_remote_state" "env" {
  backend = "local"
  config  = { path = "${path.module}/env.json" }
}
resource "terraform_data" "x" {
  input = data.terraform_remote_state.env.outputs.name
  lifecycle {
    prevent_destroy = data.terraform_remote_state.env.outputs.name == "prod"
    ignore_changes  = data.terraform_remote_state.env.outputs.frozen ? [input] : []
  }
}
module "sites" {
  source   = "./site"
  for_each = toset(["a", "b"])
  name     = each.key
}
module "chosen" {
  source = "./kinds/${data.terraform_remote_state.env.outputs.kind}"
}
"#;

const SITE: &str = r#"variable "name" {
  type = string
}
data "terraform_remote_state" "zone" {
  backend = "local"
  config  = { path = "${path.module}/${var.name}.json" }
}
resource "terraform_data" "x" {
  lifecycle {
    prevent_destroy = data.terraform_remote_state.zone.outputs.keep
  }
}
"#;

/// A state with outputs, given as (name, JSON, type).
fn outputs(all: &[(&str, &str, &str)]) -> String {
    let one = |(name, value, ty): &(&str, &str, &str)| {
        format!("\"{name}\": {{\"value\": {value}, \"type\": {ty}}}")
    };
    let all: Vec<String> = all.iter().map(one).collect();
    format!(
        "{{\"version\": 4, \"terraform_version\": \"1.5.0\", \"serial\": 1, \"lineage\": \"x\", \"outputs\": {{{}}}, \
         \"resources\": []}}",
        all.join(", ")
    )
}

fn by_data() -> Scratch {
    let kinds = "variable \"data.terraform_remote_state.env.outputs.kind\" {\n  universe = [\"small\", \"large\"]\n}\n";
    let scratch = Scratch::with(&[
        ("phi.hcl", &format!("{PHI}{kinds}")),
        ("main.tf", BY_DATA),
        ("site/main.tf", SITE),
        ("kinds/small/main.tf", KIND),
        ("kinds/large/main.tf", KIND),
    ]);
    answer_data(&scratch, "prod", "large", (true, true));
    scratch
}

fn answer_data(scratch: &Scratch, name: &str, kind: &str, (a, b): (bool, bool)) {
    let frozen = (name == "prod").to_string();
    let env = outputs(&[
        ("name", &format!("\"{name}\""), "\"string\""),
        ("kind", &format!("\"{kind}\""), "\"string\""),
        ("frozen", &frozen, "\"bool\""),
    ]);
    scratch.write("env.json", &env);
    for (name, keep) in [("a", a), ("b", b)] {
        scratch.write(&format!("site/{name}.json"), &outputs(&[("keep", &keep.to_string(), "\"bool\"")]));
    }
}

#[test]
fn what_data_decides_is_asked_of_a_first_plan() {
    let scratch = by_data();
    let before = work_tree(&scratch);
    scratch.tf_phi(&["init", "-input=false"]).expect(0);
    assert_eq!(work_tree(&scratch), before);
    let ran = scratch.tf_phi(&["apply", "-auto-approve", "-input=false"]).expect(0);
    assert!(ran.stderr.contains("4 fields specialised, 2 files written"), "{}", ran.stderr);
    assert!(ran.stdout.contains("4 added, 0 changed, 0 destroyed"), "{}", ran.stdout);
    assert!(scratch.read("terraform.tfstate").contains("large"));
    // What data sources give is what counts, each time.
    let ran = scratch.tf_phi(&["apply", "-destroy", "-auto-approve", "-target=terraform_data.x"]).expect(1);
    assert!(ran.stderr.contains("Instance cannot be destroyed"), "{}", ran.stderr);
    let ran = scratch.tf_phi(&["apply", "-destroy", "-auto-approve", "-target=module.sites"]).expect(1);
    assert!(ran.stderr.contains("Instance cannot be destroyed"), "{}", ran.stderr);
    // An edit of what isn't watched is no change in `prod`, and one elsewhere.
    scratch.write("main.tf", &BY_DATA.replace("outputs.name\n  lifecycle", "outputs.kind\n  lifecycle"));
    assert!(scratch.phi(&[]).stdout.contains("No changes"));
    answer_data(&scratch, "dev", "small", (false, false));
    let ran = scratch.phi(&[]);
    assert!(ran.stdout.contains("terraform_data.x will be updated in-place"), "{}", ran.stdout);
    assert!(scratch.tf_phi(&["verify"]).expect(0).stdout.contains("values are what Terraform computes"));
    scratch.tf_phi(&["apply", "-destroy", "-auto-approve"]).expect(0);
    scratch.write("main.tf", BY_DATA);
    answer_data(&scratch, "prod", "large", (true, true));
    assert_eq!(work_tree(&scratch), before);
}

#[test]
fn what_a_first_plan_does_not_tell_is_refused_with_a_block_that_helps() {
    let scratch = by_data();
    // Instances of one module that differ have no literal.
    answer_data(&scratch, "prod", "large", (true, false));
    let ran = scratch.tf_phi(&["plan", "-input=false"]).expect(1);
    let why = "lifecycle.prevent_destroy on module.sites.terraform_data.x has several values in this run";
    assert!(ran.stderr.contains(why), "{}", ran.stderr);
    // Nothing is asked where nothing is planned.
    answer_data(&scratch, "prod", "large", (true, true));
    let ran = scratch.tf_phi(&["plan", "--dry-run"]).expect(1);
    assert!(ran.stderr.contains("A plan tells it, and this command makes none."), "{}", ran.stderr);
    // A list could be a set.
    let list = outputs(&[("names", "[\"a\"]", "[\"list\", \"string\"]")]);
    let main = BY_DATA[..BY_DATA.find("resource").unwrap()].to_owned()
        + "resource \"terraform_data\" \"x\" {\n  lifecycle {\n    prevent_destroy = \
           contains(data.terraform_remote_state.env.outputs.names, \"a\")\n  }\n}\n";
    let scratch = Scratch::with(&[("phi.hcl", PHI), ("main.tf", &main), ("env.json", &list)]);
    let ran = scratch.tf_phi(&["plan", "-input=false"]).expect(1);
    assert!(ran.stderr.contains("A first plan didn't tell it"), "{}", ran.stderr);
    // What is pasted is copies, and the values that they are made of.
    let block = ran.stderr.lines().skip_while(|line| !line.contains("specialize \"")).take(7);
    let block: String = block.map(|line| format!("{line}\n")).collect();
    scratch.write("phi.hcl", &format!("{PHI}{block}"));
    scratch.tf_phi(&["init", "-input=false"]).expect(0);
    let ran = scratch.phi(&[]);
    assert!(ran.stdout.contains("x_prevent_destroy_true[0] will be created"), "{}", ran.stdout);
}

#[test]
fn pins_stay_expressions_and_that_is_said_once() {
    let main = "variable \"size\" {\n  default = 1\n}\nvariable \"on\" {\n  default = true\n}\nresource \"terraform_data\" \"x\" {\n  \
                input = var.size\n  lifecycle {\n    prevent_destroy = var.on\n  }\n}\n";
    let pin = "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n";
    let scratch = Scratch::with(&[("phi.hcl", &format!("{PHI}{pin}")), ("main.tf", main)]);
    let ran = scratch.phi(&["-var=size=7"]);
    assert_eq!(ran.stderr.matches("Terraform takes them itself").count(), 1, "{}", ran.stderr);
    assert!(ran.stdout.contains("terraform_data.x will be created"), "{}", ran.stdout);
    assert!(scratch.tf_phi(&["check"]).expect(0).stdout.contains("up to date"));
    // On the command line alone it is the same.
    scratch.write("phi.hcl", "");
    let ran = scratch.phi(&["--no-copies"]);
    assert!(ran.stdout.contains("terraform_data.x will be created"), "{}", ran.stdout);
    assert!(!scratch.dir().join(".phi").exists());
}

/// Trees in JSON, as they are and with values written by hand.
fn in_json(protect: bool, by_hand: bool) -> Vec<(String, String)> {
    let or = |text: &str, value: Value| if by_hand { value } else { Value::from(text) };
    let call = |to: &str, on: bool, text: &str| {
        let source = if by_hand { format!("./hand-{to}") } else { "./shared".to_owned() };
        serde_json::json!({ "source": source, "protect": text, "on": on })
    };
    let main = serde_json::json!({
        "//": "Kept as it is.",
        "variable": { "protect": { "type": "bool" } },
        "resource": { "terraform_data": { "server": [{
            "input": "${path.module} and $${this}",
            "lifecycle": {
                "prevent_destroy": or("${var.protect}", protect.into()),
                "ignore_changes": or("${var.protect ? [input, triggers_replace] : []}", match protect {
                    true => serde_json::json!(["input", "triggers_replace"]),
                    false => serde_json::json!([]),
                }),
            }
        }] } },
        "module": {
            "one": [call("one", true, "${var.protect}")],
            "other": call("other", false, "${!var.protect}"),
        },
        "output": { "all": { "value": ["${module.one.where}", "${module.other.where}"] } }
    });
    let module = |on: bool| {
        let here = if by_hand { "shared" } else { "${path.module}" };
        let inner = if by_hand { "../shared/in$${ner}" } else { "./in$${ner}" };
        serde_json::json!({
            "variable": { "protect": { "type": "bool" }, "on": { "type": "bool" } },
            "module": { "inner": { "source": inner, "it": here } },
            "resource": { "terraform_data": { "it": {
                "input": [here, "${module.inner.it}"],
                "lifecycle": {
                    "ignore_changes": or("${var.protect ? all : []}", if on { "all".into() } else { serde_json::json!([]) }),
                    "prevent_destroy": or("${var.protect}", on.into()),
                }
            } } },
            "output": { "where": { "value": "${terraform_data.it.input}" } }
        })
    };
    let inner =
        serde_json::json!({ "variable": { "it": {} }, "output": { "it": { "value": "<${var.it}>" } } });
    let folders: &[(&str, bool)] =
        if by_hand { &[("hand-one", protect), ("hand-other", !protect)] } else { &[("shared", true)] };
    let mut files =
        vec![("main.tf.json".to_owned(), main), ("shared/in$${ner}/main.tf.json".to_owned(), inner)];
    files.extend(folders.iter().map(|(folder, on)| (format!("{folder}/main.tf.json"), module(*on))));
    files.into_iter().map(|(path, json)| (path, serde_json::to_string_pretty(&json).unwrap())).collect()
}

#[test]
fn json_sources_are_planned_as_by_hand() {
    for protect in [true, false] {
        let var = format!("-var=protect={protect}");
        let plans = [false, true].map(|by_hand| {
            let scratch = Scratch::with(&[("phi.hcl", PHI)]);
            in_json(protect, by_hand).iter().for_each(|(path, text)| scratch.write(path, text));
            let before = work_tree(&scratch);
            let file = match by_hand {
                true => {
                    let file = scratch.aside("hand.out");
                    scratch.init();
                    let out = format!("-out={}", file.display());
                    scratch.terraform(&["plan", "-input=false", &out, &var]).expect(0);
                    file
                }
                false => scratch.phi_plan(&[&var]).1,
            };
            let plan = planned(&scratch, &file);
            scratch.terraform(&["apply", "-input=false", file.to_str().unwrap()]).expect(0);
            let destroy = ["apply", "-destroy", "-auto-approve", "-target=module.one", &var];
            let destroyed = if by_hand { scratch.terraform(&destroy) } else { scratch.tf_phi(&destroy) };
            assert_eq!(work_tree(&scratch), before);
            (plan, destroyed.code)
        });
        assert_eq!(plans[0], plans[1], "{protect}");
        assert_eq!(plans[0].1, i32::from(protect));
    }
}

/// A module beside the root belongs to others, too: no file of it is touched.
#[test]
fn what_lies_outside_of_the_root_is_copied_into_it_for_the_run() {
    let call = |on: &str| format!("module \"m\" {{\n  source = \"../beside\"\n  on     = {on}\n}}\n");
    let main = format!("variable \"on\" {{\n  type = bool\n}}\n{}", call("var.on"));
    let module = "variable \"on\" {\n  type = bool\n}\nmodule \"inner\" {\n  source = \"./inner\"\n}\nresource \"terraform_data\" \"x\" {\n  \
                  input = [path.module, module.inner.path]\n  lifecycle {\n    prevent_destroy = var.on\n  }\n}\n";
    let inner = "output \"path\" {\n  value = path.module\n}\n";
    let scratch = Scratch::with(&[("phi.hcl", PHI), ("main.tf", &main)]);
    fs::create_dir_all(scratch.aside("beside/inner")).unwrap();
    fs::write(scratch.aside("beside/main.tf"), module).unwrap();
    fs::write(scratch.aside("beside/inner/main.tf"), inner).unwrap();
    let before = work_tree(&scratch);
    // Nobody may write there.
    let program = format!(
        "test \"$(cat ../beside/main.tf)\" = \"$(cat {})\" || exit 7\nexec {} \"$@\"",
        scratch.aside("kept").display(),
        terraform().display()
    );
    fs::write(scratch.aside("kept"), module).unwrap();
    let program = scratch.fake(&program);
    let mut command = scratch.command(Path::new(env!("CARGO_BIN_EXE_tf-phi")));
    command.env("TF_PHI_TERRAFORM", &program).args([
        "apply",
        "-auto-approve",
        "-input=false",
        "-var=on=true",
    ]);
    assert!(command.stdout(Stdio::null()).status().unwrap().success());
    assert_eq!(work_tree(&scratch), before);
    let state: Value = serde_json::from_str(&scratch.read("terraform.tfstate")).unwrap();
    let input = &state["resources"][0]["instances"][0]["attributes"]["input"]["value"];
    assert_eq!(*input, serde_json::json!(["../beside", "../beside/inner"]));
    let ran = scratch.tf_phi(&["apply", "-destroy", "-auto-approve", "-var=on=true"]).expect(1);
    assert!(ran.stderr.contains("Instance cannot be destroyed"), "{}", ran.stderr);
}

/// The pair in a printed command that tells whose copy an object is.
fn as_copy(line: &str) -> Option<String> {
    let pair = line.trim().strip_prefix("tf-phi history --copy '")?;
    Some(pair.strip_suffix('\'')?.to_owned())
}

/// The state of every mixture goes home in the first run's own moves, and back into copies.
#[test]
fn from_copies_to_none_and_back() {
    let copies = "variable \"kind\" {\n  universe = [\"small\", \"large\"]\n}\n";
    let none = format!("{PHI}{copies}");
    for (keep, fetched) in [(true, false), (false, false), (true, true), (false, true)] {
        let scratch = tree();
        let kept = format!("settings {{\n  keep = {keep}\n}}\n{copies}");
        for round in 0..2 {
            scratch.write("phi.hcl", &kept);
            let to_copies =
                ["apply", "-auto-approve", "-input=false", "-var=kind=large", "-var=protect=true"];
            let ran = scratch.tf_phi(&to_copies).expect(0);
            let expected = if round == 0 { "5 added, 0 changed, 0 destroyed" } else { "0 destroyed" };
            assert!(ran.stdout.contains(expected), "{}", ran.stdout);
            assert!(scratch.tf_phi(&["state", "list"]).expect(0).stdout.contains("[0]"));
            scratch.write("phi.hcl", &none);
            if fetched {
                // A clone without what tf-phi remembers.
                scratch.tf_phi(&["restore"]);
                let _ = fs::remove_dir_all(scratch.dir().join(".phi"));
                let _ = fs::remove_file(scratch.dir().join("phi.moved.tf"));
            }
            if fetched {
                // Names alone prove nothing here. The run names each object, and what it prints helps.
                let ran = scratch
                    .tf_phi(&["plan", "-input=false", "-var=kind=large", "-var=protect=true"])
                    .expect(1);
                // Of a name that could be another object's, too, the first reading is the one here.
                let mut copies: Vec<String> = ran.stderr.lines().filter_map(as_copy).collect();
                copies.dedup_by_key(|copy| copy.split_once('=').unwrap().0.to_owned());
                assert_eq!(copies.len(), 5, "{}", ran.stderr);
                copies.iter().for_each(|copy| drop(scratch.tf_phi(&["history", "--copy", copy])));
            }
            let (plan, file) = scratch.phi_plan(&["-var=kind=large", "-var=protect=true"]);
            for change in &plan.resource_changes {
                assert_eq!(change.change.actions, ["no-op"], "{keep} {fetched} {round} {}", change.address);
                assert!(!change.address.contains('['), "{}", change.address);
            }
            scratch.tf_phi(&["apply", "-input=false", file.to_str().unwrap()]).expect(0);
            assert!(!scratch.tf_phi(&["state", "list"]).expect(0).stdout.contains("[0]"));
            let ran = scratch.phi(&["-var=kind=large", "-var=protect=true"]);
            assert!(ran.stdout.contains("No changes"), "{}", ran.stdout);
        }
    }
}

#[test]
fn a_test_has_copies_for_its_runs() {
    let scratch = tree();
    scratch
        .write("phi.hcl", &format!("{PHI}variable \"kind\" {{\n  universe = [\"small\", \"large\"]\n}}\n"));
    let run = |kind: &str| {
        format!(
            "run \"{kind}\" {{\n  command = plan\n  variables {{\n    kind = \"{kind}\"\n  }}\n  assert {{\n    condition     = \
             output.all[0] == \"{kind}\"\n    error_message = \"no\"\n  }}\n}}\n"
        )
    };
    scratch.write("all.tftest.hcl", &format!("{}{}", run("small"), run("large")));
    let before = work_tree(&scratch);
    let ran = scratch.tf_phi(&["test", "-no-color"]).expect(0);
    assert!(ran.stdout.contains("2 passed, 0 failed"), "{}", ran.stdout);
    let after: BTreeMap<_, _> =
        work_tree(&scratch).into_iter().filter(|(path, _)| !path.starts_with(".phi")).collect();
    assert_eq!(after, before);
}

/// Provisioners and providers that write relative files, and paths of all kinds.
#[test]
fn what_sees_the_folder_sees_the_users() {
    let main = "variable \"on\" {\n  default = true\n}\nmodule \"m\" {\n  source = \"./m\"\n  on     = var.on\n}\nresource \
                \"terraform_data\" \"x\" {\n  input = [path.cwd, abspath(path.module), abspath(\".\")]\n  provisioner \"local-exec\" \
                {\n    command = \"pwd > made-by-root\"\n  }\n  lifecycle {\n    prevent_destroy = var.on\n  }\n}\n";
    let module = "variable \"on\" {}\nresource \"terraform_data\" \"x\" {\n  input = file(\"${path.module}/text\")\n  provisioner \
                  \"local-exec\" {\n    command = \"pwd > ${path.module}/made\"\n  }\n  lifecycle {\n    prevent_destroy = var.on\n  }\n}\n";
    let scratch =
        Scratch::with(&[("phi.hcl", PHI), ("main.tf", main), ("m/main.tf", module), ("m/text", "hello")]);
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false"]).expect(0);
    let here = fs::canonicalize(scratch.dir()).unwrap();
    for file in ["made-by-root", "m/made"] {
        assert_eq!(scratch.read(file).trim(), here.to_str().unwrap(), "{file}");
    }
    let state = scratch.read("terraform.tfstate");
    assert!(state.contains("hello") && state.contains(here.to_str().unwrap()), "{state}");
}

/// Somebody formats, or appends, while values are in place: what is put back is the original with that edit, whatever stands around an
/// expression of several lines.
#[test]
fn what_is_formatted_meanwhile() {
    let shapes = [
        "    ignore_changes = (var.on ?\n      [input]\n    : []) # tail\n",
        "    prevent_destroy = (\n      var.on\n    )\n\n    create_before_destroy = var.on # other\n    # why\n    # more\n",
        "    prevent_destroy = var.on # tail\n    # next\n    ignore_changes = (var.on ?\n      [input] /* b */\n      : [] # inner\n    )\n    /* \
         below\n       two */\n    create_before_destroy = true\n",
    ];
    for shape in shapes {
        let main = format!(
            "variable \"on\" {{\n  default = true\n}}\nresource \"terraform_data\" \"x\" {{\n  input = 1\n  lifecycle {{\n{shape}  }}\n}}\n"
        );
        for (edit, typed) in [("true", ""), ("echo 'locals {}' >> main.tf", "locals {}\n")] {
            let scratch = Scratch::with(&[("phi.hcl", PHI), ("main.tf", &main)]);
            let script = format!("{} fmt -list=false && {edit}", terraform().display());
            scratch.tf_phi(&["run", "--", "sh", "-c", &script]).expect(0);
            scratch.terraform(&["fmt", "-list=false"]).expect(0);
            let by_hand = Scratch::with(&[("main.tf", &format!("{main}{typed}"))]);
            by_hand.terraform(&["fmt", "-list=false"]).expect(0);
            assert_eq!(scratch.read("main.tf"), by_hand.read("main.tf"), "{edit}");
        }
    }
}

/// Two calls want different values, and a resource for each file of the folder of modules: there is one.
#[test]
fn functions_see_no_copy_of_a_run() {
    let module = "variable \"on\" {}\nresource \"terraform_data\" \"x\" {\n  input = fileset(path.module, \"**\")\n  lifecycle {\n    \
                  prevent_destroy = var.on\n  }\n}\n";
    let call = |name: &str, on: &str| {
        format!("module \"{name}\" {{\n  source = \"./modules/m\"\n  on     = {on}\n}}\n")
    };
    let main = format!(
        "variable \"on\" {{\n  type = bool\n}}\n{}{}resource \"terraform_data\" \"index\" {{\n  for_each = fileset(\"modules\", \
         \"**\")\n}}\n",
        call("a", "false"),
        call("b", "var.on")
    );
    let scratch = Scratch::with(&[("phi.hcl", PHI), ("main.tf", &main), ("modules/m/main.tf", module)]);
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false", "-var=on=true"]).expect(0);
    let listed = scratch.tf_phi(&["state", "list"]).expect(0);
    let held: Vec<&str> =
        listed.stdout.lines().filter(|line| line.starts_with("terraform_data.index")).collect();
    assert_eq!(held, ["terraform_data.index[\"m/main.tf\"]"], "{}{}", listed.stdout, listed.stderr);
    scratch.tf_phi(&["plan", "-detailed-exitcode", "-input=false", "-var=on=false"]).expect(0);
}
