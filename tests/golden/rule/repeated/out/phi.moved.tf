# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.by_key
  to   = terraform_data.by_key_large
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.by_key_large
  to   = terraform_data.by_key_small
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.count
  to   = terraform_data.count_dev
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.count_dev
  to   = terraform_data.count_prod
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.for_each
  to   = terraform_data.for_each_dev
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.for_each_dev
  to   = terraform_data.for_each_prod
}
