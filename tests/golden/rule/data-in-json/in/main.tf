resource "terraform_data" "db" {
  input = data.terraform_remote_state.net.outputs.env
}

resource "terraform_data" "covered" {
  input = data.terraform_remote_state.net.outputs.env == "prod" ? "large" : "small"
}
