//! A Stack of many components in many deployments: the matrix of all of it against hcl-edit's mere parsing of the same files.

use std::fmt::Write as _;

use crate::clock::{in_turns, line, median, ratio, timed};
use crate::limits::{tf_phi, watched, with};

const COMPONENTS: usize = 40;
const DEPLOYMENTS: usize = 20;

const TOP: &str = r#"required_providers {
  terraform = {
    source = "terraform.io/builtin/terraform"
  }
}

provider "terraform" "in" {
  for_each = var.regions
}

variable "env" {
  type = string
}

variable "regions" {
  type = set(string)
}

variable "cidr" {
  type    = string
  default = "10.0.0.0/8"
}

variable "sizes" {
  type = object({ small = number, large = optional(number, 8) })
}

locals {
  name = "shop-${var.env}"
  tags = { env = var.env, owner = startswith(var.env, "prod") ? "ops" : "team" }
}
"#;

/// NN is the component's number, BEFORE what it takes of the one before.
const COMPONENT: &str = r#"component "cNN" {
  for_each = var.regions
  source   = "./modules/mNN"

  inputs = {
    name     = "${local.name}-cNN"
    region   = each.key
    cidr     = cidrsubnet(var.cidr, 8, NN)
    size     = startswith(var.env, "prod") ? var.sizes.large : var.sizes.small
    upstream = BEFORE
    tags     = merge(local.tags, { component = "cNN" })
  }

  providers = {
    terraform = provider.terraform.in[each.key]
  }
}

output "nameNN" {
  type  = map(string)
  value = { for region, one in component.cNN : region => one.name }
}
"#;

const MODULE: &str = r#"terraform {
  required_providers {
    terraform = {
      source = "terraform.io/builtin/terraform"
    }
  }
}

variable "name" {
  type = string
}

variable "region" {
  type = string
}

variable "cidr" {
  type = string
}

variable "size" {
  type = number

  validation {
    condition     = var.size > 0
    error_message = "A size is positive."
  }
}

variable "upstream" {
  type = string
}

variable "tags" {
  type    = map(string)
  default = {}
}

locals {
  zones = [for zone in ["a", "b", "c"] : "${var.region}-${zone}"]
}

resource "terraform_data" "network" {
  input = { cidr = var.cidr, tags = var.tags, upstream = var.upstream }
}

resource "terraform_data" "subnet" {
  for_each = toset(local.zones)
  input    = { zone = each.key, cidr = cidrsubnet(var.cidr, 4, index(local.zones, each.key)) }
}

resource "terraform_data" "node" {
  count            = var.size > 4 ? 3 : 1
  input            = "${var.name}-${count.index}"
  triggers_replace = [terraform_data.network.id]
}

output "name" {
  value = upper(var.name)
}

output "nodes" {
  value = terraform_data.node[*].id
}
"#;

/// The files of the Stack: each component takes an output of the one before.
fn files() -> Vec<(String, String)> {
    let mut out = vec![("main.tfcomponent.hcl".to_owned(), TOP.to_owned())];
    for at in 0..COMPONENTS {
        let before =
            at.checked_sub(1).map_or("local.name".to_owned(), |at| format!("component.c{at}[each.key].name"));
        let text = COMPONENT.replace("NN", &at.to_string()).replace("BEFORE", &before);
        out.push((format!("c{at}.tfcomponent.hcl"), text));
        out.push((format!("modules/m{at}/main.tf"), MODULE.to_owned()));
    }
    let mut deployed = String::new();
    for at in 0..DEPLOYMENTS {
        let env = ["prod", "stage", "dev"][at % 3];
        let (regions, bits) = [("[\"eu\"]", 4), ("[\"eu\", \"us\"]", 8)][at % 2];
        let _ = writeln!(
            deployed,
            "deployment \"{env}{at}\" {{\n  inputs = {{\n    env     = \"{env}{at}\"\n    regions = {regions}\n    cidr    = \"10.0.0.0/{bits}\"\n    sizes   = {{ small = {} }}\n  }}\n}}\n",
            1 + at % 4
        );
    }
    out.push(("main.tfdeploy.hcl".to_owned(), deployed));
    out
}

pub fn matrix() {
    let files = files();
    let scratch = with(&files);
    let texts: Vec<&str> = files.iter().map(|(_, text)| &**text).collect();
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    println!(
        "a Stack: {COMPONENTS} components, {DEPLOYMENTS} deployments, {} files, {:.2} MB",
        files.len(),
        bytes as f64 / 1e6
    );
    let run =
        |args: &[&str]| timed(|| assert!(tf_phi(&scratch, args).status().unwrap().success(), "{args:?}"));
    let times = in_turns(
        9,
        &mut [
            &mut || timed(|| texts.iter().for_each(|t| drop(hcl_edit::parser::parse_body(t).unwrap()))),
            &mut || run(&["matrix"]),
            &mut || run(&["matrix", "--all", "--format", "json"]),
            &mut || run(&["validate"]),
        ],
    );
    let names = [
        "hcl-edit parses, one thread",
        "tf-phi matrix, as a program (aim: under 300 ms)",
        "tf-phi matrix --all --format json",
        "tf-phi validate",
    ];
    names.iter().zip(&times).for_each(|(name, times)| line(name, times));
    let cells = COMPONENTS * DEPLOYMENTS;
    let over = median(&times[1]) / median(&times[0]);
    ratio("matrix / hcl-edit, one thread", over, "none of its own");
    ratio("matrix / hcl-edit, one thread, for each deployment", over / DEPLOYMENTS as f64, "none of its own");
    println!("  {:<58} {:>9.2} ms", "matrix, a component in a deployment", median(&times[1]) / cells as f64);
    let plan = ["plan", "--env", "prod0", "--dry-run"];
    println!("  {:<58} {:>9.1} ms", plan.join(" "), median(&in_turns(5, &mut [&mut || run(&plan)])[0]));
    println!(
        "  {:<58} {:>9.1} MB",
        "matrix --all, peak memory",
        watched(tf_phi(&scratch, &["matrix", "--all"])).1
    );
}
