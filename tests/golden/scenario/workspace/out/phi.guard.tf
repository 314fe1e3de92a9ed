# Written by tf-phi: the workspaces that are specialised.
output "tf_phi_workspace" {
  value = null

  precondition {
    condition     = contains(["default", "prod"], terraform.workspace)
    error_message = "terraform.workspace must be one of \"default\", \"prod\": only these are specialised. Add others to its universe in phi.hcl."
  }
}
