data "terraform_remote_state" "zone" {
  backend = "local"

  lifecycle {
    # phi: the values that are specialised
    postcondition {
      condition     = try(contains(["a", "b"], self.outputs.zone), false)
      error_message = "data.terraform_remote_state.zone.outputs.zone must be one of \"a\", \"b\": only these are specialised. Add others to its universe in phi.hcl."
    }
  }
}

output "zone" {
  value = data.terraform_remote_state.zone.outputs.zone
}
