# What a check asks for itself, its own assertions name, and nothing else.
check "health" {
  data "terraform_remote_state" "app" {
    backend = "local"
    config  = { path = "app.tfstate" }
  }
  assert {
    condition     = data.terraform_remote_state.app.outputs.status == 200
    error_message = "It answers ${data.terraform_remote_state.app.outputs.status}."
  }
}

check "index" {
  data "terraform_remote_state" "index" {
    backend = "local"
  }
  assert {
    condition     = data.terraform_remote_state.index[0].outputs.status == 200
    error_message = "It has no key."
  }
}

check "attribute" {
  data "terraform_remote_state" "attribute" {
    backend = "local"
  }
  assert {
    condition     = data.terraform_remote_state.attribute.status == 200
    error_message = "It has no such attribute."
  }
}

check "itself" {
  data "terraform_remote_state" "itself" {
    backend = "local"
    config  = { path = data.terraform_remote_state.itself.outputs.path }
  }
  assert {
    condition     = data.terraform_remote_state.itself.outputs.status == 200
    error_message = "It is made of itself."
  }
}

check "another" {
  assert {
    condition     = data.terraform_remote_state.app.outputs.status == 200
    error_message = "It is another check's."
  }
}

locals {
  status = try(data.terraform_remote_state.app.outputs.status, 200)
}

resource "terraform_data" "app" {
  input      = data.terraform_remote_state.app.outputs.status
  depends_on = [data.terraform_remote_state.app]
}

module "json" {
  source = "./json"
}
