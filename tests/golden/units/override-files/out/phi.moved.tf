# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.db
  to   = module.db_v14_9
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.db_v14_9
  to   = module.db_v15_4
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.kept
  to   = terraform_data.kept_no
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.kept_no
  to   = terraform_data.kept_yes
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.one
  to   = terraform_data.one_small[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.one_small[0]
  to   = terraform_data.one_large[0]
}
