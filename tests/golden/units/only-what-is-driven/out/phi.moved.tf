# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.archive
  to   = module.archive_v14_9[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.archive_v14_9[0]
  to   = module.archive_v15_4[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.database
  to   = module.database_v14_9
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.database_v14_9
  to   = module.database_v15_4
}
