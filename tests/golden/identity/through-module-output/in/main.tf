variable "env" {
  type = string
}

module "names" {
  source = "./names"
  env    = var.env
}

resource "terraform_data" "db" {
  input = module.names.tier == "high" ? "15.4" : "14.9"
}
