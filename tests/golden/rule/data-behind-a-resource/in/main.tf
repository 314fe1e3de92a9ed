resource "terraform_data" "bucket" {
  input = "state"
}

# With a condition of its own Terraform would read it only when the bucket has no changes pending.
data "terraform_remote_state" "net" {
  backend = "local"
  config  = { path = "${local.folder}/net.tfstate" }
}

locals {
  folder = false ? terraform_data.bucket.id : "."
}

resource "terraform_data" "db" {
  input = data.terraform_remote_state.net.outputs.env
}
