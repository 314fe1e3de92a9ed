# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.item
  to   = terraform_data.item_v2
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.item_v2
  to   = terraform_data.item_v1
}
