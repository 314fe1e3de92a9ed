variable "identifier" { type = string }

variable "family" {
  type    = string
  default = "postgres"
}

variable "memory" { type = number }

variable "multi_az" {
  type    = bool
  default = false
}

variable "env" { type = string }

# Nobody uses it, before or after.
variable "unused" {
  type    = string
  default = null
}

locals {
  # Hands the driven value on.
  engine = { name = "postgres", version = "14.9" }

  label = "${var.identifier} (14.9)"

  # Unused before, too.
  spare = 1
}

module "instance" {
  source = "../db/modules/instance-v14-9"

  identifier = var.identifier
  memory     = var.memory
  checked    = local.engine.version
}

resource "terraform_data" "label" {
  input = { text = local.label, env = var.env, family = var.family, multi_az = var.multi_az }
}

output "endpoint" {
  value = module.instance.endpoint
}

output "version" {
  value = "14.9"
}
