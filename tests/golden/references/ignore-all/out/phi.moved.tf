# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.app
  to   = terraform_data.app_input[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.app_input[0]
  to   = terraform_data.app_all[0]
}
