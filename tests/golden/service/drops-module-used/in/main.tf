module "vpc" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "~> 5.0"
}

module "each" {
  for_each = toset(["a", "b"])
  source   = "terraform-aws-modules/vpc/aws"
  version  = "~> 5.0"
}

module "counted" {
  count   = 2
  source  = "terraform-aws-modules/vpc/aws"
  version = "~> 5.0"
}

module "network" {
  source = "./network"
}

module "imported" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "~> 5.0"
}

module "json" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "~> 5.0"
}

import {
  to = module.imported.aws_vpc.this[0]
  id = "vpc-1"
}

resource "terraform_data" "waits" {
  depends_on = [module.vpc]
}

resource "terraform_data" "one" {
  input = [module.each["a"].vpc_id, module.network.id]
}

output "ids" {
  value = module.counted[*].vpc_id
}
