# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.database
  to   = terraform_data.database_v16_2
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.database_v16_2
  to   = terraform_data.database_v15_4
}
