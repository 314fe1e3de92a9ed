# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.own_count
  to   = terraform_data.own_count_s
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.own_count_s
  to   = terraform_data.own_count_l
}
