# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.e
  to   = terraform_data.e_b[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.e_b[0]
  to   = terraform_data.e_none[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.e_none[0]
  to   = terraform_data.e_a[0]
}
