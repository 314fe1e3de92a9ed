resource "terraform_data" "first" {
  input = "x"
}

locals {
  path = "${terraform_data.first.id}.tfstate"
}

# Its argument is known when the resource has been made, and not before.
data "terraform_remote_state" "net" {
  backend = "local"
  config  = { path = local.path }
}

resource "terraform_data" "db" {
  input = data.terraform_remote_state.net.outputs.kind == "a" ? "15.4" : "14.9"
}
