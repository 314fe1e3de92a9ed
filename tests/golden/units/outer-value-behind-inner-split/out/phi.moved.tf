# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.app
  to   = module.app_prevent_destroy_false[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.app_prevent_destroy_false[0].module.db
  to   = module.app_prevent_destroy_false[0].module.db_v14_9
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.app_prevent_destroy_false[0].module.db_v14_9
  to   = module.app_prevent_destroy_false[0].module.db_v15_4
}
