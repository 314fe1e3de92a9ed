# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.db
  to   = module.db_small_v16_2_v5433[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.db_small_v16_2_v5433[0]
  to   = module.db_large_v15_4_v5432[0]
}
