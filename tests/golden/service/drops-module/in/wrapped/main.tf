variable "name" {
  type = string
}

module "vpc" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "~> 5.0"

  name = var.name
}

locals {
  first = module.vpc.default_security_group_id
}

resource "terraform_data" "name" {
  input = "${var.name}-app"
}

output "groups" {
  value = [local.first]
}

output "name" {
  value = terraform_data.name.output
}
