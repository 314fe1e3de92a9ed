terraform {
  required_providers {
    terraform = {
      source = "terraform.io/builtin/terraform"
    }
  }
}

variable "name" {
  type = string
}

variable "network" {
  type = string
}

variable "subnets" {
  type    = list(string)
  default = []
}

variable "queue" {
  type    = string
  default = ""
}

variable "size" {
  type    = string
  default = "small"
}

resource "terraform_data" "instance" {
  for_each = toset(var.subnets)

  input = {
    name  = "${var.name}-${var.network}"
    size  = var.size
    cidr  = each.key
    queue = var.queue
  }
}

output "url" {
  value = "https://${var.name}.${var.network}.example.com"
}
