# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.sized
  to   = terraform_data.sized_large
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.sized_large
  to   = terraform_data.sized_small
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.zoned
  to   = terraform_data.zoned_a[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.zoned_a[0]
  to   = terraform_data.zoned_a_b[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.zoned_a_b[0]
  to   = terraform_data.zoned_nowhere[0]
}
