# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = aws_secret.by
  to   = aws_secret.by_b_b
}

moved { # If Terraform stops here, run tf-phi plan.
  from = aws_secret.by_b_b
  to   = aws_secret.by_a0_a1
}
