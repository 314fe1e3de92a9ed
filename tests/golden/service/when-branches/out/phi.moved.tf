# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.app_postgres
  to   = module.app_postgres_v14_9
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.app_postgres_v14_9
  to   = module.app_postgres_v15_4
}

# Written by tf-phi without a run's variables: `tf-phi plan` puts moves in its place.
output "tf_phi_moves_missing" {
  value = null

  precondition {
    condition     = sha1(jsonencode([terraform.workspace, plantimestamp()])) == ""
    error_message = "Services replace aws_db_instance.app, module.reports.aws_db_instance.this. Run `tf-phi plan`, which asks whether state holds them: Terraform would give them up."
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
  from = module.reports.aws_db_instance.this

  lifecycle {
    destroy = false
  }
}
