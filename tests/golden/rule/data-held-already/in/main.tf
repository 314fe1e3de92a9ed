data "terraform_remote_state" "net" {
  backend = "local"
  config  = { path = "net.tfstate" }

  lifecycle {
    postcondition {
      condition     = contains(["prod"], self.outputs.env) || "dev" == self.outputs.env
      error_message = "prod or dev."
    }
    postcondition {
      condition     = contains(["a", "b", "c"], self.outputs.size)
      error_message = "More than what is specialised."
    }
  }
}

resource "terraform_data" "db" {
  input = "${data.terraform_remote_state.net.outputs.env}-${data.terraform_remote_state.net.outputs.size}"
}
