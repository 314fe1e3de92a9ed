variable "kind" {
  type = string
  validation {
    condition     = contains(["mysql", "postgres", "sqlite"], var.kind)
    error_message = "mysql, postgres or sqlite."
  }
}

variable "large" {
  type     = bool
  nullable = false
}

module "database" {
  source = "./${var.kind}"
  size   = var.large ? 100 : 20
}

resource "terraform_data" "db" {
  input = module.database.engine
}
