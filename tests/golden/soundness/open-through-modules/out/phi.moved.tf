# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.app
  to   = module.app_big_true_named_false[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.app_big_true_named_false[0]
  to   = module.app_big_false_named_true[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.app_big_false_named_true[0]
  to   = module.app_big_false_named_false[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.app_big_false_named_false[0]
  to   = module.app_big_true_named_true[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.app_big_true_named_true[0].terraform_data.tier
  to   = module.app_big_true_named_true[0].terraform_data.tier_large[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.app_big_true_named_true[0].terraform_data.tier_large[0]
  to   = module.app_big_true_named_true[0].terraform_data.tier_small[0]
}
