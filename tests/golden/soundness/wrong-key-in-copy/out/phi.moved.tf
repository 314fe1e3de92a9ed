# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.c
  to   = module.c_is_1[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.c_is_1[0]
  to   = module.c_is_true[0]
}
