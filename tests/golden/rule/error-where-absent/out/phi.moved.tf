# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.db.terraform_data.main
  to   = module.db.terraform_data.main_v14_9[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.db.terraform_data.main_v14_9[0]
  to   = module.db.terraform_data.main_v15_4[0]
}
