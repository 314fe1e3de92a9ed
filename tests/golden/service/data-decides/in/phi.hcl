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
  field "engine_version" {
    universe = ["14.9", "15.4", "8.0"]
  }
}
variable "data.terraform_remote_state.site.outputs.engine" {
  universe = ["postgres"]
}
variable "data.terraform_remote_state.site.outputs.version" {
  universe = ["14.9", "15.4"]
}
