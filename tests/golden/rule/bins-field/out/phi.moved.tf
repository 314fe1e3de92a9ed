# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.disk
  to   = module.disk_v100[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.disk_v100[0]
  to   = module.disk_v1000[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.disk_v1000[0]
  to   = module.disk_v20[0]
}
