# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.region
  to   = module.region_iron
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.region_iron
  to   = module.region_gold
}
