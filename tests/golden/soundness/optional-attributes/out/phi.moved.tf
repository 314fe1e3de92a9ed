# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.r
  to   = terraform_data.r_LARGE[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.r_LARGE[0]
  to   = terraform_data.r_small_77bb10[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.r_small_77bb10[0]
  to   = terraform_data.r_SMALL_b8864b[0]
}
