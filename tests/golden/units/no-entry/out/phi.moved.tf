# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = aws_security_group.apart
  to   = aws_security_group.apart_v80[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = aws_security_group.apart_v80[0]
  to   = aws_security_group.apart_v443[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = aws_security_group.two
  to   = aws_security_group.two_v80[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = aws_security_group.two_v80[0]
  to   = aws_security_group.two_v443[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = aws_security_group.within
  to   = aws_security_group.within_v80[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = aws_security_group.within_v80[0]
  to   = aws_security_group.within_v443[0]
}
