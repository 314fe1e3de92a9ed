variable "settings" {
  type = any
}

data "terraform_remote_state" "net" {
  backend = "local"
  config  = { path = "${path.module}/net.tfstate" }
}

locals {
  outputs = data.terraform_remote_state.net.outputs
}

resource "terraform_data" "db" {
  input = var.settings.a == "p" && var.settings.b == "q" ? "1" : "2"
}

resource "terraform_data" "cache" {
  input = local.outputs.a == "p" && data.terraform_remote_state.net.outputs["b"] == "q" ? "1" : "2"
}
