# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.a
  to   = terraform_data.a_b[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.a_b[0]
  to   = terraform_data.a_a[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.b
  to   = terraform_data.b_b[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.b_b[0]
  to   = terraform_data.b_a[0]
}
