//! Services on a real Terraform: an AWS stack without the AWS provider, values, flips, and what state holds.

use crate::support::{Scratch, actions};

const FACTOR: [&str; 2] = ["--form-factor", "on-prem"];

const MAIN: &str = r#"
variable "prod" {
  type = bool
}
resource "terraform_data" "db" {
  input = {
    engine  = "postgres"
    version = var.prod ? "15.4" : "14.9"
  }
}
resource "terraform_data" "app" {
  input = {
    engine  = "none"
    version = terraform_data.db.output.version
  }
}
"#;

const PHI: &str = r#"
form_factor "on-prem" {
  services = ["pg"]
}
service "pg" {
  replaces = "terraform_data"
  when     = { "input.engine" = "postgres" }
  module   = "./services/pg"
  outputs  = { output = "release" }
  field "input.version" {
    universe = ["14.9", "15.4", "16.2"]
  }
}
"#;

const TEMPLATE: &str = r#"
variable "input" {
  type = object({ engine = string, version = string })
}
resource "terraform_data" "release" {
  input = { chart = { "14.9" = "0.18", "15.4" = "0.19", "16.2" = "0.20" }[var.input.version] }
}
output "release" {
  value = var.input
}
"#;

/// A resource with a choice in it, and one of the same type that stays.
fn small() -> Scratch {
    Scratch::with(&[("main.tf", MAIN), ("phi.hcl", PHI), ("services/pg/main.tf", TEMPLATE)])
}

fn with_factor<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [args, &FACTOR].concat()
}

/// The tree as it is to be, and its modules installed.
fn prepared(scratch: &Scratch) {
    scratch.tf_phi(&with_factor(&["check", "--fix"])).expect(0);
    scratch.init();
}

#[test]
fn an_aws_stack_is_planned_without_the_aws_provider() {
    let scratch = Scratch::copy_of("examples/services");
    let before = scratch.sources();
    prepared(&scratch);
    assert!(!scratch.dir().join(".terraform/providers").exists(), "a provider was installed");
    let plan = |env: &str, version: &str| {
        let env = format!("-var=customer_env={env}");
        let version = format!("-var=engine_version={version}");
        let (plan, _) = scratch.phi_plan(&with_factor(&[env.as_str(), version.as_str()]));
        let outputs = plan.output_changes.clone();
        (actions(&plan), outputs)
    };
    let (prod, outputs) = plan("prod", "14.9");
    let names: Vec<&str> = prod.keys().map(String::as_str).collect();
    let cache = "module.cache[0].terraform_data.release";
    assert_eq!(names, [cache, "module.database_v16_2[0].module.app.terraform_data.release"]);
    assert_eq!(prod[names[1]].after["input"]["version"], "0.21.0");
    assert_eq!(prod[cache].after["input"]["image"], "valkey/valkey:7.1");
    assert_eq!(outputs["database"].after, "postgres://app-rw.default.svc:5432/app");
    assert_eq!(outputs["cache"].after, "app-valkey.default.svc");
    let (dev, outputs) = plan("dev", "15.4");
    let names: Vec<&str> = dev.keys().map(String::as_str).collect();
    assert_eq!(names, ["module.database_v15_4[0].module.app.terraform_data.release"]);
    assert_eq!(dev[names[0]].after["input"]["version"], "0.19.1");
    assert!(outputs.get("cache").is_none_or(|o| o.after.is_null()));
    let all = with_factor(&["plan", "-input=false", "-var=customer_env=dev", "-var=engine_version=9.6"]);
    let ran = scratch.tf_phi(&all);
    assert!(ran.code == 1 && ran.stderr.contains("isn't among the values"), "{}\n{}", ran.stdout, ran.stderr);
    scratch.tf_phi(&with_factor(&["check"])).expect(0);
    scratch.tf_phi(&["restore"]).expect(0);
    assert_eq!(scratch.sources(), before);
}

#[test]
fn a_flip_is_an_update_in_place() {
    let scratch = small();
    prepared(&scratch);
    scratch.tf_phi(&with_factor(&["apply", "-auto-approve", "-input=false", "-var=prod=true"])).expect(0);
    let written = scratch.sources();
    scratch.phi(&with_factor(&["-var=prod=true"]));
    assert_eq!(scratch.sources(), written, "a second run changed something");
    let (plan, _) = scratch.phi_plan(&with_factor(&["-var=prod=false"]));
    let found = actions(&plan);
    let release = &found["module.db_v14_9[0].terraform_data.release"];
    assert_eq!((release.actions.as_str(), &release.after["input"]["chart"]), ("update", &"0.18".into()));
    assert_eq!(release.from.as_deref(), Some("module.db_v15_4[0].terraform_data.release"));
    assert_eq!(found["terraform_data.app"].actions, "update");
    assert!(found.values().all(|a| !a.actions.contains("delete")), "{found:?}");
}

#[test]
fn what_state_holds_is_not_destroyed() {
    let scratch = small();
    scratch.init();
    scratch.apply(&["-var=prod=true"]);
    let before = scratch.everything();
    let refused = |args: &[&str], name: &str| {
        let ran = scratch.tf_phi(&[&["plan", "-input=false", "-var=prod=true"][..], args].concat()).expect(1);
        assert!(ran.stderr.contains(&format!("state holds {name}")), "{}", ran.stderr);
        assert!(ran.stdout.is_empty(), "{}", ran.stdout);
    };
    refused(&FACTOR, "terraform_data.db");
    assert_eq!(scratch.everything(), before, "something was written");
    // A state of its own.
    scratch.terraform(&["workspace", "new", "on-prem"]).expect(0);
    scratch.tf_phi(&with_factor(&["apply", "-auto-approve", "-input=false", "-var=prod=true"])).expect(0);
    // The other way round, with the record and without.
    let made = "module.db_v15_4.terraform_data.release";
    refused(&[], made);
    scratch.tf_phi(&["restore"]).expect(0);
    refused(&[], made);
    // Whoever destroys everything means it.
    scratch
        .tf_phi(&with_factor(&["apply", "-destroy", "-auto-approve", "-input=false", "-var=prod=true"]))
        .expect(0);
    assert_eq!(scratch.terraform(&["state", "list"]).expect(0).stdout, "");
    scratch.phi(&["-var=prod=true"]);
}

const GROUP: &str = "resource \"terraform_data\" \"group\" {\n  input = { engine = \"none\" }\n}\n";

/// What a service drops beside what it replaces, and what a form factor drops by itself, at the root and in a module.
/// What is replaced may be what Terraform rejects: the state is read all the same, and what the message says works there.
#[test]
fn what_terraform_rejects_is_replaced() {
    let main =
        MAIN.replacen("  input = {", "  lifecycle {\n    prevent_destroy = var.prod\n  }\n  input = {", 1);
    assert_ne!(main, MAIN);
    let phi = PHI.replace("  outputs ", "  ignores  = [\"lifecycle\"]\n  outputs ");
    let scratch = Scratch::with(&[("main.tf", &main), ("phi.hcl", &phi), ("services/pg/main.tf", TEMPLATE)]);
    scratch.tf_phi(&["init", "-input=false"]).expect(0);
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false", "-var=prod=false"]).expect(0);
    scratch.tf_phi(&["restore"]).expect(0);
    let ran = scratch.tf_phi(&with_factor(&["plan", "-input=false", "-var=prod=false"]));
    assert!(
        ran.code == 1 && ran.stderr.contains("state holds terraform_data.db"),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    let paste = ran.stderr.lines().find_map(|line| line.trim().strip_prefix("tf-phi ")).unwrap_or_default();
    assert_eq!(paste, "workspace select -or-create on-prem", "{}", ran.stderr);
    scratch.tf_phi(&paste.split(' ').collect::<Vec<_>>()).expect(0);
    scratch.tf_phi(&with_factor(&["plan", "-input=false", "-var=prod=false"])).expect(0);
}

#[test]
fn what_is_dropped_is_not_destroyed() {
    let by_service = PHI.replace("outputs ", "drops    = { terraform_data = \"Of no use.\" }\n  outputs ");
    let by_factor =
        "form_factor \"on-prem\" {\n  drops = [\"terraform_data\", \"terraform_remote_state\"]\n}\n";
    let prod = "variable \"prod\" {\n  type = bool\n}\n";
    let data = "data \"terraform_remote_state\" \"shared\" {\n  backend = \"local\"\n  config = { path = \"other.tfstate\" }\n}\n";
    let before = format!("{prod}{GROUP}module \"inner\" {{\n  source = \"./inner\"\n}}\n{data}");
    let (db, _) = MAIN.split_once("resource \"terraform_data\" \"app\"").unwrap();
    for (phi, inner, dropped) in [
        (&*by_service, "", &["terraform_data.group"][..]),
        (by_factor, GROUP, &["terraform_data.group", "module.inner.terraform_data.group"]),
    ] {
        let files = [("main.tf", &*before), ("inner/main.tf", inner), ("services/pg/main.tf", TEMPLATE)];
        let scratch = Scratch::with(&files);
        scratch
            .write("other.tfstate", r#"{"version":4,"serial":1,"lineage":"l","outputs":{},"resources":[]}"#);
        // What is replaced isn't there yet: state holds what is dropped, and a data source.
        scratch.init();
        scratch.apply(&["-var=prod=true"]);
        scratch.write("main.tf", &before.replace(prod, db));
        scratch.write("phi.hcl", phi);
        let before = scratch.everything();
        let ran = scratch.tf_phi(&with_factor(&["plan", "-input=false", "-var=prod=true"])).expect(1);
        let said: Vec<&str> =
            ran.stderr.lines().filter_map(|l| l.split_once("Blocking: state holds ")).map(|l| l.1).collect();
        assert_eq!(said, dropped, "{}", ran.stderr);
        assert_eq!(scratch.everything(), before, "something was written");
        // A bare plan of what is written gives up, and destroys nothing.
        scratch.tf_phi(&with_factor(&["check", "--fix"])).expect(0);
        scratch.init();
        let moved = scratch.read("phi.moved.tf");
        scratch.write("phi.moved.tf", &moved[moved.find("removed {").unwrap()..]);
        let found = actions(&scratch.plan(&["-var=prod=true"]));
        assert!(dropped.iter().all(|d| found[*d].actions == "forget"), "{found:?}");
        assert!(found.values().all(|a| !a.actions.contains("delete")), "{found:?}");
    }
}

/// Terraform alone, over what a run has written for a state of its own, with the state of the original.
#[test]
fn a_bare_plan_over_the_state_of_another_place_destroys_nothing() {
    let scratch = small();
    scratch.init();
    scratch.terraform(&["workspace", "new", "on-prem"]).expect(0);
    scratch.tf_phi(&with_factor(&["apply", "-auto-approve", "-input=false", "-var=prod=true"])).expect(0);
    let written = scratch.sources();
    scratch.tf_phi(&["restore"]).expect(0);
    scratch.terraform(&["workspace", "select", "default"]).expect(0);
    scratch.init();
    scratch.apply(&["-var=prod=true"]);
    for (path, text) in &written {
        std::fs::create_dir_all(scratch.dir().join(path).parent().unwrap()).unwrap();
        std::fs::write(scratch.dir().join(path), text).unwrap();
    }
    scratch.init();
    let found = actions(&scratch.plan(&["-var=prod=true"]));
    assert_eq!(found["terraform_data.db"].actions, "forget");
    assert!(found.values().all(|a| !a.actions.contains("delete")), "{found:?}");
}

#[test]
fn a_removed_block_gives_up_without_destroying() {
    let scratch = small();
    scratch.init();
    scratch.apply(&["-var=prod=true"]);
    let removed = "removed {\n  from = terraform_data.db\n  lifecycle {\n    destroy = false\n  }\n}\n";
    scratch.write("removed.tf", removed);
    prepared(&scratch);
    let (plan, _) = scratch.phi_plan(&with_factor(&["-var=prod=true"]));
    let found = actions(&plan);
    assert_eq!(found["terraform_data.db"].actions, "forget");
    assert_eq!(found["module.db_v15_4[0].terraform_data.release"].actions, "create");
    assert!(found.values().all(|a| !a.actions.contains("delete")), "{found:?}");
}

#[test]
fn what_a_check_wrote_stops_a_plain_plan() {
    let scratch = small();
    scratch.init();
    scratch.apply(&["-var=prod=true"]);
    scratch.tf_phi(&with_factor(&["check", "--fix"])).expect(0);
    scratch.init();
    let ran = scratch.terraform(&["plan", "-input=false", "-no-color", "-var=prod=true"]).expect(1);
    assert!(ran.stderr.contains("Services replace terraform_data.db."), "{}", ran.stderr);
}

/// Every golden tree of this area whose origin's provider isn't needed any more.
#[test]
fn terraform_accepts_what_is_written() {
    let cases =
        ["references", "blocks", "names", "resolved", "universe-supplied", "nested-field", "conditional"];
    for case in cases {
        let scratch = Scratch::copy_of(&format!("tests/golden/service/{case}/in"));
        scratch.tf_phi(&["check", "--fix"]).expect(0);
        scratch.init();
        let ran = scratch.terraform(&["validate", "-no-color"]);
        // Before 1.10 Terraform knows the time of a plan that it doesn't make, so that what stops a plain plan of a tree without
        // variables stops it here.
        let knows = ["1.7.", "1.8.", "1.9."].iter().any(|before| scratch.version().starts_with(before));
        if knows && ran.code == 1 && !scratch.read("main.tf").contains("variable \"") {
            assert!(ran.stderr.contains("tf_phi_moves_missing"), "{case}: {}", ran.stderr);
            continue;
        }
        ran.expect(0);
    }
    let scratch = Scratch::copy_of("tests/golden/service/references/in");
    scratch.tf_phi(&["check", "--fix"]).expect(0);
    scratch.init();
    let found = actions(&scratch.phi_plan(&[]).0);
    assert_eq!(found.keys().filter(|a| a.ends_with("terraform_data.release")).count(), 5, "{found:?}");
    assert_eq!(found["terraform_data.each[\"b\"]"].after["input"], "db");
}

#[test]
fn what_a_template_does_without_is_said() {
    let main = MAIN.replacen("  input = {", "  triggers_replace = 1\n  input = {", 1);
    let scratch = Scratch::with(&[("main.tf", &main), ("phi.hcl", PHI), ("services/pg/main.tf", TEMPLATE)]);
    prepared(&scratch);
    let ran = scratch.phi(&with_factor(&["-var=prod=true"]));
    assert!(ran.stderr.contains("does without some arguments of terraform_data.db"), "{}", ran.stderr);
    assert!(ran.stderr.contains("ignores = [\"triggers_replace\"]"), "{}", ran.stderr);
    scratch.tf_phi(&["restore"]).expect(0);
    scratch.write("phi.hcl", &PHI.replace("outputs ", "ignores  = [\"triggers_replace\"]\n  outputs "));
    let ran = scratch.phi(&with_factor(&["-q", "-var=prod=true"]));
    assert_eq!(ran.stderr, "");
}

#[test]
fn verify_says_what_it_can_not_compare() {
    let scratch = small();
    prepared(&scratch);
    let ran = scratch.tf_phi(&with_factor(&["verify", "-var=prod=true"])).expect(0);
    assert!(ran.stdout.contains("  terraform_data.db by module.db (service pg)\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("The two plans are equal"), "{}", ran.stdout);
}

#[test]
fn explain_leads_from_the_resource_to_the_copies() {
    let scratch = small();
    let ran = scratch.tf_phi(&with_factor(&["explain", "terraform_data.db", "-var=prod=true"])).expect(0);
    let first =
        "terraform_data.db is replaced by module.db: the service \"pg\" of the form factor \"on-prem\".";
    assert!(ran.stdout.starts_with(first), "{}", ran.stdout);
    assert!(ran.stdout.contains("module.db_v15_4") && ran.stdout.contains("main.tf:8"), "{}", ran.stdout);
    let ran = scratch.tf_phi(&with_factor(&["explain", "module.db_v14_9[0]", "-var=prod=true"])).expect(0);
    assert!(ran.stdout.contains("14.9"), "{}", ran.stdout);
    let ran = scratch.tf_phi(&["trace", "--form-factor", "on-perm"]).expect(1);
    assert!(ran.stderr.contains("Did you mean \"on-prem\"?"), "{}", ran.stderr);
}

/// What a form factor wrote, in the root, in the folder of a called module and in a template's copy, laid out anew by
/// `terraform fmt`.
#[test]
fn what_a_form_factor_wrote_may_be_laid_out_anew() {
    let ugly = MAIN
        .replace("    engine  = \"none\"", "      engine=\"none\"")
        .replace("  output.version", "output.version");
    let inner = "variable \"prod\" {\n  type=bool\n}\nresource \"terraform_data\" \"db\" {\n    input = {\n    engine = \"postgres\"\n    version=\"14.9\"\n  }\n}\nresource \"terraform_data\" \"kept\" {\n    input={ engine = \"none  x\", a = var.prod }\n}\n";
    let template =
        TEMPLATE.replace("  input = { chart", "    input={ chart").replace("  value = var", "     value=var");
    // Without a field, the folder is written as services left it.
    let phi =
        PHI.replace("  field \"input.version\" {\n    universe = [\"14.9\", \"15.4\", \"16.2\"]\n  }\n", "");
    assert_ne!(phi, PHI);
    let main = format!("{ugly}module \"inner\" {{\n   source=\"./inner\"\n   prod = var.prod\n}}\n");
    let files = [
        ("main.tf", main.as_str()),
        ("inner/main.tf", inner),
        ("phi.hcl", &phi),
        ("services/pg/main.tf", &template),
    ];
    let scratch = Scratch::with(&files);
    prepared(&scratch);
    let prod = with_factor(&["-var=prod=true"]);
    scratch.phi(&prod);
    let written = scratch.sources();
    assert!(written.keys().any(|p| p.starts_with("inner-on-prem")), "{:?}", written.keys());
    for _ in 0..2 {
        scratch.terraform(&["fmt", "-recursive"]).expect(0);
        assert_ne!(scratch.sources(), written);
        scratch.tf_phi(&with_factor(&["check", "--fix"])).expect(0);
        scratch.phi(&prod);
    }
    // Within a string nothing is layout.
    let path = "inner-on-prem/main.tf";
    let text = scratch.read(path);
    scratch.write(path, &text.replace("none  x", "none x"));
    assert_ne!(scratch.read(path), text);
    let ran = scratch.tf_phi(&[&["plan", "-input=false"][..], &prod].concat()).expect(1);
    assert!(ran.stderr.contains("was edited"), "{}", ran.stderr);
    scratch.write(path, &text);
    scratch.terraform(&["fmt", "-recursive"]).expect(0);
    scratch.tf_phi(&["restore"]).expect(0);
    scratch.terraform(&["fmt", "-recursive"]).expect(0);
    let original = scratch.sources();
    assert_eq!(original.keys().count(), files.len(), "{:?}", original.keys());
    scratch.phi(&prod);
    scratch.terraform(&["fmt", "-check", "-diff", "-recursive"]).expect(0);
}
