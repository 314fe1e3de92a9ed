# A network by a module of the registry: what stands in it goes with its call.
module "vpc" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "~> 6.0"

  name = "main"
  cidr = "10.0.0.0/16"
}

resource "aws_eip" "own" {
}
