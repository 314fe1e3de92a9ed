settings {
  form_factor = "onprem"
}
form_factor "on-prem" {
  services = ["pg"]
}
service "pg" {
  replaces = "aws_db_instance"
  when     = { engine = "postgres" }
  module   = "./services/pg"
  outputs  = { address = "hst" }
  field "engine_versio" {
    universe = ["14.9", "15.4"]
  }
}

service "lost" {
  replaces = "x"
  module   = "./services/lost"
}
service "remote" {
  replaces = "x"
  module   = "hashicorp/consul/aws"
}
