# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.queue
  to   = module.queue_xb9df05[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.queue_xb9df05[0]
  to   = module.queue_xc7ed3f[0]
}
