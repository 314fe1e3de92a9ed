//! Ephemeral runs with the real Terraform, and a first plan where data decides.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::compare::nothing_is_destroyed;
use crate::support::{Scratch, actions};
use crate::trees::POSTGRES;

/// The sources without tf-phi's own folder.
fn own(scratch: &Scratch) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = scratch.sources();
    all.retain(|path, _| !path.starts_with(".phi"));
    all
}

#[test]
fn a_saved_plan_is_applied_and_the_sources_never_change() {
    let scratch = POSTGRES.scratch();
    let before = own(&scratch);
    for (assignment, action) in [("prod", "create"), ("dev", "update"), ("prod", "update")] {
        let var = format!("-var=customer_env={assignment}");
        let (plan, file) = scratch.phi_plan(&["--ephemeral", &var]);
        assert_eq!(own(&scratch), before);
        nothing_is_destroyed(&plan, assignment);
        assert!(actions(&plan).values().any(|a| a.actions == action), "{:?}", actions(&plan));
        scratch.tf_phi(&["apply", "-input=false", "-no-color", file.to_str().unwrap()]).expect(0);
        assert_eq!(own(&scratch), before);
        // The original's calls are still installed.
        scratch.terraform(&["validate"]).expect(0);
    }
    scratch
        .tf_phi(&["apply", "--ephemeral", "-auto-approve", "-input=false", "-var=customer_env=dev"])
        .expect(0);
    assert_eq!(own(&scratch), before);
    let (plan, _) = scratch.phi_plan(&["--ephemeral", "-var=customer_env=dev"]);
    assert!(plan.resource_changes.iter().all(|c| c.change.actions == ["no-op"]), "{:?}", actions(&plan));
}

#[test]
fn a_changed_universe_finds_the_former_addresses() {
    let scratch = POSTGRES.scratch();
    let args = ["apply", "--ephemeral", "-auto-approve", "-input=false", "-var=customer_env=prod"];
    scratch.tf_phi(&args).expect(0);
    let path = ["main.tf", "variables.tf", "locals.tf"];
    let file = path.iter().find(|f| {
        let path = scratch.dir().join(f);
        path.exists() && scratch.read(f).contains("\"15.4\"")
    });
    let file = file.expect("no file with the version");
    scratch.write(file, &scratch.read(file).replace("\"15.4\"", "\"16.2\""));
    let (plan, _) = scratch.phi_plan(&["--ephemeral", "-var=customer_env=prod"]);
    nothing_is_destroyed(&plan, "another version");
}

const DATA: &str = r#"
data "terraform_remote_state" "env" {
  backend = "local"
  config  = { path = "${path.module}/env.tfstate" }
}
module "db" {
  source  = "./db"
  version_of = data.terraform_remote_state.env.outputs.name == "prod" ? "15.4" : "14.9"
}
output "db" { value = module.db.v }
"#;

const DB: &str = "variable \"version_of\" {}\nresource \"terraform_data\" \"db\" {\n  input = var.version_of\n}\n\
    output \"v\" {\n  value = terraform_data.db.output\n}\n";

fn answer(scratch: &Scratch, name: &str) {
    let state = format!(
        "{{\"version\": 4, \"terraform_version\": \"1.5.0\", \"serial\": 1, \"lineage\": \"x\", \"outputs\": \
         {{\"name\": {{\"value\": \"{name}\", \"type\": \"string\"}}}}, \"resources\": []}}\n"
    );
    scratch.write("env.tfstate", &state);
}

#[test]
fn a_first_plan_finds_the_copy_that_data_decides() {
    let scratch = Scratch::with(&[
        ("main.tf", DATA),
        ("db/main.tf", DB),
        ("phi.hcl", "specialize \"terraform_data.db\" {\n  fields = [\"input\"]\n}\n"),
    ]);
    answer(&scratch, "prod");
    scratch.init();
    scratch.apply(&[]);
    for (name, version) in [("prod", "v15_4"), ("dev", "v14_9"), ("prod", "v15_4")] {
        answer(&scratch, name);
        let (plan, file) = scratch.phi_plan(&[]);
        nothing_is_destroyed(&plan, name);
        let address = format!("module.db_{version}[0].terraform_data.db");
        assert!(actions(&plan).contains_key(&address), "{:?}", actions(&plan));
        scratch.terraform(&["apply", "-no-color", "-input=false", file.to_str().unwrap()]).expect(0);
        let ran = scratch.tf_phi(&["verify"]).expect(0);
        assert!(ran.stdout.contains("equal"), "{}", ran.stdout);
    }
    assert!(!Path::new(&scratch.dir().join(".phi/ephemeral.json")).exists());
}

#[test]
fn data_and_a_variable_and_a_pin_that_is_gone() {
    let scratch = Scratch::with(&[
        (
            "main.tf",
            &format!(
                "{DATA}variable \"big\" {{ type = bool }}\nresource \"terraform_data\" \"size\" {{\n  input = var.big ? \
                 \"l\" : \"s\"\n}}\nresource \"terraform_data\" \"gone\" {{\n  input = var.big ? \"l\" : \"s\"\n}}\n"
            ),
        ),
        ("db/main.tf", DB),
        ("phi.hcl", "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n"),
    ]);
    answer(&scratch, "prod");
    scratch.init();
    let (_, file) = scratch.phi_plan(&["-var=big=true"]);
    scratch.terraform(&["apply", "-no-color", "-input=false", file.to_str().unwrap()]).expect(0);
    let pins =
        ["db", "size"].map(|n| format!("specialize \"terraform_data.{n}\" {{\n  fields = [\"input\"]\n}}\n"));
    scratch.write("phi.hcl", &pins.concat());
    answer(&scratch, "dev");
    let (plan, _) = scratch.phi_plan(&["-var=big=false"]);
    nothing_is_destroyed(&plan, "data, a variable, and a pin that is gone");
    assert!(actions(&plan).contains_key("terraform_data.gone"), "{:?}", actions(&plan));
    // A variable without a value is said at once, and no first plan is made.
    let ran = scratch.tf_phi(&["plan", "-input=false"]).expect(1);
    assert!(ran.stderr.contains("missing-value"), "{}", ran.stderr);
}

/// Terraform rejects such an original, so that nobody can have initialised the directory.
#[test]
fn a_source_that_only_this_run_can_install() {
    let scratch = Scratch::with(&[
        (
            "main.tf",
            "variable \"big\" { type = bool }\nmodule \"db\" {\n  source = var.big ? \"./a\" : \"./b\"\n}\n",
        ),
        ("a/main.tf", "resource \"terraform_data\" \"x\" {\n  input = \"a\"\n}\n"),
        ("b/main.tf", "resource \"terraform_data\" \"x\" {\n  input = \"b\"\n}\n"),
    ]);
    let before = own(&scratch);
    scratch.tf_phi(&["apply", "--ephemeral", "-auto-approve", "-input=false", "-var=big=true"]).expect(0);
    let (plan, _) = scratch.phi_plan(&["--ephemeral", "-var=big=false"]);
    let found: Vec<String> = actions(&plan).into_values().map(|a| a.actions).collect();
    assert_eq!(found, ["update"]);
    let mut after = own(&scratch);
    after.retain(|path, _| before.contains_key(path));
    assert_eq!(after, before);
}
