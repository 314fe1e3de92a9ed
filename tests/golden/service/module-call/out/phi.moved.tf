# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.on_prem_db
  to   = module.on_prem_db_v14_9[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.on_prem_db_v14_9[0]
  to   = module.on_prem_db_v15_4[0]
}

# Written by tf-phi without a run's variables: `tf-phi plan` puts moves in its place.
output "tf_phi_moves_missing" {
  value = null

  precondition {
    condition     = sha1(jsonencode([terraform.workspace, plantimestamp()])) == ""
    error_message = "Services replace module.db, module.data.module.replica. Run `tf-phi plan`, which asks whether state holds them: Terraform would give them up."
  }
}

# What services replace is given up, not destroyed, should this be planned with its state.
removed {
  from = module.db

  lifecycle {
    destroy = false
  }
}

removed {
  from = module.data.module.replica

  lifecycle {
    destroy = false
  }
}
