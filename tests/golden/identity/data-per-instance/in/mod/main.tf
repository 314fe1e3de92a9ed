variable "name" {
  type = string
}

data "terraform_remote_state" "net" {
  backend = "local"
  config  = { path = "./${var.name}.tfstate" }
}

output "env" {
  value = data.terraform_remote_state.net.outputs.env
}

# The same within one instance.
resource "terraform_data" "own" {
  input = data.terraform_remote_state.net.outputs.env == "p" ? "1" : "2"
}
