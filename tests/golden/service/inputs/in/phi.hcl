settings {
  form_factor = "on-prem"
}

form_factor "on-prem" {
  services = ["pg"]

  inputs "pg" {
    size   = 30
    labels = { team = "data" }
  }
}

service "pg" {
  replaces = "aws_db_instance"
  when     = { engine = "postgres" }
  module   = "./services/pg"
  ignores  = { tags = "There are labels." }
}
