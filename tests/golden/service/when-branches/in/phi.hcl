settings {
  form_factor = "on-prem"
}

form_factor "on-prem" {
  services = ["pg", "my"]
}

service "pg" {
  replaces = "aws_db_instance"
  when     = { engine = "postgres" }
  module   = "./services/pg"
  outputs  = { address = "host" }

  field "engine_version" {
    universe = ["14.9", "15.4"]
  }
}

service "my" {
  replaces = "aws_db_instance"
  when     = { engine = "mysql" }
  module   = "./services/my"
  outputs  = { address = "endpoint" }
  ignores  = ["allocated_storage"]

  field "engine_version" {
    universe = ["8.0", "8.4"]
  }
}
