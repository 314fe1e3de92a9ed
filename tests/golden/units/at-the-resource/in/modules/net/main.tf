variable "cidr" { type = string }

variable "protect" {
  type    = bool
  default = false
}

variable "pinned" { type = string }

variable "drift" { type = bool }

resource "terraform_data" "net" {
  count = var.cidr == "" ? 0 : 1
  input = var.cidr

  lifecycle {
    prevent_destroy = var.protect
  }
}

resource "terraform_data" "service" {
  input = one(terraform_data.net[*].id)

  lifecycle {
    ignore_changes = var.drift ? [input, triggers_replace] : []
  }
}

# What is pinned has nothing to do with what is protected.
resource "terraform_data" "release" {
  input = "v${var.pinned}"
}

output "id" {
  value = terraform_data.net[0].id
}
