# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.r20
  to   = terraform_data.r20_a[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.r20_a[0]
  to   = terraform_data.r20_prod[0]
}
