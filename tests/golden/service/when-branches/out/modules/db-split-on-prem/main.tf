variable "engine" {
  type = string
}

# phi: engine (aws_db_instance.this) — gate: Eq(var.engine, "mysql") — trace: modules/db/main.tf:5-9 — compiler: tf-phi
# phi: aws_db_instance.this_mysql — service: my — form factor: on-prem
module "this_mysql" {
  source     = "../../services/my"
  for_each   = toset([for each_key in toset(["a", "b"]) : each_key if var.engine == "mysql"])
  identifier = "reports-${each.key}"
}

# phi: engine (aws_db_instance.this) — gate: Eq(var.engine, "postgres") — trace: modules/db/main.tf:5-9 — compiler: tf-phi
# phi: aws_db_instance.this_postgres — service: pg — form factor: on-prem
module "this_postgres" {
  source     = "../../services/pg"
  for_each   = toset([for each_key in toset(["a", "b"]) : each_key if var.engine == "postgres"])
  identifier = "reports-${each.key}"
}

output "addresses" {
  value = { for name in ["a", "b"] : name => merge({ for key, value in module.this_mysql : key => { address = value.endpoint } }, { for key, value in module.this_postgres : key => { address = value.host } })[name].address }
}
