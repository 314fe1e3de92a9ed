# Written by tf-phi without a run's variables: `tf-phi plan` puts moves in its place.
output "tf_phi_moves_missing" {
  value = null

  precondition {
    condition     = sha1(jsonencode([terraform.workspace, plantimestamp()])) == ""
    error_message = "Which copies of module.m.terraform_data.by_value hold state depends on this run's variables. Run `tf-phi plan`, which writes the moves for them: without those, Terraform would destroy and create anew."
  }
}
