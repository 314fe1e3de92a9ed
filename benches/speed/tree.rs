//! A tree of any size in the manner of real ones: a root of calls, modules of five files, a few hops from each argument
//! to the choice that decides it.

use std::fmt::Write as _;

/// Paths and texts: `count` files of Terraform, and a `phi.hcl`.
pub fn files(count: usize) -> Vec<(String, String)> {
    let per_root = 40;
    let mut modules = count / 5;
    while modules * 5 + modules.div_ceil(per_root) + 1 > count {
        modules -= 1;
    }
    let mut out = vec![("phi.hcl".to_owned(), PHI.to_owned()), ("variables.tf".to_owned(), ROOT.to_owned())];
    for first in (0..modules).step_by(per_root) {
        let calls: String = (first..modules.min(first + per_root)).map(call).collect();
        out.push((format!("calls_{first}.tf"), calls));
    }
    for module in 0..modules {
        for (name, text) in [
            ("main", main(module)),
            ("variables", VARIABLES.to_owned()),
            ("locals", locals(module)),
            ("outputs", OUTPUTS.to_owned()),
            ("network", network(module)),
        ] {
            out.push((format!("modules/m{module}/{name}.tf"), text));
        }
    }
    for extra in 0..(count + 1 - out.len()) {
        out.push((format!("locals_{extra}.tf"), format!("locals {{\n  extra_{extra} = var.env\n}}\n")));
    }
    out
}

const PHI: &str = "specialize \"terraform_data.database\" {\n  fields = [\"input.engine_version\"]\n}\n";

const ROOT: &str = r#"variable "env" {
  type        = string
  description = "Which environment this is."

  validation {
    condition     = contains(["prod", "stage", "dev"], var.env)
    error_message = "env is prod, stage or dev."
  }
}

variable "region" {
  type    = string
  default = "eu-central-1"
}

locals {
  versions = {
    prod  = "15.4"
    stage = "15.4"
    dev   = "14.9"
  }
  classes = {
    prod  = "db.r6g.large"
    stage = "db.t3.medium"
    dev   = "db.t3.micro"
  }
}
"#;

fn call(module: usize) -> String {
    let version = match module % 3 {
        0 => "var.env == \"prod\" ? \"15.4\" : \"14.9\"",
        1 => "local.versions[var.env]",
        _ => "\"16.2\"",
    };
    format!(
        "# Service {module}.\nmodule \"m{module}\" {{\n  source = \"./modules/m{module}\"\n\n  name           = \"service-{module}\"\n  env            = var.env\n  region         = var.region\n  engine_version = {version}\n  instance_class = lookup(local.classes, var.env, \"db.t3.micro\")\n  replicas       = var.env == \"prod\" ? 3 : 1\n}}\n\n"
    )
}

const VARIABLES: &str = r#"variable "name" {
  type        = string
  description = "Name of the service."
}

variable "env" {
  type        = string
  description = "Which environment this is."
}

variable "region" {
  type = string
}

variable "engine_version" {
  type        = string
  description = "Major and minor version of the database."
}

variable "instance_class" {
  type    = string
  default = "db.t3.micro"
}

variable "replicas" {
  type    = number
  default = 1
}

variable "tags" {
  type    = map(string)
  default = {}
}
"#;

fn locals(module: usize) -> String {
    format!(
        r#"locals {{
  full_name = "${{var.name}}-${{var.env}}"
  is_prod   = var.env == "prod"
  class     = local.is_prod ? var.instance_class : "db.t3.micro"
  port      = {port}
  tags = merge(var.tags, {{
    Name        = local.full_name
    Environment = upper(var.env)
    Service     = "{module}"
  }})
  zones = [for suffix in ["a", "b", "c"] : "${{var.region}}${{suffix}}"]
}}
"#,
        port = 5000 + module
    )
}

fn main(module: usize) -> String {
    format!(
        r#"# The database of service {module}.
resource "terraform_data" "database" {{
  input = {{
    identifier        = local.full_name
    engine            = "postgres"
    engine_version    = var.engine_version
    instance_class    = local.class
    allocated_storage = local.is_prod ? 100 : 20
    multi_az          = local.is_prod
    port              = local.port
    tags              = local.tags
  }}
}}

resource "terraform_data" "cache" {{
  input = {{
    name  = format("%s-cache", local.full_name)
    nodes = var.replicas
    zone  = local.zones[0]
  }}

  lifecycle {{
    create_before_destroy = true
  }}
}}

# What the application is told.
resource "terraform_data" "app" {{
  input = {{
    replicas = var.replicas
    database = terraform_data.database.output.identifier
    cache    = terraform_data.cache.output.name
    settings = join(",", [local.full_name, var.region, lower(var.env)])
  }}

  depends_on = [terraform_data.database, terraform_data.cache]
}}
"#
    )
}

fn network(module: usize) -> String {
    let mut text = String::new();
    for rule in 0..4 {
        write!(
            text,
            r#"resource "terraform_data" "rule_{rule}" {{
  input = {{
    service     = var.name
    description = "Rule {rule} of service {module}: from ${{var.region}} to ${{local.full_name}}"
    from_port   = local.port
    to_port     = local.port + {rule}
    allowed     = var.env != "dev" || var.replicas > 1
    cidr        = var.env == "prod" ? "10.{rule}.0.0/16" : "10.{rule}.128.0/20"
  }}
}}

"#
        )
        .unwrap();
    }
    text
}

const OUTPUTS: &str = r#"output "name" {
  description = "Full name of the service."
  value       = local.full_name
}

output "engine_version" {
  value = var.engine_version
}

output "database" {
  description = "What the database became."
  value       = terraform_data.database.output
}

output "zones" {
  value = local.zones
}
"#;
