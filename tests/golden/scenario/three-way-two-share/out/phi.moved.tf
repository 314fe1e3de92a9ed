# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.node
  to   = module.node_t3_small[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.node_t3_small[0]
  to   = module.node_m5_xlarge[0]
}
