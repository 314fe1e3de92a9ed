# An override file may hold no check. It changes the data source of one, and a removed block in it counts for nothing.
check "health" {
  data "terraform_remote_state" "app" {
    backend = "local"
  }
  assert {
    condition     = data.terraform_remote_state.app.outputs.status == 200
    error_message = "It answers otherwise."
  }
}

resource "terraform_data" "app" {}
