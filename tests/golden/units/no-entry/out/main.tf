variable "env" {
  type = string
}

# phi: egress.from_port (aws_security_group.one) — gate: Existing(true) — trace: main.tf:5-12 — compiler: tf-phi golden
resource "aws_security_group" "one" {
  dynamic "egress" {
    for_each = var.env == "a" ? [443] : []
    content {
      from_port = 443
    }
  }
}

# phi: egress.from_port (aws_security_group.two) — gate: Existing(var.env == "a") — trace: main.tf:14-21 — compiler: tf-phi golden
resource "aws_security_group" "two_v443" {
  count = var.env == "b" ? 0 : 1
  dynamic "egress" {
    for_each = var.env == "a" ? [443] : var.env == "b" ? [80] : []
    content {
      from_port = 443
    }
  }
}

# phi: egress.from_port (aws_security_group.two) — gate: Existing(var.env == "b") — trace: main.tf:14-21 — compiler: tf-phi golden
resource "aws_security_group" "two_v80" {
  count = var.env == "b" ? 1 : 0
  dynamic "egress" {
    for_each = var.env == "a" ? [443] : var.env == "b" ? [80] : []
    content {
      from_port = 80
    }
  }
}

# phi: egress.from_port (aws_security_group.apart) — gate: Existing(var.env == "a") — trace: main.tf:23-30 — compiler: tf-phi golden
resource "aws_security_group" "apart_v443" {
  count = var.env == "a" ? 1 : 0
  dynamic "egress" {
    for_each = var.env != "c" ? [1] : []
    content {
      from_port = 443
    }
  }
}

# phi: egress.from_port (aws_security_group.apart) — gate: Not(Existing(var.env == "a")) — trace: main.tf:23-30 — compiler: tf-phi golden
resource "aws_security_group" "apart_v80" {
  count = var.env == "a" ? 0 : 1
  dynamic "egress" {
    for_each = var.env != "c" ? [1] : []
    content {
      from_port = 80
    }
  }
}

# phi: ingress.from.port (aws_security_group.within) — gate: Existing(var.env == "a") — trace: main.tf:32-44 — compiler: tf-phi golden
resource "aws_security_group" "within_v443" {
  count = var.env == "b" ? 0 : 1
  dynamic "ingress" {
    for_each = var.env == "a" ? [[443]] : var.env == "b" ? [[80]] : var.env == "c" ? [[]] : []
    content {
      dynamic "from" {
        for_each = ingress.value
        content {
          port = 443
        }
      }
    }
  }
}

# phi: ingress.from.port (aws_security_group.within) — gate: Existing(var.env == "b") — trace: main.tf:32-44 — compiler: tf-phi golden
resource "aws_security_group" "within_v80" {
  count = var.env == "b" ? 1 : 0
  dynamic "ingress" {
    for_each = var.env == "a" ? [[443]] : var.env == "b" ? [[80]] : var.env == "c" ? [[]] : []
    content {
      dynamic "from" {
        for_each = ingress.value
        content {
          port = 80
        }
      }
    }
  }
}
