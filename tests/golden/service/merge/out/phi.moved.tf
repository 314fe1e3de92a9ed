# Written by tf-phi without a run's variables: `tf-phi plan` puts moves in its place.
output "tf_phi_moves_missing" {
  value = null

  precondition {
    condition     = sha1(jsonencode([terraform.workspace, plantimestamp()])) == ""
    error_message = "Services replace aws_s3_bucket.app, aws_s3_bucket.each, aws_s3_bucket.plain, aws_s3_bucket_node.first, aws_s3_bucket_node.second, aws_s3_bucket_policy.app, aws_s3_bucket_versioning.app, aws_s3_bucket_versioning.each. Run `tf-phi plan`, which asks whether state holds them: Terraform would give them up."
  }
}

# What services replace is given up, not destroyed, should this be planned with its state.
removed {
  from = aws_s3_bucket.app

  lifecycle {
    destroy = false
  }
}

removed {
  from = aws_s3_bucket.each

  lifecycle {
    destroy = false
  }
}

removed {
  from = aws_s3_bucket.plain

  lifecycle {
    destroy = false
  }
}

removed {
  from = aws_s3_bucket_node.first

  lifecycle {
    destroy = false
  }
}

removed {
  from = aws_s3_bucket_node.second

  lifecycle {
    destroy = false
  }
}

removed {
  from = aws_s3_bucket_policy.app

  lifecycle {
    destroy = false
  }
}

removed {
  from = aws_s3_bucket_versioning.app

  lifecycle {
    destroy = false
  }
}

removed {
  from = aws_s3_bucket_versioning.each

  lifecycle {
    destroy = false
  }
}
