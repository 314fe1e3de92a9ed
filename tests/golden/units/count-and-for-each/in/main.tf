variable "env" {
  type = string
}

variable "create" {
  type    = bool
  default = true
}

module "db" {
  source   = "./db"
  for_each = toset(["a", "b"])
  name     = each.key
  release  = var.env == "prod" ? "15.4" : "16.2"
}

resource "terraform_data" "vm" {
  count = var.create ? 2 : 0
  input = var.env == "prod" ? "large" : "small"
}

resource "terraform_data" "per_key" {
  for_each = { x = "1", y = "2", z = "1" }
  input    = each.value
}

output "all" {
  value = {
    a    = module.db["a"].id
    all  = { for k, db in module.db : k => db.id }
    vms  = terraform_data.vm[*].output
    one  = terraform_data.vm[0].output
    keys = keys(terraform_data.per_key)
    x    = terraform_data.per_key["x"].output
  }
}
