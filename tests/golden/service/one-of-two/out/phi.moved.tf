# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.app
  to   = module.app_db_t3_small[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.app_db_t3_small[0]
  to   = module.app_db_r5_large[0]
}

# Written by tf-phi without a run's variables: `tf-phi plan` puts moves in its place.
output "tf_phi_moves_missing" {
  value = null

  precondition {
    condition     = sha1(jsonencode([terraform.workspace, plantimestamp()])) == ""
    error_message = "Services replace aws_db_instance.app, aws_db_instance.other. Run `tf-phi plan`, which asks whether state holds them: Terraform would give them up."
  }
}

# What services replace is given up, not destroyed, should this be planned with its state.
removed {
  from = aws_db_instance.app

  lifecycle {
    destroy = false
  }
}

removed {
  from = aws_db_instance.other

  lifecycle {
    destroy = false
  }
}
