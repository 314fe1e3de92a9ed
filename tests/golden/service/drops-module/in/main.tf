variable "name" {
  type = string
}

locals {
  azs     = ["a", "b"]
  subnets = module.vpc.database_subnet_group
  tags    = { team = "data" }
}

module "vpc" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "~> 5.0"

  name = var.name
  azs  = local.azs
}

# Of every region.
module "others" {
  for_each = toset(["eu", "us"])
  source   = "registry.terraform.io/terraform-aws-modules/vpc/aws"
  version  = "5.1.0"

  name = each.key
  azs  = local.azs
}

# Nothing is left of it.
module "network" {
  source = "./network"

  names = [for key, other in module.others : other.name]
}

module "wrapped" {
  source = "./wrapped"

  name = var.name
}

module "group" {
  count  = 2
  source = "terraform-aws-modules/security-group/aws"

  vpc_id = module.vpc.vpc_id
}

resource "aws_db_instance" "app" {
  identifier             = var.name
  engine_version         = "15.4"
  db_subnet_group_name   = local.subnets
  vpc_security_group_ids = concat(module.group[*].security_group_id, module.wrapped.groups)
}

output "address" {
  value = [aws_db_instance.app.address, module.wrapped.name, local.tags]
}
