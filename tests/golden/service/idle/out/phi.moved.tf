# Written by tf-phi without a run's variables: `tf-phi plan` puts moves in its place.
output "tf_phi_moves_missing" {
  value = null

  precondition {
    condition     = sha1(jsonencode([terraform.workspace, plantimestamp()])) == ""
    error_message = "Services replace module.database.aws_db_instance.this, module.replica.aws_db_instance.this, module.database.aws_db_subnet_group.this, module.database.aws_security_group.this, module.network.aws_subnet.this, module.network.aws_vpc.this, module.replica.aws_db_subnet_group.this, module.replica.aws_security_group.this. Run `tf-phi plan`, which asks whether state holds them: Terraform would give them up."
  }
}

# What services replace is given up, not destroyed, should this be planned with its state.
removed {
  from = module.database.aws_db_instance.this

  lifecycle {
    destroy = false
  }
}

removed {
  from = module.replica.aws_db_instance.this

  lifecycle {
    destroy = false
  }
}

removed {
  from = module.database.aws_db_subnet_group.this

  lifecycle {
    destroy = false
  }
}

removed {
  from = module.database.aws_security_group.this

  lifecycle {
    destroy = false
  }
}

removed {
  from = module.network.aws_subnet.this

  lifecycle {
    destroy = false
  }
}

removed {
  from = module.network.aws_vpc.this

  lifecycle {
    destroy = false
  }
}

removed {
  from = module.replica.aws_db_subnet_group.this

  lifecycle {
    destroy = false
  }
}

removed {
  from = module.replica.aws_security_group.this

  lifecycle {
    destroy = false
  }
}
