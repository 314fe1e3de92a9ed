//! What folding leaves of arguments and blocks that a schema gives types: lists and nulls as arms, `dynamic` blocks without entries.

use crate::support::Scratch;

pub const MODULE: &str = r#"
variable "release" {
  type = string
}
variable "ports" {
  type    = list(number)
  default = [80, 8080]
}
locals {
  old = var.release == "old"
}
resource "aws_security_group" "web" {
  name        = var.release
  description = local.old ? null : "new"
  tags        = local.old ? { Stage = "old", Size = 1 } : {}
  dynamic "ingress" {
    for_each = local.old ? var.ports : []
    content {
      from_port   = ingress.value
      to_port     = ingress.value
      protocol    = "tcp"
      cidr_blocks = local.old ? ["10.0.0.0/8"] : []
    }
  }
  dynamic "egress" {
    for_each = local.old ? [] : [443]
    content {
      from_port   = egress.value
      to_port     = egress.value
      protocol    = "tcp"
      cidr_blocks = local.old ? null : ["0.0.0.0/0"]
    }
  }
}
resource "aws_ssm_parameter" "old" {
  count = local.old ? 1 : 0
  name  = "/old"
  type  = "String"
  value = aws_security_group.web.name
}
output "all" {
  value = {
    parameter = one(aws_ssm_parameter.old[*].name)
    names     = [for p in aws_ssm_parameter.old : p.type]
    group     = aws_security_group.web.description
  }
}
"#;

pub const ROOT: &str = r#"
module "m" {
  source  = "./m"
  release = var.env == "prod" ? "new" : "old"
}
output "all" {
  value = module.m.all
}
"#;

pub const PINS: &str = r#"
specialize "module.m.aws_security_group.web" {
  fields = ["name"]
}
"#;

/// Each copy holds nothing of the other.
pub fn written(specialised: &Scratch) {
    let copies: Vec<String> = specialised
        .sources()
        .into_iter()
        .filter(|(path, _)| path.to_string_lossy().starts_with("m-"))
        .map(|(_, text)| String::from_utf8_lossy(text.as_ref()).into_owned())
        .collect();
    assert_eq!(copies.len(), 2);
    for copy in copies {
        let old = copy.contains("\"ingress\"");
        assert_eq!(copy.contains("aws_ssm_parameter"), old, "{copy}");
        assert_eq!(copy.contains("\"egress\""), !old, "{copy}");
        assert!(!copy.contains(" ? ") && !copy.contains("local."), "{copy}");
    }
}
