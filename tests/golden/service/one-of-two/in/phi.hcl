settings {
  form_factor = "on-prem"
}
form_factor "on-prem" {
  services = ["pg"]
}
variable "env" {
  universe = ["prod", "dev"]
}
service "pg" {
  replaces = "aws_db_instance"
  when     = { engine = "postgres" }
  module   = "./services/pg"
  outputs  = { address = "host" }
  field "engine_version" {
    universe = ["15.4", "16.2"]
  }
  field "instance_class" {
    universe = ["db.t3.small", "db.r5.large"]
  }
  field "storage_type" {}
}
