# Written by tf-phi without a run's variables: `tf-phi plan` puts moves in its place.
output "tf_phi_moves_missing" {
  value = null

  precondition {
    condition     = sha1(jsonencode([terraform.workspace, plantimestamp()])) == ""
    error_message = "Services replace aws_db_instance.app, module.group, module.others, module.vpc, module.network.aws_eip.nat, module.network.module.vpc, module.wrapped.module.vpc. Run `tf-phi plan`, which asks whether state holds them: Terraform would give them up."
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
  from = module.group

  lifecycle {
    destroy = false
  }
}

removed {
  from = module.others

  lifecycle {
    destroy = false
  }
}

removed {
  from = module.vpc

  lifecycle {
    destroy = false
  }
}

removed {
  from = module.network.aws_eip.nat

  lifecycle {
    destroy = false
  }
}

removed {
  from = module.network.module.vpc

  lifecycle {
    destroy = false
  }
}

removed {
  from = module.wrapped.module.vpc

  lifecycle {
    destroy = false
  }
}
