settings {
  form_factor = "on-prem"
}

form_factor "on-prem" {
  connectivity = "air-gapped"
  mirror       = "registry.example"
  services     = ["pg"]
}

service "pg" {
  replaces = "aws_db_instance"
  module   = "./services/pg"
  ignores  = ["identifier", "engine", "engine_version", "instance_class"]
}
