variable "disk" {
  type = number

  # phi: the values that are specialised
  validation {
    condition     = var.disk <= 100
    error_message = "var.disk must be at most 100: what is larger has no bin. Add one in phi.hcl."
  }
}

variable "backup" {
  type = number

  validation {
    condition     = contains([5, 30], var.backup)
    error_message = "5 or 30."
  }
}

# phi: aws_db_instance.app — service: pg — form factor: on-prem
# phi: allocated_storage (module.app) — gate: Existing(var.disk <= 20) — trace: main.tf:14-17 — compiler: tf-phi golden
module "app_v20" {
  count             = var.disk <= 20 ? 1 : 0
  source            = "./services/pg"
  allocated_storage = 20
}

# phi: allocated_storage (module.app) — gate: Existing(var.disk > 20 && var.disk <= 100) — trace: main.tf:14-17 — compiler: tf-phi golden
module "app_v100" {
  count             = var.disk > 20 && var.disk <= 100 ? 1 : 0
  source            = "./services/pg"
  allocated_storage = 100
}

# phi: aws_db_instance.backup — service: pg — form factor: on-prem
# phi: allocated_storage (module.backup) — gate: Eq(var.backup, 5) — trace: main.tf:19-22 — compiler: tf-phi golden
module "backup_v5" {
  count  = var.backup == 5 ? 1 : 0
  source = "./services/pg-v5"
}

# phi: allocated_storage (module.backup) — gate: Eq(var.backup, 30) — trace: main.tf:19-22 — compiler: tf-phi golden
module "backup_v30" {
  count  = var.backup == 30 ? 1 : 0
  source = "./services/pg-v30"
}
