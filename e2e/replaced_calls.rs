//! Module calls that a service replaces, on a real Terraform: values, flips, what state holds, and modules that nobody installs.

use crate::manifests;
use crate::provider::Provider;
use crate::support::{Scratch, actions};

const PROD: [&str; 3] = ["--form-factor", "on-prem", "-var=prod=true"];

const PHI: &str = r#"
form_factor "on-prem" {
  services = ["pg"]
}
service "pg" {
  replaces = "module:./modules/rds"
  when     = { engine = "postgres" }
  module   = "./services/pg"
  outputs  = { db_instance_address = "host" }
  ignores  = ["subnet_ids"]
  field "engine_version" {
    universe = ["14.9", "15.4"]
  }
}
"#;

const MAIN: &str = r#"
variable "prod" {
  type = bool
}
module "data" {
  source = "./modules/data"
  prod   = var.prod
}
resource "terraform_data" "app" {
  input = module.data.address
}
"#;

const DATA: &str = r#"
variable "prod" {
  type = bool
}
module "db" {
  source         = "../rds"
  engine         = "postgres"
  engine_version = var.prod ? "15.4" : "14.9"
  subnet_ids     = ["a"]
}
module "other" {
  source         = "../rds"
  engine         = "mysql"
  engine_version = "8"
}
output "address" {
  value = "${module.db.db_instance_address} ${module.other.db_instance_address}"
}
"#;

/// Two modules deep, as those of the registry are.
const RDS: &str = r#"
variable "engine" {}
variable "engine_version" {}
variable "subnet_ids" {
  default = []
}
module "instance" {
  source = "./instance"
  input  = "${var.engine} ${var.engine_version}"
}
output "db_instance_address" {
  value = module.instance.address
}
"#;

const INSTANCE: &str = r#"
variable "input" {}
resource "terraform_data" "this" {
  input = var.input
}
output "address" {
  value = terraform_data.this.output
}
"#;

const TEMPLATE: &str = r#"
variable "engine_version" {
  type = string
}
resource "terraform_data" "release" {
  input = { chart = { "14.9" = "0.18", "15.4" = "0.19" }[var.engine_version] }
}
output "host" {
  value = "chart ${terraform_data.release.output.chart}"
}
"#;

const FILES: [(&str, &str); 6] = [
    ("main.tf", MAIN),
    ("modules/data/main.tf", DATA),
    ("modules/rds/main.tf", RDS),
    ("modules/rds/instance/main.tf", INSTANCE),
    ("services/pg/main.tf", TEMPLATE),
    ("phi.hcl", PHI),
];

#[test]
fn a_call_becomes_one_of_the_template() {
    let scratch = Scratch::with(&FILES);
    let before = scratch.sources();
    scratch.tf_phi(&[&["check", "--fix"][..], &PROD[..2]].concat()).expect(0);
    scratch.init();
    scratch.terraform(&["fmt", "-check", "-diff", "-recursive", "modules"]).expect(0);
    scratch.tf_phi(&[&["apply", "-auto-approve", "-input=false"][..], &PROD].concat()).expect(0);
    let written = scratch.sources();
    let found = actions(&scratch.phi_plan(&PROD).0);
    assert_eq!(scratch.sources(), written, "a second run changed something");
    let release = "module.data.module.on_prem_db_v15_4[0].terraform_data.release";
    let other = "module.data.module.other.module.instance.terraform_data.this";
    assert_eq!(found.keys().collect::<Vec<_>>(), [release, other, "terraform_data.app"]);
    assert!(found.values().all(|a| a.actions == "no-op"), "{found:?}");
    assert_eq!(found["terraform_data.app"].after["input"], "chart 0.19 mysql 8");
    let found = actions(&scratch.phi_plan(&["--form-factor", "on-prem", "-var=prod=false"]).0);
    let flipped = &found["module.data.module.on_prem_db_v14_9[0].terraform_data.release"];
    assert_eq!((flipped.actions.as_str(), flipped.from.as_deref()), ("update", Some(release)));
    assert!(found.values().all(|a| !a.actions.contains("delete")), "{found:?}");
    scratch.tf_phi(&["restore"]).expect(0);
    assert_eq!(scratch.sources(), before);
}

#[test]
fn what_state_holds_of_a_call_is_not_destroyed() {
    let scratch = Scratch::with(&FILES);
    scratch.init();
    scratch.apply(&["-var=prod=true"]);
    let before = scratch.everything();
    let refused = |args: &[&str], name: &str| {
        let ran = scratch.tf_phi(&[&["plan", "-input=false"][..], args].concat()).expect(1);
        assert!(ran.stderr.contains(&format!("state holds {name}\n")), "{}", ran.stderr);
        assert!(ran.stdout.is_empty(), "{}", ran.stdout);
    };
    refused(&PROD, "module.data.module.db");
    assert_eq!(scratch.everything(), before, "something was written");
    scratch.terraform(&["workspace", "new", "on-prem"]).expect(0);
    scratch.tf_phi(&[&["apply", "-auto-approve", "-input=false"][..], &PROD].concat()).expect(0);
    let written = scratch.sources();
    let made = "module.data.module.on_prem_db_v15_4.terraform_data.release";
    refused(&PROD[2..], made);
    scratch.tf_phi(&["restore"]).expect(0);
    refused(&PROD[2..], made);
    // A bare plan of what was written, with the state of the original, gives up.
    scratch.terraform(&["workspace", "select", "default"]).expect(0);
    for (path, text) in &written {
        std::fs::create_dir_all(scratch.dir().join(path).parent().unwrap()).unwrap();
        std::fs::write(scratch.dir().join(path), text).unwrap();
    }
    scratch.init();
    let found = actions(&scratch.plan(&["-var=prod=true"]));
    assert_eq!(found["module.data.module.db.module.instance.terraform_data.this"].actions, "forget");
    assert!(found.values().all(|a| !a.actions.contains("delete")), "{found:?}");
}

/// What is replaced needs no registry: this one can't be reached.
#[test]
fn nobody_installs_what_is_replaced() {
    let far =
        |text: &str| text.replace("\"../rds\"", "\"registry.invalid/acme/rds/aws\"\n  version = \"~> 6.0\"");
    let own = DATA.replace("\"mysql\"", "\"postgres\"").replace("\"8\"", "\"14.9\"");
    let phi = PHI.replace("module:./modules/rds", "module:registry.invalid/acme/rds/aws");
    let files = [("main.tf", MAIN), ("modules/data/main.tf", &far(&own)), ("phi.hcl", &phi), FILES[4]];
    let scratch = Scratch::with(&files);
    let ran = scratch.tf_phi(&["plan", "-input=false", "-var=prod=true"]).expect(1);
    assert!(ran.stderr.contains("not installed"), "{}", ran.stderr);
    scratch.tf_phi(&["init", "-input=false", "--form-factor", "on-prem"]).expect(0);
    scratch.tf_phi(&["restore"]).expect(0);
    let (plan, _) = scratch.phi_plan(&PROD);
    let found = actions(&plan);
    assert_eq!(found["module.data.module.on_prem_db_v15_4[0].terraform_data.release"].actions, "create");
    assert_eq!(found["module.data.module.on_prem_other.terraform_data.release"].actions, "create");
}

/// As people call it, in the way that the module's own page shows.
const RDS_MODULE: &str = r#"
variable "prod" {
  type = bool
}
module "db" {
  source  = "terraform-aws-modules/rds/aws"
  version = "~> 7.2"

  identifier             = "shop"
  engine                 = "postgres"
  engine_version         = var.prod ? "16" : "17.4"
  family                 = "postgres17"
  instance_class         = "db.t3.micro"
  allocated_storage      = 20
  db_name                = "shop"
  username               = "owner"
  port                   = "5432"
  multi_az               = var.prod
  subnet_ids             = ["subnet-1"]
  vpc_security_group_ids = ["sg-1"]
  deletion_protection    = true
  parameters = [
    { name = "autovacuum", value = "on" },
    { name = "max_connections", value = "300" },
  ]
}
output "url" {
  value = "${module.db.db_instance_username}@${module.db.db_instance_endpoint}/${module.db.db_instance_name}"
}
"#;

#[test]
fn the_module_of_the_registry_is_planned() {
    let provider = Provider::start();
    let phi = "settings {\n  form_factor = \"on-prem\"\n}\nform_factor \"on-prem\" {\n  services = [\"cloudnative-pg\"]\n}\n";
    let scratch = manifests::scratch(&provider, &[("main.tf", RDS_MODULE), ("phi.hcl", phi)]);
    for (prod, version, instances) in [("true", "16.", 2), ("false", "17.", 1)] {
        let (plan, _) = scratch.phi_plan(&[&format!("-var=prod={prod}")]);
        let found = actions(&plan);
        let (_, release) = found.iter().find(|(a, _)| a.ends_with(".helm_release.cluster")).unwrap();
        let values = release.after["values"][0].as_str().unwrap();
        let image = format!("\"ghcr.io/cloudnative-pg/postgresql:{version}");
        assert!(
            values.contains(&image) && values.contains(&format!("\"instances\": {instances}\n")),
            "{values}"
        );
        assert!(values.contains("\"max_connections\": \"300\""), "{values}");
        assert_eq!(plan.output_changes["url"].after, "owner@shop-rw.default.svc:5432/shop");
    }
    // The sources are back; the way home is found once the original's own module is installed, and so the status says.
    let back = scratch.tf_phi(&["restore"]).expect(1);
    assert!(
        back.stderr.contains("restored") && back.stderr.contains("is not yet installed"),
        "{}",
        back.stderr
    );
    for (from, to, said) in [
        ("\"autovacuum\"", "\"rds.force_ssl\"", "Only RDS has these parameters: rds.force_ssl"),
        ("deletion_protection    = true", "create_db_instance = false", "Give the call a count"),
        ("deletion_protection    = true", "snapshot_identifier = \"s\"", "The database starts empty"),
    ] {
        scratch.write("main.tf", &RDS_MODULE.replace(from, to));
        let ran = scratch.tf_phi(&["plan", "-input=false", "-no-color", "-var=prod=true"]).expect(1);
        let text = ran.stderr.split_whitespace().filter(|w| *w != "│").collect::<Vec<_>>().join(" ");
        assert!(text.contains(said), "{}", ran.stderr);
        scratch.tf_phi(&["restore"]);
    }
}
