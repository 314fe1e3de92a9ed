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

variable "cidr" {
  type = string
}

variable "subnets" {
  type = number
}

resource "terraform_data" "subnet" {
  count = var.subnets
  input = cidrsubnet(var.cidr, 4, count.index)
}

output "name" {
  value = var.name
}

output "subnets" {
  value = [for at in range(var.subnets) : cidrsubnet(var.cidr, 4, at)]
}
