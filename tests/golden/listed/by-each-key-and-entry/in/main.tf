locals {
  groups = {
    api = { ports = [443, 80] }
    db  = { ports = [5432] }
  }
}

resource "aws_security_group" "this" {
  for_each = local.groups
  name     = each.key

  dynamic "ingress" {
    for_each = toset([for port in each.value.ports : tostring(port)])
    content {
      from_port = ingress.value
      protocol  = each.key == "db" ? "tcp" : "udp"
    }
  }
}
