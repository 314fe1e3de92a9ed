variable "identifier" { type = string }

# Carries the driven value, and is used beside it: its uses become the value.
variable "engine_version" {
  description = "Version of the engine"
  type        = string
}

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
  engine = { name = "postgres", version = var.engine_version }

  label = "${var.identifier} (${var.engine_version})"

  # Unused before, too.
  spare = 1
}

module "instance" {
  source = "./modules/instance"

  identifier     = var.identifier
  engine_version = local.engine.version
  memory         = var.memory
  checked        = local.engine.version
}

resource "terraform_data" "label" {
  input = { text = local.label, env = var.env, family = var.family, multi_az = var.multi_az }
}

output "endpoint" {
  value = module.instance.endpoint
}

output "version" {
  value = var.engine_version
}
