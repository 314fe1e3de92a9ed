# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.box
  to   = module.box_LARGE
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.box_LARGE
  to   = module.box_SMALL
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.box_SMALL
  to   = module.box_R6
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.by_key
  to   = terraform_data.by_key_v7_2
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.by_key_v7_2
  to   = terraform_data.by_key_v15_4
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.by_value
  to   = terraform_data.by_value_small
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.by_value_small
  to   = terraform_data.by_value_large
}
