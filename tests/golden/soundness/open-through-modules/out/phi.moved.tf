# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.app
  to   = module.app_x55adbe[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.app_x55adbe[0]
  to   = module.app_x428b05[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.app_x428b05[0]
  to   = module.app_x233721[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.app_x233721[0]
  to   = module.app_xa267fd[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.app_xa267fd[0].terraform_data.tier
  to   = module.app_xa267fd[0].terraform_data.tier_large[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.app_xa267fd[0].terraform_data.tier_large[0]
  to   = module.app_xa267fd[0].terraform_data.tier_small[0]
}
