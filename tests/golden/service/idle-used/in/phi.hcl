settings {
  form_factor = "on-prem"
}

form_factor "on-prem" {
  environment = "kubernetes"
  services    = ["db"]
  drops       = ["aws_vpc", "aws_subnet", "aws_security_group"]
}

service "db" {
  replaces = "aws_db_instance"
  module   = "./services/db"
  ignores  = ["db_subnet_group_name", "vpc_security_group_ids"]

  drops = { aws_db_subnet_group = "A cluster of Kubernetes has a network of its own." }
}
