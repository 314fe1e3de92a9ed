# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.pool
  to   = terraform_data.pool_v3[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.pool_v3[0]
  to   = terraform_data.pool_v5[0]
}
