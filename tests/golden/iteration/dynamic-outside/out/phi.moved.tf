# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = aws_instance.app
  to   = aws_instance.app_v20_v1500[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = aws_instance.app_v20_v1500[0]
  to   = aws_instance.app_v200_v9001[0]
}
