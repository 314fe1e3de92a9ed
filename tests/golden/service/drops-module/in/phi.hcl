settings {
  form_factor = "on-prem"
}

form_factor "on-prem" {
  environment = "kubernetes"
  services    = ["db"]
  drops       = ["aws_eip", "module:terraform-aws-modules/vpc/aws"]
}

service "db" {
  replaces = "aws_db_instance"
  module   = "./services/db"
  ignores  = ["db_subnet_group_name", "vpc_security_group_ids"]

  drops = {
    "module:terraform-aws-modules/security-group/aws" = "Policies of Kubernetes say who may connect."
  }
}
