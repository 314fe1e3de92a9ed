# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.web
  to   = module.web_v80_v443_v22[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.web_v80_v443_v22[0]
  to   = module.web_v443_v8443[0]
}
