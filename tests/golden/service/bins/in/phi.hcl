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
  field "allocated_storage" {
    bins = [20, 100]
  }
}
