//! Module calls that a form factor or a service drops, on a real Terraform: what state holds, and modules that nobody installs.

use crate::support::{Scratch, actions};
use tf_phi::terraform::plan_json::Plan;

const FACTOR: [&str; 2] = ["--form-factor", "on-prem"];

const PHI: &str = r#"
form_factor "on-prem" {
  services = ["pg"]
  drops    = ["module:./modules/vpc"]
}
service "pg" {
  replaces = "module:./modules/rds"
  module   = "./services/pg"
  ignores  = ["subnets", "group"]
  drops    = { "module:./modules/group" = "Policies of Kubernetes say who may connect." }
}
"#;

/// Calls with `count` and `for_each`, one alone, one in a module that stays, and one that a service drops.
const MAIN: &str = r#"
locals {
  subnets = module.vpc.subnets
}
module "vpc" {
  source = "./modules/vpc"
  name   = "app"
}
module "counted" {
  count  = 2
  source = "./modules/vpc"
  name   = module.vpc.subnets[count.index]
}
module "each" {
  for_each = toset(["eu"])
  source   = "./modules/vpc"
  name     = each.key
}
module "names" {
  source = "./modules/names"
}
module "group" {
  source = "./modules/group"
  vpc    = module.counted[0].subnets[0]
}
DATABASE
resource "terraform_data" "app" {
  input = module.names.name
}
"#;

/// It isn't in the state of the original: what a service replaces is held itself, which other tests are about.
const DATABASE: &str = r#"
module "db" {
  source  = "./modules/rds"
  name    = "app"
  subnets = local.subnets
  group   = module.group.id
}
"#;

const RDS: &str = r#"
variable "name" {}
variable "subnets" {}
variable "group" {}
resource "terraform_data" "db" {
  input = [var.name, var.subnets, var.group]
}
"#;

const VPC: &str = r#"
variable "name" {}
resource "terraform_data" "vpc" {
  input = var.name
}
module "subnets" {
  source = "./subnets"
  count  = 2
  vpc    = terraform_data.vpc.output
}
output "subnets" {
  value = module.subnets[*].id
}
"#;

const SUBNETS: &str = r#"
variable "vpc" {}
resource "terraform_data" "subnet" {
  input = var.vpc
}
output "id" {
  value = terraform_data.subnet.id
}
"#;

const NAMES: &str = r#"
module "vpc" {
  source = "../vpc"
  name   = "names"
}
resource "terraform_data" "name" {
  input = "app"
}
output "name" {
  value = terraform_data.name.output
}
output "subnets" {
  value = module.vpc.subnets
}
"#;

const GROUP: &str = r#"
variable "vpc" {}
resource "terraform_data" "group" {
  input = var.vpc
}
output "id" {
  value = terraform_data.group.id
}
"#;

const TEMPLATE: &str = r#"
variable "name" {
  type = string
}
resource "terraform_data" "release" {
  input = var.name
}
"#;

/// What state holds of the calls that go.
const DROPPED: [&str; 5] =
    ["module.counted", "module.each", "module.group", "module.names.module.vpc", "module.vpc"];

/// The stack with its state, and the database beside it.
fn applied() -> Scratch {
    let files = [
        ("modules/vpc/main.tf", VPC),
        ("modules/vpc/subnets/main.tf", SUBNETS),
        ("modules/names/main.tf", NAMES),
        ("modules/group/main.tf", GROUP),
        ("modules/rds/main.tf", RDS),
        ("services/pg/main.tf", TEMPLATE),
        ("main.tf", &*MAIN.replace("DATABASE", "")),
    ];
    let scratch = Scratch::with(&files);
    scratch.init();
    scratch.apply(&[]);
    scratch.write("main.tf", &MAIN.replace("DATABASE", DATABASE));
    scratch.write("phi.hcl", PHI);
    scratch
}

fn with_factor<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [args, &FACTOR].concat()
}

/// Every object below a dropped call is given up, and nothing is destroyed.
fn given_up(plan: &Plan) {
    let found = actions(plan);
    for call in DROPPED {
        let own: Vec<_> = found.iter().filter(|(a, _)| a.starts_with(call)).collect();
        assert!(!own.is_empty() && own.iter().all(|(_, a)| a.actions == "forget"), "{call}: {own:?}");
    }
    assert!(found.values().all(|a| !a.actions.contains("delete")), "{found:?}");
    assert_eq!(found["module.on_prem_db.terraform_data.release"].actions, "create");
    assert_eq!(found["terraform_data.app"].actions, "no-op");
    assert_eq!(found["module.names.terraform_data.name"].actions, "no-op");
}

#[test]
fn what_state_holds_of_a_dropped_call_is_not_destroyed() {
    let scratch = applied();
    let (before, sources) = (scratch.everything(), scratch.sources());
    let ran = scratch.tf_phi(&with_factor(&["plan", "-input=false"])).expect(1);
    let said = ran.stderr.lines().filter_map(|l| l.split_once("Blocking: state holds "));
    let mut said: Vec<&str> = said.map(|l| l.1).collect();
    said.sort_unstable();
    assert_eq!(said, DROPPED, "{}", ran.stderr);
    assert_eq!(scratch.everything(), before, "something was written");
    // A bare plan of what is written gives up.
    scratch.tf_phi(&with_factor(&["check", "--fix"])).expect(0);
    scratch.init();
    let moved = scratch.read("phi.moved.tf");
    scratch.write("phi.moved.tf", &moved[moved.find("removed {").unwrap()..]);
    given_up(&scratch.plan(&[]));
    scratch.write("phi.moved.tf", &moved);
    scratch.tf_phi(&["restore"]).expect(0);
    assert_eq!(scratch.sources(), sources);
}

/// The blocks that the error asks for, applied: Terraform forgets, and the next plan changes nothing.
#[test]
fn removed_blocks_give_up_whole_modules() {
    let scratch = applied();
    let removed = |call: &&str| {
        format!("removed {{\n  from = {call}\n\n  lifecycle {{\n    destroy = false\n  }}\n}}\n")
    };
    let blocks: Vec<String> = DROPPED.iter().map(removed).collect();
    let ran = scratch.tf_phi(&with_factor(&["plan", "-input=false", "-no-color"])).expect(1);
    assert!(ran.stderr.contains("from = module.vpc\n"), "{}", ran.stderr);
    scratch.write("removed.tf", &blocks.concat());
    scratch.tf_phi(&with_factor(&["check", "--fix"])).expect(0);
    scratch.init();
    given_up(&scratch.phi_plan(&FACTOR).0);
    let ran =
        scratch.tf_phi(&with_factor(&["apply", "-auto-approve", "-input=false", "-no-color"])).expect(0);
    assert!(ran.stdout.contains("1 added, 0 changed, 0 destroyed."), "{}", ran.stdout);
    let reason = "module.group goes: Policies of Kubernetes say who may connect.";
    assert!(ran.stderr.contains(reason), "{}", ran.stderr);
    scratch.tf_phi(&["restore"]).expect(0);
    std::fs::remove_file(scratch.dir().join("removed.tf")).unwrap();
    let found = actions(&scratch.phi_plan(&FACTOR).0);
    assert!(found.len() == 3 && found.values().all(|a| a.actions == "no-op"), "{found:?}");
}

/// What is dropped needs no registry: this one can't be reached.
#[test]
fn nobody_installs_what_is_dropped() {
    let scratch = Scratch::with(&[
        (
            "main.tf",
            "module \"vpc\" {\n  source  = \"registry.invalid/acme/vpc/aws\"\n  version = \"~> 5.0\"\n}\n\nresource \"terraform_data\" \"app\" {\n  input = 1\n}\n",
        ),
        (
            "phi.hcl",
            "form_factor \"on-prem\" {\n  services = []\n  drops    = [\"module:registry.invalid/acme/vpc/aws\"]\n}\n",
        ),
    ]);
    let sources = scratch.sources();
    let ran = scratch.tf_phi(&["plan", "-input=false"]).expect(1);
    assert!(ran.stderr.contains("not installed"), "{}", ran.stderr);
    scratch.tf_phi(&with_factor(&["init", "-input=false"])).expect(0);
    scratch.tf_phi(&["restore"]).expect(0);
    let found = actions(&scratch.phi_plan(&FACTOR).0);
    assert_eq!(found.keys().collect::<Vec<_>>(), ["terraform_data.app"]);
    scratch.tf_phi(&["restore"]).expect(0);
    assert_eq!(
        scratch.sources().get(std::path::Path::new("main.tf")),
        sources.get(std::path::Path::new("main.tf"))
    );
}
