settings {
  form_factor = "on-prem"
}

form_factor "on-prem" {
  environment  = "kubernetes"
  connectivity = "air-gapped"
  services     = ["cloudnative-pg"]
}

service "cloudnative-pg" {
  replaces = "aws_db_instance"
  when     = { engine = "postgres" }
  module   = "./services/cloudnative-pg"
  ignores  = ["skip_final_snapshot", "instance_class"]

  field "engine_version" {
    universe = ["14.9", "15.4", "16.2", "17.2"]
  }

  outputs = { address = "host" }
}
