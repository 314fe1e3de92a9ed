variable "kind" {
  type = string
  validation {
    condition     = contains(["mysql", "postgres"], var.kind)
    error_message = "mysql or postgres."
  }
}

module "database" {
  source = "./${var.kind}"
}

resource "terraform_data" "db" {
  input = module.database.engine
}
