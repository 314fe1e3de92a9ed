# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.m
  to   = module.m_input_false_v15[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.m_input_false_v15[0]
  to   = module.m_input_true_v16[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.n
  to   = module.n_input_false_v15[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.n_input_false_v15[0]
  to   = module.n_input_true_v16[0]
}
