# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.aws_msk_cluster_this
  to   = module.aws_msk_cluster_this_v4_3_x_kraft[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.aws_msk_cluster_this_v4_3_x_kraft[0]
  to   = module.aws_msk_cluster_this_v4_2_x_kraft[0]
}

# Written by tf-phi without a run's variables: `tf-phi plan` puts moves in its place.
output "tf_phi_moves_missing" {
  value = null

  precondition {
    condition     = sha1(jsonencode([terraform.workspace, plantimestamp()])) == ""
    error_message = "Services replace aws_msk_cluster.this, aws_msk_configuration.this, aws_msk_scram_secret_association.this, aws_security_group.kafka. Run `tf-phi plan`, which asks whether state holds them: Terraform would give them up."
  }
}

# What services replace is given up, not destroyed, should this be planned with its state.
removed {
  from = aws_msk_cluster.this

  lifecycle {
    destroy = false
  }
}

removed {
  from = aws_msk_configuration.this

  lifecycle {
    destroy = false
  }
}

removed {
  from = aws_msk_scram_secret_association.this

  lifecycle {
    destroy = false
  }
}

removed {
  from = aws_security_group.kafka

  lifecycle {
    destroy = false
  }
}
