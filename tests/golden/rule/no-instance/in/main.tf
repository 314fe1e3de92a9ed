variable "engine" {
  type = string
}

resource "terraform_data" "off" {
  count = 0
  input = var.engine
}

module "off" {
  source   = "./modules/off"
  for_each = {}
  settings = null
}

resource "terraform_data" "known" {
  count = 0
  input = upper("what it would be")
}
