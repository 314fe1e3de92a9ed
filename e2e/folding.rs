//! What a driven value decides is gone from a copy, and each copy plans what the original plans.

use crate::compare;
use crate::support::Scratch;

const MAIN: &str = r#"
variable "env" {
  type = string
}
variable "here" {
  type = string
}
module "database" {
  source         = "./database"
  engine_version = var.env == "prod" ? "15.4" : var.env == "dev" ? "17.2" : "16.1"
  replicas       = var.env == "prod" ? 2 : 1
  here           = var.here
}
output "all" {
  value = module.database.all
}
"#;

const PHI: &str = r#"
specialize "terraform_data" {
  fields = ["input.version", "input.replicas"]
}
variable "env" {
  universe = ["prod", "dev", "qa"]
}
"#;

const MODULE: &str = r#"
variable "engine_version" {
  type = string
}
variable "replicas" {
  type = number
}
variable "here" {
  type = string
}
variable "there" {
  type    = string
  default = "there"
}
variable "size" {
  type    = number
  default = 7
}
variable "secret" {
  type      = string
  default   = "s"
  sensitive = true
}
variable "nothing" {
  type    = string
  default = null
}
locals {
  charts = {
    "15" = "0.19"
    "16" = "0.20"
    "17" = "0.21"
  }
  major  = split(".", var.engine_version)[0]
  chart  = local.charts[local.major]
  old    = local.major == "15"
  by_name = { image = "pg:${local.major}", plain = "x" }
  several = [local.major, var.here]
}
resource "terraform_data" "database" {
  input = {
    version  = var.engine_version
    replicas = var.replicas
    chart    = local.charts[local.major]
    again    = local.chart
  }
}
resource "terraform_data" "standby" {
  count = var.replicas > 1 ? 1 : 0
  input = local.by_name["image"]
}
output "all" {
  value = {
    arm     = local.old ? var.here : var.there
    inner   = local.old ? var.here : var.replicas == 1 ? "${var.there}-b" : var.there
    number  = local.old ? var.size : 3
    mixed   = local.old ? var.here : var.size
    list    = local.old ? [var.here] : []
    null    = local.old ? var.nothing : null
    typed   = local.old ? var.nothing : var.here
    alone   = local.old ? "${var.size}" : var.here
    shadow  = [for local in [{ major = "z" }] : local.major == "15" ? "yes" : "no"]
    index   = local.several[var.replicas - 1]
    secret  = try(nonsensitive(var.replicas == 2 ? var.here : var.secret), "x") == "x"
    format  = format("%s-%d", local.major, var.replicas) == "15-2"
    missing = try({ "15" = 1 }[local.major], "none")
    logic   = var.here == "h" && var.replicas > 1
  }
}
"#;

#[test]
fn each_copy_plans_what_the_original_plans() {
    let files = [("main.tf", MAIN), ("phi.hcl", PHI), ("database/main.tf", MODULE)];
    let (original, specialised) = (Scratch::with(&files), Scratch::with(&files));
    original.init();
    specialised.init();
    for env in ["prod", "dev", "qa"] {
        let args = [&*format!("-var=env={env}"), "-var=here=h"];
        let (plan, _) = specialised.phi_plan(&args);
        compare::same(&original.plan(&args), &plan, &specialised, env);
    }
    let copies: Vec<String> = specialised
        .sources()
        .into_iter()
        .filter(|(path, _)| path.to_string_lossy().starts_with("database-"))
        .map(|(_, text)| String::from_utf8_lossy(text.as_ref()).into_owned())
        .collect();
    assert_eq!(copies.len(), 3);
    for copy in &copies {
        let chart = ["0.19", "0.20", "0.21"].iter().filter(|c| copy.contains(&format!("\"{c}\""))).count();
        assert_eq!(chart, 1, "the table is gone, and one of its values is left: {copy}");
        for gone in ["var.engine_version", "var.replicas", "local.old ? var.here : var.there", "charts ="] {
            assert!(!copy.contains(gone), "{gone}: {copy}");
        }
        // Where the other arm decides on the type, it stays.
        assert!(copy.contains("local.old ? var.here : var.size"), "{copy}");
    }
}
