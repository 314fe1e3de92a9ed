variable "stage" {
  type    = string
  default = "test"
}

locals {
  zones = ["eu-central-1a", "eu-central-1b"]
  range = var.stage == "live" ? "10.8.0.0/16" : "10.72.0.0/16"
}

module "network" {
  source = "./modules/vpc"

  name = "base-${var.stage}"
  cidr = local.range

  azs             = local.zones
  private_subnets = [for i, zone in local.zones : cidrsubnet(local.range, 4, i)]
  public_subnets  = [for i, zone in local.zones : cidrsubnet(local.range, 8, i + 64)]

  enable_nat_gateway = true
  single_nat_gateway = var.stage != "live"

  # Nobody may take the live network away by accident.
  protect = var.stage == "live"
}

resource "aws_security_group" "api" {
  name   = "api"
  vpc_id = module.network.vpc_id
}

output "subnets" {
  value = module.network.private_subnets
}
