# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.m
  to   = module.m_b_false_b[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.m_b_false_b[0]
  to   = module.m_b_true_a[0]
}
