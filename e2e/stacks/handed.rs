//! Providers of embedded Stacks whose configuration comes from components.

use crate::provider::Provider;
use crate::support::{Ran, Scratch};
use std::collections::BTreeSet;

const ROOT: &str = r#"required_providers {
  terraform = { source = "terraform.io/builtin/terraform" }
}
provider "terraform" "main" {}
component "a" {
  source    = "./m"
  inputs    = { name = "root" }
  providers = { terraform = provider.terraform.main }
}
stack "ch" {
  for_each = toset(["x", "y"])
  source   = "./ch"
  inputs   = { name = each.key }
}
"#;

/// Its components have the names of those of the root, and give other values.
const CHILD: &str = r#"required_providers {
  terraform = { source = "terraform.io/builtin/terraform" }
  helm      = { source = "hashicorp/helm" }
}
provider "terraform" "main" {}
provider "helm" "in" {
  for_each = { one = { driver = component.a.name }, two = { driver = local.second } }
  config {
    helm_driver = "${each.key}-${each.value.driver}"
  }
}
variable "name" {
  type = string
}
locals {
  second = upper(component.more["k"].name)
}
component "a" {
  source    = "../m"
  inputs    = { name = var.name }
  providers = { terraform = provider.terraform.main }
}
component "more" {
  for_each  = toset(["k"])
  source    = "../m"
  inputs    = { name = "more ${var.name}" }
  providers = { terraform = provider.terraform.main }
}
component "b" {
  for_each  = toset(["one", "two"])
  source    = "../release"
  inputs    = { name = "${var.name}-${each.key}" }
  providers = { helm = provider.helm.in[each.key] }
}
stack "deep" {
  source = "./deep"
  inputs = { driver = "deep ${component.a.name}" }
}
"#;

const DEEP: &str = r#"required_providers {
  helm = { source = "hashicorp/helm" }
}
provider "helm" "in" {
  config {
    helm_driver = var.driver
  }
}
variable "driver" {
  type = string
}
component "c" {
  source    = "../../release"
  inputs    = { name = var.driver }
  providers = { helm = provider.helm.in }
}
"#;

const MODULE: &str = r#"terraform {
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
  value = terraform_data.n.output
}
"#;

const RELEASE: &str = r#"terraform {
  required_providers {
    helm = { source = "hashicorp/helm" }
  }
}
variable "name" {
  type = string
}
resource "helm_release" "r" {
  name  = var.name
  chart = "c"
}
"#;

fn run(scratch: &Scratch, args: &[&str]) -> Ran {
    scratch.tf_phi(&[args, &["--env", "dev", "-no-color", "-input=false"]].concat())
}

#[test]
fn a_provider_takes_what_a_component_beside_it_gives() {
    let provider = Provider::start();
    let mut scratch = Scratch::with(&[
        ("main.tfcomponent.hcl", ROOT),
        ("main.tfdeploy.hcl", "deployment \"dev\" {\n  inputs = {}\n}\n"),
        ("ch/main.tfcomponent.hcl", CHILD),
        ("ch/deep/main.tfcomponent.hcl", DEEP),
        ("m/main.tf", MODULE),
        ("release/main.tf", RELEASE),
    ]);
    scratch.env("TF_REATTACH_PROVIDERS", &provider.reattach());
    let done = run(&scratch, &["apply", "-auto-approve"]).expect(0);
    assert!(done.stdout.contains("11 added, 0 changed, 0 destroyed"), "{}", done.stdout);
    let wanted = ["one-x", "two-MORE X", "deep x", "one-y", "two-MORE Y", "deep y"];
    let wanted: BTreeSet<String> = wanted.map(str::to_owned).into();
    assert_eq!(provider.drivers(), wanted, "each is configured with what its own Stack gives");
    run(&scratch, &["plan", "-detailed-exitcode"]).expect(0);

    // Without the Stack nothing would give the provider its value, so that Terraform could destroy nothing of it.
    let removed =
        "removed {\n  from   = stack.ch[\"y\"]\n  source = \"./ch\"\n  inputs = { name = \"y\" }\n}\n";
    let one = format!("{}{removed}", ROOT.replace("\"x\", \"y\"", "\"x\""));
    scratch.write("main.tfcomponent.hcl", &one);
    let said = run(&scratch, &["plan"]).expect(1);
    assert!(
        said.stderr.contains("The provider of an embedded Stack goes with its component"),
        "{}",
        said.stderr
    );
    let paste = "tf-phi apply --env dev -destroy -target=module.stack_ch__y";
    assert!(said.stderr.contains(paste), "{}", said.stderr);
    scratch.write("main.tfcomponent.hcl", ROOT);
    let target = "-target=module.stack_ch__y";
    let gone = run(&scratch, &["apply", "-auto-approve", "-destroy", target]).expect(0);
    assert!(gone.stdout.contains("0 added, 0 changed, 5 destroyed"), "{}", gone.stdout);
    scratch.write("main.tfcomponent.hcl", &one);
    run(&scratch, &["plan", "-detailed-exitcode"]).expect(0);
}
