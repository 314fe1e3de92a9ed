# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.compared
  to   = terraform_data.compared_other[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.compared_other[0]
  to   = terraform_data.compared_medium[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.contains
  to   = terraform_data.contains_single[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.contains_single[0]
  to   = terraform_data.contains_ha[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.endswith
  to   = terraform_data.endswith_us[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.endswith_us[0]
  to   = terraform_data.endswith_eu[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.length
  to   = terraform_data.length_long[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.length_long[0]
  to   = terraform_data.length_short[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.matched
  to   = terraform_data.matched_large[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.matched_large[0]
  to   = terraform_data.matched_small[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.startswith
  to   = terraform_data.startswith_single[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.startswith_single[0]
  to   = terraform_data.startswith_ha[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.strcontains
  to   = terraform_data.strcontains_large[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.strcontains_large[0]
  to   = terraform_data.strcontains_small[0]
}
