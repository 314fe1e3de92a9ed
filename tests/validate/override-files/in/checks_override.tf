check "health" {
  assert {
    condition     = terraform_data.app.id != ""
    error_message = "It is overridden."
  }
}

data "terraform_remote_state" "app" {
  config = { path = "app.tfstate" }
}

removed {
  from = terraform_data.app
  lifecycle {
    destroy = false
  }
}
