locals {
  groups = {
    api = { ports = [443, 80] }
    db  = { ports = [5432] }
  }
}

# phi: ingress.from_port (aws_security_group.this) — gate: Existing(true) — trace: main.tf:8-19 — compiler: tf-phi golden
resource "aws_security_group" "this" {
  for_each = local.groups
  name     = each.key

  dynamic "ingress" {
    for_each = toset([for port in each.value.ports : tostring(port)])
    content {
      from_port = { "443" = "443", "5432" = "5432", "80" = "80" }[ingress.key]
      protocol  = each.key == "db" ? "tcp" : "udp"
    }
  }
}
