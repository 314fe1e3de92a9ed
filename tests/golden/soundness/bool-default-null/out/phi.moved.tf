# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.r
  to   = terraform_data.r_input_false[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.r_input_false[0]
  to   = terraform_data.r_input_null[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.r_input_null[0]
  to   = terraform_data.r_input_true[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.s
  to   = terraform_data.s_off[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.s_off[0]
  to   = terraform_data.s_on[0]
}
