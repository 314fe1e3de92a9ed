settings {
  form_factor = "on-prem"
}

form_factor "on-prem" {
  services = ["db"]
  drops    = ["module:terraform-aws-modules/rds/aws"]
}

# What it replaces doesn't go.
service "db" {
  replaces = "module:terraform-aws-modules/rds/aws"
  when     = { engine = "postgres" }
  module   = "./services/db"
  outputs  = { db_instance_address = "address" }
}
