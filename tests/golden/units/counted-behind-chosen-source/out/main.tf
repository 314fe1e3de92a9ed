variable "kind" {
  type = string
  validation {
    condition     = contains(["mysql", "postgres"], var.kind)
    error_message = "mysql or postgres."
  }
}

# phi: source (module.database) — gate: Eq(var.kind, "mysql") — trace: main.tf:9-12 — compiler: tf-phi golden
module "database_mysql" {
  count  = var.kind == "mysql" ? 1 : 0
  source = "./mysql-mysql"
}

# phi: source (module.database) — gate: Eq(var.kind, "postgres") — trace: main.tf:9-12 — compiler: tf-phi golden
module "database_postgres" {
  count  = var.kind == "postgres" ? 1 : 0
  source = "./postgres-postgres"
}

# No trace says how many of these there are.
resource "terraform_data" "counts" {
  count = length(one(concat(module.database_mysql[*].upgrades, module.database_postgres[*].upgrades)))
}
