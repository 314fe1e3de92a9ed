variable "rules" {
  type = list(object({ port = number }))
}

resource "aws_security_group" "web" {
  name = "web"

  dynamic "ingress" {
    for_each = var.rules
    content {
      from_port = [443, 8443][ingress.key] # The first one.
      to_port   = ingress.value.port
      protocol  = "tcp"
    }
  }
}
