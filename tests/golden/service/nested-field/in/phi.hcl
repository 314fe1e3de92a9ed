settings {
  form_factor = "on-prem"
}
form_factor "on-prem" {
  services = ["pg"]
}
service "pg" {
  replaces = "terraform_data"
  when     = { "input.engine" = "postgres" }
  module   = "./services/pg"
  outputs  = { output = "release" }
  field "input.engine_version" {
    universe = ["14.9", "15.4"]
  }
}
