# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.db
  to   = module.db_b[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.db_b[0]
  to   = module.db_a[0]
}
