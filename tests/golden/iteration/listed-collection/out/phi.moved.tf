# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.zone
  to   = terraform_data.zone_zone_b
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.zone_zone_b
  to   = terraform_data.zone_zone_a
}

# Written by tf-phi without a run's variables: `tf-phi plan` puts moves in its place.
output "tf_phi_moves_missing" {
  value = null

  precondition {
    condition     = sha1(jsonencode([terraform.workspace, plantimestamp()])) == ""
    error_message = "Which copies of module.disk.terraform_data.disk hold state depends on this run's variables. Run `tf-phi plan`, which writes the moves for them: without those, Terraform would destroy and create anew."
  }
}
