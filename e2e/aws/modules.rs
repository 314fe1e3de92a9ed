//! What takes a provider with arguments and a schema: modules that configure one, and attributes that it calls sensitive.

use crate::compare::{nothing_is_destroyed, same};
use crate::offer;
use crate::support::Scratch;
use std::fs;

const ENVS: [&str; 2] = ["-var=env=prod", "-var=env=dev"];

const PROVIDER: &str = r#"
terraform {
  required_providers {
    aws = { source = "hashicorp/aws" }
  }
}
provider "aws" {
  region                      = "eu-central-1"
  access_key                  = "dummy"
  secret_key                  = "dummy"
  skip_credentials_validation = true
  skip_metadata_api_check     = true
  skip_requesting_account_id  = true
}
"#;

fn scratch(files: &[(&str, &str)]) -> Scratch {
    let scratch = Scratch::with(files);
    offer::offer(&scratch);
    scratch.init();
    scratch
}

/// A call that takes no `count`: the split stands within, two levels down as well, and state moves there and back.
pub fn own_provider() {
    let db = format!(
        "{PROVIDER}\nvariable \"release\" {{}}\nresource \"terraform_data\" \"db\" {{\n  input = var.release\n}}\n\
         module \"inner\" {{\n  source  = \"../inner\"\n  release = var.release\n}}\n\
         output \"all\" {{\n  value = [terraform_data.db.output, module.inner.release]\n}}\n"
    );
    let inner = "variable \"release\" {}\nresource \"terraform_data\" \"db\" {\n  input = var.release\n}\n\
        output \"release\" {\n  value = terraform_data.db.output\n}\n";
    let main = "variable \"env\" {}\nmodule \"db\" {\n  source  = \"./db\"\n  release = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n}\n\
        output \"all\" {\n  value = module.db.all\n}\n";
    let phi = "specialize \"terraform_data.db\" {\n  fields = [\"input\"]\n}\n";
    let files = [("main.tf", main), ("db/main.tf", &*db), ("inner/main.tf", inner), ("phi.hcl", phi)];
    let (original, specialised) = (scratch(&files), scratch(&files));
    original.apply(&[ENVS[0]]);
    let state = "terraform.tfstate";
    fs::copy(original.dir().join(state), specialised.dir().join(state)).unwrap();
    for env in ENVS {
        let (plan, file) = specialised.phi_plan(&[env]);
        same(&original.plan(&[env]), &plan, &specialised, env);
        nothing_is_destroyed(&plan, env);
        specialised.terraform(&["apply", "-input=false", file.to_str().unwrap()]).expect(0);
        original.apply(&[env]);
    }
    let written = specialised.read("main.tf");
    assert!(written.contains("module \"db\" {") && !written.contains("count"), "{written}");
    specialised.tf_phi(&["verify", ENVS[0]]).expect(0);
}

/// An attribute that only the provider's schema calls sensitive keeps the mark through every form of join.
pub fn sensitive_attribute() {
    let main = format!(
        "{PROVIDER}\n{}",
        r#"variable "env" {}
resource "aws_db_instance" "app" {
  engine         = "postgres"
  engine_version = var.env == "prod" ? "15.4" : "14.9"
  instance_class = "db.t3.micro"
  username       = "app"
  password       = "not-to-be-shown"
}
resource "aws_db_instance" "many" {
  for_each       = toset(["a"])
  engine         = "postgres"
  engine_version = var.env == "prod" ? "15.4" : "14.9"
  instance_class = "db.t3.micro"
  username       = "app"
  password       = "not-to-be-shown"
}
resource "terraform_data" "reader" {
  input = {
    one   = aws_db_instance.app.password
    each  = aws_db_instance.many["a"].password
    for   = [for k, v in aws_db_instance.many : v.password]
    plain = aws_db_instance.app.username
  }
}
output "password" {
  value     = "is ${aws_db_instance.app.password}"
  sensitive = true
}
"#
    );
    let phi = "specialize \"aws_db_instance\" {\n  fields = [\"engine_version\"]\n}\n";
    let files = [("main.tf", &*main), ("phi.hcl", phi)];
    let (original, specialised) = (scratch(&files), scratch(&files));
    let (want, got) = (original.plan(&[ENVS[0]]), specialised.phi_plan(&[ENVS[0]]).0);
    same(&want, &got, &specialised, "sensitive attributes");
    let marks = |plan: &tf_phi::terraform::plan_json::Plan| {
        let reader = plan.resource_changes.iter().find(|c| c.name == "reader").unwrap();
        reader.change.after_sensitive["input"].clone()
    };
    assert_eq!(marks(&want), marks(&got));
    assert_eq!((&marks(&got)["one"], &marks(&got)["each"]), (&true.into(), &true.into()));
    let ran = specialised.tf_phi(&["plan", "-input=false", "-no-color", ENVS[1]]).expect(0);
    assert!(!ran.stdout.contains("not-to-be-shown"), "{}", ran.stdout);
    specialised.tf_phi(&["verify", ENVS[1]]).expect(0);
}
