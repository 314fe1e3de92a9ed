# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.size
  to   = module.size_DEV[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.size_DEV[0]
  to   = module.size_B[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.r
  to   = terraform_data.r_a[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.r_a[0]
  to   = terraform_data.r_dev[0]
}
