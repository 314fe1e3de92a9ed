# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.listed
  to   = terraform_data.listed_a[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.listed_a[0]
  to   = terraform_data.listed_input_empty[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.same
  to   = terraform_data.same_tuple[0]
}
