# Written by tf-phi without a run's variables: `tf-phi plan` puts moves in its place.
output "tf_phi_moves_missing" {
  value = null

  precondition {
    condition     = sha1(jsonencode([terraform.workspace, plantimestamp()])) == ""
    error_message = "Services replace module.db, module.legacy. Run `tf-phi plan`, which asks whether state holds them: Terraform would give them up."
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
  from = module.legacy

  lifecycle {
    destroy = false
  }
}
