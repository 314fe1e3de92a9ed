locals {
  home = "eu-central-1"
}

deployment "dev" {
  inputs = {
    env     = "dev"
    regions = [local.home]
    network = { cidr = "10.0.0.0/16", subnets = 1 }
  }
}

deployment "prod" {
  inputs = {
    env     = "prod"
    regions = [local.home, "us-east-1"]
    network = { cidr = "10.16.0.0/16" }
  }
}
