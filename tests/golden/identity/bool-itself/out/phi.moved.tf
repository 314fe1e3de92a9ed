# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db
  to   = terraform_data.db_input_false[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_input_false[0]
  to   = terraform_data.db_input_true[0]
}
