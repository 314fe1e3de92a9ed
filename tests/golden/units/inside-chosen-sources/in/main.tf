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
module "service" {
  for_each = { fast = "./cache", slow = "./queue" }
  source   = each.value
  env      = var.env
}

# The choice is made further in, and once more behind it.
module "outer" {
  source = "./outer"
  kind   = var.kind
  env    = var.env
}
