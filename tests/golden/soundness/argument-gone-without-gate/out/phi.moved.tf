# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.outer
  to   = module.outer_b_x[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.outer_b_x[0]
  to   = module.outer_a_x[0]
}
