# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.db
  to   = module.db_v16_2_db_m6[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.db_v16_2_db_m6[0]
  to   = module.db_v16_2_db_t3[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.db_v16_2_db_t3[0]
  to   = module.db_v15_4_db_r6[0]
}
