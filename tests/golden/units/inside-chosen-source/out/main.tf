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

# phi: source (module.database) — gate: Eq(var.kind, "mysql") — trace: main.tf:14-17 — compiler: tf-phi golden
module "database_mysql" {
  count  = var.kind == "mysql" ? 1 : 0
  source = "./mysql-split"
  size   = var.large ? 100 : 20
}

# phi: source (module.database) — gate: Eq(var.kind, "postgres") — trace: main.tf:14-17 — compiler: tf-phi golden
module "database_postgres" {
  count  = var.kind == "postgres" ? 1 : 0
  source = "./postgres-split"
  size   = var.large ? 100 : 20
}

# phi: source (module.database) — gate: Eq(var.kind, "sqlite") — trace: main.tf:14-17 — compiler: tf-phi golden
module "database_sqlite" {
  count  = var.kind == "sqlite" ? 1 : 0
  source = "./sqlite-FILE"
  size   = var.large ? 100 : 20
}

resource "terraform_data" "db" {
  input = one(concat(module.database_mysql[*].engine, module.database_postgres[*].engine, module.database_sqlite[*].engine))
}
