# Written by tf-phi without a run's variables: `tf-phi plan` puts moves in its place.
output "tf_phi_moves_missing" {
  value = null

  precondition {
    condition     = sha1(jsonencode([terraform.workspace, plantimestamp()])) == ""
    error_message = "Services replace aws_db_instance.each, aws_db_instance.many, aws_db_instance.one, aws_db_instance.other, aws_db_parameter_group.each, aws_db_parameter_group.shared. Run `tf-phi plan`, which asks whether state holds them: Terraform would give them up."
  }
}

# What services replace is given up, not destroyed, should this be planned with its state.
removed {
  from = aws_db_instance.each

  lifecycle {
    destroy = false
  }
}

removed {
  from = aws_db_instance.many

  lifecycle {
    destroy = false
  }
}

removed {
  from = aws_db_instance.one

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

removed {
  from = aws_db_parameter_group.each

  lifecycle {
    destroy = false
  }
}

removed {
  from = aws_db_parameter_group.shared

  lifecycle {
    destroy = false
  }
}
