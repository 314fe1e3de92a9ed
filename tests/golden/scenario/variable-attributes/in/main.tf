variable "cfg" {
  type = object({
    version = string
    size    = number
    db      = object({ engine = string, tags = list(string) })
    guarded = optional(bool)
  })
  default = {
    version = "1.0"
    size    = 10
    db      = { engine = "pg", tags = [] }
  }
}

variable "keys" {
  type    = map(string)
  default = { a = "1" }
}

locals {
  db = var.cfg.db
}

resource "terraform_data" "default" {
  input = local.db.engine
}

resource "terraform_data" "listed" {
  input = var.cfg.version
}

resource "terraform_data" "bool" {
  input = var.cfg.guarded
}

# The whole map decides which instances there are.
resource "terraform_data" "whole" {
  for_each = var.keys
  input    = each.value
}
