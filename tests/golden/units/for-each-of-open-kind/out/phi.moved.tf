# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.chained
  to   = terraform_data.chained_small
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.chained_small
  to   = terraform_data.chained_large
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.known
  to   = terraform_data.known_small
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.known_small
  to   = terraform_data.known_large
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.open
  to   = terraform_data.open_small
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.open_small
  to   = terraform_data.open_large
}
