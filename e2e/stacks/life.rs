//! The life of a deployment without HCP: planned, applied, edited, with keys that go and objects that are let go of.

use crate::support::{Ran, Scratch};
use std::collections::BTreeMap;
use std::path::PathBuf;

pub const STACK: &str = r#"required_providers {
  terraform = { source = "terraform.io/builtin/terraform" }
}
provider "terraform" "in" {
  for_each = var.zones
}
variable "env" {
  type = string
}
variable "zones" {
  type = set(string)
}
variable "token" {
  type      = string
  ephemeral = true
  default   = "none"
}
component "net" {
  source    = "./m"
  inputs    = { name = var.env }
  providers = { terraform = provider.terraform.in["a"] }
}
component "app" {
  for_each  = var.zones
  source    = "./m"
  inputs    = { name = "${each.key} of ${component.net.name}" }
  providers = { terraform = provider.terraform.in[each.key] }
}
output "names" {
  type  = map(string)
  value = { for k, v in component.app : k => v.name }
}
"#;

pub const MODULE: &str = r#"terraform {
  required_providers {
    terraform = { source = "terraform.io/builtin/terraform" }
  }
}
variable "name" {
  type = string
}
resource "terraform_data" "n" {
  input = var.name
}
output "name" {
  value = terraform_data.n.input
}
"#;

pub fn deployments(zones: &str) -> String {
    format!(
        "deployment \"dev\" {{\n  inputs = {{ env = \"dev\", zones = {zones} }}\n}}\n\
         deployment \"prod\" {{\n  inputs = {{ env = \"prod\", zones = [\"a\"], token = store.varset.keys.token }}\n}}\n\
         store \"varset\" \"keys\" {{\n  id       = \"v\"\n  category = \"env\"\n}}\n"
    )
}

fn stack() -> Scratch {
    let deployed = deployments(r#"["a", "b"]"#);
    Scratch::with(&[("main.tfcomponent.hcl", STACK), ("m/main.tf", MODULE), ("main.tfdeploy.hcl", &deployed)])
}

fn plan(scratch: &Scratch) -> Ran {
    scratch.tf_phi(&["plan", "--env", "dev", "-no-color", "-input=false", "-detailed-exitcode"])
}

fn apply(scratch: &Scratch) -> Ran {
    scratch.tf_phi(&["apply", "--env", "dev", "-no-color", "-auto-approve"]).expect(0)
}

fn written(scratch: &Scratch) -> BTreeMap<PathBuf, Vec<u8>> {
    let dir = scratch.dir();
    let all = scratch.everything().into_iter();
    let all = all.map(|(path, (bytes, _))| (path.strip_prefix(&dir).unwrap().to_path_buf(), bytes));
    let is_own = |path: &PathBuf| {
        let text = path.to_string_lossy();
        text.starts_with(".phi/stacks") && !text.contains("tfstate") && !text.contains("/.terraform/")
    };
    let own: BTreeMap<PathBuf, Vec<u8>> = all.filter(|(path, _)| is_own(path)).collect();
    assert!(own.contains_key(std::path::Path::new(".phi/stacks/dev/main.tf")), "{:?}", own.keys());
    own
}

#[test]
fn a_key_that_goes_is_given_up_before_anything_is_destroyed() {
    let scratch = stack();
    let first = apply(&scratch);
    assert!(first.stdout.contains("3 added, 0 changed, 0 destroyed"), "{}", first.stdout);
    plan(&scratch).expect(0);
    let before = written(&scratch);
    plan(&scratch).expect(0);
    assert_eq!(written(&scratch), before, "a second run writes the same bytes");

    scratch.write("main.tfcomponent.hcl", &STACK.replace("name = var.env", "name = upper(var.env)"));
    let edited = plan(&scratch).expect(2);
    assert!(edited.stdout.contains("0 to add, 3 to change, 0 to destroy"), "{}", edited.stdout);

    scratch.write("main.tfcomponent.hcl", STACK);
    plan(&scratch).expect(0);
    scratch.write("main.tfdeploy.hcl", &deployments(r#"["a"]"#));
    for _ in 0..2 {
        let said = plan(&scratch).expect(1);
        assert!(
            said.stderr.contains("The component instance component.app[\"b\"] is not claimed by any"),
            "{}",
            said.stderr
        );
        assert_eq!(written(&scratch), before, "nothing is written that would destroy it");
    }
    // The provider of what goes has to stay until it is gone.
    let removed = "removed {\n  from      = component.app[\"b\"]\n  source    = \"./m\"\n  providers = { terraform = provider.terraform.in[\"b\"] }\n}\n";
    let providers =
        STACK.replace("for_each = var.zones\n}\nvariable", "for_each = toset([\"a\", \"b\"])\n}\nvariable");
    scratch.write("main.tfcomponent.hcl", &format!("{providers}{removed}"));
    let gone = plan(&scratch).expect(2);
    assert!(gone.stdout.contains("0 to add, 0 to change, 1 to destroy"), "{}", gone.stdout);
    let kept = removed.replace("\"b\"] }\n}", "\"b\"] }\n  lifecycle {\n    destroy = false\n  }\n}");
    scratch.write("main.tfcomponent.hcl", &format!("{providers}{kept}"));
    let kept = apply(&scratch);
    assert!(kept.stdout.contains("0 added, 0 changed, 0 destroyed"), "{}", kept.stdout);
    scratch.write("main.tfcomponent.hcl", STACK);
    plan(&scratch).expect(0);
}

#[test]
fn deployments_have_states_of_their_own() {
    let scratch = stack();
    apply(&scratch);
    let missing = scratch.tf_phi(&["plan", "--env", "prod", "-no-color"]).expect(1);
    assert!(missing.stderr.contains("export TF_VAR_token=…"), "{}", missing.stderr);
    let prod = scratch.tf_phi(&["plan", "--env", "prod", "-no-color", "-var", "token=t"]).expect(0);
    assert!(prod.stdout.contains("2 to add, 0 to change, 0 to destroy"), "{}", prod.stdout);
    plan(&scratch).expect(0);
    let saved = ["plan", "--env", "dev", "-no-color", "-destroy", "-out=gone"];
    scratch.tf_phi(&saved).expect(0);
    let done = scratch.tf_phi(&["apply", "--env", "dev", "-no-color", "gone"]).expect(0);
    assert!(done.stdout.contains("3 destroyed"), "{}", done.stdout);
}

#[test]
fn what_somebody_edited_is_left_alone() {
    let scratch = stack();
    apply(&scratch);
    let path = ".phi/stacks/dev/main.tf";
    let edited = format!("{}# mine\n", scratch.read(path));
    scratch.write(path, &edited);
    let said = plan(&scratch).expect(1);
    assert!(said.stderr.contains(&format!("{path} was edited")), "{}", said.stderr);
    assert_eq!(scratch.read(path), edited);
    std::fs::remove_file(scratch.dir().join(path)).unwrap();
    plan(&scratch).expect(0);
    let shown = scratch.tf_phi(&["plan", "--env", "dev", "--dry-run"]).expect(0);
    assert_eq!(shown.stdout, "");
}

#[test]
fn what_terraform_rejects_in_a_component_is_specialised() {
    let module = MODULE.replace(
        "input = var.name\n",
        "input = var.name\n  lifecycle {\n    prevent_destroy = var.name == \"dev\"\n  }\n",
    );
    let module = module.replace("value = terraform_data.n.input", "value = var.name");
    let scratch = stack();
    scratch.write("m/main.tf", &module);
    let done = apply(&scratch);
    assert!(done.stdout.contains("3 added, 0 changed, 0 destroyed"), "{}", done.stdout);
    plan(&scratch).expect(0);
    let gone = scratch.tf_phi(&["plan", "--env", "dev", "-no-color", "-destroy"]).expect(1);
    assert!(gone.stderr.contains("lifecycle.prevent_destroy set"), "{}", gone.stderr);
    assert_eq!(scratch.read("m/main.tf"), module);
}

const CHILD: &str = r#"required_providers {
  terraform = { source = "terraform.io/builtin/terraform" }
}
provider "terraform" "in" {}
variable "name" {
  type = string
}
component "a" {
  source    = "../m"
  inputs    = { name = var.name }
  providers = { terraform = provider.terraform.in }
}
"#;

const PARENT: &str = r#"stack "ch" {
  for_each = toset(["x", "y"])
  source   = "./ch"
  inputs   = { name = each.key }
}
"#;

/// A new name is a new component, whatever it is made of.
#[test]
fn a_component_with_another_name_leaves_its_objects_unclaimed() {
    let scratch = stack();
    apply(&scratch);
    let before = written(&scratch);
    scratch.write(
        "main.tfcomponent.hcl",
        &STACK.replace("component \"net\"", "component \"vpc\"").replace("component.net", "component.vpc"),
    );
    let said = plan(&scratch).expect(1);
    assert!(
        said.stderr.contains("The component instance component.net is not claimed by any"),
        "{}",
        said.stderr
    );
    assert_eq!(written(&scratch), before);
    // Where it is repeated it has other addresses, too.
    scratch.write(
        "main.tfcomponent.hcl",
        &STACK
            .replace("component \"net\" {\n", "component \"net\" {\n  for_each = toset([\"a\"])\n")
            .replace("component.net.name", "component.net[\"a\"].name"),
    );
    let said = plan(&scratch).expect(1);
    assert!(
        said.stderr.contains("The component instance component.net is not claimed by any"),
        "{}",
        said.stderr
    );
    assert_eq!(written(&scratch), before);
}

/// Its provider is gone with it, and Terraform destroys nothing without that.
#[test]
fn an_embedded_stack_that_goes_keeps_its_provider_until_its_objects_are_gone() {
    let deployed = "deployment \"dev\" {\n  inputs = {}\n}\n";
    let scratch = Scratch::with(&[
        ("main.tfcomponent.hcl", PARENT),
        ("ch/main.tfcomponent.hcl", CHILD),
        ("m/main.tf", MODULE),
        ("main.tfdeploy.hcl", deployed),
    ]);
    let first = apply(&scratch);
    assert!(first.stdout.contains("2 added, 0 changed, 0 destroyed"), "{}", first.stdout);
    let one = PARENT.replace("\"x\", \"y\"", "\"x\"");
    scratch.write("main.tfcomponent.hcl", &one);
    let said = plan(&scratch).expect(1);
    assert!(said.stderr.contains("instance stack.ch[\"y\"].component.a is not claimed"), "{}", said.stderr);
    let removed =
        "removed {\n  from   = stack.ch[\"y\"]\n  source = \"./ch\"\n  inputs = { name = \"y\" }\n}\n";
    scratch.write("main.tfcomponent.hcl", &format!("{one}{removed}"));
    let gone = apply(&scratch);
    assert!(gone.stdout.contains("0 added, 0 changed, 1 destroyed"), "{}", gone.stdout);
    plan(&scratch).expect(0);
    assert!(!scratch.read(".phi/stacks/dev/phi_providers.tf").contains("stack_ch__y"));
    let all = "removed {\n  from   = stack.ch\n  source = \"./ch\"\n  inputs = { name = \"x\" }\n}\n";
    scratch.write("main.tfcomponent.hcl", all);
    scratch.tf_phi(&["check"]);
    let gone = apply(&scratch);
    assert!(gone.stdout.contains("0 added, 0 changed, 1 destroyed"), "{}", gone.stdout);
    plan(&scratch).expect(0);
    assert!(!scratch.dir().join(".phi/stacks/dev/phi_providers.tf").exists());
}

/// `local.this` and `null` are providers here, as Terraform has it.
#[test]
fn providers_may_have_names_of_the_language() {
    let builtin = "{ source = \"terraform.io/builtin/terraform\" }";
    let stack = STACK
        .replace("  terraform = {", "  local = {")
        .replace("provider \"terraform\" \"in\"", "provider \"local\" \"in\"")
        .replace("{ terraform = provider.terraform.in", "{ null = provider.local.in");
    let module = MODULE
        .replace(&format!("terraform = {builtin}"), &format!("null = {builtin}"))
        .replace("  input = var.name", "  provider = null\n  input    = var.name");
    let scratch = self::stack();
    scratch.write("main.tfcomponent.hcl", &stack);
    scratch.write("m/main.tf", &module);
    let done = apply(&scratch);
    assert!(done.stdout.contains("3 added, 0 changed, 0 destroyed"), "{}", done.stdout);
    assert!(scratch.read(".phi/stacks/dev/main.tf").contains("null = local.in__a"));
    plan(&scratch).expect(0);
}

/// Not every file system tells their folders apart, and a shared one would be a shared state.
#[test]
fn deployments_that_differ_in_capitals_alone_have_folders_of_their_own() {
    let scratch = stack();
    let both = ["dev", "Dev"].map(|name| {
        format!("deployment \"{name}\" {{\n  inputs = {{ env = \"{name}\", zones = [\"a\"] }}\n}}\n")
    });
    scratch.write("main.tfdeploy.hcl", &both.concat());
    apply(&scratch);
    let other = scratch.tf_phi(&["plan", "--env", "Dev", "-no-color"]).expect(0);
    assert!(other.stdout.contains("2 to add, 0 to change, 0 to destroy"), "{}", other.stdout);
    plan(&scratch).expect(0);
    let folders = std::fs::read_dir(scratch.dir().join(".phi/stacks")).unwrap();
    let folders: std::collections::BTreeSet<String> = folders
        .map(|e| e.unwrap())
        .filter(|e| e.path().is_dir())
        .map(|e| e.file_name().to_string_lossy().to_lowercase())
        .collect();
    assert_eq!(folders.len(), 2, "{folders:?}");
}

#[test]
fn deployments_share_no_data_folder() {
    let mut scratch = stack();
    let shared = scratch.dir().join("data").display().to_string();
    scratch.env("TF_DATA_DIR", &shared);
    let said = plan(&scratch).expect(1);
    assert!(said.stderr.contains("All deployments would share one data folder"), "{}", said.stderr);
    scratch.env("TF_DATA_DIR", "data");
    let done = plan(&scratch).expect(2);
    assert!(done.stdout.contains("3 to add"), "{}", done.stdout);
    assert!(scratch.dir().join(".phi/stacks/dev/data").is_dir());
}

#[test]
fn a_deployment_that_is_to_go_is_planned_so() {
    let scratch = stack();
    apply(&scratch);
    let deployed = deployments(r#"["a", "b"]"#)
        .replace("deployment \"dev\" {\n", "deployment \"dev\" {\n  destroy = true\n");
    scratch.write("main.tfdeploy.hcl", &deployed);
    let said = plan(&scratch).expect(2);
    assert!(said.stdout.contains("0 to add, 0 to change, 3 to destroy"), "{}", said.stdout);
    let gone = apply(&scratch);
    assert!(gone.stdout.contains("0 added, 0 changed, 3 destroyed"), "{}", gone.stdout);
}

/// Each deployment has its own state there, by its name.
#[test]
fn states_lie_where_phi_hcl_says() {
    let scratch = stack();
    let backend = "backend \"local\" {\n  path = \"../../../states/${deployment}.tfstate\"\n}\n";
    scratch.write("phi.hcl", backend);
    let first = apply(&scratch);
    assert!(first.stdout.contains("3 added, 0 changed, 0 destroyed"), "{}", first.stdout);
    assert!(scratch.read("states/dev.tfstate").contains("terraform_data"));
    assert!(!scratch.dir().join(".phi/stacks/dev/terraform.tfstate").exists());
    plan(&scratch).expect(0);
    let prod = scratch
        .tf_phi(&["apply", "--env", "prod", "-no-color", "-auto-approve", "-var", "token=t"])
        .expect(0);
    assert!(prod.stdout.contains("2 added, 0 changed, 0 destroyed"), "{}", prod.stdout);
    assert!(scratch.read("states/prod.tfstate").contains("terraform_data"));
    plan(&scratch).expect(0);
}
