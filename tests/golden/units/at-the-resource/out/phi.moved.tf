# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.other.terraform_data.net
  to   = module.other.terraform_data.net_prevent_destroy_true
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.other.terraform_data.net_prevent_destroy_true
  to   = module.other.terraform_data.net_prevent_destroy_false
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.other.terraform_data.release
  to   = module.other.terraform_data.release_v16[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.other.terraform_data.release_v16[0]
  to   = module.other.terraform_data.release_v15[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.other.terraform_data.service
  to   = module.other.terraform_data.service_ignore_changes_empty[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.other.terraform_data.service_ignore_changes_empty[0]
  to   = module.other.terraform_data.service_input_triggers_replace[0]
}

# Written by tf-phi without a run's variables: `tf-phi plan` puts moves in its place.
output "tf_phi_moves_missing" {
  value = null

  precondition {
    condition     = sha1(jsonencode([terraform.workspace, plantimestamp()])) == ""
    error_message = "Which copies of module.net.terraform_data.net, module.net.terraform_data.release, module.net.terraform_data.service hold state depends on this run's variables. Run `tf-phi plan`, which writes the moves for them: without those, Terraform would destroy and create anew."
  }
}
