# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = aws_instance.app
  to   = aws_instance.app_v50_v30[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = aws_instance.app_v50_v30[0]
  to   = aws_instance.app_v200_v300[0]
}
