variable "kind" {
  type = string
  validation {
    condition     = contains(["a", "b"], var.kind)
    error_message = "a or b."
  }
}

variable "env" {
  type = string
  validation {
    condition     = contains(["dev", "prod"], var.env)
    error_message = "dev or prod."
  }
}

# One source for each key.
# phi: source (module.service) — gate: Eq(each.key, "fast") — trace: main.tf:18-22 — compiler: tf-phi golden
module "service_cache" {
  for_each = { for each_key, each_value in { fast = "./cache", slow = "./queue" } : each_key => each_value if each_key == "fast" }
  source   = "./cache-split"
  env      = var.env
}

# phi: source (module.service) — gate: Eq(each.key, "slow") — trace: main.tf:18-22 — compiler: tf-phi golden
module "service_queue" {
  for_each = { for each_key, each_value in { fast = "./cache", slow = "./queue" } : each_key => each_value if each_key == "slow" }
  source   = "./queue-split"
  env      = var.env
}

# The choice is made further in, and once more behind it.
module "outer" {
  source = "./outer-split"
  kind   = var.kind
  env    = var.env
}
