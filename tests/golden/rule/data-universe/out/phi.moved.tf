# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.cache
  to   = terraform_data.cache_small[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.cache_small[0]
  to   = terraform_data.cache_large[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db
  to   = terraform_data.db_prod_2[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_prod_2[0]
  to   = terraform_data.db_dev_1[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_dev_1[0]
  to   = terraform_data.db_dev_2[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_dev_2[0]
  to   = terraform_data.db_prod_1[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.web
  to   = terraform_data.web_b[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.web_b[0]
  to   = terraform_data.web_a[0]
}
