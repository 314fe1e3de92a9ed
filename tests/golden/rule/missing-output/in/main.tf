variable "env" {
  type = string
}

module "db" {
  source = "./m"
}

# A `try` sees that there is no such output; one that is an error itself it doesn't.
resource "terraform_data" "app" {
  input = try(module.db.port, var.env == "prod" ? 5432 : 5433)
}
