variable "env" {
  type = string
}

variable "new" {
  type = bool
}

# Another engine in production.
# phi: engine (aws_db_instance.app) — gate: Existing(var.env == "prod") — trace: main.tf:10-15 — compiler: tf-phi
# phi: aws_db_instance.app_postgres — service: pg — form factor: on-prem
# phi: engine_version (module.app_postgres) — gate: And(Existing(var.env == "prod"), Existing(var.new)) — trace: main.tf:13-15 — compiler: tf-phi golden
module "app_postgres_v15_4" {
  source            = "./services/pg"
  count             = var.env == "prod" ? (var.env == "prod" && var.new ? 1 : 0) : 0
  identifier        = "app"
  engine_version    = "15.4"
  allocated_storage = 20
}

# phi: engine_version (module.app_postgres) — gate: And(Existing(var.env == "prod"), Not(Existing(var.new))) — trace: main.tf:13-15 — compiler: tf-phi golden
module "app_postgres_v14_9" {
  source            = "./services/pg-v14-9"
  count             = var.env == "prod" ? (var.env == "prod" && !var.new ? 1 : 0) : 0
  identifier        = "app"
  allocated_storage = 20
}

# phi: engine (aws_db_instance.app) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:10-15 — compiler: tf-phi
# phi: aws_db_instance.app_mysql — service: my — form factor: on-prem
# phi: engine_version (module.app_mysql) — gate: Existing(true) — trace: main.tf:15 — compiler: tf-phi golden
module "app_mysql" {
  source         = "./services/my"
  count          = var.env == "prod" ? 0 : 1
  identifier     = "app"
  engine_version = "8.0"
}

module "reports" {
  source = "./modules/db-split-on-prem"

  engine = var.env == "prod" ? "mysql" : "postgres"
}

output "address" {
  value = "${one(concat(concat(module.app_postgres_v15_4, module.app_postgres_v14_9)[*].host, module.app_mysql[*].endpoint))}:${one(concat(concat(module.app_postgres_v15_4, module.app_postgres_v14_9)[*].port, module.app_mysql[*].port))}"
}

output "reports" {
  value = module.reports.addresses
}
