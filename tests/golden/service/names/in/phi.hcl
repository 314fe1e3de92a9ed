settings {
  form_factor = "on-prem"
}
form_factor "on-prem" {
  services = ["pg", "cluster"]
}
service "pg" {
  replaces = "aws_db_instance"
  module   = "./services/pg"
  outputs  = { address = "host" }
  field "engine_version" {
    universe = ["14.9", "15.4"]
  }
}

service "cluster" {
  replaces = "aws_rds_cluster"
  module   = "./services/pg"
}
