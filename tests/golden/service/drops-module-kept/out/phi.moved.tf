# Written by tf-phi without a run's variables: `tf-phi plan` puts moves in its place.
output "tf_phi_moves_missing" {
  value = null

  precondition {
    condition     = sha1(jsonencode([terraform.workspace, plantimestamp()])) == ""
    error_message = "Services replace aws_db_instance.app, module.used.aws_db_instance.inside, module.unused. Run `tf-phi plan`, which asks whether state holds them: Terraform would give them up."
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
  from = module.used.aws_db_instance.inside

  lifecycle {
    destroy = false
  }
}

removed {
  from = module.unused

  lifecycle {
    destroy = false
  }
}
