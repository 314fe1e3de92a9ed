# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db
  to   = terraform_data.db_v14_9
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_v14_9
  to   = terraform_data.db_v15_4
}
