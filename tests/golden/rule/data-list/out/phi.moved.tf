# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.first
  to   = terraform_data.first_d_db[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.first_d_db[0]
  to   = terraform_data.first_a_db[0]
}
