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
# phi: input (terraform_data.own) — gate: Existing(data.terraform_remote_state.net.outputs.env == "p") — trace: mod/main.tf:15-17 — compiler: tf-phi golden
resource "terraform_data" "own_v1" {
  count = data.terraform_remote_state.net.outputs.env == "p" ? 1 : 0
  input = "1"
}

# phi: input (terraform_data.own) — gate: Not(Existing(data.terraform_remote_state.net.outputs.env == "p")) — trace: mod/main.tf:15-17 — compiler: tf-phi golden
resource "terraform_data" "own_v2" {
  count = data.terraform_remote_state.net.outputs.env == "p" ? 0 : 1
  input = "2"
}
