variable "env" {
  type = string
}

resource "aws_security_group" "one" {
  dynamic "egress" {
    for_each = var.env == "a" ? [443] : []
    content {
      from_port = egress.value
    }
  }
}

resource "aws_security_group" "two" {
  dynamic "egress" {
    for_each = var.env == "a" ? [443] : var.env == "b" ? [80] : []
    content {
      from_port = egress.value
    }
  }
}

resource "aws_security_group" "apart" {
  dynamic "egress" {
    for_each = var.env != "c" ? [1] : []
    content {
      from_port = var.env == "a" ? 443 : 80
    }
  }
}

resource "aws_security_group" "within" {
  dynamic "ingress" {
    for_each = var.env == "a" ? [[443]] : var.env == "b" ? [[80]] : var.env == "c" ? [[]] : []
    content {
      dynamic "from" {
        for_each = ingress.value
        content {
          port = from.value
        }
      }
    }
  }
}
