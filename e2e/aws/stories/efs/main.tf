variable "stage" {
  type = string
}

module "network" {
  source = "./modules/network"

  name                   = "share-${var.stage}"
  vpc_cidr_block         = "10.20.0.0/16"
  vpc_cidr_newbits       = 4
  aws_availability_zones = ["eu-central-1a", "eu-central-1b"]
}

module "share" {
  source = "./modules/efs"

  name                = "share-${var.stage}"
  efs_throughput      = var.stage == "live" ? "elastic" : "bursting"
  efs_subnets         = ["subnet-0aaaaaaa", "subnet-0bbbbbbb"]
  efs_security_groups = [module.network.security_group_id]
}

output "share" {
  value = module.share.credentials
}
