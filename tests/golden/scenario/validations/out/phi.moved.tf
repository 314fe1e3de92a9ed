# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.any
  to   = terraform_data.any_y[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.any_y[0]
  to   = terraform_data.any_x[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.env
  to   = terraform_data.env_prod[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.env_prod[0]
  to   = terraform_data.env_dev[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.listed
  to   = terraform_data.listed_s[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.listed_s[0]
  to   = terraform_data.listed_m[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.n
  to   = terraform_data.n_v2[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.n_v2[0]
  to   = terraform_data.n_v3[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.n_v3[0]
  to   = terraform_data.n_v1[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.tier
  to   = terraform_data.tier_iron[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.tier_iron[0]
  to   = terraform_data.tier_gold[0]
}
