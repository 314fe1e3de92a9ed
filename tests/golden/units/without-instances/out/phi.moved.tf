# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.database
  to   = module.database_v15[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.database_v15[0]
  to   = module.database_v16[0]
}
