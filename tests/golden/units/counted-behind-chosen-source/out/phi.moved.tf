# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.database
  to   = module.database_postgres[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.database_postgres[0]
  to   = module.database_mysql[0]
}
