# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.zone
  to   = module.zone_disk_2_node_2
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.zone_disk_2_node_2
  to   = module.zone_disk_1_node_1
}
