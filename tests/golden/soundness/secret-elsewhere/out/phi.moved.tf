# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.m
  to   = module.m_b_X[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.m_b_X[0]
  to   = module.m_none_X[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.m_none_X[0]
  to   = module.m_a_X[0]
}
