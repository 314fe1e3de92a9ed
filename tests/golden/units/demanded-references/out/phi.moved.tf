# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.app
  to   = module.app_huge[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.app_huge[0]
  to   = module.app_small[0]
}
