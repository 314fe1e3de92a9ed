variable "kind" {
  type = string
  validation {
    condition     = contains(["mysql", "postgres"], var.kind)
    error_message = "mysql or postgres."
  }
}

module "database" {
  source = "./${var.kind}"
  kind   = var.kind
}

# No trace says how many of these there are.
resource "terraform_data" "counts" {
  count = length(module.database.upgrades)
}
