variable "name" {
  type = string
}

variable "retention" {
  type    = number
  default = 7
}

locals {
  mirrors  = tolist(["one", "two"])
  only_old = "${var.name}-old"
}

resource "terraform_data" "database" {
  input = {
    version = "15"
    name    = var.name
  }
}

# Version 16 needs none.
resource "terraform_data" "upgrade" {
  count = 1
  input = local.only_old
}

resource "terraform_data" "after_upgrade" {
  count = 1
  input = terraform_data.upgrade[0].output
}

# No trace says how many of these there are.
resource "terraform_data" "counted" {
  count = 1
}

resource "terraform_data" "counts" {
  count = length(terraform_data.counted)
}

resource "terraform_data" "mirror" {
  for_each = toset(local.mirrors)
  input    = "${each.key}-${var.retention}"
}

resource "terraform_data" "waits" {
  count = 1
}

resource "terraform_data" "kept" {
  count = 1

  lifecycle {
    prevent_destroy = true
  }
}

resource "terraform_data" "says" {
  count = 1

  provisioner "local-exec" {
    when    = destroy
    command = "true"
  }
}

module "replica" {
  for_each = toset(["a"])
  source   = "../standby"

  size = each.key
}

output "all" {
  value = {
    one      = one(terraform_data.upgrade[*].output)
    several  = terraform_data.upgrade[*].output
    number   = length(terraform_data.mirror)
    tried    = try(terraform_data.after_upgrade[0].output, var.name)
    arm      = tostring(terraform_data.upgrade[0].output)
    names    = [for key, mirror in terraform_data.mirror : "${key}-${mirror.output}"]
    standby  = null
    replicas = { for key, replica in module.replica : key => replica.id }
    last     = element(concat(terraform_data.upgrade.*.output, [""]), 0)
  }
  depends_on = [terraform_data.waits]
}
