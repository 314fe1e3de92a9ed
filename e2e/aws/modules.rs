//! What takes a provider with arguments and a schema: modules that configure one, and attributes that it calls sensitive.

use crate::compare::{nothing_is_destroyed, same};
use crate::offer;
use crate::support::Scratch;
use std::fs;

const ENVS: [&str; 2] = ["-var=env=prod", "-var=env=dev"];

pub const PROVIDER: &str = r#"
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

/// A tree in which the provider is installed.
pub fn scratch(files: &[(&str, &str)]) -> Scratch {
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

const ENTRIES: &str = r#"variable "env" {}
locals {
  rules = var.env == "prod" ? [
    { port = 443, from = ["10.0.0.0/8"] }, { port = 8443, from = ["10.1.0.0/16", "10.2.0.0/16"] }
  ] : [{ port = 443, from = ["10.0.0.0/8"] }, { port = 80, from = [] }, { port = 22, from = ["192.168.0.0/16"] }]
  steps = {
    logs = { days = 90, to = var.env == "prod" ? ["STANDARD_IA", "GLACIER"] : ["STANDARD_IA"] }
    temp = { days = var.env == "prod" ? 7 : 1, to = [] }
  }
}
resource "aws_security_group" "web" {
  count = 2
  name  = "web-${count.index}"
  dynamic "ingress" {
    for_each = local.rules
    content {
      from_port   = ingress.value.port + count.index
      to_port     = ingress.value["port"] + count.index
      protocol    = "tcp"
      cidr_blocks = ingress.value.from
    }
  }
  dynamic "egress" {
    for_each = toset(["80", "443"])
    iterator = out
    content {
      from_port   = out.value
      to_port     = out.key
      protocol    = "tcp"
      cidr_blocks = ["0.0.0.0/0"]
    }
  }
}
resource "aws_security_group" "each" {
  for_each = { api = [443, 80], db = [var.env == "prod" ? 5432 : 5433] }
  name     = each.key
  dynamic "ingress" {
    for_each = each.value
    content {
      from_port   = ingress.value
      to_port     = ingress.value
      protocol    = each.key == "db" ? "tcp" : "udp"
      cidr_blocks = ["10.0.0.0/8"]
    }
  }
}
resource "aws_s3_bucket_lifecycle_configuration" "data" {
  bucket = "harbour-data"
  dynamic "rule" {
    for_each = local.steps
    content {
      id     = "${rule.key}-rule"
      status = "Enabled"
      filter {
        prefix = "${rule.key}/"
      }
      expiration {
        days = rule.value.days
      }
      dynamic "transition" {
        for_each = rule.value.to
        content {
          days          = 30 * (1 + transition.key)
          storage_class = transition.value
        }
      }
    }
  }
}
"#;

/// Arguments that differ from entry to entry of `dynamic` blocks, one within the other, and from instance to instance.
pub fn listed_entries() {
    let main = format!("{PROVIDER}\n{ENTRIES}");
    let phi = "specialize \"aws_security_group\" {\n  fields = [\"ingress.from_port\", \"ingress.cidr_blocks\", \"egress.from_port\"]\n}\n\
        specialize \"aws_s3_bucket_lifecycle_configuration\" {\n  fields = [\"rule.id\", \"rule.expiration.days\", \
        \"rule.transition.storage_class\", \"rule.transition.days\", \"rule.filter.prefix\"]\n}\n";
    let files = [("main.tf", &*main), ("phi.hcl", phi)];
    let (original, specialised) = (scratch(&files), scratch(&files));
    for env in ENVS {
        let (plan, _) = specialised.phi_plan(&[env]);
        same(&original.plan(&[env]), &plan, &specialised, env);
        specialised.tf_phi(&["verify", env]).expect(0);
    }
    let written = specialised.read("main.tf");
    let wanted = [
        "[ingress.key]",
        "= { \"443\" = \"443\", \"80\" = \"80\" }[out.key]",
        "= { logs = \"logs-rule\", temp = \"temp-rule\" }[rule.key]",
        "[rule.key][transition.key]",
        "[443, 80][ingress.key]",
        "[5433][ingress.key]",
    ];
    for wanted in wanted {
        assert!(written.contains(wanted), "{wanted}: {written}");
    }
    specialised.tf_phi(&["restore"]).expect(0);
    assert_eq!(specialised.read("main.tf"), main);
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
