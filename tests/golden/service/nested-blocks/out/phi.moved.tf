# Written by tf-phi without a run's variables: `tf-phi plan` puts moves in its place.
output "tf_phi_moves_missing" {
  value = null

  precondition {
    condition     = sha1(jsonencode([terraform.workspace, plantimestamp()])) == ""
    error_message = "Services replace aws_msk_cluster.app, aws_security_group.app. Run `tf-phi plan`, which asks whether state holds them: Terraform would give them up."
  }
}

# What services replace is given up, not destroyed, should this be planned with its state.
removed {
  from = aws_msk_cluster.app

  lifecycle {
    destroy = false
  }
}

removed {
  from = aws_security_group.app

  lifecycle {
    destroy = false
  }
}
