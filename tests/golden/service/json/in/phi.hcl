settings {
  form_factor = "on-prem"
}
form_factor "on-prem" {
  services = ["pg"]
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
