variable "names" {
  type = list(string)
}

resource "aws_eip" "nat" {
  count = length(module.vpc) + length(var.names)
}

module "vpc" {
  count   = 2
  source  = "terraform-aws-modules/vpc/aws"
  version = "~> 5.0"

  external_nat_ip_ids = aws_eip.nat[*].id
}

output "ids" {
  value = module.vpc[*].vpc_id
}
