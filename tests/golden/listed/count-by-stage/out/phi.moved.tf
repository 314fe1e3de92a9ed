# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.node
  to   = terraform_data.node_s_s_s
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.node_s_s_s
  to   = terraform_data.node_xl_l_l
}
