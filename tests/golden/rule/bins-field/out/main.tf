variable "size" {
  type = number

  validation {
    condition     = var.size >= 20 && var.size <= 1000
    error_message = "size must be from 20 to 1000."
  }

  # phi: the values that are specialised
  validation {
    condition     = var.size <= 1000
    error_message = "var.size must be at most 1000: what is larger has no bin. Add one in phi.hcl."
  }
}

# phi: input (terraform_data.disk) — gate: Existing(var.size <= 20) — trace: disk/main.tf:5-8 — compiler: tf-phi golden
module "disk_v20" {
  count  = var.size <= 20 ? 1 : 0
  source = "./disk-v20"
  size   = var.size
}

# phi: input (terraform_data.disk) — gate: Existing(var.size > 20 && var.size <= 100) — trace: disk/main.tf:5-8 — compiler: tf-phi golden
module "disk_v100" {
  count  = var.size > 20 && var.size <= 100 ? 1 : 0
  source = "./disk-v100"
  size   = var.size
}

# phi: input (terraform_data.disk) — gate: Existing(var.size > 100 && var.size <= 1000) — trace: disk/main.tf:5-8 — compiler: tf-phi golden
module "disk_v1000" {
  count  = var.size > 100 && var.size <= 1000 ? 1 : 0
  source = "./disk-v1000"
  size   = var.size
}
