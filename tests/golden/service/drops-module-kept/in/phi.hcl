settings {
  form_factor = "on-prem"
}

form_factor "on-prem" {
  services = ["db"]
}

service "db" {
  replaces = "aws_db_instance"
  module   = "./services/db"
  ignores  = ["vpc_security_group_ids"]
  drops    = { "module:./group" = "Policies of Kubernetes say who may connect." }
}
