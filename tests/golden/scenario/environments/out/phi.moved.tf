# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db
  to   = terraform_data.db_large[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_large[0]
  to   = terraform_data.db_small[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.n
  to   = terraform_data.n_v1[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.n_v1[0]
  to   = terraform_data.n_v3[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.zone
  to   = terraform_data.zone_us_1[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.zone_us_1[0]
  to   = terraform_data.zone_eu_1[0]
}
