# Written by tf-phi without a run's variables: `tf-phi plan` puts moves in its place.
output "tf_phi_moves_missing" {
  value = null

  precondition {
    condition     = sha1(jsonencode([terraform.workspace, plantimestamp()])) == ""
    error_message = "Services replace aws_s3_bucket.assets, aws_s3_bucket_lifecycle_configuration.assets, aws_s3_bucket_policy.assets, aws_s3_bucket_public_access_block.assets, aws_s3_bucket_server_side_encryption_configuration.assets, aws_s3_bucket_versioning.assets. Run `tf-phi plan`, which asks whether state holds them: Terraform would give them up."
  }
}

# What services replace is given up, not destroyed, should this be planned with its state.
removed {
  from = aws_s3_bucket.assets

  lifecycle {
    destroy = false
  }
}

removed {
  from = aws_s3_bucket_lifecycle_configuration.assets

  lifecycle {
    destroy = false
  }
}

removed {
  from = aws_s3_bucket_policy.assets

  lifecycle {
    destroy = false
  }
}

removed {
  from = aws_s3_bucket_public_access_block.assets

  lifecycle {
    destroy = false
  }
}

removed {
  from = aws_s3_bucket_server_side_encryption_configuration.assets

  lifecycle {
    destroy = false
  }
}

removed {
  from = aws_s3_bucket_versioning.assets

  lifecycle {
    destroy = false
  }
}
