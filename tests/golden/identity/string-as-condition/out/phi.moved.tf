# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db
  to   = terraform_data.db_converted[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_converted[0]
  to   = terraform_data.db_no[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_no[0]
  to   = terraform_data.db_exactly[0]
}
