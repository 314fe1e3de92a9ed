# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.form
  to   = terraform_data.form_b[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.form_b[0]
  to   = terraform_data.form_a[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.list
  to   = terraform_data.list_large[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.list_large[0]
  to   = terraform_data.list_small[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.literal
  to   = terraform_data.literal_large[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.literal_large[0]
  to   = terraform_data.literal_small[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.original
  to   = terraform_data.original_there[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.original_there[0]
  to   = terraform_data.original_here[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.twice
  to   = terraform_data.twice_b[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.twice_b[0]
  to   = terraform_data.twice_a[0]
}
