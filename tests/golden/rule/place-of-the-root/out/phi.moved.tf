# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.w
  to   = terraform_data.w_v2[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.w_v2[0]
  to   = terraform_data.w_v1[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.x
  to   = terraform_data.x_v2[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.x_v2[0]
  to   = terraform_data.x_v1[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.m.terraform_data.y
  to   = module.m.terraform_data.y_v2[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.m.terraform_data.y_v2[0]
  to   = module.m.terraform_data.y_v1[0]
}
