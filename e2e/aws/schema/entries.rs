//! Arguments that differ from entry to entry of `dynamic` blocks, one within the other, and from instance to instance.

use crate::support::Scratch;

pub const ROOT: &str = r#"locals {
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

pub const PINS: &str = r#"
specialize "aws_security_group.web" {
  fields = ["ingress.from_port", "ingress.cidr_blocks", "egress.from_port"]
}
specialize "aws_security_group.each" {
  fields = ["ingress.from_port"]
}
specialize "aws_s3_bucket_lifecycle_configuration" {
  fields = [
    "rule.id", "rule.expiration.days", "rule.transition.storage_class", "rule.transition.days", "rule.filter.prefix",
  ]
}
"#;

/// The tables that stand for each entry's value.
pub fn written(specialised: &Scratch) {
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
}
