# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.db
  to   = module.db_v16_2
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.db_v16_2
  to   = module.db_v15_4
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.per_key
  to   = terraform_data.per_key_v2
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.per_key_v2
  to   = terraform_data.per_key_v1
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.vm
  to   = terraform_data.vm_small
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.vm_small
  to   = terraform_data.vm_large
}
