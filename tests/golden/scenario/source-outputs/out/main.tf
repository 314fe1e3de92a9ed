variable "kind" {
  type = string
  validation {
    condition     = contains(["mysql", "postgres"], var.kind)
    error_message = "mysql or postgres."
  }
}

# phi: source (module.database) — gate: Eq(var.kind, "mysql") — trace: main.tf:9-11 — compiler: tf-phi golden
module "database_mysql" {
  count  = var.kind == "mysql" ? 1 : 0
  source = "./mysql"
}

# phi: source (module.database) — gate: Eq(var.kind, "postgres") — trace: main.tf:9-11 — compiler: tf-phi golden
module "database_postgres" {
  count  = var.kind == "postgres" ? 1 : 0
  source = "./postgres"
}

# phi: input (terraform_data.db) — gate: Eq(var.kind, "mysql") — trace: main.tf:13-15 — compiler: tf-phi golden
resource "terraform_data" "db_mysql" {
  count = var.kind == "mysql" ? 1 : 0
  input = "mysql"
}

# phi: input (terraform_data.db) — gate: Eq(var.kind, "postgres") — trace: main.tf:13-15 — compiler: tf-phi golden
resource "terraform_data" "db_postgres" {
  count = var.kind == "postgres" ? 1 : 0
  input = "postgres"
}
