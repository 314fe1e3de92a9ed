# Its values are listed in phi.hcl alone: a validation has to keep others out, which would have other keys.
variable "zones" {
  type = list(string)
}

variable "sizes" {
  type = map(string)
}

resource "terraform_data" "zone" {
  for_each = toset(var.zones)
  input    = "zone ${each.key}"
}

module "disk" {
  for_each = var.sizes
  source   = "./m"
  size     = each.value
}

output "disks" {
  value = [for d in module.disk : d.size]
}
