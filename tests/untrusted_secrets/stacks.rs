//! A deployment as a root module: of secrets, and of what a run gives instead of HCP, files and diffs have the expressions.

use super::CANARY;
use crate::cli_common::{Done, Scratch};

const COMPONENTS: &str = r#"required_providers {
  aws = {
    source  = "hashicorp/aws"
    version = "5.0"
  }
}
variable "env" {
  type = string
}
variable "pw" {
  type = string
}
variable "given" {
  type = map(string)
}
variable "written" {
  type = map(string)
}
variable "sizes" {
  type = map(string)
}
provider "aws" "each" {
  for_each = var.given
  config {
    region     = each.key
    secret_key = each.value
  }
}
component "run" {
  for_each = { a = var.pw }
  source   = "./m"
  inputs = {
    pw   = each.value
    size = each.key
  }
  providers = { aws = provider.aws.each["eu"] }
}
component "made" {
  for_each = { a = upper(var.pw) }
  source   = "./m"
  inputs = {
    pw   = "x"
    size = each.value
  }
  providers = { aws = provider.aws.each["eu"] }
}
component "secret" {
  for_each = var.written
  source   = "./m"
  inputs = {
    pw   = each.value
    size = "s"
  }
  providers = { aws = provider.aws.each["eu"] }
}
component "plain" {
  for_each = var.sizes
  source   = "./m"
  inputs = {
    pw   = ""
    size = each.value
  }
  providers = { aws = provider.aws.each["eu"] }
}
"#;

const MODULE: &str = "terraform {\n  required_providers {\n    aws = {\n      source = \"hashicorp/aws\"\n    }\n  }\n}\n\
                      variable \"pw\" {}\nvariable \"size\" {}\nresource \"aws_db_instance\" \"d\" {\n  password = var.pw\n}\n";

const DEPLOYMENT: &str = r#"store "varset" "t" {
  id       = "varset-x"
  category = "terraform"
}
deployment "prod" {
  inputs = {
    env     = "prod"
    pw      = store.varset.t.pw
    given   = store.varset.t.given
    written = { a = "written-secret" }
    sizes   = { a = "shown-size" }
  }
}
"#;

fn run(scratch: &Scratch, args: &[&str]) -> Done {
    let mut command = scratch.command(args);
    let given = [("TF_VAR_pw", "hunter2-pw"), ("TF_VAR_given", "{ eu = \"hunter2-given\" }")];
    Done::new(command.envs(given).output().unwrap())
}

#[test]
fn what_repeats_a_component_is_written_as_an_expression_where_it_is_secret() {
    let files = [("a.tfcomponent.hcl", COMPONENTS), ("d.tfdeploy.hcl", DEPLOYMENT), ("m/main.tf", MODULE)];
    for args in [
        &["plan", "--env", "prod", "--dry-run"][..],
        &["plan", "--env", "prod", "--dry-run", "-v"],
        &["diff"],
        &["check", "--diff"],
        &["check", "--fix"],
    ] {
        let scratch = Scratch::new(files);
        // What is in the folder of a deployment is looked at once there is one.
        std::fs::create_dir_all(scratch.tree().join(".phi/stacks/prod")).unwrap();
        let done = run(&scratch, args);
        let written =
            std::fs::read_to_string(scratch.tree().join(".phi/stacks/prod/a.tf")).unwrap_or_default();
        let all = format!("{}{}{written}", done.out, done.err);
        let lines: Vec<&str> = all
            .lines()
            .filter(|line| line.to_lowercase().contains(CANARY) || line.contains("written-secret"))
            // The variable file is what the deployment writes out.
            .filter(|line| !line.starts_with("+written"))
            .collect();
        assert!(lines.is_empty(), "{args:?}: {lines:#?}");
        assert!(!all.contains("panicked"), "{args:?}: {all}");
        assert!(all.contains("shown-size") && all.contains("local.each_component_run"), "{args:?}: {all}");
    }
}

#[test]
fn a_secret_is_no_key_of_a_component() {
    let component = COMPONENTS.replace("for_each = { a = var.pw }", "for_each = toset([var.pw])");
    let files = [("a.tfcomponent.hcl", &*component), ("d.tfdeploy.hcl", DEPLOYMENT), ("m/main.tf", MODULE)];
    for args in [&["plan", "--env", "prod", "--dry-run"][..], &["diff"], &["check", "--fix"]] {
        let scratch = Scratch::new(files);
        // What is in the folder of a deployment is looked at once there is one.
        std::fs::create_dir_all(scratch.tree().join(".phi/stacks/prod")).unwrap();
        let done = run(&scratch, args);
        let all = format!("{}{}", done.out, done.err);
        assert!(!all.contains(CANARY), "{args:?}: {all}");
        assert!(all.contains("come from a secret"), "{args:?}: {all}");
    }
}
