# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.app
  to   = terraform_data.app_medium
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.app_medium
  to   = terraform_data.app_small
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.app_small
  to   = terraform_data.app_large
}
