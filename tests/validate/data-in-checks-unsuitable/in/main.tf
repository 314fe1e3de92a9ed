# Terraform stops at these before it looks at anything else.
check "several" {
  data "terraform_remote_state" "first" {
    backend = "local"
  }
  data "terraform_remote_state" "second" {
    backend = "local"
  }
  assert {
    condition     = data.terraform_remote_state.first.outputs.status == 200
    error_message = "It asks twice."
  }
}

check "repeated" {
  data "terraform_remote_state" "repeated" {
    count   = 1
    backend = "local"
    lifecycle {}
  }
  assert {
    condition     = data.terraform_remote_state.repeated[0].outputs.status == 200
    error_message = "It is repeated."
  }
}
