variable "engine_version" {
  type = string
}

variable "name" {
  type = string
}

variable "retention" {
  type    = number
  default = 7
}

variable "standby_size" {
  type    = string
  default = "small"
}

locals {
  legacy   = var.engine_version == "15"
  mirrors  = local.legacy ? ["one", "two"] : []
  only_old = "${var.name}-old"
}

resource "terraform_data" "database" {
  input = {
    version = var.engine_version
    name    = var.name
  }
}

# Version 16 needs none.
resource "terraform_data" "upgrade" {
  count = local.legacy ? 1 : 0
  input = local.only_old
}

resource "terraform_data" "after_upgrade" {
  count = local.legacy ? 1 : 0
  input = terraform_data.upgrade[0].output
}

# No trace says how many of these there are.
resource "terraform_data" "counted" {
  count = local.legacy ? 1 : 0
}

resource "terraform_data" "counts" {
  count = length(terraform_data.counted)
}

resource "terraform_data" "mirror" {
  for_each = toset(local.mirrors)
  input    = "${each.key}-${var.retention}"
}

resource "terraform_data" "waits" {
  count = local.legacy ? 1 : 0
}

resource "terraform_data" "kept" {
  count = local.legacy ? 1 : 0

  lifecycle {
    prevent_destroy = true
  }
}

resource "terraform_data" "says" {
  count = local.legacy ? 1 : 0

  provisioner "local-exec" {
    when    = destroy
    command = "true"
  }
}

module "standby" {
  count  = local.legacy ? 0 : 1
  source = "../standby"

  size = var.standby_size
}

module "replica" {
  for_each = local.legacy ? toset(["a"]) : toset([])
  source   = "../standby"

  size = each.key
}

output "all" {
  value = {
    one      = one(terraform_data.upgrade[*].output)
    several  = terraform_data.upgrade[*].output
    number   = length(terraform_data.mirror)
    tried    = try(terraform_data.after_upgrade[0].output, var.name)
    arm      = local.legacy ? terraform_data.upgrade[0].output : var.name
    names    = [for key, mirror in terraform_data.mirror : "${key}-${mirror.output}"]
    standby  = local.legacy ? null : module.standby[0].id
    replicas = { for key, replica in module.replica : key => replica.id }
    last     = element(concat(terraform_data.upgrade.*.output, [""]), 0)
  }
  depends_on = [terraform_data.waits]
}
