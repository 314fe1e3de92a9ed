variable "ports" {
  type = map(number)
}

variable "region" {
  type = string
}

provider "example" {
  zone = { eu = "eu-1" }[var.region]
}

provider "example" {
  alias = "unused"
  zone  = { eu = "eu-1" }[var.region]
}

resource "example_rule" "open" {
  dynamic "port" {
    for_each = var.ports
    content {
      number = port.value
      name   = { http = "web" }[port.key]
    }
  }
}
