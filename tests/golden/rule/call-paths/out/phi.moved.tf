# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.first
  to   = module.first_db_small[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.first_db_small[0]
  to   = module.first_db_large[0]
}
