# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.x
  to   = terraform_data.x_input_null[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.x_input_null[0]
  to   = terraform_data.x_input_true[0]
}
