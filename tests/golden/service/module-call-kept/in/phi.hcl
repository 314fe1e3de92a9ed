settings {
  form_factor = "on-prem"
}

form_factor "on-prem" {
  services = ["pg", "instance"]
}

service "pg" {
  replaces = "module:terraform-aws-modules/rds/aws"
  when     = { engine = "postgres" }
  module   = "./services/pg"
  outputs  = { db_instance_address = "host", db_instance_port = "port" }
  ignores  = ["subnet_ids", "vpc_security_group_ids"]

  field "engine_version" {
    universe = ["14.9", "15.4", "16.2"]
  }
}

# What stands in a module whose call is replaced goes with it.
service "instance" {
  replaces = "aws_db_instance"
  when     = { engine = "postgres" }
  module   = "./services/pg"
  ignores  = ["instance_class"]
}
