# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.db
  to   = module.db_v14_9_x_14_9[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.db_v14_9_x_14_9[0]
  to   = module.db_v15_4_x_15_4[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.vm
  to   = terraform_data.vm_small[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.vm_small[0]
  to   = terraform_data.vm_large[0]
}
